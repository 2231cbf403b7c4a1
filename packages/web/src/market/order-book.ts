/**
 * The order book of one market, built from a snapshot and the diff stream by the published procedure (Interface 10.4).
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

/** Maximum number of levels per side. Levels beyond it are never shown and are dropped. */
export const MOST_LEVELS = 5000;

export class Ladder {
  /** 1 if the best price is the lowest, -1 if it is the highest. */
  readonly #order: 1 | -1;
  #levels: Level[] = [];
  /** The price beyond which levels are unknown; null if all levels are known. */
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

  /** Whether there may be levels beyond the known ones. */
  get isCut(): boolean {
    return this.#horizon !== null;
  }

  /** Replaces all levels. `isWhole`: the book has no other levels on this side. */
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
    // Replaces the level object instead of changing it, because earlier views still refer to it.
    this.#levels.splice(at, isThere ? 1 : 0, { price, quantity });
    if (this.#levels.length > MOST_LEVELS) {
      this.#levels.pop();
      this.#horizon = this.#levels.at(-1)?.price ?? null;
    }
  }

  /** Returns a copy of the current levels. */
  view(): readonly Level[] {
    return this.#levels.slice();
  }

  /** The index of the level with this price, or where it would be inserted. */
  #placeOf(price: number): number {
    return countBefore(this.#levels, (level) => (level.price - price) * this.#order < 0);
  }
}

// The book, and the synchronization of snapshot and events.

interface DepthEvent {
  readonly U: number;
  readonly u: number;
  readonly b: readonly DepthLevel[];
  readonly a: readonly DepthLevel[];
}

/** A snapshot of this size has request weight 10 (Interface 8.2), so snapshots are spaced out. */
const SNAPSHOT_LEVELS = 1000;
const BETWEEN_SNAPSHOTS_MS = 3000;
/** A new snapshot is fetched if fewer levels than this are known on a side. */
const FEWEST_LEVELS = 300;
/** Maximum number of events buffered while a snapshot is fetched: about a minute and a half. */
export const MOST_EVENTS_BUFFERED = 1000;
export const LEAST_BETWEEN_VIEWS_MS = 100;

export interface BookKeeperParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly market: Market;
  readonly publish: (book: Book) => void;
  /** Called with the error if a snapshot request failed, or with null if it succeeded. */
  readonly failed: (why: string | null) => void;
  /** Called if the book contains a price or quantity with more digits than the market's filters allow. */
  readonly finer: (digits: Digits) => void;
}

export class BookKeeper {
  readonly #parts: BookKeeperParts;
  readonly #bids = new Ladder("bids");
  readonly #asks = new Ladder("asks");
  readonly #throttle: Throttle;
  readonly #unsubscribe: () => void;
  #lastId = 0;
  /** Whether the book is complete up to update `lastId`, so that events are applied to it. */
  #isTrue = false;
  #wasTrue = false;
  /** Events buffered while a snapshot is fetched; null at other times. */
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

  /** The number of buffered events, for tests. */
  get waiting(): number {
    return this.#buffered?.length ?? 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#cancelFetch();
    this.#throttle.stop();
  }

  /** Requests a snapshot. The stream is already open, so no event is missed between the two. */
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
      // Dropping the oldest event leaves a gap, which is detected when the snapshot arrives.
      if (this.#buffered.length > MOST_EVENTS_BUFFERED) this.#buffered.shift();
    }
    if (!this.#isTrue) return;
    if (!this.#apply(event)) this.#again(event);
    else this.#throttle.ask();
  }

  /** Starts over after missing events. The shown book is stale until the next snapshot. */
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

  /** Applies an event. Returns false if an event before it is missing, or if the resulting book is invalid. */
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

  /**
   * Parses levels. Returns null if a level has more digits than the market: this book is then replaced by one with more
   * digits.
   */
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
