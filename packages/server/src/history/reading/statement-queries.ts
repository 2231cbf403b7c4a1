/** Reads what an account had at the end of each day and what that was worth, and what moved its money. */
import {
  type Bucket,
  DAY_MS,
  formatDecimal,
  parseDecimal,
  POSTING_REASONS,
  type PostingReason,
  WIRE_PLACES,
} from "@pricetime/engine";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { PastQueries } from "./past-klines.ts";
import { moneyColumn } from "../table/columns.ts";
import type { Units } from "../table/units.ts";
import type { SnapshotRow } from "../shapes/rows.ts";
import type {
  SnapshotQuestion,
  StatementBalance,
  StatementBounds,
  StatementMove,
  StatementPage,
  StatementSpan,
} from "../wallet-port.ts";
import { BUCKETS } from "../writing/audit-rows.ts";
import { accountBytes, BLOCK_ENTRIES, blockOf } from "../table/posting-blocks.ts";

/** The second parameter, if any, is an asset. */
export const PRICE_QUERIES = {
  ofBase: `SELECT symbol_id AS symbolId, price_decimals AS priceDecimals, quote_asset_id AS otherId
    FROM symbols INDEXED BY symbols_by_base WHERE base_asset_id = ?`,
  ofQuote: `SELECT symbol_id AS symbolId, price_decimals AS priceDecimals, base_asset_id AS otherId
    FROM symbols INDEXED BY symbols_by_quote WHERE quote_asset_id = ?`,
  close: `SELECT close_ticks AS ticks FROM klines WHERE symbol_id = ? AND interval = '1m' AND open_time_ms < ?
    ORDER BY open_time_ms DESC LIMIT 1`,
};

/** An exact fraction. */
export interface Price {
  readonly numerator: bigint;
  readonly denominator: bigint;
}
interface Market {
  readonly symbolId: number;
  readonly priceDecimals: number;
  /** The asset on the other side. */
  readonly otherId: number;
}

const ONE: Price = { numerator: 1n, denominator: 1n };

class DayPrices {
  readonly #ofBase: StatementSync;
  readonly #ofQuote: StatementSync;
  readonly #close: StatementSync;
  readonly #past: PastQueries;

  constructor(database: DatabaseSync) {
    this.#ofBase = database.prepare(PRICE_QUERIES.ofBase);
    this.#ofQuote = database.prepare(PRICE_QUERIES.ofQuote);
    this.#close = database.prepare(PRICE_QUERIES.close);
    this.#past = new PastQueries(database);
  }

  /** Returns the price of one `assetId` in `inAssetId`, over one market or two; undefined when there is none. */
  price(assetId: number, inAssetId: number, day: number): Price | undefined {
    if (assetId === inAssetId) return ONE;
    const markets = this.#marketsOf(assetId);
    const direct = markets.find(({ otherId }) => otherId === inAssetId);
    const price = direct && this.#closing(direct, day);
    if (price !== undefined) return price;
    for (const first of markets) {
      const second = this.#marketsOf(first.otherId).find(({ otherId }) => otherId === inAssetId);
      const [a, b] = [this.#closing(first, day), second && this.#closing(second, day)];
      if (a === undefined || b === undefined) continue;
      return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator };
    }
    return undefined;
  }

  #marketsOf(assetId: number): readonly (Market & { readonly isBase: boolean })[] {
    const of = (statement: StatementSync, isBase: boolean) =>
      (statement.all(assetId) as unknown as Market[]).map((market) => ({ ...market, isBase }));
    return [...of(this.#ofBase, true), ...of(this.#ofQuote, false)];
  }

  #closing(market: Market & { readonly isBase: boolean }, day: number): Price | undefined {
    const until = [market.symbolId, (day + 1) * DAY_MS] as const;
    const row = this.#close.get(...until) as { ticks: number } | undefined;
    const { priceDecimals } = market;
    const close = row ? { ...row, decimals: priceDecimals } : this.#past.closeBefore(...until, priceDecimals);
    if (close === undefined) return undefined;
    const ticks = BigInt(close.ticks);
    const whole = 10n ** BigInt(close.decimals);
    return market.isBase ? { numerator: ticks, denominator: whole } : { numerator: whole, denominator: ticks };
  }
}

const BALANCE = `SELECT day, ${moneyColumn("free", "free")}, ${moneyColumn("locked", "locked")} FROM day_balances
  WHERE account_id = ? AND asset_id = ?`;

export const SNAPSHOT_QUERIES = {
  nextAsset: `SELECT asset_id AS assetId FROM day_balances WHERE account_id = ? AND asset_id > ?
    ORDER BY asset_id LIMIT 1`,
  lastBefore: `${BALANCE} AND day < ? ORDER BY day DESC LIMIT 1`,
  between: `${BALANCE} AND day BETWEEN ? AND ? ORDER BY day`,
};

interface Row {
  readonly day: number;
  readonly free: string;
  readonly locked: string;
}
/** One asset: its changes within the requested days, and the last change before them. */
interface Holding {
  readonly assetId: number;
  readonly before: Row | undefined;
  readonly changes: readonly Row[];
}
type Balance = SnapshotRow["balances"][number];

/** The last second of a day stands for its end. */
const LAST_SECOND_MS = DAY_MS - 1000;
const NO_ASSET = -1;

export class SnapshotQueries {
  readonly #units: Units;
  readonly #prices: DayPrices;
  readonly #nextAsset: StatementSync;
  readonly #lastBefore: StatementSync;
  readonly #between: StatementSync;

  constructor(database: DatabaseSync, units: Units) {
    this.#units = units;
    this.#prices = new DayPrices(database);
    this.#nextAsset = database.prepare(SNAPSHOT_QUERIES.nextAsset);
    this.#lastBefore = database.prepare(SNAPSHOT_QUERIES.lastBefore);
    this.#between = database.prepare(SNAPSHOT_QUERIES.between);
  }

  snapshots(
    accountId: number,
    { startTimeMs, endTimeMs, limit, totalAssetId, nowMs }: SnapshotQuestion,
  ): SnapshotRow[] {
    const lastOver = Math.floor(nowMs / DAY_MS) - 1;
    const lastDay = Math.min(lastOver, Math.floor(((endTimeMs ?? nowMs) - LAST_SECOND_MS) / DAY_MS));
    const firstAsked = startTimeMs === undefined ? 0 : Math.ceil((startTimeMs - LAST_SECOND_MS) / DAY_MS);
    const from = Math.max(lastDay - limit + 1, firstAsked);
    const holdings = this.#holdings(accountId, from, lastDay);
    const had = holdings.some(({ before }) => before !== undefined);
    const firstDay = had ? from : Math.min(...holdings.map(({ changes }) => changes[0]?.day ?? Infinity));
    const rows: SnapshotRow[] = [];
    for (let day = firstDay; day <= lastDay; day++) {
      const balances = holdings.flatMap((holding) => this.#balance(holding, day));
      rows.push({ timeMs: day * DAY_MS + LAST_SECOND_MS, balances, total: this.#total(balances, totalAssetId, day) });
    }
    return rows;
  }

  /** Returns what the account had, in units, when the day before this one was over; empty holdings, too. */
  balancesBefore(accountId: number, day: number): StatementBalance[] {
    const balances: StatementBalance[] = [];
    for (let last = NO_ASSET; ; ) {
      const next = this.#nextAsset.get(accountId, last) as { assetId: number } | undefined;
      if (next === undefined) return balances;
      const { assetId } = next;
      const row = this.#lastBefore.get(accountId, assetId, day) as Row | undefined;
      if (row !== undefined) balances.push({ assetId, free: row.free, locked: row.locked });
      last = assetId;
    }
  }

  #holdings(accountId: number, from: number, to: number): Holding[] {
    const holdings: Holding[] = [];
    for (let last = NO_ASSET; ; ) {
      const next = this.#nextAsset.get(accountId, last) as { assetId: number } | undefined;
      if (next === undefined) return holdings;
      const { assetId } = next;
      const before = this.#lastBefore.get(accountId, assetId, from) as Row | undefined;
      const changes = this.#between.all(accountId, assetId, from, to) as unknown as Row[];
      holdings.push({ assetId, before, changes });
      last = assetId;
    }
  }

  /** Returns nothing for an empty holding. */
  #balance({ assetId, before, changes }: Holding, day: number): Balance[] {
    const row = changes.findLast((change) => change.day <= day) ?? before;
    if (row === undefined || (row.free === "0" && row.locked === "0")) return [];
    return [{ assetId, free: this.#units.money(assetId, row.free), locked: this.#units.money(assetId, row.locked) }];
  }

  #total(balances: readonly Balance[], inAssetId: number | undefined, day: number): string {
    let total = 0n;
    if (inAssetId !== undefined) {
      for (const { assetId, free, locked } of balances) {
        const price = this.#prices.price(assetId, inAssetId, day);
        if (price !== undefined) total += ((onWire(free) + onWire(locked)) * price.numerator) / price.denominator;
      }
    }
    return formatDecimal(total, WIRE_PLACES);
  }
}

/** Converts to units of the last digit on the wire. */
function onWire(amount: string): bigint {
  return parseDecimal(amount, WIRE_PLACES) ?? 0n;
}

/** What one question about a statement may cost the reading thread, which others wait for. */
export const STATEMENT_PAGE = {
  /** Entries whose blocks are looked through: some ten milliseconds. */
  passed: 500_000,
  /** Entries that are looked through where there are no blocks yet: as long. */
  scanned: 20_000,
  /** Entries of the account that are returned. */
  found: 200,
} as const;

// Entries of a span are looked through in parts, those of blocks with the account.

/** A part of the text is compared before it is taken apart: a posting has the account's number between commas. */
const PAGE = `SELECT seq, time_ms AS timeMs, postings FROM entry_postings
  WHERE seq >= ? AND seq < ? AND instr(postings, ?) > 0 ORDER BY seq LIMIT ?`;
export const IN_BLOCKS = `SELECT seq, time_ms AS timeMs, postings FROM posting_blocks CROSS JOIN entry_postings
  WHERE block BETWEEN ?5 AND ?6 AND instr(accounts, ?7) > 0 AND instr(postings, ?3) > 0
    AND seq >= max(?1, block * ${BLOCK_ENTRIES}) AND seq < min(?2, (block + 1) * ${BLOCK_ENTRIES})
  ORDER BY block, seq LIMIT ?4`;
const LAST_BLOCK = "SELECT max(block) AS block FROM posting_blocks";
const LAST = "SELECT max(seq) AS seq FROM entry_postings";
const NEXT = "SELECT seq, time_ms AS timeMs FROM entry_postings WHERE seq >= ? ORDER BY seq LIMIT 1";

interface EntryRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly postings: string;
}

export class StatementQueries {
  readonly #snapshots: SnapshotQueries;
  readonly #page: StatementSync;
  readonly #inBlocks: StatementSync;
  readonly #lastBlock: StatementSync;
  readonly #last: StatementSync;
  readonly #next: StatementSync;

  constructor(database: DatabaseSync, snapshots: SnapshotQueries) {
    this.#snapshots = snapshots;
    this.#page = database.prepare(PAGE);
    this.#inBlocks = database.prepare(IN_BLOCKS);
    this.#lastBlock = database.prepare(LAST_BLOCK);
    this.#last = database.prepare(LAST);
    this.#next = database.prepare(NEXT);
  }

  bounds(accountId: number, { fromMs, untilMs, lastSeq }: StatementSpan): StatementBounds {
    return {
      fromSeq: this.#firstFrom(fromMs),
      endSeq: Math.min(lastSeq + 1, this.#firstFrom(untilMs)),
      opening: this.#snapshots.balancesBefore(accountId, fromMs / DAY_MS),
      closing: this.#snapshots.balancesBefore(accountId, untilMs / DAY_MS),
    };
  }

  page(accountId: number, { fromSeq, endSeq }: Pick<StatementBounds, "fromSeq" | "endSeq">): StatementPage {
    // Entries of whole blocks up to the last one; those after it have none yet.
    const { block } = this.#lastBlock.get() as { block: number | null };
    const blockEnd = ((block ?? -1) + 1) * BLOCK_ENTRIES;
    const isInBlocks = fromSeq < blockEnd;
    const until = isInBlocks
      ? Math.min(endSeq, blockEnd, fromSeq + STATEMENT_PAGE.passed)
      : Math.min(endSeq, fromSeq + STATEMENT_PAGE.scanned);
    const wanted = [fromSeq, until, `,${accountId},`, STATEMENT_PAGE.found] as const;
    const found = (isInBlocks
      ? this.#inBlocks.all(...wanted, blockOf(fromSeq), blockOf(until - 1), accountBytes(accountId))
      : this.#page.all(...wanted)) as unknown as EntryRow[];
    const last = found.length < STATEMENT_PAGE.found ? undefined : found.at(-1);
    const next = last === undefined ? until : last.seq + 1;
    return { moves: found.flatMap((row) => movesOf(row, accountId)), nextSeq: next < endSeq ? next : null };
  }

  /** Returns the first entry of that time or later, by halving: both rise together. Past the end: one after the last. */
  #firstFrom(timeMs: number): number {
    const { seq: lastSeq } = this.#last.get() as { seq: number | null };
    let [low, high] = [0, (lastSeq ?? 0) + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = this.#next.get(middle) as Pick<EntryRow, "seq" | "timeMs"> | undefined;
      if (row === undefined || row.timeMs >= timeMs) high = middle;
      else low = row.seq + 1;
    }
    return low;
  }
}

function movesOf({ seq, timeMs, postings }: EntryRow, accountId: number): StatementMove[] {
  const own = String(accountId);
  const moves: StatementMove[] = [];
  const add = (assetId: string, bucket: string | undefined, amount: string, reason: string | undefined): void => {
    const place = moves.length;
    const words = {
      bucket: BUCKETS[Number(bucket)] as Bucket,
      reason: POSTING_REASONS[Number(reason)] as PostingReason,
    };
    moves.push({ seq, place, timeMs, assetId: Number(assetId), amount, ...words });
  };
  for (const posting of postingsWith(`,${own},`, postings)) {
    const [assetId = "", quoted = "", from, fromBucket, to, toBucket, reason] = posting.split(",");
    const amount = quoted.replaceAll('"', "");
    if (from === own) add(assetId, fromBucket, `-${amount}`, reason);
    if (to === own) add(assetId, toBucket, amount, reason);
  }
  return moves;
}

/** Postings as `AuditRows` writes them that have the text: a dividend has a million of others beside the account's. */
function* postingsWith(wanted: string, postings: string): Generator<string> {
  for (let at = postings.indexOf(wanted); at !== -1; ) {
    const end = postings.indexOf("]", at);
    yield postings.slice(postings.lastIndexOf("[", at) + 1, end);
    at = postings.indexOf(wanted, end);
  }
}
