/** The command that sets the latency of requests, responses and messages of a lab. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { CommandFailed } from "../session/failure.ts";
import type { Row } from "../session/output.ts";
import { action } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";
import { settingsOf, wordsOf } from "./settings.ts";

const LATENCY = "/v1/lab/latency";

export function addLabLatencyCommand(lab: Command, terminal: Terminal): void {
  const latency = lab.command("latency [settings...]");
  latency.description(
    "Show the latency, or replace it: `latency marketData.ms=20 orderEntry.place.ms=40 answer.file=waits.txt`.",
  );
  latency.option("--off", "Remove all latency");
  action(latency, terminal, async ({ connection, output }, [settings = []], { off }) => {
    const words = settings as unknown as readonly string[];
    if (off === true && words.length > 0) throw new CommandFailed("Use --off without settings.");
    const shown =
      off === true || words.length > 0
        ? await connection.call<Row>("POST", LATENCY, withWholePaths(settingsOf(words)))
        : await connection.call<Row>("GET", LATENCY);
    output.one(output.isJson ? shown : rowOf(shown));
  });
}

/** File names are relative to this folder, and the node may run in another one. */
function withWholePaths(settings: Row): Row {
  const entries = Object.entries(settings).map(([name, value]) => {
    if (name === "file" && typeof value === "string") return [name, resolve(value)] as const;
    return [name, typeof value === "object" && value !== null ? withWholePaths(value as Row) : value] as const;
  });
  return Object.fromEntries(entries);
}

function rowOf({ marketData, orderEntry, answer }: Row): Row {
  const shown = (wait: unknown): string => (wait === undefined ? "none" : wordsOf(wait as Row));
  return { marketData: shown(marketData), orderEntry: shown(orderEntry), answer: shown(answer) };
}
