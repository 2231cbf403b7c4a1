/** `export`: rows of a journal for those who study markets, or audit one; beside a running node, too. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { KLINE_INTERVALS } from "@pricetime/protocol";
import { CANDLE_LAYOUTS } from "../../extract/candle-rows.ts";
import { BOOK_VIEWS, type ExtractRequest, MAX_LOBSTER_LEVELS, MAX_SYMBOLS_AT_ONCE } from "../../extract/request.ts";
import { TRADE_LAYOUTS } from "../../extract/trade-rows.ts";
import { CommandFailed } from "../session/failure.ts";
import { folderOf } from "./folder-commands.ts";
import { moment } from "../session/moment.ts";
import { createOutput } from "../session/output.ts";
import { list } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

interface Options extends Partial<Omit<ExtractRequest, "symbols" | "fromMs" | "toMs" | "withAccounts">> {
  readonly symbol?: readonly string[];
  readonly from?: number;
  readonly to?: number;
  readonly accounts?: boolean;
  readonly data?: string;
  readonly json?: boolean;
}

const TABLES = ["csv", "parquet"];
const DEFAULT_LEVELS = 10;
const LAYOUT = "columns of our own, or those of the public archive (no header)";

/** Adds `export` and a command for each kind of rows. */
export function addExportCommands(program: Command, terminal: Terminal): void {
  const commands = program
    .command("export")
    .description("write rows of the journal to files, made by replaying it; while a node runs, too");
  const orders = ofSymbols(commands, "orders", "everything that happened to orders, one row an event");
  orders.option("--accounts", "with the number of each order's account, and the client's id");
  const trades = ofSymbols(commands, "trades", "every trade, with both orders and their fees");
  trades.option("--accounts", "with the numbers of both accounts");
  trades.addOption(new Option("--layout <layout>", LAYOUT).choices(TRADE_LAYOUTS).default("full"));
  const book = ofSymbols(commands, "book", "every change of the book, with what stood there before", "lobster");
  book.addOption(
    new Option("--by <view>", "what a price shows now, or each order").choices(BOOK_VIEWS).default("level"),
  );
  book.option("--accounts", "by order: with the number of each order's account");
  book.option("--levels <count>", "of LOBSTER's orderbook file", levels, DEFAULT_LEVELS);
  const candles = ofSymbols(commands, "candles", "candles that are over, quiet ones and those of a past among them");
  candles.addOption(new Option("--interval <interval>", "how long each is").choices(KLINE_INTERVALS).default("1m"));
  candles.addOption(new Option("--layout <layout>", LAYOUT).choices(CANDLE_LAYOUTS).default("full"));
  const ledger = commands.command("ledger").description("every posting, as two rows that sum to zero");
  shared(ledger);
  for (const command of [orders, trades, book, candles, ledger]) {
    command.action(async (options: Options) => {
      await run({ ...options, subject: command.name() as ExtractRequest["subject"] }, terminal);
    });
  }
}

function ofSymbols(commands: Command, name: string, description: string, ...formats: readonly string[]): Command {
  const command = commands.command(name).description(description);
  command.requiredOption("--symbol <symbols>", "the symbol, or several, separated by commas", list);
  return shared(command, formats);
}

function shared(command: Command, formats: readonly string[] = []): Command {
  return command
    .option("--from <time>", "from this moment on: 2026-01-01, 2026-01-01T12:00:00Z, or milliseconds", moment)
    .option("--to <time>", "before this moment", moment)
    .addOption(new Option("--format <format>", "how it is written").choices([...TABLES, ...formats]).default("csv"))
    .option("--out <file>", "the file to write; -: standard output")
    .option("--to-folder <folder>", "where to write a file for each symbol")
    .option("--overwrite", "write over files that are there")
    .option("--data <folder>", "the data folder (./data)")
    .option("--json", "print JSON");
}

/** The rest is loaded when it is needed: nothing else writes Parquet. */
async function run(options: Options, terminal: Terminal): Promise<void> {
  const request = requestOf(options);
  const { paths } = folderOf(options.data, terminal);
  const { exportFrom } = await import("./export-work.ts");
  const { files, rows, seq, without } = exportFrom(paths.journal, request, terminal);
  for (const symbol of without) terminal.complain(`${symbol}: no ${request.subject} in that time`);
  const print = request.out === "-" ? terminal.complain : terminal.print;
  createOutput(options.json === true, print).one({ rows, commands: seq, files: files.join(", ") });
}

function requestOf(options: Options): ExtractRequest {
  const { symbol: symbols = [], from: fromMs = 0, to: toMs = Number.POSITIVE_INFINITY, accounts, ...rest } = options;
  const request: ExtractRequest = {
    ...{ subject: "orders", format: "csv", layout: "full", by: "level", interval: "1m", levels: DEFAULT_LEVELS },
    ...rest,
    ...{ symbols: [...new Set(symbols)], fromMs, toMs, withAccounts: accounts === true },
    overwrite: rest.overwrite === true,
  };
  check(request);
  return request;
}

function check({ subject, symbols, fromMs, toMs, format, layout, out, toFolder }: ExtractRequest): void {
  const count = symbols.length;
  if (subject !== "ledger" && count === 0) throw new CommandFailed("--symbol: name a symbol");
  if (count > MAX_SYMBOLS_AT_ONCE) throw new CommandFailed(`--symbol: at most ${MAX_SYMBOLS_AT_ONCE} at once`);
  if (toMs <= fromMs) throw new CommandFailed("--to: it must be after --from");
  if ((out === undefined) === (toFolder === undefined)) {
    throw new CommandFailed("say where: --out FILE, or --to-folder FOLDER");
  }
  if (out !== undefined && count > 1) throw new CommandFailed("--out: several symbols need --to-folder");
  if (out !== undefined && format === "lobster") {
    throw new CommandFailed("--out: LOBSTER's layout is three files a day: say --to-folder");
  }
  if (layout !== "full" && format !== "csv") throw new CommandFailed("--layout: the archive's files are CSV");
}

function levels(text: string): number {
  const count = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_LOBSTER_LEVELS) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_LOBSTER_LEVELS}.`);
}
