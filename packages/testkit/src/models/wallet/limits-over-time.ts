/** Limits on withdrawals over time in the model: each sum is computed anew from all withdrawals there ever were. */
import type { LimitsOverTime, RejectReason, SetAccountWithdrawalLimits, SetWithdrawalLimits } from "@pricetime/engine";
import { amount as read, type Amount, fits, show } from "../amount.ts";
import type { Happening } from "../happening.ts";
import { familyOf, type ModelWallet, type ModelWithdrawal } from "../state.ts";

const HOUR_MS = 3_600_000;
const HOURS = [24, 72] as const;
const GONE = ["cancelled", "rejected", "failed"];

type Setting = SetWithdrawalLimits | SetAccountWithdrawalLimits;

export function setLimits(wallet: ModelWallet, command: Setting): Happening[] | RejectReason {
  const { asset: name } = command;
  const accountId = command.type === "setWithdrawalLimits" ? null : command.accountId;
  if (accountId !== null) {
    const account = wallet.exchange.accounts.get(accountId);
    if (account === undefined) return "UNKNOWN_ACCOUNT";
    if (account.masterId !== null) return "MASTER_ONLY";
  }
  const asset = wallet.exchange.assets.find((listed) => listed.asset === name);
  if (asset === undefined) return "UNKNOWN_ASSET";
  const limits = command.type === "setWithdrawalLimits" ? command.limits : { account: command.limits ?? {} };
  const amounts = [limits.account, limits.allCustomers].flatMap((some) => Object.values(some ?? {}));
  if (!amounts.every((amount) => fits(wallet.exchange, amount, asset.precision))) return "INVALID_VALUE";
  wallet.limits = wallet.limits.filter((known) => known.asset !== name || known.accountId !== accountId);
  if (command.limits !== null) wallet.limits.push({ asset: name, accountId, limits });
  return [];
}

/** What a master with its sub-accounts (null: all customers) took out, as of now. Cancelled ones and the like do not count. */
export function withdrawnOver(wallet: ModelWallet, family: number | null, asset: string, hours: number): Amount {
  const { exchange, withdrawals } = wallet;
  return withdrawals
    .filter((one) => one.isCounted && one.asset === asset && !GONE.includes(one.status))
    .filter(({ accountId }) => family === null || familyOf(exchange, accountId) === family)
    .filter(({ appliedMs }) => exchange.nowMs < endOfHour(appliedMs) + hours * HOUR_MS)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

const endOfHour = (timeMs: number): number => timeMs - (timeMs % HOUR_MS) + HOUR_MS;

/** The limits that a request exceeds, for which it waits. */
export function exceeded(wallet: ModelWallet, accountId: number, asset: string, amount: Amount): string[] {
  const { exchange } = wallet;
  const family = familyOf(exchange, accountId);
  const ofAsset = wallet.limits.find((known) => known.asset === asset && known.accountId === null)?.limits;
  const own = wallet.limits.find((known) => known.asset === asset && known.accountId === family)?.limits;
  const forTwo = exchange.venue.rules.withdrawalsAbove.find((rule) => rule.asset === asset);
  const rows: [string, number | null, LimitsOverTime | undefined][] = [
    ["account", family, (own ?? ofAsset)?.account],
    ["allCustomers", null, ofAsset?.allCustomers],
    ["dualApproval", family, forTwo && { per24h: forTwo.amount }],
  ];
  return rows.flatMap(([rule, whose, limits]) =>
    HOURS.flatMap((hours) => {
      const limit = limits?.[`per${hours}h`];
      const sum = withdrawnOver(wallet, whose, asset, hours) + amount;
      return limit !== undefined && sum > read(limit) ? [reasonText(rule, hours, limit, show(sum))] : [];
    }),
  );
}

export function reasonText(rule: string, hours: number, limit: string, sum: string): string {
  return `${rule} ${hours} ${show(read(sum))} above ${show(read(limit))}`;
}

/** Whether rules reserve the withdrawal for two, by the account's sum over a day: at its request, or now. */
export function isLarge(wallet: ModelWallet, withdrawal: ModelWithdrawal): boolean {
  const { exchange } = wallet;
  const { asset, amount, accountId, sumAtRequest, isCounted, appliedMs } = withdrawal;
  const rule = exchange.venue.rules.withdrawalsAbove.find((one) => one.asset === asset);
  if (rule === undefined) return false;
  if (exchange.edition < 4) return amount > read(rule.amount);
  const isIn = isCounted && exchange.nowMs < endOfHour(appliedMs) + 24 * HOUR_MS;
  const now = withdrawnOver(wallet, familyOf(exchange, accountId), asset, 24) + (isIn ? 0n : amount);
  return [sumAtRequest, now].some((sum) => sum > read(rule.amount));
}
