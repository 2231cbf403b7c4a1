/** What one command may have done to the balances of one account; nothing when the account itself changed. */
import type { MarketView, Side } from "@pricetime/engine";

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

  /** Commission is taken out of one of the two. */
  traded(market: MarketView): void {
    this.#concern(market);
    this.movedAssetIds.add(market.baseAssetId).add(market.quoteAssetId);
  }

  /** Money came from outside or went there. */
  moved(assetId: number): void {
    this.assetIds.add(assetId);
    this.movedAssetIds.add(assetId);
  }

  #concern({ baseAssetId, quoteAssetId }: MarketView): void {
    this.assetIds.add(baseAssetId).add(quoteAssetId);
  }
}
