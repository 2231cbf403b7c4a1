/**
 * The ledger: what every account holds of every asset, free and locked. Money only ever moves, by
 * postings, so each asset sums to zero over all accounts.
 */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { type Bucket, OUTSIDE_ACCOUNT, type Posting, type PostingReason, TREASURY_ACCOUNT } from "./posting.ts";

export interface Balance {
  free: bigint;
  locked: bigint;
}

const NOTHING: Readonly<Balance> = Object.freeze({ free: 0n, locked: 0n });

/** One account's balances, by asset id. */
interface Holdings {
  readonly balances: (Balance | undefined)[];
  /** When a balance last changed. */
  updateTimeMs: number;
}

export class Ledger {
  /** The postings of the current command; null when nobody asked for them. */
  postings: Posting[] | null;
  private nowMs = 0;
  private readonly holdings: (Holdings | undefined)[] = [];

  constructor(recordPostings: boolean) {
    this.postings = recordPostings ? [] : null;
  }

  /** Begins a command: forgets the postings of the last one. */
  begin(nowMs: number): void {
    this.nowMs = nowMs;
    if (this.postings !== null && this.postings.length > 0) this.postings = [];
  }

  balance(accountId: number, assetId: number): Readonly<Balance> {
    return this.holdings[accountId]?.balances[assetId] ?? NOTHING;
  }

  updateTimeMs(accountId: number): number {
    return this.holdings[accountId]?.updateTimeMs ?? 0;
  }

  /** From free to locked. Within one account, as most of all that moves: the account is looked up once. */
  lock(accountId: number, assetId: number, amount: bigint): void {
    if (amount === 0n) return;
    assert(amount > 0n, "a posting must be positive");
    const balance = this.open(accountId, assetId);
    balance.free -= amount;
    assert(balance.free >= 0n, "a balance went below zero");
    balance.locked += amount;
    if (this.postings !== null) this.record(assetId, amount, accountId, "free", accountId, "locked", "lock");
  }

  /** From locked back to free. */
  release(accountId: number, assetId: number, amount: bigint): void {
    if (amount === 0n) return;
    assert(amount > 0n, "a posting must be positive");
    const balance = this.open(accountId, assetId);
    balance.locked -= amount;
    assert(balance.locked >= 0n, "a balance went below zero");
    balance.free += amount;
    if (this.postings !== null) this.record(assetId, amount, accountId, "locked", accountId, "free", "release");
  }

  /** Posts `amount` (>= 0; 0 posts nothing). Only OUTSIDE and the treasury may go below zero. */
  move(
    assetId: number,
    amount: bigint,
    fromAccountId: number,
    fromBucket: Bucket,
    toAccountId: number,
    toBucket: Bucket,
    reason: PostingReason,
  ): void {
    if (amount === 0n) return;
    assert(amount > 0n, "a posting must be positive");
    const left = this.add(fromAccountId, assetId, fromBucket, -amount);
    assert(left >= 0n || mayOwe(fromAccountId), "a balance went below zero");
    this.add(toAccountId, assetId, toBucket, amount);
    if (this.postings !== null) {
      this.record(assetId, amount, fromAccountId, fromBucket, toAccountId, toBucket, reason);
    }
  }

  /** What the bucket then holds. */
  private add(accountId: number, assetId: number, bucket: Bucket, amount: bigint): bigint {
    const balance = this.open(accountId, assetId);
    return bucket === "free" ? (balance.free += amount) : (balance.locked += amount);
  }

  private record(
    assetId: number,
    amount: bigint,
    fromAccountId: number,
    fromBucket: Bucket,
    toAccountId: number,
    toBucket: Bucket,
    reason: PostingReason,
  ): void {
    this.postings?.push({ assetId, amount, fromAccountId, fromBucket, toAccountId, toBucket, reason });
  }

  /** The sum of an asset over all accounts: zero, or the engine is wrong. */
  sum(assetId: number): bigint {
    let sum = 0n;
    for (const holdings of this.holdings) {
      const balance = holdings?.balances[assetId];
      if (balance !== undefined) sum += balance.free + balance.locked;
    }
    return sum;
  }

  private open(accountId: number, assetId: number): Balance {
    let holdings = this.holdings[accountId];
    if (holdings === undefined) {
      holdings = { balances: [], updateTimeMs: 0 };
      this.holdings[accountId] = holdings;
    }
    holdings.updateTimeMs = this.nowMs;
    let balance = holdings.balances[assetId];
    if (balance === undefined) {
      balance = { free: 0n, locked: 0n };
      holdings.balances[assetId] = balance;
    }
    return balance;
  }

  save(writer: ByteWriter): void {
    writer.uint(this.holdings.length);
    for (const holdings of this.holdings) {
      writer.bool(holdings !== undefined);
      if (holdings === undefined) continue;
      writer.uint(holdings.updateTimeMs);
      writer.uint(holdings.balances.length);
      for (const balance of holdings.balances) {
        writer.bool(balance !== undefined);
        if (balance === undefined) continue;
        writer.big(balance.free);
        writer.big(balance.locked);
      }
    }
  }

  load(reader: ByteReader): void {
    const accounts = reader.uint();
    for (let accountId = 0; accountId < accounts; accountId++) {
      if (!reader.bool()) {
        this.holdings.push(undefined);
        continue;
      }
      const updateTimeMs = reader.uint();
      const balances: (Balance | undefined)[] = [];
      const assets = reader.uint();
      for (let i = 0; i < assets; i++) {
        balances.push(reader.bool() ? { free: reader.big(), locked: reader.big() } : undefined);
      }
      this.holdings.push({ balances, updateTimeMs });
    }
  }
}

function mayOwe(accountId: number): boolean {
  return accountId === OUTSIDE_ACCOUNT || accountId === TREASURY_ACCOUNT;
}
