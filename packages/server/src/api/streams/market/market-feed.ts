/** Hands one market's events to those of its streams that have subscribers. */
import type { Event, MarketView, OrderRecord } from "@pricetime/engine";
import type { MarketStream } from "./market-stream.ts";

type Hook = "trade" | "touched" | "entryDone";
type Having<Name extends Hook> = MarketStream & Required<Pick<MarketStream, Name>>;

export class MarketFeed {
  readonly market: MarketView;
  readonly #streams = new Map<string, MarketStream>();
  /** The last order that this entry opened, which may come to rest. */
  #meetsBook: OrderRecord | undefined;
  #onTrade: Having<"trade">[] = [];
  #onTouched: Having<"touched">[] = [];
  #onEntryDone: Having<"entryDone">[] = [];

  constructor(market: MarketView) {
    this.market = market;
  }

  get isHeard(): boolean {
    return this.#streams.size > 0;
  }

  add(name: string, stream: MarketStream): void {
    this.#streams.set(name, stream);
    this.#sort();
  }

  /** Removes a stream and returns it, if there was one. */
  remove(name: string): MarketStream | undefined {
    const stream = this.#streams.get(name);
    this.#streams.delete(name);
    this.#sort();
    return stream;
  }

  stream(name: string): MarketStream | undefined {
    return this.#streams.get(name);
  }

  joined(name: string): void {
    this.#streams.get(name)?.joined?.();
  }

  /** An event of this market. */
  take(event: Event): void {
    switch (event.type) {
      case "trade": {
        for (const stream of this.#onTrade) stream.trade(event);
        this.#touch(event.maker.order, event.priceTicks);
        if (event.taker.order.status === "FILLED") this.#meetsBook = undefined;
        return;
      }
      case "orderOpened":
        this.#touchLeftToRest();
        if (event.order.isWorking) this.#meetsBook = event.order;
        return;
      case "orderEnded":
        if (event.order.isWorking) this.#touch(event.order, event.order.priceTicks);
        return;
      case "pastAdded":
      case "klinesImported":
        for (const stream of this.#streams.values()) stream.pastGrown?.();
    }
  }

  /** The entry is complete, and it had events of this market. */
  entryDone(timeMs: number): void {
    this.#touchLeftToRest();
    for (const stream of this.#onEntryDone) stream.entryDone(timeMs);
  }

  /** Touches the price of the opened order, unless it was filled at once. */
  #touchLeftToRest(): void {
    if (this.#meetsBook !== undefined) this.#touch(this.#meetsBook, this.#meetsBook.priceTicks);
    this.#meetsBook = undefined;
  }

  /** Ignores price 0, at which nothing rests. */
  #touch({ side }: OrderRecord, priceTicks: number): void {
    if (priceTicks === 0) return;
    for (const stream of this.#onTouched) stream.touched(side, priceTicks);
  }

  #sort(): void {
    const all = [...this.#streams.values()];
    this.#onTrade = all.filter((stream) => has(stream, "trade"));
    this.#onTouched = all.filter((stream) => has(stream, "touched"));
    this.#onEntryDone = all.filter((stream) => has(stream, "entryDone"));
  }
}

function has<Name extends Hook>(stream: MarketStream, hook: Name): stream is Having<Name> {
  return stream[hook] !== undefined;
}
