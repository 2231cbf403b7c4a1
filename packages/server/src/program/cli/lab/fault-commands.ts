/** The commands that inject faults into a lab, and set its latency. */
import type { Command } from "commander";
import { CommandFailed, type Row, type Terminal } from "../session/terminal.ts";
import { action, escape, settingsOf, wordsOf } from "../session/session.ts";
import { resolve } from "node:path";

const FAULTS = "/v1/lab/faults";
/** The settings that select what a fault affects. */
const WHERE: ReadonlySet<string> = new Set([
  ...["endpoint", "account", "symbol", "method", "over"],
  ...["stream", "coin", "network", "path"],
]);

interface ListedFault {
  readonly id: number;
  readonly fault: string;
  readonly where: Row;
  readonly armed: boolean;
  readonly met: number;
  readonly struck: number;
  readonly strikes: readonly Row[];
}

export function addLabFaultCommands(lab: Command, terminal: Terminal): void {
  const fault = lab.command("fault <kind> [settings...]");
  fault.description("Inject a fault: `fault delay ms=500 endpoint=order.place count=1`.");
  action(fault, terminal, async ({ connection, output }, [kind = "", settings = []]) => {
    output.one(await connection.call<Row>("POST", FAULTS, faultOf(kind, settings as unknown as readonly string[])));
  });
  const faults = lab.command("faults [id]").description("List faults, or what one of them has affected.");
  action(faults, terminal, async ({ connection, output }, [id]) => {
    const all = await connection.call<ListedFault[]>("GET", FAULTS);
    if (id === undefined) {
      const columns = ["id", "fault", "where", "with", "armed", "met", "struck"];
      output.rows(output.isJson ? (all as unknown as Row[]) : all.map(rowOf), columns);
      return;
    }
    const one = all.find((each) => String(each.id) === id);
    if (one === undefined) throw new CommandFailed(`There is no fault ${id}. List all with: pricetime lab faults.`);
    if (output.isJson) output.one(one as unknown as Row);
    else output.rows(one.strikes, [...new Set(one.strikes.flatMap((strike) => Object.keys(strike)))]);
  });
  const clear = lab.command("clear-faults [ids...]").description("Remove these faults, or all.");
  action(clear, terminal, async ({ connection, output }, [ids = []]) => {
    const paths = (ids as unknown as readonly string[]).map((id) => `${FAULTS}/${escape(id)}`);
    let removed = 0;
    for (const path of paths.length === 0 ? [FAULTS] : paths) {
      removed += Number((await connection.call<Row>("DELETE", path))["removed"]);
    }
    output.one({ removed });
  });
}

/** The settings that select what it affects go into `where`. */
function faultOf(kind: string, words: readonly string[]): Row {
  const settings = Object.entries(settingsOf(words));
  const where = settings.filter(([name]) => WHERE.has(name));
  const fields = Object.fromEntries(settings.filter(([name]) => !WHERE.has(name)));
  return { fault: kind, ...fields, ...(where.length > 0 && { where: Object.fromEntries(where) }) };
}

function rowOf({ id, fault, where, armed, met, struck, strikes: _strikes, ...settings }: ListedFault): Row {
  return { id, fault, where: wordsOf(where), with: wordsOf(settings), armed, met, struck };
}

// Latency of requests, responses and messages.

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
    output.one(output.isJson ? shown : latencyRow(shown));
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

function latencyRow({ marketData, orderEntry, answer }: Row): Row {
  const shown = (wait: unknown): string => (wait === undefined ? "none" : wordsOf(wait as Row));
  return { marketData: shown(marketData), orderEntry: shown(orderEntry), answer: shown(answer) };
}
