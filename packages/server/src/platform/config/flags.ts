/** The flags of `npm start` and `pricetime serve`, and error messages for invalid flags. */
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { INTERFACES, ORDER_ID_SCOPES } from "@pricetime/engine";
import { CLOCK_MODES, HISTORIES, TIMINGS } from "./lab-schema.ts";
import { ConfigError } from "./faults.ts";
import { splitList } from "./environment.ts";

type Rule = readonly [pattern: RegExp, sentence: (...parts: string[]) => string];

const RULES: readonly Rule[] = [
  [
    /^option '(--?[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)$/,
    (_, flag, value, why) => `${flag}: ${wish(why)}, not '${value}'`,
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. (.*)$/,
    (_, value, name, why) => `${name}: ${wish(why)}, not '${value}'`,
  ],
  [/^required option '([^']*)' not specified$/, (_, flags) => `${flags} is required`],
  [/^missing required argument '(.*)'$/, (_, name) => `missing argument <${name}>`],
  [/^option '([^']*)' argument missing$/, (_, flags) => `${flags}: missing value`],
  [
    /^too many arguments.* Expected (\d+) arguments? but got (\d+)\.$/,
    (_, most, got) => `too many arguments: ${got}, at most ${most} expected`,
  ],
];

export function flagFault({ message }: Pick<CommanderError, "message">): string {
  const [said = "", hint = ""] = message.replace(/^error: /, "").split(/\n\(/);
  const line = said.replaceAll("\n", " ").trim();
  for (const [pattern, sentence] of RULES) {
    const found = pattern.exec(line);
    if (found !== null) return sentence(...found);
  }
  return hint === "" ? line : `${line}; ${hint.replace(/^Did/, "did").replace(/\)\s*$/, "")}`;
}

/** What a valid value is, for the error message. */
function wish(why = ""): string {
  const text = why.trim().replace(/\.$/, "");
  const choices = /^Allowed choices are (.*)$/.exec(text)?.[1];
  return choices === undefined ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : `one of ${choices}`;
}

/** The flags that were given. */
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
  readonly interface?: string;
  readonly orderIds?: string;
  readonly lab?: boolean;
  readonly clock?: string;
  /** Milliseconds since 1970, or an ISO 8601 time. */
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

/** Adds the serve flags to a command that runs a node. */
export function addServeFlags(command: Command): Command {
  return command
    .option(
      "--port <port>",
      "Port for clients: REST API, WebSocket and pages; 0 for any free port (default: 8080)",
      wholeNumber,
    )
    .option(
      "--admin-port <port>",
      "Port for the admin API and console, on loopback; 0 for any free port (default: 8081)",
      wholeNumber,
    )
    .option("--host <address>", "Address to listen on for clients (default: 127.0.0.1)")
    .option("--tls-cert <file>", "TLS certificate and chain for clients, in PEM")
    .option("--tls-key <file>", "Private key of the TLS certificate, in PEM")
    .option("--data <folder>", "Data folder (default: ./data)")
    .option("--config <file>", "Configuration file, in YAML")
    .option("--demo", "Run a demo: symbols and accounts with publicly known keys (the default)")
    .option("--no-demo", "Run an exchange with only the assets and symbols of the configuration")
    .addOption(
      new Option("--bots <on|off>", "Trading bots of the demo, with synthetic history (default: on)").choices([
        "on",
        "off",
      ]),
    )
    .option("--seed <number>", "Seed of the bots and of the synthetic history (default: 1)", wholeNumber)
    .addOption(
      new Option("--limits <on|off>", "Rate limits for requests and orders (default: on)").choices(["on", "off"]),
    )
    .addOption(
      new Option("--interface <name>", "Interface of the exchange: that of 2019 or today's (default: 2019)").choices(
        INTERFACES,
      ),
    )
    .addOption(
      new Option(
        "--order-ids <scope>",
        "Whether order IDs are counted across the exchange or by symbol; fixed for a data folder (default: exchange)",
      ).choices(ORDER_ID_SCOPES),
    )
    .option("--lab", "Run a lab: a node whose clock, markets, faults and checkpoints you control")
    .addOption(
      new Option(
        "--clock <mode>",
        "Clock of a lab: real time, a multiple of it, or advanced only by you (default: real)",
      ).choices(CLOCK_MODES),
    )
    .option(
      "--clock-start <time>",
      "Start time of a lab's clock: 2026-01-01T00:00:00Z, or milliseconds since 1970",
      moment,
    )
    .option("--clock-speed <number>", "Speed of a scaled clock, as a multiple of real time", positiveNumber)
    .addOption(
      new Option("--timing <by>", "Clock that a lab checks request timestamps against (default: server)").choices(
        TIMINGS,
      ),
    )
    .addOption(new Option("--history <what>", "History that a lab stores for queries (default: on)").choices(HISTORIES))
    .option("--node <name>", "Node name in the journal, unique in a cluster (default: node-1)")
    .option("--cluster <urls>", "Run as a node of a cluster: URLs of the etcd members, separated by commas", splitList)
    .option("--adopt-settings", "Make this node's fees, filters, limits and rules those of the cluster");
}

/**
 * Parses `process.argv.slice(2)`. Returns null after printing the help, if it was requested. Throws `ConfigError` for
 * invalid flags.
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
