/** `@bookTicker`: the best prices and their quantities, whenever either changes. Interface 10.3. */
import { priceText, quantityText } from "../../../history/shapes/amounts.ts";
import type { MarketStream, StreamPlace } from "./market-stream.ts";

export class BookTickerStream implements MarketStream {
  readonly #place: StreamPlace;
  #updateId: number;
  #sent: string;

  constructor(place: StreamPlace) {
    this.#place = place;
    this.#updateId = place.market.bookUpdateId;
    this.#sent = this.#top();
  }

  entryDone(): void {
    const { name, market, publisher } = this.#place;
    if (market.bookUpdateId === this.#updateId) return;
    this.#updateId = market.bookUpdateId;
    const top = this.#top();
    if (top === this.#sent) return;
    this.#sent = top;
    publisher.publish(name, `{"u":${this.#updateId},"s":"${market.spec.symbol}",${top}}`);
  }

  /** The best levels; a side without orders is all zeros. */
  #top(): string {
    const { market } = this.#place;
    const [bidTicks, bidLots] = market.bestLevel("BUY");
    const [askTicks, askLots] = market.bestLevel("SELL");
    return (
      `"b":"${priceText(market, bidTicks)}","B":"${quantityText(market, bidLots)}",` +
      `"a":"${priceText(market, askTicks)}","A":"${quantityText(market, askLots)}"`
    );
  }
}
