/** What somebody has typed behind the name of a test runner. Its workers are not told, but the system may show it. */
import { readFileSync } from "node:fs";

export type Runner = "jest" | "vitest";

/** The scripts by which npm and npx start them. */
const SCRIPTS: Readonly<Record<Runner, RegExp>> = {
  jest: /(?:^|[\\/])jest(?:\.js)?$/,
  vitest: /(?:^|[\\/])vitest(?:\.mjs)?$/,
};

/** Empty where the runner is neither this process nor its parent, or the system has no `/proc`. */
export function typedArguments(runner: Runner, argv: readonly string[]): readonly string[] {
  for (const words of [argv, commandLine(process.pid), commandLine(process.ppid)]) {
    const at = words.findIndex((word) => SCRIPTS[runner].test(word));
    if (at !== -1) return words.slice(at + 1);
  }
  return [];
}

function commandLine(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return [];
  }
}
