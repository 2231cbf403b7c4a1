/** Reads an account's balances and their value at the end of each day, and the movements of its funds. */
import {
  type Bucket,
  DAY_MS,
  formatDecimal,
  parseDecimal,
  POSTING_REASONS,
  type PostingReason,
  WIRE_PLACES,
} from "@pricetime/engine";
import type { Answer } from "@pricetime/protocol";
import type { HistoryTables } from "./history-tables.ts";
import { priceAt, valueOf } from "./closing-prices.ts";
import { accountBytes, BLOCK_ENTRIES, blockOf } from "../table/posting-blocks.ts";
import { BUCKETS, moneyColumn } from "../table/columns.ts";

const BALANCE = `SELECT day, ${moneyColumn("free", "free")}, ${moneyColumn("locked", "locked")} FROM day_balances
  WHERE account_id = ? AND asset_id = ?`;

export const DAY_BALANCES = {
  nextAsset: `SELECT asset_id AS assetId FROM day_balances WHERE account_id = ? AND asset_id > ?
    ORDER BY asset_id LIMIT 1`,
  lastBefore: `${BALANCE} AND day < ? ORDER BY day DESC LIMIT 1`,
  between: `${BALANCE} AND day BETWEEN ? AND ? ORDER BY day`,
};

interface BalanceRow {
  readonly day: number;
  readonly free: string;
  readonly locked: string;
}
/** An asset's balance changes within the requested days, and the last change before these days. */
interface Holding {
  readonly assetId: number;
  readonly before: BalanceRow | undefined;
  readonly changes: readonly BalanceRow[];
}
/** Amounts are decimals. */
interface Balance {
  readonly assetId: number;
  readonly free: string;
  readonly locked: string;
}
type DaySnapshot = Answer<"wallet.snapshots">["snapshotVos"][number];

/** A day's snapshot is dated to the day's last second. */
const LAST_SECOND_MS = DAY_MS - 1000;

/** The assets that an account holds or has ever held. */
function* assetsOf(tables: HistoryTables, accountId: number): Generator<number> {
  for (let last = -1; ; ) {
    const next = tables.row<{ readonly assetId: number }>(DAY_BALANCES.nextAsset, accountId, last);
    if (next === undefined) return;
    yield next.assetId;
    last = next.assetId;
  }
}

/** The account's balances at the end of the previous day, including zero balances. */
function balancesBefore(tables: HistoryTables, accountId: number, day: number): StatementBalance[] {
  return [...assetsOf(tables, accountId)].flatMap((assetId) => {
    const row = tables.row<BalanceRow>(DAY_BALANCES.lastBefore, accountId, assetId, day);
    return row === undefined ? [] : [{ assetId, free: row.free, locked: row.locked }];
  });
}

/** Returns an empty list for a zero balance. */
function balanceOn(tables: HistoryTables, { assetId, before, changes }: Holding, day: number): Balance[] {
  const row = changes.findLast((change) => change.day <= day) ?? before;
  if (row === undefined || (row.free === "0" && row.locked === "0")) return [];
  return [{ assetId, free: tables.money(assetId, row.free), locked: tables.money(assetId, row.locked) }];
}

/**
 * The total value of all balances in one asset, at the day's last prices, rounded down. Balances without a price count
 * as 0.
 */
function totalOf(
  tables: HistoryTables,
  balances: readonly Balance[],
  inAssetId: number | undefined,
  day: number,
): string {
  let total = 0n;
  if (inAssetId !== undefined) {
    for (const { assetId, free, locked } of balances) {
      const price = priceAt(tables, day, assetId, inAssetId);
      if (price !== undefined) total += valueOf(onWire(free) + onWire(locked), price);
    }
  }
  return formatDecimal(total, WIRE_PLACES);
}

/** Converts a decimal to units of 10^-8. */
function onWire(amount: string): bigint {
  return parseDecimal(amount, WIRE_PLACES) ?? 0n;
}

/** Limits of one page of a statement. Other queries wait for the reader thread while it is read. */
export const STATEMENT_PAGE = {
  /** Maximum number of entries scanned using blocks; takes tens of milliseconds. */
  passed: 500_000,
  /** Maximum number of entries scanned where there are no blocks yet; takes about the same time. */
  scanned: 20_000,
  /** Maximum number of the account's entries that are returned. */
  found: 200,
} as const;

/** Searches the text for the account's id between commas, so that only matching entries are parsed. */
const PAGE = `SELECT seq, time_ms AS timeMs, postings FROM entry_postings
  WHERE seq >= ? AND seq < ? AND instr(postings, ?) > 0 ORDER BY seq LIMIT ?`;
export const IN_BLOCKS = `SELECT seq, time_ms AS timeMs, postings FROM posting_blocks CROSS JOIN entry_postings
  WHERE block BETWEEN ?5 AND ?6 AND instr(accounts, ?7) > 0 AND instr(postings, ?3) > 0
    AND seq >= max(?1, block * ${BLOCK_ENTRIES}) AND seq < min(?2, (block + 1) * ${BLOCK_ENTRIES})
  ORDER BY block, seq LIMIT ?4`;
const LAST_BLOCK = "SELECT max(block) AS block FROM posting_blocks";
const LAST = "SELECT max(seq) AS seq FROM entry_postings";
const NEXT = "SELECT seq, time_ms AS timeMs FROM entry_postings WHERE seq >= ? ORDER BY seq LIMIT 1";

/** Digits, in the asset's smallest units. */
export interface StatementBalance {
  readonly assetId: number;
  readonly free: string;
  readonly locked: string;
}

export interface StatementBounds {
  /** The range of entries: `fromSeq` inclusive, `endSeq` exclusive. */
  readonly fromSeq: number;
  readonly endSeq: number;
  /** The account's balances before the range. */
  readonly opening: readonly StatementBalance[];
  /** The balances at the end of the range, as far as history has reached; includes entries after `lastSeq`. */
  readonly closing: readonly StatementBalance[];
}

/** The effect of a posting on the free or locked balance. Locking funds causes two moves. */
export interface StatementMove {
  readonly seq: number;
  /** The index of the move among the account's moves in the entry, from 0. */
  readonly place: number;
  readonly timeMs: number;
  readonly assetId: number;
  readonly bucket: Bucket;
  /** Digits, in the asset's smallest units; negative for outflows. */
  readonly amount: string;
  readonly reason: PostingReason;
}

interface EntryRow {
  readonly seq: number;
  readonly timeMs: number;
  readonly postings: string;
}

/**
 * The first entry at that time or later; one more than the last entry if there is none. Uses binary search, because
 * times do not decrease.
 */
function firstEntryFrom(tables: HistoryTables, timeMs: number): number {
  const last = tables.row<{ readonly seq: number | null }>(LAST);
  let [low, high] = [0, (last?.seq ?? 0) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = tables.row<Pick<EntryRow, "seq" | "timeMs">>(NEXT, middle);
    if (row === undefined || row.timeMs >= timeMs) high = middle;
    else low = row.seq + 1;
  }
  return low;
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

/**
 * Yields the postings that contain the text. They are in the format of `AuditRows`. A dividend may have a million
 * postings of other accounts.
 */
function* postingsWith(wanted: string, postings: string): Generator<string> {
  for (let at = postings.indexOf(wanted); at !== -1; ) {
    const end = postings.indexOf("]", at);
    yield postings.slice(postings.lastIndexOf("[", at) + 1, end);
    at = postings.indexOf(wanted, end);
  }
}

interface SnapshotsAsked {
  readonly accountId: number;
  /** Selects days whose end is in this range. Default: until now. */
  readonly startTimeMs?: number | undefined;
  readonly endTimeMs?: number | undefined;
  /** Maximum number of days; the latest ones are returned. */
  readonly limit: number;
  /** The asset of the total value. If absent, the total is "0.00000000". */
  readonly totalAssetId?: number | undefined;
  /** Days that end after this time are omitted. */
  readonly nowMs: number;
}

interface StatementAsked {
  readonly accountId: number;
  /** Start and end of the statement, both at midnight UTC; `untilMs` is exclusive. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Entries after this one are omitted. */
  readonly lastSeq: number;
}

export const statementQueries = {
  /** The snapshots of days, oldest first, starting with the first day on which the account had a balance. */
  snapshotPage(tables: HistoryTables, asked: SnapshotsAsked): string {
    const { accountId, startTimeMs, endTimeMs, limit, totalAssetId, nowMs } = asked;
    const lastOver = Math.floor(nowMs / DAY_MS) - 1;
    const lastDay = Math.min(lastOver, Math.floor(((endTimeMs ?? nowMs) - LAST_SECOND_MS) / DAY_MS));
    const firstAsked = startTimeMs === undefined ? 0 : Math.ceil((startTimeMs - LAST_SECOND_MS) / DAY_MS);
    const from = Math.max(lastDay - limit + 1, firstAsked);
    const holdings = [...assetsOf(tables, accountId)].map(
      (assetId): Holding => ({
        assetId,
        before: tables.row(DAY_BALANCES.lastBefore, accountId, assetId, from),
        changes: tables.rows(DAY_BALANCES.between, accountId, assetId, from, lastDay),
      }),
    );
    const had = holdings.some(({ before }) => before !== undefined);
    const firstDay = had ? from : Math.min(...holdings.map(({ changes }) => changes[0]?.day ?? Infinity));
    const days: DaySnapshot[] = [];
    for (let day = firstDay; day <= lastDay; day++) {
      const found = holdings.flatMap((holding) => balanceOn(tables, holding, day));
      const totalAssetOfBtc = totalOf(tables, found, totalAssetId, day);
      const balances = found.map(({ assetId, free, locked }) => ({ asset: tables.asset(assetId).asset, free, locked }));
      days.push({ type: "spot", updateTime: day * DAY_MS + LAST_SECOND_MS, data: { balances, totalAssetOfBtc } });
    }
    return JSON.stringify(days);
  },

  statementBounds(tables: HistoryTables, asked: StatementAsked): StatementBounds {
    const { accountId, fromMs, untilMs, lastSeq } = asked;
    return {
      fromSeq: firstEntryFrom(tables, fromMs),
      endSeq: Math.min(lastSeq + 1, firstEntryFrom(tables, untilMs)),
      opening: balancesBefore(tables, accountId, fromMs / DAY_MS),
      closing: balancesBefore(tables, accountId, untilMs / DAY_MS),
    };
  },

  /**
   * Moves of complete entries, in order. Their number and the scanned range are limited. `nextSeq`: the first entry of
   * the next page; null on the last page.
   */
  statementPage(
    tables: HistoryTables,
    asked: Pick<StatementAsked, "accountId"> & Pick<StatementBounds, "fromSeq" | "endSeq">,
  ): { readonly moves: readonly StatementMove[]; readonly nextSeq: number | null } {
    const { accountId, fromSeq, endSeq } = asked;
    // The end of the last complete block. Later entries are not in a block yet.
    const blockEnd = ((tables.row<{ readonly block: number | null }>(LAST_BLOCK)?.block ?? -1) + 1) * BLOCK_ENTRIES;
    const isInBlocks = fromSeq < blockEnd;
    const until = isInBlocks
      ? Math.min(endSeq, blockEnd, fromSeq + STATEMENT_PAGE.passed)
      : Math.min(endSeq, fromSeq + STATEMENT_PAGE.scanned);
    const wanted = [fromSeq, until, `,${accountId},`, STATEMENT_PAGE.found] as const;
    const found = isInBlocks
      ? tables.rows<EntryRow>(IN_BLOCKS, ...wanted, blockOf(fromSeq), blockOf(until - 1), accountBytes(accountId))
      : tables.rows<EntryRow>(PAGE, ...wanted);
    const last = found.length < STATEMENT_PAGE.found ? undefined : found.at(-1);
    const next = last === undefined ? until : last.seq + 1;
    return { moves: found.flatMap((row) => movesOf(row, accountId)), nextSeq: next < endSeq ? next : null };
  },
};
