/** The order book of one market, built from its diff stream and a snapshot by the published rule (Interface 10.4). */
import type { Book, Freshness, Level, Market } from "./port.ts";
import { decimal, leastDigits, toUnits } from "../exact/decimal.ts";
import { WIRE } from "../words/words.ts";
import { Refused, type Rest } from "../wire/rest.ts";
import { Throttle, untilDone } from "../wire/pacing.ts";
import type { Streams } from "../wire/streams.ts";
import type { World } from "../wire/world.ts";
import type { Digits } from "./markets.ts";

// One side of a book: its levels, the best first, as far as they are known.

/** More than that of a side are not kept: nobody looks so far. */
export const MOST_LEVELS = 5000;

export class Ladder {
  /** 1: the best price is the lowest. */
  readonly #order: 1 | -1;
  #levels: Level[] = [];
  /** Behind this price nothing is known; null: all is known. */
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

  /** Whether there may be levels that it does not know. */
  get isCut(): boolean {
    return this.#horizon !== null;
  }

  /** Forgets all that it knew. `isWhole`: there are no others. */
  replace(levels: readonly Level[], isWhole: boolean): void {
    this.#levels = [...levels];
    this.#horizon = isWhole ? null : (levels.at(-1)?.price ?? null);
  }

  /** What stands at a price now; 0: nothing. */
  set(price: number, quantity: number): void {
    if (this.#horizon !== null && (price - this.#horizon) * this.#order > 0) return;
    const at = this.#placeOf(price);
    const isThere = this.#levels[at]?.price === price;
    if (quantity === 0) {
      if (isThere) this.#levels.splice(at, 1);
      return;
    }
    // A new object each time: views that were given away keep the old one.
    this.#levels.splice(at, isThere ? 1 : 0, { price, quantity });
    if (this.#levels.length > MOST_LEVELS) {
      this.#levels.pop();
      this.#horizon = this.#levels.at(-1)?.price ?? null;
    }
  }

  /** The levels of this moment, which do not change any more. */
  view(): readonly Level[] {
    return this.#levels.slice();
  }

  /** Where that price stands, or would. */
  #placeOf(price: number): number {
    let low = 0;
    let high = this.#levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = (this.#levels[middle] as Level).price;
      if ((there - price) * this.#order < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

// The book itself, and the rule by which events follow the snapshot.

type WireLevel = readonly [price: string, quantity: string];

interface DepthEvent {
  readonly U: number;
  readonly u: number;
  readonly b: readonly WireLevel[];
  readonly a: readonly WireLevel[];
}

interface DepthAnswer {
  readonly lastUpdateId: number;
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
}

/** Weighs 10 (Interface 8.2), which is why two of them are some time apart. */
const SNAPSHOT_LEVELS = 1000;
const BETWEEN_SNAPSHOTS_MS = 3000;
/** A side of which no more is known is asked for again. */
const FEWEST_LEVELS = 300;
/** Events kept while a snapshot is on its way: a minute and a half of them. */
export const MOST_EVENTS_KEPT = 1000;
export const LEAST_BETWEEN_VIEWS_MS = 100;

export interface BookKeeperParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly market: Market;
  readonly publish: (book: Book) => void;
  /** Null: what failed before has succeeded. */
  readonly failed: (why: string | null) => void;
  /** The book has a price or quantity finer than the market is said to have. */
  readonly finer: (digits: Digits) => void;
}

export class BookKeeper {
  readonly #parts: BookKeeperParts;
  readonly #bids = new Ladder("bids");
  readonly #asks = new Ladder("asks");
  readonly #throttle: Throttle;
  readonly #unsubscribe: () => void;
  #lastId = 0;
  /** Whether the ladders are those of `lastId`, and follow. */
  #isTrue = false;
  #wasTrue = false;
  /** Null: no snapshot is on its way. */
  #kept: DepthEvent[] | null = null;
  #cancelFetch = (): void => {};
  #fetchedMs = -Infinity;
  #isClosed = false;

  constructor(parts: BookKeeperParts) {
    this.#parts = parts;
    this.#throttle = new Throttle(parts.world, LEAST_BETWEEN_VIEWS_MS, () => this.#publish());
    this.#unsubscribe = parts.streams.subscribe(`${parts.market.symbol.toLowerCase()}@depth@100ms`, {
      opened: () => this.#begin(),
      lost: () => this.#stop(),
      message: (data) => this.#hear(data as DepthEvent),
    });
  }

  /** How many events wait for a snapshot: for tests, which see that they stay few. */
  get waiting(): number {
    return this.#kept?.length ?? 0;
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#cancelFetch();
    this.#throttle.stop();
  }

  /** From here on nothing is missed: a snapshot asked for now is not older than the stream. */
  #begin(): void {
    this.#isTrue = false;
    this.#fetch();
  }

  #stop(): void {
    this.#isTrue = false;
    this.#kept = null;
    this.#cancelFetch();
    this.#throttle.now();
  }

  #hear(event: DepthEvent): void {
    if (this.#kept !== null) {
      this.#kept.push(event);
      // Losing the oldest leaves a gap, which is found when the snapshot has come.
      if (this.#kept.length > MOST_EVENTS_KEPT) this.#kept.shift();
    }
    if (!this.#isTrue) return;
    if (!this.#apply(event)) this.#again(event);
    else this.#throttle.ask();
  }

  /** The book cannot be followed any further: what is shown is old from now on. */
  #again(event: DepthEvent): void {
    this.#isTrue = false;
    this.#throttle.now();
    this.#fetch(event);
  }

  #fetch(...kept: readonly DepthEvent[]): void {
    const { rest, world, market, failed } = this.#parts;
    this.#cancelFetch();
    this.#kept = [...kept];
    const ask = async (isWanted: () => boolean): Promise<void> => {
      this.#fetchedMs = world.elapsedMs();
      const answer = await rest.get<DepthAnswer>("/api/v3/depth", { symbol: market.symbol, limit: SNAPSHOT_LEVELS });
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

  /** Nothing of the book before survives. */
  #adopt({ lastUpdateId, bids, asks }: DepthAnswer): void {
    const kept = this.#kept ?? [];
    const [first] = kept;
    if (first !== undefined && lastUpdateId < first.U - 1) {
      throw new Refused(WIRE.oldSnapshot, { code: null, isUnknown: false });
    }
    const bidLevels = this.#levels(bids);
    const askLevels = this.#levels(asks);
    if (bidLevels === null || askLevels === null) return;
    this.#bids.replace(bidLevels, bids.length < SNAPSHOT_LEVELS);
    this.#asks.replace(askLevels, asks.length < SNAPSHOT_LEVELS);
    this.#lastId = lastUpdateId;
    this.#kept = null;
    this.#isTrue = this.#wasTrue = true;
    for (const event of kept) {
      if (!this.#apply(event)) return this.#again(event);
    }
    this.#throttle.now();
  }

  /** False: something is missing before it, or what it leaves cannot be a book. */
  #apply({ U, u, b, a }: DepthEvent): boolean {
    if (u <= this.#lastId) return true;
    if (U > this.#lastId + 1) return false;
    const [bids, asks] = [this.#levels(b), this.#levels(a)];
    if (bids === null || asks === null) return true;
    for (const { price, quantity } of bids) this.#bids.set(price, quantity);
    for (const { price, quantity } of asks) this.#asks.set(price, quantity);
    this.#lastId = u;
    if (this.#isCrossed()) return false;
    if (this.#kept === null && (isShort(this.#bids) || isShort(this.#asks))) this.#fetch();
    return true;
  }

  #isCrossed(): boolean {
    const [bid, ask] = [this.#bids.best, this.#asks.best];
    return bid !== null && ask !== null && bid >= ask;
  }

  /** Null: they are finer than the market's digits, and another keeper will take over. */
  #levels(levels: readonly WireLevel[]): Level[] | null {
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
    const atMs = this.#isTrue ? world.nowMs() : streams.lastWordMs;
    const [bids, asks] = [this.#bids.view(), this.#asks.view()];
    publish({ symbol: market.symbol, lastUpdateId: this.#lastId, bids, asks, freshness, atMs });
  }
}

const isShort = (ladder: Ladder): boolean => ladder.isCut && ladder.length < FEWEST_LEVELS;
