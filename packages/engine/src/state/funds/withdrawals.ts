/** Withdrawals: open withdrawals, the ids of all, recent sums, and the withdrawal address allowlists. */
import { assert } from "../../assert.ts";
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { addressKey } from "./deposits.ts";
import type { AllowedAddress, LetterStatus, WithdrawalRecord, WithdrawnSums } from "../../entry/wallet-record.ts";
import { CONFIRMATION_LIFE_MS, MAX_ACCOUNT_WITHDRAWAL_LIMITS, WITHDRAWAL_BUCKET_MS } from "../../limits.ts";
import { UsedIds } from "./used-ids.ts";
import type { RejectReason } from "../../entry/reject.ts";
import { type LimitsOverTime, WITHDRAWAL_WINDOWS, type WithdrawalWindow } from "../../entry/symbol.ts";

// The addresses to which an account may withdraw while its allowlist is enforced.

export class AllowLists {
  /** Addresses by account. */
  private readonly byAccount = new Map<number, Map<string, AllowedAddress>>();

  of(accountId: number): readonly AllowedAddress[] {
    return [...(this.byAccount.get(accountId)?.values() ?? [])];
  }
  /** The accounts with at least one address. */
  accountIds(): Iterable<number> {
    return this.byAccount.keys();
  }
  size(accountId: number): number {
    return this.byAccount.get(accountId)?.size ?? 0;
  }
  get(accountId: number, network: string, address: string, tag: string): AllowedAddress | undefined {
    return this.byAccount.get(accountId)?.get(addressKey(network, address, tag));
  }

  add(accountId: number, allowed: AllowedAddress): void {
    let list = this.byAccount.get(accountId);
    if (list === undefined) {
      list = new Map();
      this.byAccount.set(accountId, list);
    }
    list.set(addressKey(allowed.network, allowed.address, allowed.tag), allowed);
  }

  /** Returns false if the address was not on the allowlist. */
  delete(accountId: number, network: string, address: string, tag: string): boolean {
    const list = this.byAccount.get(accountId);
    if (list === undefined || !list.delete(addressKey(network, address, tag))) return false;
    if (list.size === 0) this.byAccount.delete(accountId);
    return true;
  }

  /** Throws if an address cannot be found by its own key. */
  check(): void {
    for (const list of this.byAccount.values()) {
      for (const [key, { network, address, tag }] of list) {
        assert(key === addressKey(network, address, tag), "an allowed address is found");
      }
    }
  }

  save(writer: ByteWriter): void {
    writer.uint(this.byAccount.size);
    for (const [accountId, list] of this.byAccount) {
      writer.uint(accountId);
      writer.text(JSON.stringify([...list.values()]));
    }
  }
  load(reader: ByteReader): void {
    for (let left = reader.uint(); left > 0; left--) {
      const accountId = reader.uint();
      for (const allowed of JSON.parse(reader.text()) as AllowedAddress[]) this.add(accountId, allowed);
    }
  }
}

// Open withdrawals, and the ids of all.

export class Withdrawals {
  /** Open withdrawals, in the order of their requests. */
  private readonly byId = new Map<string, WithdrawalRecord>();
  /** Open withdrawals that wait for the emailed link, in the order of expiry. */
  private readonly unconfirmed = new Map<string, WithdrawalRecord>();
  /** The states of confirmation emails, except `waiting`, for withdrawals that wait for the emailed link. */
  private readonly letters = new Map<string, LetterStatus>();
  private readonly finished = new Set<string>();
  /** Clients' own ids, by account. */
  private readonly clientIds = new UsedIds();
  private readonly openByAccount = new Map<number, Map<string, WithdrawalRecord>>();

  get(withdrawalId: string): WithdrawalRecord | undefined {
    return this.byId.get(withdrawalId);
  }
  all(): Iterable<WithdrawalRecord> {
    return this.byId.values();
  }
  openCount(accountId: number): number {
    return this.openByAccount.get(accountId)?.size ?? 0;
  }
  /** The account's open withdrawals, in the order of their requests. */
  of(accountId: number): Iterable<WithdrawalRecord> {
    return this.openByAccount.get(accountId)?.values() ?? [];
  }

  /** The withdrawal while it is open, otherwise the reason why there is none. */
  find(withdrawalId: string): WithdrawalRecord | RejectReason {
    return this.byId.get(withdrawalId) ?? (this.finished.has(withdrawalId) ? "WRONG_STATUS" : "UNKNOWN_WITHDRAWAL");
  }
  isTaken(withdrawalId: string): boolean {
    return this.byId.has(withdrawalId) || this.finished.has(withdrawalId);
  }
  /** Compares a request with the earlier one that used the client's id, like `UsedIds.repeat`. */
  repeatOfClientId(accountId: number, withdrawOrderId: string, contents: number): RejectReason | null {
    return this.clientIds.repeat(clientKey(accountId, withdrawOrderId), contents);
  }

  /** `contents` is the digest of the request, as in `UsedIds`; `seq` is its entry. */
  add(withdrawal: WithdrawalRecord, contents: number, seq: number): void {
    const { accountId, withdrawOrderId } = withdrawal;
    this.put(withdrawal);
    if (withdrawOrderId === "") return;
    this.clientIds.add(clientKey(accountId, withdrawOrderId), contents, seq);
  }

  /** Replaces the record of an open withdrawal after a step. */
  advance(withdrawal: WithdrawalRecord): void {
    this.removeUnconfirmed(withdrawal);
    this.put(withdrawal);
  }

  /** Removes the withdrawal from those that wait for the emailed link, because it is confirmed or was ended. */
  private removeUnconfirmed({ withdrawalId }: WithdrawalRecord): void {
    this.unconfirmed.delete(withdrawalId);
    this.letters.delete(withdrawalId);
  }

  letter(withdrawalId: string): LetterStatus {
    return this.letters.get(withdrawalId) ?? "waiting";
  }
  setLetter(withdrawalId: string, status: LetterStatus): void {
    if (status === "waiting") this.letters.delete(withdrawalId);
    else this.letters.set(withdrawalId, status);
  }

  /** Ends the withdrawal. */
  close(withdrawal: WithdrawalRecord): void {
    const { withdrawalId, accountId } = withdrawal;
    this.removeUnconfirmed(withdrawal);
    this.byId.delete(withdrawalId);
    this.finished.add(withdrawalId);
    const open = this.openByAccount.get(accountId);
    open?.delete(withdrawalId);
    if (open?.size === 0) this.openByAccount.delete(accountId);
  }

  /** The withdrawal whose emailed link expires first, if there is any. */
  firstUnconfirmed(): WithdrawalRecord | undefined {
    return this.unconfirmed.values().next().value;
  }
  nextDueMs(): number {
    const first = this.firstUnconfirmed();
    return first === undefined ? Number.POSITIVE_INFINITY : confirmableUntilMs(first);
  }

  private put(withdrawal: WithdrawalRecord): void {
    const { withdrawalId, accountId } = withdrawal;
    this.byId.set(withdrawalId, withdrawal);
    if (withdrawal.status === "emailSent") this.unconfirmed.set(withdrawalId, withdrawal);
    const open = this.openByAccount.get(accountId);
    if (open === undefined) this.openByAccount.set(accountId, new Map([[withdrawalId, withdrawal]]));
    else open.set(withdrawalId, withdrawal);
  }

  /** Throws if the indices do not match the open withdrawals. */
  check(): void {
    let unconfirmed = 0;
    for (const [withdrawalId, withdrawal] of this.byId) {
      const { accountId, status } = withdrawal;
      assert(withdrawal.withdrawalId === withdrawalId, "a withdrawal is found by its number");
      const isOfAccount = this.openByAccount.get(accountId)?.get(withdrawalId) === withdrawal;
      assert(isOfAccount, "an account knows its open withdrawals");
      if (status !== "emailSent") continue;
      assert(this.unconfirmed.get(withdrawalId) === withdrawal, "a withdrawal that waits for its link can expire");
      unconfirmed++;
    }
    assert(this.unconfirmed.size === unconfirmed, "no withdrawal waits in vain");
    const open = [...this.openByAccount.values()].reduce((sum, { size }) => sum + size, 0);
    assert(open === this.byId.size, "every open withdrawal is its account's");
  }

  save(writer: ByteWriter): void {
    writer.uint(this.byId.size);
    for (const { amount, fee, accountSum24h, ...fields } of this.byId.values()) {
      const letter = this.letters.get(fields.withdrawalId);
      writer.text(JSON.stringify({ ...fields, accountSum24h: accountSum24h?.toString(), letter }));
      writer.big(amount);
      writer.big(fee);
    }
    writer.uint(this.finished.size);
    for (const id of this.finished) writer.text(id);
    this.clientIds.save(writer);
  }

  /** `hasContents` is described at `UsedIds.load`. */
  load(reader: ByteReader, hasContents: boolean): void {
    for (let left = reader.uint(); left > 0; left--) {
      const { letter = "waiting", accountSum24h, ...fields } = JSON.parse(reader.text());
      const counted = accountSum24h === undefined ? {} : { accountSum24h: BigInt(accountSum24h) };
      this.put({ ...fields, amount: reader.big(), fee: reader.big(), ...counted });
      this.setLetter(fields.withdrawalId, letter);
    }
    for (let left = reader.uint(); left > 0; left--) this.finished.add(reader.text());
    this.clientIds.load(reader, hasContents);
  }
}

/** The time from which the emailed link is no longer valid. */
export function confirmableUntilMs({ applyTimeMs }: WithdrawalRecord): number {
  return applyTimeMs + CONFIRMATION_LIFE_MS;
}

function clientKey(accountId: number, withdrawOrderId: string): string {
  return `${accountId} ${withdrawOrderId}`;
}

// Sums of recent withdrawals by the hour of the request, and the limits of single accounts. A request counts until the
// end of the clock hour 24 (72) hours later, so that no window is shorter than that.

export const NOTHING_WITHDRAWN: WithdrawnSums = { per24h: 0n, per72h: 0n };

/** Amounts above zero, by asset. */
type Amounts = Map<number, bigint>;

const LONGEST_WINDOW = WITHDRAWAL_WINDOWS.per72h;

export class WithdrawalCounts {
  /** Amounts by hour, the oldest first, and by master account. Hours before the longest window are removed. */
  private readonly byHour = new Map<number, Map<number, Amounts>>();
  /** The sums of all accounts, by hour. */
  private readonly totals = new Map<number, Amounts>();
  /** Accounts' own limits, by master account and asset. */
  private readonly ownLimits = new Map<number, Map<number, LimitsOverTime>>();
  private ownLimitCount = 0;

  /** Counts a request at the current time. */
  add(masterId: number, assetId: number, amount: bigint, nowMs: number): void {
    const hour = hourOf(nowMs);
    for (const old of this.byHour.keys()) {
      if (isWithin(LONGEST_WINDOW, old, hour)) break;
      this.byHour.delete(old);
      this.totals.delete(old);
    }
    this.change(hour, masterId, assetId, amount);
  }

  /** Subtracts a counted request from all sums that still include it. */
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

  /** The sums of a master account with its sub-accounts, by asset; null for all customers. */
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

  /** Whether the sum over the window still includes a request from `requestedMs`. */
  isRecent(window: WithdrawalWindow, requestedMs: number, nowMs: number): boolean {
    return isWithin(WITHDRAWAL_WINDOWS[window], hourOf(requestedMs), hourOf(nowMs));
  }

  /** The limits of the master account that replace the asset's. */
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

  /** Throws if the sums of all customers do not match those of the accounts. */
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

/** Whether a request of the hour still counts. The window starts within its oldest hour, and that whole hour counts. */
function isWithin(hours: number, hour: number, nowHour: number): boolean {
  return hour >= nowHour - hours;
}
