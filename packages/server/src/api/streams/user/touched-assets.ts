/** Possible changes of one account's balances by one command; empty when only the account itself changed. */
import type { Fill, MarketView, Side } from "@pricetime/engine";

export class AccountChange {
  /** Assets that may have changed: both assets of every symbol with a changed order. */
  readonly assetIds = new Set<number>();
  /** Assets that have changed. */
  readonly movedAssetIds = new Set<number>();

  /** An order's funds were locked or released. */
  orderChanged(market: MarketView, side: Side): void {
    this.#concern(market);
    this.movedAssetIds.add(side === "BUY" ? market.quoteAssetId : market.baseAssetId);
  }

  /** Adds the order's own side of a trade. */
  traded(market: MarketView, { commissionAssetId }: Fill): void {
    this.#concern(market);
    this.movedAssetIds.add(market.baseAssetId).add(market.quoteAssetId);
    this.moved(commissionAssetId);
  }

  /** A deposit, withdrawal or transfer of the asset. */
  moved(assetId: number): void {
    this.assetIds.add(assetId);
    this.movedAssetIds.add(assetId);
  }

  #concern({ baseAssetId, quoteAssetId }: MarketView): void {
    this.assetIds.add(baseAssetId).add(quoteAssetId);
  }
}
