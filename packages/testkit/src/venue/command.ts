/** The program's files and its command line, as tests start them. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";

/** The root folder of the repository. */
export const ROOT = resolve(import.meta.dirname, "../../../..");
/** What `scripts/run-tests.ts --built` made of the sources, as the package has it: it starts in half the time. */
const BUILT = process.env["TEST_PROGRAM_FOLDER"];
/** A long journal is verified for minutes on a busy machine. */
const COMMAND_TIMEOUT_MS = 600_000;
const QUIET = "--disable-warning=ExperimentalWarning";

/** The arguments of Node that run a program of the sources. */
export const ofSources = (source: string, root = ROOT): readonly string[] => [QUIET, join(root, source)];

/** The same of what was built of it, under its name there, if the runner has. */
export const programOf = (source: string, built: string): readonly string[] =>
  BUILT === undefined ? ofSources(source) : [QUIET, join(BUILT, "lib", `${built}.js`)];

/** The command line, to which the words of a command are added. */
export const PRICETIME: readonly string[] = programOf("packages/server/src/program/cli/pricetime.ts", "pricetime");

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
