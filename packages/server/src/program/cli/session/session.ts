/** Shared by the commands that use a node's admin API: options, connection, reading arguments and files. */
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parse } from "yaml";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { CommandFailed } from "./failure.ts";
import { createOutput, type Output } from "./output.ts";
import type { Terminal } from "./terminal.ts";

export interface Session {
  /** Throws `CommandFailed` when no node is found. */
  readonly connection: Connection;
  readonly output: Output;
}
export type Options = Readonly<Record<string, unknown>>;

/** Adds the options that these commands share, and gives the action a session. */
export function action(
  command: Command,
  terminal: Terminal,
  run: (session: Session, names: readonly string[], options: Options) => Promise<void>,
): void {
  command
    .option("--json", "Print JSON")
    .optionsGroup("Connection options:")
    .option("--data <folder>", "Data folder of the node (default: ./data)")
    .option("--admin <url>", "Admin API URL (default: from the data folder; PRICETIME_ADMIN)")
    .option("--token <token>", "Admin token or session token (default: from the data folder; PRICETIME_ADMIN_TOKEN)")
    .option("--ca <file>", "CA certificates to trust, in PEM (default: from the data folder; PRICETIME_CA)")
    .option("--user <name>", "Operator name in the journal (default: your login name; PRICETIME_USER)")
    .action(async (...all: unknown[]) => {
      const names = all.slice(0, -2) as string[];
      const options = all.at(-2) as Options & ConnectionOptions;
      const session: Session = {
        get connection() {
          return new Connection(options, terminal.environment);
        },
        output: createOutput(options["json"] === true, terminal.print),
      };
      await run(session, names, options);
    });
}

/** Encodes a name as a part of a path. */
export const escape = encodeURIComponent;

export function wholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
/** A key of 32 bytes. */
export function hexKey(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError("It must be 64 lowercase hex digits.");
  return text;
}
/** Reads the number of an argument. */
export function numberOf(name: string, text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new CommandFailed(`${name} must be a whole number`);
  return Number(text);
}
export const list = (text: string): string[] => text.split(",").filter((part) => part !== "");
export const onOff = (flags: string, description: string): Option =>
  new Option(flags, description).choices(["on", "off"]);
export const isOn = (said: unknown): boolean | undefined => (said === undefined ? undefined : said === "on");

/** Adds the options that select a payee on a network. */
export function addReceiver(command: Command): void {
  command.option("--account <account>", "Receiving account, by number or email address: its deposit address is used");
  command.option("--address <address>", "Receiving address, in place of --account");
  command.option("--tag <tag>", "Tag of the address");
}

/** Drops options that were not given: the node then keeps or takes its own. */
export function said(fields: Options): Options {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Reads a file, or standard input for `-`. */
export function readText(path: string): string {
  return read(path, (text) => text);
}

/** Reads a file as YAML or JSON. */
export function readDocument(path: string): unknown {
  return read(path, documentIn);
}

/** Longer texts that begin as JSON are not looked at as YAML, which would take a hundred times as long. */
const LONGEST_FLOW_YAML = 1 << 16;

/** Throws what is wrong with the text, in the terms of the format that it begins with. */
function documentIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return parse(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    const yaml = text.length < LONGEST_FLOW_YAML ? parsedOrNothing(text) : undefined;
    if (yaml !== undefined) return yaml;
    throw new Error(`the JSON is incomplete or invalid: ${(error as Error).message}`, { cause: error });
  }
}

function parsedOrNothing(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function read<T>(path: string, from: (text: string) => T): T {
  try {
    return from(readFileSync(path === "-" ? 0 : path, "utf8"));
  } catch (error) {
    throw new CommandFailed(`${path}: ${(error as Error).message.split("\n")[0]}`, { cause: error });
  }
}
