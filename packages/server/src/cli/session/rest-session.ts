/** What the commands that speak to the public API share. */
import type { Command } from "commander";
import { createOutput, type Output } from "./output.ts";
import { Rest, type RestOptions } from "./rest.ts";
import type { Options } from "./session.ts";
import type { Terminal } from "./terminal.ts";

export interface RestSession {
  readonly rest: Rest;
  readonly output: Output;
}

/** Adds the options that these commands share, and gives the action a client. */
export function marketAction(
  command: Command,
  terminal: Terminal,
  run: (session: RestSession, names: readonly string[], options: Options) => Promise<void>,
): void {
  command
    .option("--json", "print the exchange's answer")
    .optionsGroup("Which exchange, and whose account:")
    .option("--data <folder>", "the node's data folder (./data)")
    .option("--rest <url>", "the address of its REST API (from the data folder; PRICETIME_REST)")
    .option("--ca <file>", "who vouches for its certificate, in PEM (from the data folder; PRICETIME_CA)")
    .option("--account <name>", "of a demo: alice, bob, carol or dave (alice)")
    .option("--key <key>", "an API key in place of the demo's (PRICETIME_API_KEY)")
    .option("--secret <secret>", "its secret (PRICETIME_API_SECRET, which others on the machine cannot see)")
    .action(async (...all: unknown[]) => {
      const options = all.at(-2) as Options & RestOptions;
      const rest = new Rest(options, terminal.environment);
      const output = createOutput(options["json"] === true, terminal.print);
      await run({ rest, output }, (all.slice(0, -2) as string[][]).flat().filter(isSaid), options);
    });
}

function isSaid(word: string | undefined): boolean {
  return word !== undefined;
}

/** Accepts symbols in any spelling that people use. */
export function symbolName(said = ""): string {
  return said.toUpperCase().replace("/", "");
}
