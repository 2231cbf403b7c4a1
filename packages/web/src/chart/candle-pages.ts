/** Asks for candles page by page and keeps them up to date: what stands between a `CandleFeed` and the drawing. */
import { effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import { type Candle, type CandleFeed, type Interval, PAGE_CANDLES } from "../market/port.ts";
import { CandleHistory } from "./candle-history.ts";
import { heed } from "./heed.ts";
import { nextOpenMs } from "./interval.ts";

/** `failed`: nothing came, and the text says why. `older`: of the next page to the left. */
export type PagesState =
  | { readonly step: "loading" }
  | { readonly step: "failed"; readonly reason: string }
  | { readonly step: "ready"; readonly older: "idle" | "loading" | "whole" | "full" | { readonly failed: string } };

/** What to draw anew. */
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
  readonly #stops: (() => void)[] = [];
  /** Counts loads, so that the answer to an earlier one is dropped. */
  #load = 0;
  #isClosed = false;
  /** A gap that a load did not close is the node's own, and is drawn as it is. */
  #reloadedFor = 0;

  /** Owns the feed: closes it. `onChange` is called when candles change, never before the constructor returned. */
  constructor(feed: CandleFeed, interval: Interval, onChange: (change: Change) => void) {
    this.#feed = feed;
    this.#interval = interval;
    this.#history = new CandleHistory(interval);
    this.#onChange = onChange;
    this.#stops.push(
      effect(() => {
        heed(feed.reset);
        untracked(() => this.reload());
      }),
      effect(() => {
        const candle = feed.newest.value;
        if (candle !== null) untracked(() => this.#takeNewest(candle));
      }),
    );
  }

  get state(): ReadonlySignal<PagesState> {
    return this.#state;
  }

  get candles(): readonly Candle[] {
    return this.#history.candles;
  }

  get isWhole(): boolean {
    return this.#history.isWhole;
  }

  /** More are held than may be, until `dropOldest`: the drawing calls that when it draws none of them any more. */
  get isOver(): boolean {
    return this.#history.isOver;
  }

  /** The opening time of the first candle that `dropOldest` leaves. */
  get keptFromMs(): number {
    return this.#history.candles[PAGE_CANDLES]?.openTimeMs ?? 0;
  }

  dropOldest(): void {
    this.#history.dropOldest();
    this.#becomeReady();
  }

  /** Asks for the newest page; what is shown stays until it is there. */
  reload(): void {
    void this.#loadNewest(++this.#load);
  }

  /**
   * Asks for the page before the first candle held, unless it is being asked for or there is none. What failed is asked
   * again only with `isAgain`: scrolling calls this many times a second.
   */
  loadOlder({ isAgain = false }: { readonly isAgain?: boolean } = {}): void {
    const state = this.#state.peek();
    if (this.#isClosed || state.step !== "ready") return;
    if (state.older === "idle" || (isAgain && typeof state.older === "object")) void this.#loadBefore(this.#load);
  }

  /** A trade happened: the live candle follows it at once; what was traded in all comes with its next message. */
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

  /** Never rejects. */
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

  /** Never rejects. */
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
    // Before the first page it waits in `newest`.
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
