/** An account's balance of each asset, at one moment. */
import type { AssetView, BalanceView, EngineView } from "@pricetime/engine";

export interface AssetBalance {
  readonly asset: AssetView;
  readonly balance: BalanceView;
}

export function readBalance(engine: EngineView, accountId: number, asset: AssetView): AssetBalance {
  // A copy, because the engine's own record changes.
  const { free, locked } = engine.balance(accountId, asset.assetId);
  return { asset, balance: { free, locked } };
}

export function readBalances(engine: EngineView, accountId: number): AssetBalance[] {
  return engine.assets().map((asset) => readBalance(engine, accountId, asset));
}
