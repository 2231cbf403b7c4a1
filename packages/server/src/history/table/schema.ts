/**
 * The tables of history. Prices and quantities are in ticks and lots of the symbol (scales are in `symbols`), amounts
 * in units of the asset (`assets`). All are integers, so nothing is ever rounded. Amounts that do not fit into 64 bits
 * are stored as text, so their columns have type ANY. Enums of orders and postings are stored as indexes into the
 * engine's lists.
 */
import { DatabaseSync } from "node:sqlite";
import { transaction, OPEN_PATIENCE_MS } from "../../platform/disk.ts";
import { ACCESS_TABLES, DAY_TABLES, OPERATOR_TABLES, TODAY_TABLES, WALLET_TABLES } from "./tables.ts";
import { BLOCK_TABLES, bringBlocksUpToDate } from "./posting-blocks.ts";
import { fillDays } from "./day-totals.ts";

/** SQLite application id "PTH1", which marks the file as history. */
const APPLICATION_ID = 0x50544831;

const KLINE_COLUMNS = `
    symbol_id       INTEGER NOT NULL,
    interval        TEXT NOT NULL,
    open_time_ms    INTEGER NOT NULL,
    open_ticks      INTEGER NOT NULL,
    high_ticks      INTEGER NOT NULL,
    low_ticks       INTEGER NOT NULL,
    close_ticks     INTEGER NOT NULL,
    lots            ANY NOT NULL,
    quote           ANY NOT NULL,
    count           INTEGER NOT NULL,
    taker_buy_lots  ANY NOT NULL,
    taker_buy_quote ANY NOT NULL,
    PRIMARY KEY (symbol_id, interval, open_time_ms)
`;

/** The migration at index N updates the tables from version N to N + 1. Released migrations never change. */
const MIGRATIONS: readonly string[] = [
  `${WALLET_TABLES}
  CREATE TABLE position (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    seq        INTEGER NOT NULL,
    chain_hash TEXT NOT NULL
  ) STRICT;

  CREATE TABLE assets (
    asset_id INTEGER PRIMARY KEY,
    asset    TEXT NOT NULL,
    decimals INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE symbols (
    symbol_id         INTEGER PRIMARY KEY,
    symbol            TEXT NOT NULL,
    price_decimals    INTEGER NOT NULL,
    quantity_decimals INTEGER NOT NULL,
    base_asset_id     INTEGER NOT NULL,
    quote_asset_id    INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX symbols_by_base ON symbols (base_asset_id, quote_asset_id);
  CREATE INDEX symbols_by_quote ON symbols (quote_asset_id, base_asset_id);

  CREATE TABLE orders (
    order_id            INTEGER PRIMARY KEY,
    account_id          INTEGER NOT NULL,
    symbol_id           INTEGER NOT NULL,
    order_list_id       INTEGER NOT NULL,
    client_order_id     TEXT NOT NULL,
    side                INTEGER NOT NULL,
    type                INTEGER NOT NULL,
    time_in_force       INTEGER NOT NULL,
    price_ticks         INTEGER NOT NULL,
    quantity_lots       INTEGER NOT NULL,
    stop_ticks          INTEGER NOT NULL,
    iceberg_lots        INTEGER NOT NULL,
    quote_order_qty     ANY NOT NULL,
    time_ms             INTEGER NOT NULL,
    status              INTEGER NOT NULL,
    is_working          INTEGER NOT NULL,
    executed_lots       INTEGER NOT NULL,
    executed_quote      ANY NOT NULL,
    commission          ANY NOT NULL,
    update_time_ms      INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX orders_by_account ON orders (account_id, symbol_id);
  -- The id first: generated ids increase with time, so rows of all accounts are appended.
  CREATE INDEX orders_by_client_id ON orders (client_order_id, account_id, symbol_id);

  CREATE TABLE order_lists (
    order_list_id        INTEGER PRIMARY KEY,
    account_id           INTEGER NOT NULL,
    symbol_id            INTEGER NOT NULL,
    list_client_order_id TEXT NOT NULL,
    stop_order_id        INTEGER NOT NULL,
    limit_order_id       INTEGER NOT NULL,
    time_ms              INTEGER NOT NULL,
    is_done              INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX order_lists_by_account ON order_lists (account_id);
  CREATE INDEX order_lists_by_client_id ON order_lists (account_id, list_client_order_id);

  -- Both sides of a trade in one row: an account's trades are found by two indexes.
  CREATE TABLE trades (
    symbol_id           INTEGER NOT NULL,
    trade_id            INTEGER NOT NULL,
    time_ms             INTEGER NOT NULL,
    price_ticks         INTEGER NOT NULL,
    lots                INTEGER NOT NULL,
    quote               ANY NOT NULL,
    is_buyer_maker      INTEGER NOT NULL,
    taker_account_id    INTEGER NOT NULL,
    taker_order_id      INTEGER NOT NULL,
    taker_order_list_id INTEGER NOT NULL,
    taker_commission    ANY NOT NULL,
    maker_account_id    INTEGER NOT NULL,
    maker_order_id      INTEGER NOT NULL,
    maker_order_list_id INTEGER NOT NULL,
    maker_commission    ANY NOT NULL,
    PRIMARY KEY (symbol_id, trade_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trades_by_taker ON trades (taker_account_id, symbol_id, trade_id);
  CREATE INDEX trades_by_maker ON trades (maker_account_id, symbol_id, trade_id);
  CREATE INDEX trades_by_taker_order ON trades (taker_order_id, symbol_id, trade_id);
  CREATE INDEX trades_by_maker_order ON trades (maker_order_id, symbol_id, trade_id);

  CREATE TABLE agg_trades (
    symbol_id      INTEGER NOT NULL,
    agg_trade_id   INTEGER NOT NULL,
    time_ms        INTEGER NOT NULL,
    price_ticks    INTEGER NOT NULL,
    lots           INTEGER NOT NULL,
    is_buyer_maker INTEGER NOT NULL,
    first_trade_id INTEGER NOT NULL,
    last_trade_id  INTEGER NOT NULL,
    PRIMARY KEY (symbol_id, agg_trade_id)
  ) STRICT, WITHOUT ROWID;

  -- The latest minute of a symbol is not in its longer klines yet.
  CREATE TABLE klines (${KLINE_COLUMNS}  ) STRICT, WITHOUT ROWID;

  -- All postings of an entry in one row, as JSON: [[asset, amount, from, bucket, to, bucket, reason], ...].
  CREATE TABLE entry_postings (
    seq      INTEGER PRIMARY KEY,
    time_ms  INTEGER NOT NULL,
    postings TEXT NOT NULL
  ) STRICT;
  CREATE VIEW postings AS
    SELECT seq, posting.key AS place, time_ms, posting.value ->> 0 AS asset_id, posting.value ->> 1 AS amount,
      posting.value ->> 2 AS from_account_id, posting.value ->> 3 AS from_bucket,
      posting.value ->> 4 AS to_account_id, posting.value ->> 5 AS to_bucket, posting.value ->> 6 AS reason
    FROM entry_postings, json_each(postings) AS posting;

  CREATE TABLE operator_acts (
    seq        INTEGER PRIMARY KEY,
    time_ms    INTEGER NOT NULL,
    type       TEXT NOT NULL,
    by         TEXT NOT NULL,
    account_id INTEGER,
    outcome    TEXT NOT NULL,
    details    TEXT NOT NULL
  ) STRICT;
  CREATE INDEX operator_acts_by_account ON operator_acts (account_id) WHERE account_id IS NOT NULL;
  `,
  `
  -- Generated synthetic history, as JSON: readers compute its klines.
  CREATE TABLE pasts (
    symbol_id INTEGER PRIMARY KEY,
    past      TEXT NOT NULL
  ) STRICT;

  -- Imported, of before the first trade. One that is open then goes on in klines.
  CREATE TABLE past_klines (${KLINE_COLUMNS}  ) STRICT, WITHOUT ROWID;
  `,
  OPERATOR_TABLES,
  BLOCK_TABLES,
  ACCESS_TABLES,
  `
  -- The units of imported candles, where they are not those of the symbol: digits after the point.
  CREATE TABLE past_scales (
    symbol_id         INTEGER PRIMARY KEY,
    price_decimals    INTEGER NOT NULL,
    quantity_decimals INTEGER NOT NULL,
    quote_decimals    INTEGER NOT NULL
  ) STRICT;
  `,
  // The client's own id of a transfer; "" if the client sent none.
  `ALTER TABLE transfers ADD COLUMN client_tran_id TEXT NOT NULL DEFAULT ''`,
  DAY_TABLES,
  TODAY_TABLES,
];

/** Migrations that also compute rows from other tables, by the version that they create. */
const FILLS: Readonly<Record<number, (database: DatabaseSync) => void>> = { 8: fillDays };

/**
 * Versions of history that lack rows which exist only in the journal. Version 3 stored no access commands, such as
 * accepting an invitation; no release has created such a file.
 */
const LACKS_ROWS: readonly { readonly version: number; readonly rows: string }[] = [
  { version: 3, rows: "SELECT 1 FROM operator_acts WHERE type = 'invite' LIMIT 1" },
];

/** The file is not a history, or was created by a newer release. */
export class HistoryUnreadable extends Error {
  override readonly name = "HistoryUnreadable";
}

/**
 * How transactions commit. Commits need not be synced, because lost ones are projected again from the journal. `alone`:
 * the file is temporary, and no other process opens it. The order of the pragmas matters: switching from WAL to no
 * journal syncs.
 */
const COMMITS = {
  "beside readers": "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;",
  alone: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;",
} as const;

/** Opens the history for writing, and creates or migrates its tables. Throws `HistoryUnreadable`. */
export function openHistoryFile(path: string, commits: keyof typeof COMMITS = "beside readers"): DatabaseSync {
  const database = open(path, COMMITS[commits]);
  try {
    migrate(path, database);
    bringBlocksUpToDate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Opens the history for reading while another thread writes. The tables must exist. */
export function openHistoryReadOnly(path: string): DatabaseSync {
  return open(path, undefined);
}

/** Opens the file. `commits`: undefined for read-only access. */
function open(path: string, commits: string | undefined): DatabaseSync {
  try {
    const database = new DatabaseSync(path, { readOnly: commits === undefined, timeout: OPEN_PATIENCE_MS });
    database.exec(`PRAGMA cache_size = -65536; PRAGMA mmap_size = 268435456;`);
    if (commits !== undefined) database.exec(commits);
    database.exec("PRAGMA busy_timeout = 0;");
    return database;
  } catch (error) {
    throw new HistoryUnreadable(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function migrate(path: string, database: DatabaseSync): void {
  const { application_id: id } = database.prepare("PRAGMA application_id").get() as { application_id: number };
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  const isNew = version === 0 && id === 0;
  if (!isNew && id !== APPLICATION_ID)
    throw new HistoryUnreadable(`${path} is not a history database. Remove it: the node rebuilds it`);
  if (version > MIGRATIONS.length) {
    throw new HistoryUnreadable(
      `${path} has version ${version}, and this release supports up to ${MIGRATIONS.length}. Use a newer release, or remove the file: the node rebuilds it`,
    );
  }
  const isShort = LACKS_ROWS.some(
    (lacks) => lacks.version === version && database.prepare(lacks.rows).get() !== undefined,
  );
  if (isShort) transaction(database, "IMMEDIATE", () => empty(database));
  for (let from = isShort ? 0 : version; from < MIGRATIONS.length; from++) {
    const marks = `PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${from + 1};`;
    transaction(database, "IMMEDIATE", () => {
      database.exec(`${MIGRATIONS[from]}; ${marks}`);
      FILLS[from + 1]?.(database);
    });
  }
}

/** Drops all tables and views, including the position, so that the projector recreates everything from the journal. */
function empty(database: DatabaseSync): void {
  const all = "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'";
  for (const { type, name } of database.prepare(all).all()) database.exec(`DROP ${String(type)} "${String(name)}"`);
  database.exec("PRAGMA user_version = 0");
}
