/** A deposit or a withdrawal as faults see it, and whether a fault is meant for it. */
import { type DepositRecord, type EngineView, formatDecimal, type WithdrawalRecord } from "@pricetime/engine";
import type { CoinFault } from "./fault.ts";
import { accountNamed, checkCoin } from "./names.ts";
import type { Struck } from "./rule.ts";

export type MovingCoin = DepositRecord | WithdrawalRecord;
export type IsMeant = (coin: MovingCoin) => boolean;

/** Throws `AdminRefusal` for names that do not exist. */
export function coinMatch({ where: { account, coin, network } }: CoinFault, view: EngineView): IsMeant {
  const accountId = account === undefined ? undefined : accountNamed(view, account).accountId;
  checkCoin(view, coin, network);
  return (moving) =>
    (accountId === undefined || moving.accountId === accountId) &&
    (coin === undefined || view.asset(moving.assetId).spec.asset === coin) &&
    (network === undefined || moving.network === network);
}

/** The description of a struck coin in the list of faults. */
export function toldOf(moving: MovingCoin, view: EngineView): Omit<Struck, "atMs"> {
  const { accountId, assetId, amount, network, txId } = moving;
  const { asset, precision } = view.asset(assetId).spec;
  const withdrawal = "withdrawalId" in moving ? { withdrawal: moving.withdrawalId } : {};
  const transaction = txId === "" ? {} : { txId };
  return {
    network,
    account: accountId,
    coin: asset,
    amount: formatDecimal(amount, precision),
    ...withdrawal,
    ...transaction,
  };
}
