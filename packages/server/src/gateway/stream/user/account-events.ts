/** What is told of an account beside its orders. Interface 6.1 and 6.2, FACTS 4.2 and 0.13. */
import type { AccountView, EngineView } from "@pricetime/engine";
import { amountText } from "../../rest/amounts.ts";

/** Assets that are not zero, and those among `movedAssetIds` that are zero now. */
export function outboundAccountInfo(
  engine: EngineView,
  account: AccountView,
  movedAssetIds: ReadonlySet<number>,
): string {
  const assetIds = engine.assets().flatMap(({ assetId }) => {
    const { free, locked } = engine.balance(account.accountId, assetId);
    return free !== 0n || locked !== 0n || movedAssetIds.has(assetId) ? [assetId] : [];
  });
  return (
    `{"e":"outboundAccountInfo","E":${engine.timeMs},"m":${account.makerBps},"t":${account.takerBps},"b":0,"s":0,` +
    `"T":${account.canTrade},"W":${account.canWithdraw},"D":${account.canDeposit},"u":${account.updateTimeMs},` +
    `"B":${balancesJson(engine, account.accountId, assetIds)},"P":["SPOT"]}`
  );
}

/** Assets that may have changed. */
export function outboundAccountPosition(
  engine: EngineView,
  account: AccountView,
  assetIds: ReadonlySet<number>,
): string {
  const ascending = [...assetIds].sort((a, b) => a - b);
  return (
    `{"e":"outboundAccountPosition","E":${engine.timeMs},"u":${account.updateTimeMs},` +
    `"B":${balancesJson(engine, account.accountId, ascending)}}`
  );
}

/** Money came or went otherwise than by trading: `amount` is what the account has more of, or (below zero) less. */
export function balanceUpdate(engine: EngineView, assetId: number, amount: bigint): string {
  const { asset } = engine.asset(assetId).spec;
  return (
    `{"e":"balanceUpdate","E":${engine.timeMs},"a":"${asset}","d":"${amountText(engine, assetId, amount)}",` +
    `"T":${engine.timeMs}}`
  );
}

/** The last thing on a stream whose key is over. FACTS 0.14. */
export function listenKeyExpired(engine: EngineView, listenKey: string): string {
  return `{"e":"listenKeyExpired","E":${engine.timeMs},"listenKey":"${listenKey}"}`;
}

function balancesJson(engine: EngineView, accountId: number, assetIds: readonly number[]): string {
  const balances = assetIds.map((assetId) => {
    const { free, locked } = engine.balance(accountId, assetId);
    const [f, l] = [amountText(engine, assetId, free), amountText(engine, assetId, locked)];
    return `{"a":"${engine.asset(assetId).spec.asset}","f":"${f}","l":"${l}"}`;
  });
  return `[${balances.join(",")}]`;
}
