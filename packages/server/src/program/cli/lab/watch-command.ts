/** The command that shows the events of accounts and symbols of a lab. */
import type { Command } from "commander";
import { CommandFailed } from "../session/failure.ts";
import type { Row } from "../session/output.ts";
import { symbolName } from "../session/rest-session.ts";
import { action, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";
import { wordsOf } from "./settings.ts";

const WATCH = "/v1/lab/watch";

interface Watched {
  readonly records: readonly Row[];
  readonly last: number;
  readonly lost: number;
}

export function addLabWatchCommand(lab: Command, terminal: Terminal): void {
  const watch = lab.command("watch [accounts...]");
  watch.description("Watch accounts and symbols; without any, show the recorded events.");
  watch.option("--symbols <symbols...>", "Watch prices and status of these symbols");
  watch.option("--after <number>", "Only events after this number (default: 0)", wholeNumber);
  watch.option("--off", "Stop watching");
  action(watch, terminal, async ({ connection, output }, [names = []], { symbols, after, off }) => {
    const accounts = names as unknown as readonly string[];
    const begins = accounts.length > 0 || symbols !== undefined;
    if ([begins, after !== undefined, off === true].filter(Boolean).length > 1) {
      throw new CommandFailed("Specify only one of: accounts or symbols to watch, --after, or --off.");
    }
    if (off === true) return output.one(await connection.call<Row>("DELETE", WATCH));
    if (begins) {
      const named = ((symbols ?? []) as readonly string[]).map(symbolName);
      return output.one(await connection.call<Row>("PUT", WATCH, { accounts, symbols: named }));
    }
    const { records, last, lost } = await connection.call<Watched>("GET", `${WATCH}?after=${String(after ?? 0)}`);
    output.rows(output.isJson ? records : records.map(rowOf), ["number", "atMs", "kind", "what"]);
    const shown = Number(records.at(-1)?.["number"] ?? last);
    if (shown < last) output.note(`Next page: --after ${shown}`);
    if (lost > 0) output.note(`${lost} older events are no longer stored.`);
  });
}

function rowOf({ number, atMs, seq: _seq, kind, ...what }: Row): Row {
  return { number, atMs, kind, what: wordsOf(what) };
}
