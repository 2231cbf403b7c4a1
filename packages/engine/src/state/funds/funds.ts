/** The wallet's state: everything about deposits and withdrawals except balances. */
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { API_LOCK_MS, API_LOCK_WINDOW_MS } from "../../limits.ts";
import type { Command } from "../../entry/command.ts";
import type { ApiTradingLock, DustRules } from "../../entry/wallet-record.ts";
import { AllowLists, WithdrawalCounts, Withdrawals } from "./withdrawals.ts";
import { DepositAddresses, Deposits } from "./deposits.ts";
import { TransferIds, UsedIds } from "./used-ids.ts";

// Locks of API trading. Each lock within a day lasts longer than the previous one. Interface 3.8.

interface LockedAccount {
  /** The last lock; null after an operator has removed it. */
  lock: ApiTradingLock | null;
  /** Start times of the last locks that affect the duration of the next one. */
  startsMs: number[];
}

class ApiLocks {
  private readonly byAccount = new Map<number, LockedAccount>();

  /** The account's lock that is in force at `nowMs`, if any. */
  at(accountId: number, nowMs: number): ApiTradingLock | undefined {
    // Usually no account is locked, and this method is called for every order.
    if (this.byAccount.size === 0) return undefined;
    const lock = this.byAccount.get(accountId)?.lock;
    return lock && lock.untilMs > nowMs ? lock : undefined;
  }

  lock(command: Command<"lockApiTrading">, nowMs: number): ApiTradingLock {
    const { accountId, symbol, indicator } = command;
    const before = this.byAccount.get(accountId)?.startsMs ?? [];
    const recent = before.filter((startMs) => startMs > nowMs - API_LOCK_WINDOW_MS);
    const step = Math.min(recent.length, API_LOCK_MS.length - 1);
    const lock = { untilMs: nowMs + (API_LOCK_MS[step] as number), symbol, indicator };
    this.byAccount.set(accountId, { lock, startsMs: [...recent, nowMs].slice(-API_LOCK_MS.length) });
    return lock;
  }

  /** Ends the lock in force. The lock still counts for the duration of later ones. */
  unlock(accountId: number): void {
    const account = this.byAccount.get(accountId);
    if (account !== undefined) account.lock = null;
  }

  save(writer: ByteWriter): void {
    writer.text(JSON.stringify([...this.byAccount]));
  }
  load(reader: ByteReader): void {
    for (const [accountId, account] of JSON.parse(reader.text())) this.byAccount.set(accountId, account);
  }
}

// The wallet as a whole.

export interface NetworkHeight {
  readonly height: number;
  readonly blockHash: string;
}

export class Funds {
  isInMaintenance = false;
  dustRules: DustRules | undefined = undefined;
  /** The last id of a transfer, conversion or dividend. */
  lastTranId = 0;
  readonly addresses = new DepositAddresses();
  readonly deposits = new Deposits();
  readonly withdrawals = new Withdrawals();
  /** Saved as a separate part of a snapshot. */
  readonly withdrawalCounts = new WithdrawalCounts();
  readonly allowed = new AllowLists();
  readonly apiLocks = new ApiLocks();
  readonly heights = new Map<string, NetworkHeight>();
  /** Transactions whose cost the treasury has paid. */
  readonly paidCosts = new UsedIds();
  /** References of dividends. Each dividend is paid once, with the id of its transfer. */
  readonly distributed = new UsedIds();
  /** Clients' own ids of transfers. */
  readonly transferIds = new TransferIds();
  /** The time step of the last two-factor code accepted, by account. */
  readonly totpSteps = new Map<number, number>();
  /** Time of each account's last conversion of dust. */
  readonly lastDustMs = new Map<number, number>();

  save(writer: ByteWriter): void {
    const { isInMaintenance, dustRules, lastTranId } = this;
    writer.text(JSON.stringify({ isInMaintenance, dustRules, lastTranId }));
    for (const part of this.parts()) part.save(writer);
    writer.text(JSON.stringify([...this.heights]));
    for (const ids of [this.paidCosts, this.distributed]) ids.save(writer);
    for (const numbers of [this.totpSteps, this.lastDustMs]) {
      writer.uint(numbers.size);
      for (const [accountId, number] of numbers) {
        writer.uint(accountId);
        writer.uint(number);
      }
    }
    this.transferIds.save(writer);
  }

  /** `hasContents` is described at `UsedIds.load`. */
  load(reader: ByteReader, hasContents: boolean): void {
    const { isInMaintenance, dustRules, lastTranId } = JSON.parse(reader.text());
    this.isInMaintenance = isInMaintenance;
    this.dustRules = dustRules;
    this.lastTranId = lastTranId;
    for (const part of this.parts()) part.load(reader, hasContents);
    for (const [network, height] of JSON.parse(reader.text())) this.heights.set(network, height);
    for (const ids of [this.paidCosts, this.distributed]) ids.load(reader, hasContents);
    for (const numbers of [this.totpSteps, this.lastDustMs]) {
      for (let left = reader.uint(); left > 0; left--) numbers.set(reader.uint(), reader.uint());
    }
    if (hasContents) this.transferIds.load(reader);
  }

  private parts() {
    return [this.addresses, this.deposits, this.withdrawals, this.allowed, this.apiLocks];
  }
}
