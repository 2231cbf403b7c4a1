/** The session of a command: its connections to a node, its output, and the options that select the node. */
import type { Command } from "commander";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { Rest, type RestOptions } from "./rest.ts";
import { createOutput, type Output, type Terminal } from "./terminal.ts";

export class Session {
  readonly terminal: Terminal;
  readonly output: Output;
  /** The exit code, unless the command fails. */
  exitCode = 0;
  readonly #options: ConnectionOptions & RestOptions;

  constructor(options: ConnectionOptions & RestOptions & { readonly json?: boolean }, terminal: Terminal) {
    this.#options = options;
    this.terminal = terminal;
    this.output = createOutput(options.json === true, terminal.print);
  }

  /** The connection to the admin API. Throws `CommandFailed` if no node is found. */
  get connection(): Connection {
    return new Connection(this.#options, this.terminal.environment);
  }

  /** The connection to the REST API. Throws `CommandFailed` if no node is found. */
  get rest(): Rest {
    return new Rest(this.#options, this.terminal.environment);
  }
}

/** Options of commands that work on a data folder. */
export const DATA = ["--data <folder>", "Data folder (default: ./data)"] as const;
export const JSON_FLAG = ["--json", "Print JSON"] as const;

/** Adds the options of commands that use the admin API. */
export function addConnectionOptions(command: Command): void {
  command
    .option(...JSON_FLAG)
    .optionsGroup("Connection options:")
    .option("--data <folder>", "Data folder of the node (default: ./data)")
    .option("--admin <url>", "Admin API URL (default: from the data folder; PRICETIME_ADMIN)")
    .option("--token <token>", "Admin token or session token (default: from the data folder; PRICETIME_ADMIN_TOKEN)")
    .option("--ca <file>", "CA certificates to trust, in PEM (default: from the data folder; PRICETIME_CA)")
    .option("--user <name>", "Operator name in the journal (default: your login name; PRICETIME_USER)");
}

/** Adds the options of commands that use the REST API. */
export function addRestOptions(command: Command): void {
  command
    .option("--json", "Print the API response as JSON")
    .optionsGroup("Connection options:")
    .option("--data <folder>", "Data folder of the node (default: ./data)")
    .option("--rest <url>", "REST API URL (default: from the data folder; PRICETIME_REST)")
    .option("--ca <file>", "CA certificates to trust, in PEM (default: from the data folder; PRICETIME_CA)")
    .option("--account <name>", "Demo account: alice, bob, carol or dave (default: alice)")
    .option("--key <key>", "API key (default: the demo account's; PRICETIME_API_KEY)")
    .option("--secret <secret>", "API secret; other users can see it on the command line, unlike PRICETIME_API_SECRET");
}
