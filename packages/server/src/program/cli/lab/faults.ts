/** Commands that inject faults into a lab and set its latency. */
import { resolve } from "node:path";
import { command } from "../session/command-row.ts";
import { CommandFailed, type Row } from "../session/terminal.ts";
import { escape, settingsOf, wordsOf } from "../session/values.ts";

const FAULTS = "/v1/lab/faults";
/** Settings that select what a fault affects. */
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

interface Settings {
  readonly settings?: readonly string[];
}

const INJECT = command("fault <kind> [settings...]", "POST /v1/lab/faults")
  .text("Inject a fault: `fault delay ms=500 endpoint=order.place count=1`.")
  .sends(({ kind, settings = [] }: Settings & { readonly kind: string }) => faultOf(kind, settings));

const LIST = command("faults [id]")
  .text("List faults, or what one of them has affected.")
  .runs(async ({ connection, output }, { id }: { readonly id?: string }) => {
    const all = await connection.call<ListedFault[]>("GET", FAULTS);
    if (id === undefined) {
      const rows = output.isJson ? all.map((each) => ({ ...each })) : all.map(rowOf);
      return output.rows(rows, ["id", "fault", "where", "with", "armed", "met", "struck"]);
    }
    const one = all.find((each) => String(each.id) === id);
    if (one === undefined) throw new CommandFailed(`There is no fault ${id}. List all with: pricetime lab faults.`);
    if (output.isJson) output.one({ ...one });
    else output.rows(one.strikes, [...new Set(one.strikes.flatMap((strike) => Object.keys(strike)))]);
  });

const CLEAR = command("clear-faults [ids...]")
  .text("Remove these faults, or all.")
  .runs(async ({ connection, output }, { ids = [] }: { readonly ids?: readonly string[] }) => {
    const paths = ids.map((id) => `${FAULTS}/${escape(id)}`);
    let removed = 0;
    for (const path of paths.length === 0 ? [FAULTS] : paths) {
      removed += Number((await connection.call<Row>("DELETE", path))["removed"]);
    }
    output.one({ removed });
  });

/** Builds the request. Settings that select what the fault affects are sent in `where`. */
function faultOf(kind: string, words: readonly string[]): Row {
  const settings = Object.entries(settingsOf(words));
  const where = settings.filter(([name]) => WHERE.has(name));
  const fields = Object.fromEntries(settings.filter(([name]) => !WHERE.has(name)));
  return { fault: kind, ...fields, ...(where.length > 0 && { where: Object.fromEntries(where) }) };
}

function rowOf({ id, fault, where, armed, met, struck, strikes: _strikes, ...settings }: ListedFault): Row {
  return { id, fault, where: wordsOf(where), with: wordsOf(settings), armed, met, struck };
}

const LATENCY = command("latency [settings...]", "GET /v1/lab/latency")
  .calls("POST /v1/lab/latency", "settings", "off")
  .text("Show the latency, or replace it: `latency marketData.ms=20 orderEntry.place.ms=40 answer.file=waits.txt`.")
  .option("--off", "Remove all latency")
  .sends(({ settings = [], off }: Settings & { readonly off?: true }) => {
    if (off === true && settings.length > 0) throw new CommandFailed("Use --off without settings.");
    return withWholePaths(settingsOf(settings));
  })
  .table(({ marketData, orderEntry, answer }: Row) => {
    const shown = (wait: unknown): string => (wait === undefined ? "none" : wordsOf(wait as Row));
    return { marketData: shown(marketData), orderEntry: shown(orderEntry), answer: shown(answer) };
  });

/** Makes file names absolute, because the node may run in a different folder. */
function withWholePaths(settings: Row): Row {
  const entries = Object.entries(settings).map(([name, value]) => {
    if (name === "file" && typeof value === "string") return [name, resolve(value)] as const;
    return [name, typeof value === "object" && value !== null ? withWholePaths(value as Row) : value] as const;
  });
  return Object.fromEntries(entries);
}

export const LAB_FAULTS = [INJECT, LIST, CLEAR, LATENCY];
