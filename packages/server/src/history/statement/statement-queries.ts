/** Reads what moved an account's money: entries of a span are looked through in parts, those of blocks with the account. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Bucket, DAY_MS, POSTING_REASONS, type PostingReason } from "@pricetime/engine";
import { BUCKETS } from "../audit/audit-rows.ts";
import type { SnapshotQueries } from "../days/snapshot-queries.ts";
import type { StatementBounds, StatementMove, StatementPage, StatementSpan } from "../statement-port.ts";
import { STATEMENT_PAGE } from "./limits.ts";
import { accountBytes, BLOCK_ENTRIES, blockOf } from "./posting-blocks.ts";

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
