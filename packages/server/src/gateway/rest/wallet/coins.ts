/** Coins and networks: what clients of later years ask for while they load. CLIENTS, FACTS 0.16. */
import { formatDecimal } from "@pricetime/engine";
import type { AssetNetwork, AssetSpec, EngineView } from "@pricetime/engine";
import type { Coin, CoinNetwork } from "@pricetime/protocol";
import type { Call } from "../../call.ts";
import { amountText, fixedText } from "../amounts.ts";
import { isServed } from "./asset-detail.ts";

function networkShape(call: Call, spec: AssetSpec, network: AssetNetwork): CoinNetwork {
  const served = isServed(call, network.network);
  const minConfirm = network.creditConfirmations ?? 1;
  return {
    network: network.network,
    coin: spec.asset,
    name: network.network,
    isDefault: network.isDefault,
    depositEnable: served && network.depositEnabled,
    withdrawEnable: served && network.withdrawEnabled,
    withdrawFee: fixedText(network.withdrawFee),
    withdrawMin: fixedText(network.withdrawMin),
    withdrawMax: fixedText(network.withdrawMax),
    withdrawIntegerMultiple: fixedText(network.withdrawStep ?? formatDecimal(1n, spec.precision)),
    minConfirm,
    unLockConfirm: network.finalConfirmations ?? minConfirm,
    sameAddress: network.isTagged === true,
    depositDesc: network.depositEnabled ? "" : (network.depositTip ?? ""),
  };
}

/** What open withdrawals of the account hold, by asset. */
export function withdrawingOf(engine: EngineView, accountId: number): ReadonlyMap<number, bigint> {
  const held = new Map<number, bigint>();
  for (const { accountId: owner, assetId, amount } of engine.openWithdrawals()) {
    if (owner === accountId) held.set(assetId, (held.get(assetId) ?? 0n) + amount);
  }
  return held;
}

export function coins(call: Call): string {
  const { engine } = call.venue;
  const accountId = call.accountId();
  const withdrawing = withdrawingOf(engine, accountId);
  return JSON.stringify(
    engine.assets().map(({ assetId, spec }): Coin => {
      const { free, locked } = engine.balance(accountId, assetId);
      const held = withdrawing.get(assetId) ?? 0n;
      const networkList = spec.networks.map((network) => networkShape(call, spec, network));
      return {
        coin: spec.asset,
        name: spec.name,
        depositAllEnable: networkList.some(({ depositEnable }) => depositEnable),
        withdrawAllEnable: networkList.some(({ withdrawEnable }) => withdrawEnable),
        trading: true,
        isLegalMoney: false,
        free: amountText(engine, assetId, free),
        locked: amountText(engine, assetId, locked - held),
        withdrawing: amountText(engine, assetId, held),
        networkList,
      };
    }),
  );
}
