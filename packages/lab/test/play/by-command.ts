/** The scenarios of the package, played by the command as users do. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PRICETIME, ROOT } from "@pricetime/testkit/venue";

const MAKER = "examples/scenarios/market-maker.mjs";
export const FOLDER = join(ROOT, "examples/scenarios");
/** The maker's options besides its defaults. */
const WORDS: Readonly<Record<string, string>> = {
  "hour-of-5xx": "--every 10000 --symbol BNBBTC --quantity 1 --most 10 --spread 0.1",
};
const USUAL = "--every 5000";

export interface PlayedByCommand {
  readonly code: number | null;
  /** All output, including the bot's. */
  readonly said: string;
}

/** `args`: those of `pricetime lab run-scenario`. */
export const playByCommand = (...args: readonly string[]): Promise<PlayedByCommand> => playUntil(undefined, args);

/** Interrupts it, like Ctrl-C, after it has printed `moment`; undefined: never. */
export function playUntil(moment: string | undefined, args: readonly string[]): Promise<PlayedByCommand> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...PRICETIME, "lab", "run-scenario", ...args], { cwd: ROOT });
    let said = "";
    const hear = (chunk: Buffer): void => {
      const hadSaidIt = moment === undefined || said.includes(moment);
      said += chunk.toString();
      if (!hadSaidIt && said.includes(moment)) child.kill("SIGINT");
    };
    for (const output of [child.stdout, child.stderr]) output.on("data", hear);
    child.once("close", (code) => resolve({ code, said }));
  });
}

/** In alphabetical order. */
export const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => name.slice(0, -".yaml".length))
  .toSorted();

/** The command that runs the market maker. */
export const makerOf = (name: string): readonly string[] => ["node", MAKER, ...(WORDS[name] ?? USUAL).split(" ")];
