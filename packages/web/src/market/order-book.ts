/**
 * The order book of one market, built from its diff stream and a snapshot by the published procedure (Interface 10.4).
 */
import type { Depth, DepthLevel } from "@pricetime/protocol";
import { type Book, countBefore, type Freshness, type Level, type Market } from "./port.ts";
import { decimal, leastDigits, toUnits } from "../exact/decimal.ts";
import { WIRE } from "../words/words.ts";
import { Refused, type Rest } from "../wire/rest.ts";
import { Throttle, untilDone } from "../wire/pacing.ts";
import type { Streams } from "../wire/streams.ts";
import type { World } from "../wire/world.ts";
import type { Digits } from "./markets.ts";

// One side of a book: its known levels, best first.

/** Levels beyond this number on a side are dropped, because they are not shown. */
export const MOST_LEVELS = 5000;

export class Ladder {
  /** 1 if the best price is the lowest, -1 if it is the highest. */
  readonly #order: 1 | -1;
  #levels: Level[] = [];
  /** Levels beyond this price are unknown; null if all are known. */
  #horizon: number | null = null;

  constructor(side: "bids" | "asks") {
    this.#order = side === "asks" ? 1 : -1;
  }

  get best(): number | null {
    return this.#levels[0]?.price ?? null;
  }

  get length(): number {
    return this.#levels.length;
  }

  /** Whether there may be unknown levels. */
  get isCut(): boolean {
    return this.#horizon !== null;
  }

  /** Replaces all levels. `isWhole`: there are no others. */
  replace(levels: readonly Level[], isWhole: boolean): void {
    this.#levels = [...levels];
    this.#horizon = isWhole ? null : (levels.at(-1)?.price ?? null);
  }

  /** Sets the quantity at a price; 0 removes the level. */
  set(price: number, quantity: number): void {
    if (this.#horizon !== null && (price - this.#horizon) * this.#order > 0) return;
    const at = this.#placeOf(price);
    const isThere = this.#levels[at]?.price === price;
    if (quantity === 0) {
      if (isThere) this.#levels.splice(at, 1);
      return;
    }
    // Creates a new object each time, because earlier views still refer to the old one.
    this.#levels.splice(at, isThere ? 1 : 0, { price, quantity });
    if (this.#levels.length > MOST_LEVELS) {
      this.#levels.pop();
      this.#horizon = this.#levels.at(-1)?.price ?? null;
    }
  }

  /** The current levels, as a copy that does not change. */
  view(): readonly Level[] {
    return this.#levels.slice();
  }

  /** The index of that price, or where it would be inserted. */
  #placeOf(price: number): number {
    return countBefore(this.#levels, (level) => (level.price - price) * this.#order < 0);
  }
}

// The book, and the rule by which events follow the snapshot.

interface DepthEvent {
  readonly U: number;
  readonly u: number;
  readonly b: readonly DepthLevel[];
  readonly a: readonly DepthLevel[];
}

/** A request of this size has weight 10 (Interface 8.2), so snapshots are spaced out. */
const SNAPSHOT_LEVELS = 1000;
const BETWEEN_SNAPSHOTS_MS = 3000;
/** If fewer levels of a side are known, a new snapshot is fetched. */
const FEWEST_LEVELS = 300;
/** The most events buffered while a snapshot is fetched: about a minute and a half. */
export const MOST_EVENTS_BUFFERED = 1000;
export const LEAST_BETWEEN_VIEWS_MS = 100;

export interface BookKeeperParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly market: Market;
  readonly publish: (book: Book) => void;
  /** Called with the reason of a failure; with null when the request has succeeded. */
  readonly failed: (why: string | null) => void;
  /** Called if the book has a price or quantity with more digits than the market's filters. */
  readonly finer: (digits: Digits) => void;
}

export class BookKeeper {
  readonly #parts: BookKeeperParts;
  readonly #bids = new Ladder("bids");
  readonly #asks = new Ladder("asks");
  readonly #throttle: Throttle;
  readonly #unsubscribe: () => void;
  #lastId = 0;
  /** Whether both sides are complete up to `lastId` and events are applied. */
  #isTrue = false;
  #wasTrue = false;
  /** Buffered events; null when no snapshot is being fetched. */
  #buffered: DepthEvent[] | null = null;
  #cancelFetch = (): void => {};
  #fetchedMs = -Infinity;
  #isClosed = false;

  constructor(parts: BookKeeperParts) {
    this.#parts = parts;
    this.#throttle = new Throttle(parts.world, LEAST_BETWEEN_VIEWS_MS, () => this.#publish());
    this.#unsubscribe = parts.streams.subscribe(`${parts.market.symbol.toLowerCase()}@depth@100ms`, {
      opened: () => this.#begin(),
      lost: () => this.#stop(),
      message: (data) => this.#onMessage(data as DepthEvent),
    });
  }

  /** The number of buffered events. Tests check that it stays bounded. */
  get waiting(): number {
    return this.#buffered?.length ?? 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#cancelFetch();
    this.#throttle.stop();
  }

  /** The stream is open: a snapshot requested now is not older than the stream. */
  #begin(): void {
    this.#isTrue = false;
    this.#fetch();
  }

  #stop(): void {
    this.#isTrue = false;
    this.#buffered = null;
    this.#cancelFetch();
    this.#throttle.now();
  }

  #onMessage(event: DepthEvent): void {
    if (this.#buffered !== null) {
      this.#buffered.push(event);
      // Dropping the oldest leaves a gap, which is detected when the snapshot arrives.
      if (this.#buffered.length > MOST_EVENTS_BUFFERED) this.#buffered.shift();
    }
    if (!this.#isTrue) return;
    if (!this.#apply(event)) this.#again(event);
    else this.#throttle.ask();
  }

  /** Events are missing: the shown book is stale from now on. */
  #again(event: DepthEvent): void {
    this.#isTrue = false;
    this.#throttle.now();
    this.#fetch(event);
  }

  #fetch(...buffered: readonly DepthEvent[]): void {
    const { rest, world, market, failed } = this.#parts;
    this.#cancelFetch();
    this.#buffered = [...buffered];
    const ask = async (isWanted: () => boolean): Promise<void> => {
      this.#fetchedMs = world.elapsedMs();
      const answer = await rest.get<Depth>("/api/v3/depth", { symbol: market.symbol, limit: SNAPSHOT_LEVELS });
      if (!isWanted()) return;
      this.#adopt(answer);
      failed(null);
    };
    const begin = (): void => {
      this.#cancelFetch = untilDone(world, ask, (error) => failed(error instanceof Error ? error.message : null));
    };
    const waitMs = this.#fetchedMs + BETWEEN_SNAPSHOTS_MS - world.elapsedMs();
    if (waitMs <= 0) begin();
    else this.#cancelFetch = world.after(waitMs, begin);
  }

  /** Replaces the whole book with the snapshot. */
  #adopt({ lastUpdateId, bids, asks }: Depth): void {
    const buffered = this.#buffered ?? [];
    const [first] = buffered;
    if (first !== undefined && lastUpdateId < first.U - 1) {
      throw new Refused(WIRE.oldSnapshot, { code: null, isUnknown: false });
    }
    const bidLevels = this.#levels(bids);
    const askLevels = this.#levels(asks);
    if (bidLevels === null || askLevels === null) return;
    this.#bids.replace(bidLevels, bids.length < SNAPSHOT_LEVELS);
    this.#asks.replace(askLevels, asks.length < SNAPSHOT_LEVELS);
    this.#lastId = lastUpdateId;
    this.#buffered = null;
    this.#isTrue = this.#wasTrue = true;
    for (const event of buffered) {
      if (!this.#apply(event)) return this.#again(event);
    }
    this.#throttle.now();
  }

  /** False if an event is missing before it, or the result is not a valid book. */
  #apply({ U, u, b, a }: DepthEvent): boolean {
    if (u <= this.#lastId) return true;
    if (U > this.#lastId + 1) return false;
    const [bids, asks] = [this.#levels(b), this.#levels(a)];
    if (bids === null || asks === null) return true;
    for (const { price, quantity } of bids) this.#bids.set(price, quantity);
    for (const { price, quantity } of asks) this.#asks.set(price, quantity);
    this.#lastId = u;
    if (this.#isCrossed()) return false;
    if (this.#buffered === null && (isShort(this.#bids) || isShort(this.#asks))) this.#fetch();
    return true;
  }

  #isCrossed(): boolean {
    const [bid, ask] = [this.#bids.best, this.#asks.best];
    return bid !== null && ask !== null && bid >= ask;
  }

  /** Null if a level has more digits than the market: a book with more digits then replaces this one. */
  #levels(levels: readonly DepthLevel[]): Level[] | null {
    const { market } = this.#parts;
    const read: Level[] = [];
    for (const [priceText, quantityText] of levels) {
      const price = toUnits(priceText, market.priceDigits);
      const quantity = toUnits(quantityText, market.quantityDigits);
      if (Number.isNaN(price) || Number.isNaN(quantity)) return this.#tooFine(priceText, quantityText);
      read.push({ price, quantity });
    }
    return read;
  }

  #tooFine(price: string, quantity: string): null {
    const { market, finer } = this.#parts;
    this.close();
    finer({
      priceDigits: Math.max(market.priceDigits, leastDigits(decimal(price))),
      quantityDigits: Math.max(market.quantityDigits, leastDigits(decimal(quantity))),
    });
    return null;
  }

  #publish(): void {
    const { market, world, streams, publish } = this.#parts;
    if (!this.#wasTrue || this.#isClosed) return;
    const freshness: Freshness = this.#isTrue ? "live" : "stale";
    const atMs = this.#isTrue ? world.nowMs() : streams.lastMessageMs;
    const [bids, asks] = [this.#bids.view(), this.#asks.view()];
    publish({ symbol: market.symbol, lastUpdateId: this.#lastId, bids, asks, freshness, atMs });
  }
}

const isShort = (ladder: Ladder): boolean => ladder.isCut && ladder.length < FEWEST_LEVELS;
