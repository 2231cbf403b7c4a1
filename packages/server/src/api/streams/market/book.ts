/** `@bookTicker`, `@depth` and its partial forms: streams of the order book. Interface 10.3. */
import { priceText, quantityText } from "../../../history/shapes/amounts.ts";
import type { MarketStream, StreamPlace } from "./market-stream.ts";
import type { DepthLevel, Side } from "@pricetime/engine";
import { z } from "zod";
import { levelsJson } from "../../../history/shapes/market-data.ts";
import type { KeptValue } from "../../../platform/world/port.ts";
import { keptCount, readKept } from "../../../platform/world/read-kept.ts";

// `@bookTicker`: the best prices and their quantities, whenever either changes. Interface 10.3.

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

// `@depth`: changes of the book since an update id, so that a book kept by Interface 10.4 equals the exchange's own.
// `@depth5` and the like: the current best levels. Interface 10.3.

const KEPT_CHANGES = z.strictObject({ updateId: keptCount, bids: z.array(keptCount), asks: z.array(keptCount) });
const KEPT_SENT = z.strictObject({ sentUpdateId: z.int().min(-1) });

export class DepthStream implements MarketStream {
  readonly periodMs: number;
  readonly #place: StreamPlace;
  /** Prices that may have changed since the last event. */
  readonly #bids: Set<number>;
  readonly #asks: Set<number>;
  /** The last update known to subscribers, directly or by a snapshot. */
  #updateId: number;

  constructor(place: StreamPlace, periodMs: number, kept?: KeptValue) {
    this.#place = place;
    this.periodMs = periodMs;
    const { updateId, bids, asks } = kept === undefined ? untouched(place) : readKept(place.name, KEPT_CHANGES, kept);
    this.#updateId = updateId;
    this.#bids = new Set(bids);
    this.#asks = new Set(asks);
  }

  kept(): KeptValue {
    return { updateId: this.#updateId, bids: [...this.#bids], asks: [...this.#asks] };
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

  /** The current levels, best first; 0 lots when nothing is left. */
  #levels(side: Side, touched: Set<number>): DepthLevel[] {
    const { market } = this.#place;
    const direction = side === "BUY" ? -1 : 1;
    const prices = [...touched].sort((one, other) => (one - other) * direction);
    touched.clear();
    return prices.map((priceTicks) => [priceTicks, market.visibleLotsAt(side, priceTicks)]);
  }
}

function untouched({ market }: StreamPlace): z.infer<typeof KEPT_CHANGES> {
  return { updateId: market.bookUpdateId, bids: [], asks: [] };
}

export class PartialDepthStream implements MarketStream {
  readonly periodMs: number;
  readonly #place: StreamPlace;
  readonly #levels: number;
  /** The last update sent to all; -1 when a new subscriber has not had one and does not wait for a change. */
  #sentUpdateId = -1;

  constructor(place: StreamPlace, levels: number, periodMs: number, kept?: KeptValue) {
    this.#place = place;
    this.#levels = levels;
    this.periodMs = periodMs;
    if (kept !== undefined) this.#sentUpdateId = readKept(place.name, KEPT_SENT, kept).sentUpdateId;
  }

  kept(): KeptValue {
    return { sentUpdateId: this.#sentUpdateId };
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
