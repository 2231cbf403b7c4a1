/**
 * The data of `reads`: a venue of ten symbols on which 5,000 customers have traded until there are so many rows of
 * history. The readers' own orders are spread among all others, about a page for each.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Dice } from "@pricetime/testkit/dice";
import { JournalMaker, limitOrder } from "../venue/journal-maker.ts";
import { rebuildHistory } from "../venue/venue.ts";

const SYMBOLS = 10;
const CUSTOMERS = 5000;
/** The number of accounts that query: the first ones, which have keys. */
export const READERS = 20;
/** Trades of each reader as the maker, all on the first symbol: slightly more than a page. */
const TRADES_A_READER = 520;
const READER_TRADES = READERS * TRADES_A_READER;
const OPEN_ORDERS_A_READER = 20;
/** The approximate rows of two orders that trade. */
const ROWS_A_PAIR = 7.5;
const PAIRS_A_BATCH = 25;
const BATCH_MS = 90_000;
const MID_TICKS = 5_000_000;
const LOTS = 10_000;
/** The fraction of pairs that are one canceled order instead. */
const CANCELED_SHARE = 0.2;

export interface HistoryData {
  readonly folder: string;
  readonly rows: number;
  /** The time of the last trade. */
  readonly endMs: number;
}

/** Created unless the folder has it already. `rows` is approximate; 0: only the readers' own rows. */
export async function historyData(folder: string, rows: number): Promise<HistoryData> {
  const kept = `${folder}.made.json`;
  if (existsSync(kept)) {
    const made = JSON.parse(readFileSync(kept, "utf8")) as HistoryData & { readonly asked: number };
    if (made.asked !== rows) throw new Error(`${folder} was made for ${made.asked} rows; give another folder`);
    return { ...made, folder };
  }
  const endMs = makeJournal(folder, Math.max(READER_TRADES, Math.round(rows / ROWS_A_PAIR)));
  await rebuildHistory(folder);
  const data = { folder, rows: countRows(folder), endMs };
  writeFileSync(kept, JSON.stringify({ ...data, asked: rows }));
  return data;
}

function makeJournal(folder: string, pairs: number): number {
  const spanMs = Math.ceil(pairs / PAIRS_A_BATCH) * BATCH_MS;
  const startMs = Date.now() - spanMs - 60_000;
  const maker = new JournalMaker({ folder, symbols: SYMBOLS, accounts: CUSTOMERS, keys: READERS, startMs });
  const trade = new Trading(maker, pairs);
  for (let n = 0; n < pairs; n++) {
    if (n % PAIRS_A_BATCH === 0) maker.pass(BATCH_MS);
    trade.pair(n);
  }
  const endMs = maker.timeMs;
  trade.rest();
  maker.close({ snapshot: true });
  return endMs;
}

class Trading {
  readonly #maker: JournalMaker;
  readonly #pairs: number;
  readonly #random = new Dice(1);
  readonly #mids = Array.from({ length: SYMBOLS }, () => MID_TICKS);
  #readerTrades = 0;

  constructor(maker: JournalMaker, pairs: number) {
    this.#maker = maker;
    this.#pairs = pairs;
  }

  /** The readers' trades are spread evenly over all. */
  pair(n: number): void {
    const isReaders = Math.floor(((n + 1) * READER_TRADES) / this.#pairs) > this.#readerTrades;
    if (isReaders) this.#trade(0, this.#account(this.#readerTrades++ % READERS), n);
    else if (this.#random.next() < CANCELED_SHARE) this.#cancel(n);
    else this.#trade(this.#random.between(0, SYMBOLS - 1), this.#anybody(), n);
  }

  /** Each symbol's price is a random walk. */
  #trade(symbolId: number, maker: number, n: number): void {
    const ticks = (this.#mids[symbolId] ?? MID_TICKS) + this.#random.between(-20, 20);
    this.#mids[symbolId] = Math.min(Math.max(ticks, MID_TICKS - 100_000), MID_TICKS + 100_000);
    const [side, other] = this.#random.next() < 0.5 ? (["BUY", "SELL"] as const) : (["SELL", "BUY"] as const);
    this.#maker.apply(limitOrder(maker, { symbolId, side, ticks, lots: LOTS, id: `maker${n}` }));
    this.#maker.apply(limitOrder(this.#anybody(), { symbolId, side: other, ticks, lots: LOTS, id: `taker${n}` }));
  }

  #cancel(n: number): void {
    const symbolId = this.#random.between(0, SYMBOLS - 1);
    const accountId = this.#anybody();
    const order = { symbolId, side: "BUY", ticks: MID_TICKS / 2, lots: LOTS, id: `order${n}` } as const;
    this.#maker.apply(limitOrder(accountId, order));
    const found = { orderId: 0, origClientOrderId: order.id, newClientOrderId: `cancel${n}` };
    this.#maker.apply({ type: "cancelOrder", accountId, symbolId, ...found });
  }

  /** The readers' open orders, and the visible book. */
  rest(): void {
    for (let n = 0; n < READERS * OPEN_ORDERS_A_READER; n++) {
      const side = n % 2 === 0 ? "BUY" : "SELL";
      const away = 200_000 + n;
      const ticks = MID_TICKS + (side === "BUY" ? -away : away);
      this.#maker.apply(limitOrder(this.#account(n % READERS), { side, ticks, lots: LOTS, id: `open${n}` }));
    }
  }

  #account(n: number): number {
    return this.#maker.accountIds[n] ?? 0;
  }
  /** Any account except a reader, whose number of rows is fixed. */
  #anybody(): number {
    return this.#account(this.#random.between(READERS, CUSTOMERS - 1));
  }
}

/** The total number of rows in all tables. */
function countRows(folder: string): number {
  const database = new DatabaseSync(join(folder, "history.sqlite"), { readOnly: true });
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .all();
  const count = (name: string): number =>
    (database.prepare(`SELECT count(*) AS rows FROM ${name}`).get() as { rows: number }).rows;
  const rows = (names as { name: string }[]).reduce((sum, { name }) => sum + count(name), 0);
  database.close();
  return rows;
}
