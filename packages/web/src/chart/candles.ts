/**
 * The chart's candles for one market and interval: fetched page by page, updated from the stream, and limited in
 * number.
 */
import { type Candle, type CandleFeed, countBefore, type Interval, PAGE_CANDLES } from "../market/port.ts";
import { track, nextOpenMs } from "./chart-settings.ts";
import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { Time } from "lightweight-charts";
import { chartTime } from "./time-scale.ts";

// The candles in memory: oldest first, without gaps, limited in number.

/** Maximum number of candles in memory. More would make phone browsers slow or even crash them. */
export const CANDLES_MAX = 20_000;

/** `gap`: candles before the new one are missing. `late`: the candle is older than the newest. Neither was added. */
export type Added = "replaced" | "appended" | "gap" | "late";

export class CandleHistory {
  readonly #interval: Interval;
  #candles: Candle[] = [];
  #isWhole = false;

  constructor(interval: Interval) {
    this.#interval = interval;
  }

  get candles(): readonly Candle[] {
    return this.#candles;
  }

  /** Whether the first candle in memory is the market's first. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  get isFull(): boolean {
    return this.#candles.length + PAGE_CANDLES > CANDLES_MAX;
  }

  /** Whether more than `CANDLES_MAX` candles are in memory, so that the oldest must be dropped. */
  get isOver(): boolean {
    return this.#candles.length > CANDLES_MAX;
  }

  clear(): void {
    this.#candles = [];
    this.#isWhole = false;
  }

  /**
   * Adds a page of older candles, oldest first. `isLast`: the market has no candles before this page. Returns the
   * number of candles added.
   */
  addOlder(page: readonly Candle[], isLast: boolean): number {
    const first = this.#candles[0];
    const older = first === undefined ? page : page.filter((candle) => candle.openTimeMs < first.openTimeMs);
    this.#candles = [...older, ...this.#candles];
    // Without the second condition, a page without new candles would be requested forever.
    this.#isWhole = isLast || older.length === 0;
    return older.length;
  }

  /**
   * Replaces the newest page. Older candles stay if the page's first candle is already in memory with the same values.
   */
  renew(page: readonly Candle[], isLast: boolean): void {
    const first = page[0];
    const at = first === undefined ? -1 : candleIndexAt(this.#candles, first.openTimeMs);
    const held = this.#candles[at];
    const older = held !== undefined && first !== undefined && isSame(held, first) ? this.#candles.slice(0, at) : [];
    this.#candles = [...older, ...page];
    this.#isWhole = older.length > 0 ? this.#isWhole : isLast || page.length === 0;
  }

  /** Adds or replaces the newest candle. */
  addNewest(candle: Candle): Added {
    const last = this.#candles.at(-1);
    if (last !== undefined && candle.openTimeMs < last.openTimeMs) return "late";
    if (last?.openTimeMs === candle.openTimeMs) {
      this.#candles[this.#candles.length - 1] = candle;
      return "replaced";
    }
    if (last !== undefined && candle.openTimeMs > nextOpenMs(last.openTimeMs, this.#interval)) return "gap";
    this.#candles.push(candle);
    return "appended";
  }

  /** Drops a block of the oldest candles. */
  dropOldest(): void {
    this.#candles = this.#candles.slice(PAGE_CANDLES);
    this.#isWhole = false;
  }
}

function isSame(one: Candle, other: Candle): boolean {
  return (Object.keys(one) as (keyof Candle)[]).every((field) => one[field] === other[field]);
}

/**
 * The index of the candle that contains `timeMs`; -1 if `timeMs` is before the first candle. `candles` are oldest
 * first.
 */
export function candleIndexAt(candles: readonly { readonly openTimeMs: number }[], timeMs: number): number {
  return countBefore(candles, ({ openTimeMs }) => openTimeMs <= timeMs) - 1;
}

// Loads candles from a `CandleFeed` for the chart, page by page, and keeps them up to date.

/**
 * `failed`: no candles were loaded, and `reason` is the error. `older`: the state of the next page of older candles.
 */
export type PagesState =
  | { readonly step: "loading" }
  | { readonly step: "failed"; readonly reason: string }
  | { readonly step: "ready"; readonly older: "idle" | "loading" | "whole" | "full" | { readonly failed: string } };

/** The part of the chart to redraw. */
export type Change =
  | { readonly kind: "all" }
  | { readonly kind: "newest"; readonly candle: Candle; readonly isNew: boolean };

function reasonOf(thrown: unknown): string {
  const message: unknown = typeof thrown === "object" && thrown !== null ? Reflect.get(thrown, "message") : thrown;
  return typeof message === "string" ? message : "";
}

export class CandlePages {
  readonly #feed: CandleFeed;
  readonly #interval: Interval;
  readonly #history: CandleHistory;
  readonly #onChange: (change: Change) => void;
  readonly #state = signal<PagesState>({ step: "loading" });
  readonly state: ReadonlySignal<PagesState> = this.#state;
  readonly #stops: (() => void)[] = [];
  /** The number of the current load. Responses to earlier loads are dropped. */
  #load = 0;
  #isClosed = false;
  /**
   * The candle after the gap that caused the last reload. If the gap remains, the node's data has it too, and it is
   * drawn.
   */
  #reloadedFor = 0;

  /**
   * Takes ownership of the feed and closes it. `onChange` is called when candles change, but not during construction.
   */
  constructor(feed: CandleFeed, interval: Interval, onChange: (change: Change) => void) {
    this.#feed = feed;
    this.#interval = interval;
    this.#history = new CandleHistory(interval);
    this.#onChange = onChange;
    this.#stops.push(
      effect(() => {
        track(feed.reset);
        untracked(() => this.reload());
      }),
      effect(() => {
        const candle = feed.newest.value;
        if (candle !== null) untracked(() => this.#takeNewest(candle));
      }),
    );
  }

  get candles(): readonly Candle[] {
    return this.#history.candles;
  }

  get isWhole(): boolean {
    return this.#history.isWhole;
  }

  /** Whether too many candles are in memory. True until the chart has removed the oldest and calls `dropOldest`. */
  get isOver(): boolean {
    return this.#history.isOver;
  }

  /** The opening time of the oldest candle that `dropOldest` keeps. */
  get keptFromMs(): number {
    return this.#history.candles[PAGE_CANDLES]?.openTimeMs ?? 0;
  }

  dropOldest(): void {
    this.#history.dropOldest();
    this.#becomeReady();
  }

  /** Fetches the newest page. The current candles stay until the page has arrived. */
  reload(): void {
    void this.#loadNewest(++this.#load);
  }

  /**
   * Fetches the next page of older candles, unless it is already being fetched or does not exist. A failed page is
   * fetched again only with `isAgain`, because scrolling calls this method many times a second.
   */
  loadOlder({ isAgain = false }: { readonly isAgain?: boolean } = {}): void {
    const state = this.#state.peek();
    if (this.#isClosed || state.step !== "ready") return;
    if (state.older === "idle" || (isAgain && typeof state.older === "object")) void this.#loadBefore(this.#load);
  }

  /**
   * Applies a trade's price to the live candle at once. The volume is updated by the next message of the candle stream.
   */
  follow(price: number, timeMs: number): void {
    const last = this.#history.candles.at(-1);
    if (this.#isClosed || this.#state.peek().step !== "ready" || last === undefined) return;
    if (timeMs < last.openTimeMs || timeMs >= nextOpenMs(last.openTimeMs, this.#interval)) return;
    if (price === last.close) return;
    const { high, low } = last;
    this.#takeNewest({ ...last, close: price, high: Math.max(high, price), low: Math.min(low, price) });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    this.#feed.close();
  }

  /** The promise never rejects. */
  async #loadNewest(load: number): Promise<void> {
    if (this.#history.candles.length === 0) this.#state.value = { step: "loading" };
    let page: readonly Candle[];
    try {
      page = await this.#feed.before(null);
    } catch (error) {
      if (this.#isOver(load)) return;
      this.#history.clear();
      this.#state.value = { step: "failed", reason: reasonOf(error) };
      return;
    }
    if (this.#isOver(load)) return;
    this.#history.renew(page, page.length < PAGE_CANDLES);
    const newest = this.#feed.newest.peek();
    if (newest !== null) this.#history.addNewest(newest);
    this.#becomeReady();
    this.#onChange({ kind: "all" });
  }

  /** The promise never rejects. */
  async #loadBefore(load: number): Promise<void> {
    const first = this.#history.candles[0];
    if (first === undefined) return;
    this.#state.value = { step: "ready", older: "loading" };
    let page: readonly Candle[];
    try {
      page = await this.#feed.before(first.openTimeMs);
    } catch (error) {
      if (!this.#isOver(load)) this.#state.value = { step: "ready", older: { failed: reasonOf(error) } };
      return;
    }
    if (this.#isOver(load)) return;
    this.#history.addOlder(page, page.length < PAGE_CANDLES);
    this.#becomeReady();
    this.#onChange({ kind: "all" });
  }

  #isOver(load: number): boolean {
    return this.#isClosed || load !== this.#load;
  }

  #becomeReady(): void {
    const older = this.#history.isWhole ? "whole" : this.#history.isFull ? "full" : "idle";
    this.#state.value = { step: "ready", older };
  }

  #takeNewest(candle: Candle): void {
    const state = this.#state.peek();
    // Until the first page has loaded, the candle stays in `feed.newest`.
    if (state.step !== "ready") return;
    const added = this.#history.addNewest(candle);
    if (added === "late") return;
    if (added === "gap") {
      if (this.#reloadedFor === candle.openTimeMs) return;
      this.#reloadedFor = candle.openTimeMs;
      this.reload();
      return;
    }
    this.#onChange({ kind: "newest", candle, isNew: added === "appended" });
  }
}

// Removes the oldest candles from the chart when too many are in memory. The library redraws a whole series after each
// removal, so each series is shortened in a separate task. The candles in memory are removed together with the last
// series, so that candle indexes match.

interface Held {
  readonly isOver: boolean;
  /** The opening time of the oldest candle that `dropOldest` keeps. */
  readonly keptFromMs: number;
  dropOldest(): void;
}

/** A series of the chart whose points can be replaced. */
export interface Cuttable {
  data(): readonly { readonly time: Time }[];
  setData(data: { readonly time: Time }[]): void;
}

/** The pause between two tasks, in which the browser can draw a frame. */
export const BETWEEN_CUTS_MS = 30;

export class OldestDrop {
  readonly #held: Held;
  readonly #series: () => readonly Cuttable[];
  readonly #dropped: () => void;
  readonly #cut = new Set<Cuttable>();
  #timer: ReturnType<typeof setTimeout> | null = null;

  /**
   * `series` returns the chart's current series. `dropped` is called after the removal, when all candle indexes have
   * changed.
   */
  constructor(held: Held, series: () => readonly Cuttable[], dropped: () => void) {
    this.#held = held;
    this.#series = series;
    this.#dropped = dropped;
  }

  /** Starts the removal if there are too many candles. Has no effect while a removal is running. */
  begin(): void {
    if (this.#timer === null && this.#held.isOver) this.#later();
  }

  /** Starts again, because all series were filled again with all candles, including the removed ones. */
  again(): void {
    this.close();
    this.begin();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#cut.clear();
  }

  #later(): void {
    this.#timer = setTimeout(() => this.#next(), BETWEEN_CUTS_MS);
  }

  #next(): void {
    const from = Number(chartTime(this.#held.keptFromMs));
    const left = this.#series().filter((series) => !this.#cut.has(series));
    const [series] = left;
    if (series !== undefined) {
      series.setData(series.data().filter(({ time }) => Number(time) >= from));
      this.#cut.add(series);
    }
    if (left.length > 1) return this.#later();
    this.close();
    this.#held.dropOldest();
    this.#dropped();
  }
}
