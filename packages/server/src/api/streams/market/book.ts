/** `@bookTicker`, `@depth` and partial depth: streams of the order book. Interface 10.3. */
import { priceText, quantityText } from "../../../history/shapes/amounts.ts";
import type { MarketStream, StreamPlace } from "./market-stream.ts";
import type { DepthLevel, Side } from "@pricetime/engine";
import { z } from "zod";
import { levelsJson } from "../../../history/shapes/market-data.ts";
import { savedCount } from "../../../platform/world/saved-state.ts";

// `@bookTicker`: the best prices and their quantities, sent when any of them changes. Interface 10.3.

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

  /** The best levels as JSON. A side without orders is all zeros. */
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

// `@depth`: changes of the book since an update id, with which clients maintain a copy of the book (Interface 10.4).
// `@depth5`, `@depth10` and `@depth20`: the current best levels. Interface 10.3.

const SAVED_CHANGES = z.strictObject({ updateId: savedCount, bids: z.array(savedCount), asks: z.array(savedCount) });
const SAVED_SENT = z.strictObject({ sentUpdateId: z.int().min(-1) });

export class DepthStream implements MarketStream {
  readonly periodMs: number;
  readonly #place: StreamPlace;
  /** Prices whose levels may have changed since the last event. */
  readonly #bids: Set<number>;
  readonly #asks: Set<number>;
  /** The last update that subscribers have received, directly or by a snapshot. */
  #updateId: number;

  constructor(place: StreamPlace, periodMs: number) {
    this.#place = place;
    this.periodMs = periodMs;
    const restored = place.saved.restore(place.name, SAVED_CHANGES, () => {
      return { updateId: this.#updateId, bids: [...this.#bids], asks: [...this.#asks] };
    });
    this.#updateId = restored?.updateId ?? place.market.bookUpdateId;
    this.#bids = new Set(restored?.bids);
    this.#asks = new Set(restored?.asks);
  }

  touched(side: Side, priceTicks: number): void {
    (side === "BUY" ? this.#bids : this.#asks).add(priceTicks);
  }

  flush(): void {
    const { name, market, publisher } = this.#place;
    const { bookUpdateId } = market;
    if (bookUpdateId === this.#updateId || this.#bids.size + this.#asks.size === 0) return;
    const bids = levelsJson(market, this.#levels("BUY", this.#bids));
    const asks = levelsJson(market, this.#levels("SELL", this.#asks));
    publisher.publish(
      name,
      `{"e":"depthUpdate","E":${this.#place.nowMs()},"s":"${market.spec.symbol}",` +
        `"U":${this.#updateId + 1},"u":${bookUpdateId},"b":${bids},"a":${asks}}`,
    );
    this.#updateId = bookUpdateId;
  }

  /** The current levels at touched prices, best first. An empty level has 0 lots. */
  #levels(side: Side, touched: Set<number>): DepthLevel[] {
    const { market } = this.#place;
    const direction = side === "BUY" ? -1 : 1;
    const prices = [...touched].sort((one, other) => (one - other) * direction);
    touched.clear();
    return prices.map((priceTicks) => [priceTicks, market.visibleLotsAt(side, priceTicks)]);
  }
}

export class PartialDepthStream implements MarketStream {
  readonly periodMs: number;
  readonly #place: StreamPlace;
  readonly #levels: number;
  /** The last update sent to all subscribers; -1 if a new subscriber needs the levels before the next change. */
  #sentUpdateId: number;

  constructor(place: StreamPlace, levels: number, periodMs: number) {
    this.#place = place;
    this.#levels = levels;
    this.periodMs = periodMs;
    const save = () => ({ sentUpdateId: this.#sentUpdateId });
    this.#sentUpdateId = place.saved.restore(place.name, SAVED_SENT, save)?.sentUpdateId ?? -1;
  }

  joined(): void {
    this.#sentUpdateId = -1;
  }

  flush(): void {
    const { name, market, publisher } = this.#place;
    const { bookUpdateId } = market;
    if (bookUpdateId === this.#sentUpdateId) return;
    this.#sentUpdateId = bookUpdateId;
    const bids = levelsJson(market, market.bids(this.#levels));
    const asks = levelsJson(market, market.asks(this.#levels));
    publisher.publish(name, `{"lastUpdateId":${bookUpdateId},"bids":${bids},"asks":${asks}}`);
  }
}
