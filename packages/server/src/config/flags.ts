/** The flags of `npm start` and of `pricetime serve`. */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { CLOCK_MODES, HISTORIES, TIMINGS } from "./lab-schema.ts";
import { ConfigError } from "./config-error.ts";
import { splitList } from "./environment.ts";
import { flagFault } from "./flag-fault.ts";

/** The flags of the command line; absent ones were not given. */
export interface Flags {
  readonly node?: string;
  readonly cluster?: readonly string[];
  readonly port?: number;
  readonly adminPort?: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly host?: string;
  readonly data?: string;
  readonly config?: string;
  readonly demo?: boolean;
  readonly bots?: "on" | "off";
  readonly seed?: number;
  readonly limits?: "on" | "off";
  readonly lab?: boolean;
  readonly clock?: string;
  /** Milliseconds since 1970, or a moment as ISO 8601 writes it. */
  readonly clockStart?: number | string;
  readonly clockSpeed?: number;
  readonly timing?: string;
  readonly history?: string;
  readonly adoptSettings?: boolean;
}

function wholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

function moment(text: string): number | string {
  return /^[0-9]+$/.test(text) ? wholeNumber(text) : text;
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0) || text.trim() === "") throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}

/** Adds the flags to a command, so that every command that serves takes the same. */
export function addServeFlags(command: Command): Command {
  return command
    .option("--port <port>", "where clients connect (8080; 0: any free one)", wholeNumber)
    .option("--admin-port <port>", "where the admin API listens, on loopback (8081)", wholeNumber)
    .option("--host <address>", "the address to listen on (127.0.0.1)")
    .option("--tls-cert <file>", "clients connect by TLS: the certificate and its chain, in PEM")
    .option("--tls-key <file>", "the certificate's key, in PEM")
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
    .option("--lab", "a node for experiments: clock, markets, faults and checkpoints in your hands")
    .addOption(
      new Option("--clock <mode>", "a lab's clock: the machine's pace, a multiple, or only as you say (real)").choices(
        CLOCK_MODES,
      ),
    )
    .option("--clock-start <time>", "what it shows first: 2026-01-01T00:00:00Z, or milliseconds since 1970", moment)
    .option("--clock-speed <number>", "a scaled clock's seconds in one of the machine's", positiveNumber)
    .addOption(
      new Option("--timing <by>", "by which clock a lab judges timestamps of requests (server)").choices(TIMINGS),
    )
    .addOption(new Option("--history <what>", "what a lab keeps for queries (on)").choices(HISTORIES))
    .option("--node <name>", "this node's name in the journal (node-1); of its own in a cluster")
    .option("--cluster <urls>", "the members of etcd, with commas between: this node is one of several", splitList)
    .option(
      "--adopt-settings",
      "journal this node's fees, filters, limits and rules for all nodes; alone, it does so anyway",
    );
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
