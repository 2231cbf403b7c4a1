/** `export`: rows of a journal for market research and audits, also while a node runs. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { KLINE_INTERVALS } from "@pricetime/protocol";
import {
  BOOK_VIEWS,
  CANDLE_LAYOUTS,
  type ExtractRequest,
  MAX_LOBSTER_LEVELS,
  MAX_SYMBOLS_AT_ONCE,
  TRADE_LAYOUTS,
} from "../../../research/extract/request.ts";
import { CommandFailed, createOutput, type Terminal } from "../session/terminal.ts";
import { folderOf } from "./folder-commands.ts";
import { list, momentOf } from "../session/session.ts";

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
const LAYOUT = "Pricetime's columns, or those of Binance's public archive (no header)";

/** Adds `export` and a command for each kind of rows. */
export function addExportCommands(program: Command, terminal: Terminal): void {
  const commands = program
    .command("export")
    .description("Export orders, trades, books, candles or the ledger to files, by replaying the journal.");
  const orders = ofSymbols(commands, "orders", "Export order events, one row per event.");
  orders.option("--accounts", "Include account numbers and client order IDs");
  const trades = ofSymbols(commands, "trades", "Export trades, with both orders and their fees.");
  trades.option("--accounts", "Include the numbers of both accounts");
  trades.addOption(new Option("--layout <layout>", LAYOUT).choices(TRADE_LAYOUTS).default("full"));
  const book = ofSymbols(commands, "book", "Export changes of the order book, with the values before each.", "lobster");
  book.addOption(
    new Option("--by <view>", "One row per change of a price level, or of an order")
      .choices(BOOK_VIEWS)
      .default("level"),
  );
  book.option("--accounts", "Include account numbers (with --by order)");
  book.option("--levels <count>", "Price levels in LOBSTER's orderbook file", levels, DEFAULT_LEVELS);
  const candles = ofSymbols(
    commands,
    "candles",
    "Export closed candles, including empty ones and synthetic or imported history.",
  );
  candles.addOption(new Option("--interval <interval>", "Candle interval").choices(KLINE_INTERVALS).default("1m"));
  candles.addOption(new Option("--layout <layout>", LAYOUT).choices(CANDLE_LAYOUTS).default("full"));
  const ledger = commands.command("ledger").description("Export ledger postings, each as two rows that sum to zero.");
  shared(ledger);
  for (const command of [orders, trades, book, candles, ledger]) {
    command.action(async (options: Options) => {
      await run({ ...options, subject: command.name() as ExtractRequest["subject"] }, terminal);
    });
  }
}

function ofSymbols(commands: Command, name: string, description: string, ...formats: readonly string[]): Command {
  const command = commands.command(name).description(description);
  command.requiredOption("--symbol <symbols>", "Symbols, separated by commas", list);
  return shared(command, formats);
}

function shared(command: Command, formats: readonly string[] = []): Command {
  return command
    .option("--from <time>", "Start time: 2026-01-01, 2026-01-01T12:00:00Z, or milliseconds since 1970", momentOf)
    .option("--to <time>", "End time (exclusive)", momentOf)
    .addOption(new Option("--format <format>", "File format").choices([...TABLES, ...formats]).default("csv"))
    .option("--out <file>", "File to write (- for standard output)")
    .option("--to-folder <folder>", "Folder for one file per symbol")
    .option("--overwrite", "Overwrite existing files")
    .option("--data <folder>", "Data folder (default: ./data)")
    .option("--json", "Print JSON");
}

/** The work is loaded on use: only exports write Parquet. */
async function run(options: Options, terminal: Terminal): Promise<void> {
  const request = requestOf(options);
  const { paths } = folderOf(options.data, terminal);
  const { exportFrom } = await import("./export-work.ts");
  const { files, rows, seq, without } = exportFrom(paths.journal, request, terminal);
  for (const symbol of without) terminal.complain(`${symbol} has no ${request.subject} in this period.`);
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
  if (subject !== "ledger" && count === 0) throw new CommandFailed("Specify at least one symbol with --symbol.");
  if (count > MAX_SYMBOLS_AT_ONCE)
    throw new CommandFailed(`--symbol accepts at most ${MAX_SYMBOLS_AT_ONCE} symbols, not ${count}.`);
  if (toMs <= fromMs) throw new CommandFailed("--to must be after --from.");
  if ((out === undefined) === (toFolder === undefined)) {
    throw new CommandFailed("Specify either --out FILE or --to-folder FOLDER.");
  }
  if (out !== undefined && count > 1) throw new CommandFailed("--out takes one symbol. Use --to-folder for several.");
  if (out !== undefined && format === "lobster") {
    throw new CommandFailed("LOBSTER's format has three files a day. Use --to-folder instead of --out.");
  }
  if (layout !== "full" && format !== "csv") throw new CommandFailed("The archive layouts need --format csv.");
}

function levels(text: string): number {
  const count = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_LOBSTER_LEVELS) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_LOBSTER_LEVELS}.`);
}
