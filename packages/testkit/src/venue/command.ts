/** The program's files and its command line, as tests start them. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

/** The root folder of the repository. */
export const ROOT = resolve(import.meta.dirname, "../../../..");
/** What `scripts/run-tests.ts --built` made of the sources, as the package has it: it starts in half the time. */
const BUILT = process.env["TEST_PROGRAM_FOLDER"];
const COMMAND_TIMEOUT_MS = 60_000;

/** The arguments of Node that run a program of the sources, or what was built of it. */
export function programOf(source: string, built: string, isBuilt = BUILT !== undefined): readonly string[] {
  const file = isBuilt && BUILT !== undefined ? join(BUILT, "lib", `${built}.js`) : join(ROOT, source);
  return ["--disable-warning=ExperimentalWarning", file];
}

/** The command line, to which the words of a command are added. */
export const PRICETIME: readonly string[] = programOf("packages/server/src/cli/pricetime.ts", "pricetime");

export interface RanCommand {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the command line to its end. */
export function pricetime(...args: readonly string[]): RanCommand {
  const options = { encoding: "utf8", timeout: COMMAND_TIMEOUT_MS, maxBuffer: 64 << 20 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...PRICETIME, ...args], options);
  return { code: status, stdout, stderr };
}
