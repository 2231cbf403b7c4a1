/** What one command may have done to the balances of one account; nothing when the account itself changed. */
import type { Fill, MarketView, Side } from "@pricetime/engine";

export class AccountChange {
  /** May have changed: both assets of every symbol of which an order changed. */
  readonly assetIds = new Set<number>();
  /** Have changed. */
  readonly movedAssetIds = new Set<number>();

  /** An order's funds were locked or released. */
  orderChanged(market: MarketView, side: Side): void {
    this.#concern(market);
    this.movedAssetIds.add(side === "BUY" ? market.quoteAssetId : market.baseAssetId);
  }

  /** Of the order's own side. */
  traded(market: MarketView, { commissionAssetId }: Fill): void {
    this.#concern(market);
    this.movedAssetIds.add(market.baseAssetId).add(market.quoteAssetId);
    this.moved(commissionAssetId);
  }

  /** Money of the asset came or went. */
  moved(assetId: number): void {
    this.assetIds.add(assetId);
    this.movedAssetIds.add(assetId);
  }

  #concern({ baseAssetId, quoteAssetId }: MarketView): void {
    this.assetIds.add(baseAssetId).add(quoteAssetId);
  }
}
