/** Shared by the commands that use the public API. */
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
    .option("--json", "Print the API response as JSON")
    .optionsGroup("Connection options:")
    .option("--data <folder>", "Data folder of the node (default: ./data)")
    .option("--rest <url>", "REST API URL (default: from the data folder; PRICETIME_REST)")
    .option("--ca <file>", "CA certificates to trust, in PEM (default: from the data folder; PRICETIME_CA)")
    .option("--account <name>", "Demo account: alice, bob, carol or dave (default: alice)")
    .option("--key <key>", "API key (default: the demo account's; PRICETIME_API_KEY)")
    .option("--secret <secret>", "API secret; other users can see it on the command line, unlike PRICETIME_API_SECRET")
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

/** Accepts lower case and `BTC/USDT`. */
export function symbolName(said = ""): string {
  return said.toUpperCase().replace("/", "");
}
