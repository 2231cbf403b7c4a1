/** Events of an account other than those of its orders. Interface 6.1, 6.2, 6.7 and S.13. */
import type { AccountView, EngineView } from "@pricetime/engine";
import { amountText } from "../../../history/shapes/amounts.ts";
import type { BalanceTexts } from "./balance-texts.ts";

/** Shows assets that are not zero, and those among `movedAssetIds` that are zero now. */
export function outboundAccountInfo(
  engine: EngineView,
  account: AccountView,
  balances: BalanceTexts,
  movedAssetIds: ReadonlySet<number>,
): string {
  return (
    `{"e":"outboundAccountInfo","E":${engine.timeMs},"m":${account.makerBps},"t":${account.takerBps},"b":0,"s":0,` +
    `"T":${account.canTrade},"W":${account.canWithdraw},"D":${account.canDeposit},"u":${account.updateTimeMs},` +
    `"B":${balances.all(engine, (assetId) => movedAssetIds.has(assetId))},"P":["SPOT"]}`
  );
}

/** Shows assets that may have changed. */
export function outboundAccountPosition(
  engine: EngineView,
  account: AccountView,
  balances: BalanceTexts,
  assetIds: ReadonlySet<number>,
): string {
  const ascending = [...assetIds].sort((a, b) => a - b);
  return (
    `{"e":"outboundAccountPosition","E":${engine.timeMs},"u":${account.updateTimeMs},` +
    `"B":${balances.some(engine, ascending)}}`
  );
}

/** A change other than by trading: `amount` is the increase or, if negative, the decrease. */
export function balanceUpdate(engine: EngineView, assetId: number, amount: bigint): string {
  const { asset } = engine.asset(assetId).spec;
  return (
    `{"e":"balanceUpdate","E":${engine.timeMs},"a":"${asset}","d":"${amountText(engine, assetId, amount)}",` +
    `"T":${engine.timeMs}}`
  );
}

/** The last message on the stream of an expired key. Interface S.14. */
export function listenKeyExpired(engine: EngineView, listenKey: string): string {
  return `{"e":"listenKeyExpired","E":${engine.timeMs},"listenKey":"${listenKey}"}`;
}
