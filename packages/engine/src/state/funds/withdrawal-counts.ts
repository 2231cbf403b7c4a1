/**
 * What customers have withdrawn lately, by the hour of the request, and the limits that single accounts have. A request
 * counts until the end of the clock hour that is 24 (72) hours after its own, so no window is shorter than it says.
 */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { MAX_ACCOUNT_WITHDRAWAL_LIMITS, WITHDRAWAL_BUCKET_MS } from "../../limits.ts";
import { type LimitsOverTime, WITHDRAWAL_WINDOWS, type WithdrawalWindow } from "../../entry/symbol.ts";
import type { WithdrawnSums } from "../../entry/wallet-record.ts";

export const NOTHING_WITHDRAWN: WithdrawnSums = { per24h: 0n, per72h: 0n };

/** Amounts above zero, by asset. */
type Amounts = Map<number, bigint>;

const LONGEST_WINDOW = WITHDRAWAL_WINDOWS.per72h;

export class WithdrawalCounts {
  /** Amounts by hour, the oldest first, and by master account. Hours before the longest window are dropped. */
  private readonly byHour = new Map<number, Map<number, Amounts>>();
  /** The sums of all accounts, by hour. */
  private readonly totals = new Map<number, Amounts>();
  /** Accounts' own limits, by master account and asset. */
  private readonly ownLimits = new Map<number, Map<number, LimitsOverTime>>();
  private ownLimitCount = 0;

  /** Counts a request of this moment. */
  add(masterId: number, assetId: number, amount: bigint, nowMs: number): void {
    const hour = hourOf(nowMs);
    for (const old of this.byHour.keys()) {
      if (isWithin(LONGEST_WINDOW, old, hour)) break;
      this.byHour.delete(old);
      this.totals.delete(old);
    }
    this.change(hour, masterId, assetId, amount);
  }

  /** Takes a counted request out again, wherever it still counts. */
  remove(masterId: number, assetId: number, amount: bigint, requestedMs: number): void {
    const hour = hourOf(requestedMs);
    if (this.byHour.has(hour)) this.change(hour, masterId, assetId, -amount);
  }

  private change(hour: number, masterId: number, assetId: number, amount: bigint): void {
    const accounts = this.byHour.get(hour) ?? new Map<number, Amounts>();
    const amounts = accounts.get(masterId) ?? new Map<number, bigint>();
    const total = this.totals.get(hour) ?? new Map<number, bigint>();
    for (const sums of [amounts, total]) {
      const sum = (sums.get(assetId) ?? 0n) + amount;
      if (sum === 0n) sums.delete(assetId);
      else sums.set(assetId, sum);
    }
    if (amounts.size > 0) accounts.set(masterId, amounts);
    else accounts.delete(masterId);
    if (accounts.size > 0) {
      this.byHour.set(hour, accounts);
      this.totals.set(hour, total);
    } else {
      this.byHour.delete(hour);
      this.totals.delete(hour);
    }
  }

  /** The sums of a master account with its sub-accounts, by asset; null: of all customers. */
  withdrawn(masterId: number | null, nowMs: number): ReadonlyMap<number, WithdrawnSums> {
    const sums = new Map<number, WithdrawnSums>();
    const nowHour = hourOf(nowMs);
    for (const [hour, accounts] of this.byHour) {
      const amounts = masterId === null ? this.totals.get(hour) : accounts.get(masterId);
      for (const [assetId, amount] of amounts ?? []) {
        const { per24h, per72h } = sums.get(assetId) ?? NOTHING_WITHDRAWN;
        const within = (window: WithdrawalWindow): bigint =>
          isWithin(WITHDRAWAL_WINDOWS[window], hour, nowHour) ? amount : 0n;
        sums.set(assetId, { per24h: per24h + within("per24h"), per72h: per72h + within("per72h") });
      }
    }
    return sums;
  }

  /** Whether a request that was counted is in the sum over the window. */
  isRecent(window: WithdrawalWindow, requestedMs: number, nowMs: number): boolean {
    return isWithin(WITHDRAWAL_WINDOWS[window], hourOf(requestedMs), hourOf(nowMs));
  }

  /** The limits that the master account has instead of the asset's. */
  ownLimitsOf(masterId: number, assetId: number): LimitsOverTime | undefined {
    return this.ownLimits.get(masterId)?.get(assetId);
  }
  /** All limits of the master account, by asset. */
  allOwnLimitsOf(masterId: number): ReadonlyMap<number, LimitsOverTime> {
    return this.ownLimits.get(masterId) ?? new Map();
  }
  get isFull(): boolean {
    return this.ownLimitCount >= MAX_ACCOUNT_WITHDRAWAL_LIMITS;
  }
  setOwnLimits(masterId: number, assetId: number, limits: LimitsOverTime | null): void {
    const own = this.ownLimits.get(masterId) ?? new Map<number, LimitsOverTime>();
    this.ownLimitCount -= own.size;
    if (limits === null) own.delete(assetId);
    else own.set(assetId, limits);
    this.ownLimitCount += own.size;
    if (own.size > 0) this.ownLimits.set(masterId, own);
    else this.ownLimits.delete(masterId);
  }

  /** Throws when the sums of all customers are not those of the accounts. */
  check(): void {
    let last = Number.NEGATIVE_INFINITY;
    for (const [hour, accounts] of this.byHour) {
      assert(hour > last && accounts.size > 0, "hours with withdrawals are in order");
      last = hour;
      const sums = new Map<number, bigint>();
      for (const amounts of accounts.values()) {
        assert(amounts.size > 0, "an account that is counted withdrew something");
        for (const [assetId, amount] of amounts) {
          assert(amount > 0n, "no withdrawn sum is below zero");
          sums.set(assetId, (sums.get(assetId) ?? 0n) + amount);
        }
      }
      const totals = this.totals.get(hour) ?? new Map<number, bigint>();
      const isSame = totals.size === sums.size && [...sums].every(([assetId, sum]) => totals.get(assetId) === sum);
      assert(isSame, "all customers withdrew what the accounts withdrew");
    }
    assert(this.totals.size === this.byHour.size, "no sum of all customers is left over");
    const own = [...this.ownLimits.values()].reduce((count, { size }) => count + size, 0);
    assert(own === this.ownLimitCount, "accounts' own limits are counted");
  }

  save(writer: ByteWriter): void {
    writer.uint(this.byHour.size);
    for (const [hour, accounts] of this.byHour) {
      writer.uint(hour);
      writer.uint(accounts.size);
      for (const [masterId, amounts] of accounts) {
        writer.uint(masterId);
        writer.uint(amounts.size);
        for (const [assetId, amount] of amounts) {
          writer.uint(assetId);
          writer.big(amount);
        }
      }
    }
    writer.text(JSON.stringify([...this.ownLimits].map(([masterId, own]) => [masterId, [...own]])));
  }

  load(reader: ByteReader): void {
    for (let hours = reader.uint(); hours > 0; hours--) {
      const hour = reader.uint();
      for (let accounts = reader.uint(); accounts > 0; accounts--) {
        const masterId = reader.uint();
        for (let assets = reader.uint(); assets > 0; assets--) {
          this.change(hour, masterId, reader.uint(), reader.big());
        }
      }
    }
    for (const [masterId, own] of JSON.parse(reader.text()) as [number, [number, LimitsOverTime][]][]) {
      for (const [assetId, limits] of own) this.setOwnLimits(masterId, assetId, limits);
    }
  }
}

/** Hours since 1970. */
function hourOf(timeMs: number): number {
  return Math.floor(timeMs / WITHDRAWAL_BUCKET_MS);
}

/** Whether a request of the hour still counts. The window begins within its oldest hour, and all of that hour counts. */
function isWithin(hours: number, hour: number, nowHour: number): boolean {
  return hour >= nowHour - hours;
}
