/** Locks of API trading: each one within a day lasts longer than the one before. Interface 3.8. */
import type { ByteReader, ByteWriter } from "../../bytes.ts";
import { API_LOCK_MS, API_LOCK_WINDOW_MS } from "../../limits.ts";
import type { LockApiTrading } from "../../entry/wallet-command.ts";
import type { ApiTradingLock } from "../../entry/wallet-record.ts";

interface LockedAccount {
  /** The last lock; null after an operator removed it. */
  lock: ApiTradingLock | null;
  /** Start times of the last locks, as many as affect the next one. */
  startsMs: number[];
}

export class ApiLocks {
  private readonly byAccount = new Map<number, LockedAccount>();

  /** The lock in force. */
  at(accountId: number, nowMs: number): ApiTradingLock | undefined {
    // Usually no account is locked, and every order passes here.
    if (this.byAccount.size === 0) return undefined;
    const lock = this.byAccount.get(accountId)?.lock;
    return lock && lock.untilMs > nowMs ? lock : undefined;
  }

  lock(command: LockApiTrading, nowMs: number): ApiTradingLock {
    const { accountId, symbol, indicator } = command;
    const before = this.byAccount.get(accountId)?.startsMs ?? [];
    const recent = before.filter((startMs) => startMs > nowMs - API_LOCK_WINDOW_MS);
    const step = Math.min(recent.length, API_LOCK_MS.length - 1);
    const lock = { untilMs: nowMs + (API_LOCK_MS[step] as number), symbol, indicator };
    this.byAccount.set(accountId, { lock, startsMs: [...recent, nowMs].slice(-API_LOCK_MS.length) });
    return lock;
  }

  /** Ends the lock in force; it still counts. */
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
