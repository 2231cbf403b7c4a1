/** The part of the history port about statements: all that moved an account's money in a span of time. */
import type { Bucket, PostingReason } from "@pricetime/engine";

export interface StatementSpan {
  /** Both are ends of days in UTC; the second is exclusive. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Entries after this one are left out. */
  readonly lastSeq: number;
}

/** In units of the asset, as digits. */
export interface StatementBalance {
  readonly assetId: number;
  readonly free: string;
  readonly locked: string;
}

export interface StatementBounds {
  /** The entries of the span: from the first up to, and not with, the second. */
  readonly fromSeq: number;
  readonly endSeq: number;
  /** What the account had before the span. */
  readonly opening: readonly StatementBalance[];
  /** What it had at the end of the span, as far as history reaches: also of entries after `lastSeq`. */
  readonly closing: readonly StatementBalance[];
}

/** What one posting did to one bucket: a lock moves from one to the other, which are two. */
export interface StatementMove {
  readonly seq: number;
  /** Counts the account's moves of an entry, from 0. */
  readonly place: number;
  readonly timeMs: number;
  readonly assetId: number;
  readonly bucket: Bucket;
  /** Units of the asset, as digits; what went out has a `-`. */
  readonly amount: string;
  readonly reason: PostingReason;
}

export interface StatementPage {
  readonly moves: readonly StatementMove[];
  /** The entry with which the next page begins; null: this is the last one. */
  readonly nextSeq: number | null;
}

export interface StatementHistory {
  statementBounds(seq: number, accountId: number, span: StatementSpan): Promise<StatementBounds>;
  /** Returns moves in their order, whole entries: a bounded number of them, of a bounded part of the history. */
  statementPage(
    seq: number,
    accountId: number,
    entries: Pick<StatementBounds, "fromSeq" | "endSeq">,
  ): Promise<StatementPage>;
}
