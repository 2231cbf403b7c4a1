/**
 * Stores which accounts appear in the postings of each block of entries, so that a statement skips blocks without its
 * account. Writing them adds less than 1% to the cost of history. One row per account and entry would add 10%, without
 * making reads much faster.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Posting } from "@pricetime/engine";
import { transaction } from "../../platform/disk.ts";

/** Number of entries per block. A reader scans all entries of each block that contains its account. */
export const BLOCK_ENTRIES = 64;
/** Number of rows read at a time while missing blocks are created. */
const ROWS_A_STEP = 8192;

export const BLOCK_TABLES = `
  -- accounts: each account of the block's postings once, as four bytes; whole blocks alone, those without postings have no row.
  CREATE TABLE posting_blocks (
    block    INTEGER PRIMARY KEY,
    accounts BLOB NOT NULL
  ) STRICT;
`;

export const blockOf = (seq: number): number => Math.floor(seq / BLOCK_ENTRIES);

/** Little-endian, because most ids are small. Bytes that match by accident only cost time. */
export function accountBytes(accountId: number): Uint8Array {
  return packed([accountId]);
}

function packed(accountIds: Iterable<number>): Uint8Array {
  const numbers = [...accountIds];
  const bytes = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [n, accountId] of numbers.entries()) bytes.setUint32(n * 4, accountId, true);
  return new Uint8Array(bytes.buffer);
}

/** Creates the blocks that are missing in a history written by release 0.2.0. Can be interrupted and resumed. */
export function bringBlocksUpToDate(database: DatabaseSync): void {
  new PostingBlocks(database);
}

type Sides = Pick<Posting, "fromAccountId" | "toAccountId">;

/** Writes a block when the first entry of the next block is added, in that entry's transaction. */
export class PostingBlocks {
  readonly #insert: StatementSync;
  readonly #accounts = new Set<number>();
  #block = -1;

  /** Reads the entries of the incomplete block and of missing blocks. */
  constructor(database: DatabaseSync) {
    this.#insert = database.prepare("INSERT OR ROLLBACK INTO posting_blocks VALUES (?, ?)");
    const { next } = database.prepare("SELECT max(block) + 1 AS next FROM posting_blocks").get() as {
      next: number | null;
    };
    const read = database.prepare("SELECT seq, postings FROM entry_postings WHERE seq >= ? ORDER BY seq LIMIT ?");
    for (let from = (next ?? 0) * BLOCK_ENTRIES; ; ) {
      const rows = read.all(from, ROWS_A_STEP) as unknown as { readonly seq: number; readonly postings: string }[];
      const last = rows.at(-1);
      if (last === undefined) return;
      transaction(database, "IMMEDIATE", () => {
        for (const { seq, postings } of rows) this.add(seq, sidesOf(postings));
      });
      from = last.seq + 1;
    }
  }

  add(seq: number, postings: Iterable<Sides>): void {
    const block = blockOf(seq);
    if (block !== this.#block) {
      if (this.#accounts.size > 0) this.#insert.run(this.#block, packed(this.#accounts));
      this.#accounts.clear();
      this.#block = block;
    }
    for (const { fromAccountId, toAccountId } of postings) {
      this.#accounts.add(fromAccountId);
      this.#accounts.add(toAccountId);
    }
  }
}

/** A posting in the format of `AuditRows`: asset, amount, from, bucket, to, bucket, reason. */
const POSTING = /\[\d+,[^,]+,(\d+),\d,(\d+),/g;

function* sidesOf(postings: string): Generator<Sides> {
  for (const [, from, to] of postings.matchAll(POSTING)) yield { fromAccountId: Number(from), toAccountId: Number(to) };
}
