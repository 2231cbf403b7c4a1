/**
 * Commands on journal, history, exports, backups and clusters. They work on data folders, with or without a running
 * node. Their code is loaded when they run, so that a node, which is started by the same program, does not load it.
 */
import { STORED_INTERVALS } from "@pricetime/protocol";
import { InvalidArgumentError } from "commander";
import { BOOK_VIEWS, CANDLE_LAYOUTS, MAX_LOBSTER_LEVELS, TRADE_LAYOUTS } from "../../../research/extract/request.ts";
import { type CommandRow, command, group, localCommand } from "../session/command-row.ts";
import { DATA, JSON_FLAG } from "../session/session.ts";
import { choices, listed, number, time } from "../session/values.ts";
import { JOURNAL_ENTRIES, JOURNAL_INFO } from "../venue/venue.ts";
import type { ExportOptions } from "./export-work.ts";

const JSON_OF_CLUSTER = ["--json", "print JSON"] as const;
const CONFIG = [
  "--config <file>",
  "Configuration file of a node, with certificates, login, prefix and keys for etcd",
] as const;
const FULL = ["--full", "Replay the journal from its first batch, not from a snapshot"] as const;

export const JOURNAL = group(
  "journal",
  "Inspect, verify and migrate the journal.",
  localCommand("verify")
    .text("Verify the whole journal by replaying it, also while a node runs.")
    .option(...DATA)
    .option(...JSON_FLAG)
    .runs(async (session, options) => (await import("./folder-work.ts")).verifyJournal(session, options)),
  JOURNAL_INFO,
  JOURNAL_ENTRIES,
  localCommand("migrate <from> <to>")
    .text("Migrate the journal from a data folder to an empty etcd, or from a cluster to a data folder.")
    .option(...CONFIG)
    .option(...FULL)
    .option(...JSON_OF_CLUSTER)
    .runs(async (session, options: { readonly from: string; readonly to: string }) =>
      (await import("./cluster-work.ts")).migrate(session, options),
    ),
);

export const HISTORY = group(
  "history",
  "Rebuild or verify the history database; import candles.",
  localCommand("rebuild")
    .text("Rebuild the history database from the journal. Stop the node first.")
    .option(...DATA)
    .runs(async (session, options) => (await import("./folder-work.ts")).rebuild(session, options)),
  localCommand("verify")
    .text("Compare the history database with the journal, row by row, also while a node runs.")
    .option(...DATA)
    .runs(async (session, options) => (await import("./folder-work.ts")).verify(session, options)),
  command("import-klines <symbol> <files...>")
    .text(
      "Import candles from before the symbol's first trade, from Binance's CSV, gzip or ZIP files (- for stdin), oldest first. " +
        "All files are validated before any candle is written. Existing candles are skipped, so the command can be repeated.",
    )
    .runs(async (session, options: { readonly symbol: string; readonly files: readonly string[] }) =>
      (await import("./import-klines.ts")).importKlines(session, options),
    ),
);

const LAYOUT = "Pricetime's columns, or those of Binance's public archive (no header)";
const TABLES = ["csv", "parquet"];

function exportCommand(subject: ExportOptions["subject"], text: string, ...formats: readonly string[]): CommandRow {
  const row = localCommand(subject).text(text);
  if (subject !== "ledger") row.required("--symbol <symbols>", "Symbols, separated by commas", listed);
  return row
    .option("--from <time>", "Start time: 2026-01-01, 2026-01-01T12:00:00Z, or milliseconds since 1970", time)
    .option("--to <time>", "End time (exclusive)", time)
    .option("--format <format>", "File format", { ...choices(...TABLES, ...formats), default: "csv" })
    .option("--out <file>", "File to write (- for standard output)")
    .option("--to-folder <folder>", "Folder for one file per symbol")
    .option("--overwrite", "Overwrite existing files")
    .option(...DATA)
    .option(...JSON_FLAG)
    .runs(async ({ terminal }, options: Omit<ExportOptions, "subject">) =>
      (await import("./export-work.ts")).exportRows({ ...options, subject }, terminal),
    );
}

export const EXPORT = group(
  "export",
  "Export orders, trades, books, candles or the ledger to files, by replaying the journal.",
  exportCommand("orders", "Export order events, one row per event.").option(
    "--accounts",
    "Include account numbers and client order IDs",
  ),
  exportCommand("trades", "Export trades, with both orders and their fees.")
    .option("--accounts", "Include the numbers of both accounts")
    .option("--layout <layout>", LAYOUT, { ...choices(...TRADE_LAYOUTS), default: "full" }),
  exportCommand("book", "Export changes of the order book, with the values before each.", "lobster")
    .option("--by <view>", "One row per change of a price level, or of an order", {
      ...choices(...BOOK_VIEWS),
      default: "level",
    })
    .option("--accounts", "Include account numbers (with --by order)")
    .option("--levels <count>", "Price levels in LOBSTER's orderbook file", { parse: levels, default: 10 }),
  exportCommand("candles", "Export closed candles, including empty ones and synthetic or imported history.")
    .option("--interval <interval>", "Candle interval", { ...choices(...STORED_INTERVALS), default: "1m" })
    .option("--layout <layout>", LAYOUT, { ...choices(...CANDLE_LAYOUTS), default: "full" }),
  exportCommand("ledger", "Export ledger postings, each as two rows that sum to zero."),
);

function levels(text: string): number {
  const count = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_LOBSTER_LEVELS) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_LOBSTER_LEVELS}.`);
}

export const BACKUP = localCommand("backup <folder>")
  .text("Back up the journal and snapshots, also of a running node. Repeat it to add new entries.")
  .option("--data <folder>", "Data folder of the node (default: ./data)")
  .option("--with-key", "Include the master key. Anyone with this backup can then decrypt all secrets")
  .option("--full", "Verify by replaying the copy from its first batch, not from a snapshot")
  .option(...JSON_FLAG)
  .runs(async (session, options: { readonly folder: string }) =>
    (await import("./folder-work.ts")).backUp(session, options),
  );

export const RESTORE = localCommand("restore <folder>")
  .text("Restore a data folder from a backup. For checkpoints of a lab: lab restore.")
  .option("--data <folder>", "New or empty data folder (default: ./data)")
  .option("--until-seq <entry>", "Restore the state at this journal entry", number)
  .option("--full", "Replay the journal from its first batch")
  .option(...JSON_FLAG)
  .runs(async (session, options: { readonly folder: string }) =>
    (await import("./folder-work.ts")).restore(session, options),
  );

export const CLUSTER = group(
  "cluster",
  "Bootstrap or inspect a cluster of nodes, or detach a node from it.",
  command("status", "GET /v1/cluster").text(
    "Show the nodes of the cluster, their positions and tasks, as one node sees them.",
  ),
  localCommand("bootstrap")
    .text("Bootstrap a cluster in an empty etcd from a data folder's journal.")
    .required("--from <folder>", "Data folder, whose node is stopped")
    .option("--cluster <urls>", "Client URLs of the etcd members, separated by commas")
    .option(...CONFIG)
    .option(...FULL)
    .option("--hold-payments", "Hold payments on all networks until you release them, as after a restore")
    .option(...JSON_OF_CLUSTER)
    .runs(async (session, options: { readonly from: string }) =>
      (await import("./cluster-work.ts")).bootstrap(session, options),
    ),
  localCommand("compare <folders...>")
    .text("Compare data folders: which has the longest journal, and which hold a prefix of it.")
    .option(...JSON_OF_CLUSTER)
    .runs(async (session, options: { readonly folders: readonly string[] }) =>
      (await import("./cluster-work.ts")).compare(session, options),
    ),
  localCommand("detach")
    .text("Detach a data folder from its cluster, to run it as a single node. Stop all nodes first.")
    .option(...DATA)
    .runs(async (session, options) => (await import("./cluster-work.ts")).detach(session, options)),
);
