/**
 * The ledger: free and locked balances of every account and asset. Money moves only by postings, so that each asset
 * sums to zero over all accounts.
 */
import { assert } from "../assert.ts";
import type { ByteReader, ByteWriter } from "../bytes.ts";

// Double entry: every movement of money is a posting of one amount from one place to another.

export type Bucket = "free" | "locked";

/** Append only: the position of a reason in the list is its number in history. */
export const POSTING_REASONS = [
  "lock",
  "release",
  "trade",
  "commission",
  "deposit",
  "debit",
  "withdrawal",
  "withdrawalFee",
  "depositDropped",
  "networkCost",
  "transfer",
  "dust",
  "dustCharge",
  "dividend",
  "adjustment",
  "preventionTransfer",
] as const;
export type PostingReason = (typeof POSTING_REASONS)[number];

/** `amount` > 0, in units of the asset. */
export interface Posting {
  readonly assetId: number;
  readonly amount: bigint;
  readonly fromAccountId: number;
  readonly fromBucket: Bucket;
  readonly toAccountId: number;
  readonly toBucket: Bucket;
  readonly reason: PostingReason;
}

/**
 * The house accounts. OUTSIDE represents everything outside the exchange. Only its balance may be negative without
 * limit: it is the negative of what the exchange holds, so that each asset sums to zero over all accounts.
 */
export const OUTSIDE_ACCOUNT = 1;
export const FEE_ACCOUNT = 2;
/** Deposits that a chain has shown but that are not credited yet. */
export const DEPOSITS_ACCOUNT = 3;
/**
 * The exchange's own money, which pays dividends, network costs and the shortage of dropped deposits. Network costs and
 * shortages may make the balance negative: the exchange then has a debt, which its operators see.
 */
export const TREASURY_ACCOUNT = 4;
/** Buys dust from customers and pays them in the dust asset, which an operator deposits. Never negative. */
export const DUST_ACCOUNT = 5;
/** The first account number of customers. Smaller numbers are house accounts. */
export const FIRST_CUSTOMER_ACCOUNT = 100;

// The balances.

export interface Balance {
  free: bigint;
  locked: bigint;
}

const NOTHING: Readonly<Balance> = Object.freeze({ free: 0n, locked: 0n });

/** One account's balances, by asset id. */
interface Holdings {
  readonly balances: (Balance | undefined)[];
  /** Time of the last change of a balance. */
  updateTimeMs: number;
}

/** A payment between accounts: `amount` >= 0, in units of the asset; 0 posts nothing. `from` and `to` are accounts. */
export interface Payment {
  readonly assetId: number;
  readonly amount: bigint;
  readonly from: number;
  readonly to: number;
  readonly reason: PostingReason;
}

export class Ledger {
  /** The postings of the current command; null if they are not recorded. */
  postings: Posting[] | null;
  private nowMs = 0;
  private readonly holdings: (Holdings | undefined)[] = [];

  constructor(recordPostings: boolean) {
    this.postings = recordPostings ? [] : null;
  }

  /** Starts a command: discards the postings of the previous one. */
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

  /** Moves money from free to locked. Most movements are within one account, so the account is looked up only once. */
  lock(accountId: number, assetId: number, amount: bigint): void {
    if (amount === 0n) return;
    assert(amount > 0n, "a posting must be positive");
    const balance = this.open(accountId, assetId);
    balance.free -= amount;
    assert(balance.free >= 0n, "a balance went below zero");
    balance.locked += amount;
    this.postings?.push(within(accountId, assetId, amount, "lock"));
  }

  /** Moves money from locked back to free. */
  release(accountId: number, assetId: number, amount: bigint): void {
    if (amount === 0n) return;
    assert(amount > 0n, "a posting must be positive");
    const balance = this.open(accountId, assetId);
    balance.locked -= amount;
    assert(balance.locked >= 0n, "a balance went below zero");
    balance.free += amount;
    this.postings?.push(within(accountId, assetId, amount, "release"));
  }

  /** Moves free money of one account to another's free balance. Only OUTSIDE and the treasury may become negative. */
  pay(payment: Payment): void {
    this.move(payment, "free");
  }

  /** Moves locked money of one account to another's free balance. */
  payLocked(payment: Payment): void {
    this.move(payment, "locked");
  }

  /** Internal. It is not private, so that the simulator can plant bugs in it. */
  move({ assetId, amount, from, to, reason }: Payment, bucket: Bucket): void {
    if (amount === 0n) return;
    assert(amount > 0n, "a posting must be positive");
    const payer = this.open(from, assetId);
    const left = bucket === "free" ? (payer.free -= amount) : (payer.locked -= amount);
    assert(left >= 0n || mayOwe(from), "a balance went below zero");
    this.open(to, assetId).free += amount;
    this.postings?.push({
      assetId,
      amount,
      fromAccountId: from,
      fromBucket: bucket,
      toAccountId: to,
      toBucket: "free",
      reason,
    });
  }

  /** The sum of an asset over all accounts, which is zero unless the engine has a bug. */
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

/** A posting within one account, which locks or releases money. */
function within(accountId: number, assetId: number, amount: bigint, reason: "lock" | "release"): Posting {
  const [fromBucket, toBucket] = reason === "lock" ? (["free", "locked"] as const) : (["locked", "free"] as const);
  return { assetId, amount, fromAccountId: accountId, fromBucket, toAccountId: accountId, toBucket, reason };
}

function mayOwe(accountId: number): boolean {
  return accountId === OUTSIDE_ACCOUNT || accountId === TREASURY_ACCOUNT;
}
