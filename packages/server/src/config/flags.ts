/** The flags of `npm start` and of `pricetime serve`. */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { ConfigError } from "./config-error.ts";
import { splitList } from "./environment.ts";
import { flagFault } from "./flag-fault.ts";

/** The flags of the command line; absent ones were not given. */
export interface Flags {
  readonly node?: string;
  readonly cluster?: readonly string[];
  readonly port?: number;
  readonly adminPort?: number;
  readonly host?: string;
  readonly data?: string;
  readonly config?: string;
  readonly demo?: boolean;
  readonly bots?: "on" | "off";
  readonly seed?: number;
  readonly limits?: "on" | "off";
}

function wholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** Adds the flags to a command, so that every command that serves takes the same. */
export function addServeFlags(command: Command): Command {
  return command
    .option("--port <port>", "where clients connect (8080; 0: any free one)", wholeNumber)
    .option("--admin-port <port>", "where the admin API listens, on loopback (8081)", wholeNumber)
    .option("--host <address>", "the address to listen on (127.0.0.1)")
    .option("--data <folder>", "the data folder (./data)")
    .option("--config <file>", "a YAML configuration file")
    .option("--demo", "demo symbols and accounts, with keys that everybody knows (the default)")
    .option("--no-demo", "an empty exchange: nothing but what the configuration lists")
    .addOption(
      new Option("--bots <on|off>", "demo market makers and takers, and candles of before them (on)").choices([
        "on",
        "off",
      ]),
    )
    .option("--seed <number>", "the seed of the bots (1)", wholeNumber)
    .addOption(new Option("--limits <on|off>", "request and order rate limits (on)").choices(["on", "off"]))
    .option("--node <name>", "this node's name in the journal (node-1); of its own in a cluster")
    .option("--cluster <urls>", "the members of etcd, with commas between: this node is one of several", splitList);
}

/**
 * Reads `process.argv.slice(2)`. Returns null when help was requested and has been printed; throws
 * `ConfigError` for anything that is not a flag.
 */
export function readFlags(argv: readonly string[]): Flags | null {
  const command = addServeFlags(new Command("pricetime"))
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => {} });
  try {
    return command.parse(argv, { from: "user" }).opts<Flags>();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return null;
    throw new ConfigError(flagFault(error), { cause: error });
  }
}
