/** Locks of API trading in the model. Interface 3.8. */
import type { LockApiTrading, RejectReason, UnlockApiTrading } from "@pricetime/engine";
import { type Happening, said } from "../happening.ts";
import type { ModelState, ModelWallet } from "../state.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LADDER_MINUTES = [5, 15, 60, 360, 1440, 4320];

export function isLocked({ wallet, nowMs }: ModelState, accountId: number): boolean {
  return wallet.locks.some((lock) => lock.accountId === accountId && lock.untilMs > nowMs);
}

export function lockApiTrading(wallet: ModelWallet, command: LockApiTrading): Happening[] | RejectReason {
  const { exchange, locks } = wallet;
  const { accountId, symbol } = command;
  if (!exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
  if (!exchange.markets.some(({ spec }) => spec.symbol === symbol)) return "UNKNOWN_SYMBOL";
  if (isLocked(exchange, accountId)) return "ALREADY_EXISTS";
  const fromMs = exchange.nowMs;
  const before = locks.filter((lock) => lock.accountId === accountId && fromMs - lock.fromMs < DAY_MS).length;
  const untilMs = fromMs + LADDER_MINUTES[Math.min(before, LADDER_MINUTES.length - 1)]! * MINUTE_MS;
  locks.push({ accountId, fromMs, untilMs });
  return [said(`${accountId} locked until ${untilMs}`)];
}

export function unlockApiTrading(
  { exchange, locks }: ModelWallet,
  command: UnlockApiTrading,
): Happening[] | RejectReason {
  const { accountId } = command;
  if (!exchange.accounts.has(accountId)) return "UNKNOWN_ACCOUNT";
  if (!isLocked(exchange, accountId)) return "WRONG_STATUS";
  for (const lock of locks) {
    if (lock.accountId === accountId) lock.untilMs = Math.min(lock.untilMs, exchange.nowMs);
  }
  return [said(`account ${accountId} changed`)];
}
