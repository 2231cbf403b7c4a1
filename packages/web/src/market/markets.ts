/** A node's markets, from its exchange information (Interface 2.7), and the 24-hour tickers of all markets. */
import type { ExchangeInfo, SymbolInfo } from "@pricetime/protocol";
import { scaleFor } from "@pricetime/engine/filters";
import type { StepOrigin } from "@pricetime/engine/numbers";
import { writtenFilters } from "../rules/market-filters.ts";
import type { Market, MarketFilter, Print, Ticker } from "./port.ts";
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Rest } from "../wire/rest.ts";
import { untilDone } from "../wire/pacing.ts";
import type { Streams } from "../wire/streams.ts";
import type { World } from "../wire/world.ts";

/** The numbers of decimal places that a market's book needs if its filters were changed. They never decrease. */
export interface Digits {
  readonly priceDigits: number;
  readonly quantityDigits: number;
}

export function marketsOf(
  info: ExchangeInfo,
  seen: ReadonlyMap<string, Digits>,
  stepOrigin: StepOrigin = "minimum",
): ReadonlyMap<string, Market> {
  return new Map(
    info.symbols.map((answer) => [
      answer.symbol,
      { ...marketOf(answer, info.exchangeFilters, seen.get(answer.symbol)), stepOrigin },
    ]),
  );
}

/** Converts a market's information. `everywhere` are the exchange's filters, which apply to all markets. */
function marketOf(
  answer: SymbolInfo,
  everywhere: readonly MarketFilter[],
  seen: Digits | undefined,
): Omit<Market, "stepOrigin"> {
  const filters = [...answer.filters, ...everywhere];
  const written = writtenFilters(filters);
  const scale = scaleFor(written, answer.baseAssetPrecision, answer.quotePrecision);
  return {
    ...answer,
    filters,
    priceDigits: Math.max(seen?.priceDigits ?? 0, scale?.priceDecimals ?? answer.quotePrecision),
    quantityDigits: Math.max(seen?.quantityDigits ?? 0, scale?.quantityDecimals ?? answer.baseAssetPrecision),
    quoteDigits: answer.quotePrecision,
    tickSize: written.priceFilter?.tickSize ?? "0",
    stepSize: written.lotSize?.stepSize ?? "0",
  };
}

// The 24-hour tickers of all markets, fetched when the stream is open and then updated from it.

interface MiniEvent {
  readonly E: number;
  readonly s: string;
  readonly c: string;
  readonly o: string;
  readonly h: string;
  readonly l: string;
  readonly v: string;
  readonly q: string;
}

/**
 * Minimum time between two requests of all tickers. They have request weight 40 (Interface 8.2), so they are not
 * fetched again after each short interruption.
 */
const BETWEEN_FETCHES_MS = 30_000;

export class Tickers {
  readonly #rest: Rest;
  readonly #world: World;
  readonly #failed: (why: string | null) => void;
  readonly #tickers = signal<ReadonlyMap<string, Ticker>>(new Map());
  readonly tickers: ReadonlySignal<ReadonlyMap<string, Ticker>> = this.#tickers;
  readonly #unsubscribe: () => void;
  /** Symbols updated by the stream since the last request was sent. Their tickers are newer than its response. */
  readonly #updated = new Set<string>();
  #fetchedMs = -Infinity;
  /** The selected market's newest trade, because the stream updates tickers only once a second. */
  #traded: { readonly symbol: string; readonly print: Print } | null = null;
  #cancelFetch = (): void => {};

  constructor(rest: Rest, streams: Streams, world: World, failed: (why: string | null) => void) {
    this.#rest = rest;
    this.#world = world;
    this.#failed = failed;
    this.#unsubscribe = streams.subscribe("!miniTicker@arr", {
      opened: () => this.#begin(),
      lost: () => this.#cancelFetch(),
      message: (data) => this.#onMessage(data as readonly MiniEvent[]),
    });
  }

  /** Sets the selected market's newest trade. Its price becomes the last price at once. */
  traded(symbol: string, print: Print | undefined): void {
    this.#traded = print === undefined ? null : { symbol, print };
    const ticker = this.#tickers.value.get(symbol);
    if (ticker === undefined || print === undefined || ticker.lastPrice === print.price) return;
    this.#put([{ ...ticker, lastPrice: print.price }]);
  }

  close(): void {
    this.#unsubscribe();
    this.#cancelFetch();
  }

  #begin(): void {
    this.#cancelFetch();
    const waitMs = this.#fetchedMs + BETWEEN_FETCHES_MS - this.#world.elapsedMs();
    if (waitMs <= 0) this.#fetch();
    else this.#cancelFetch = this.#world.after(waitMs, () => this.#fetch());
  }

  #fetch(): void {
    this.#cancelFetch = untilDone(
      this.#world,
      async (isWanted) => {
        this.#fetchedMs = this.#world.elapsedMs();
        this.#updated.clear();
        const answers = await this.#rest.get<readonly Ticker[]>("/api/v3/ticker/24hr", { type: "MINI" });
        if (!isWanted()) return;
        this.#put(answers.filter(({ symbol }) => !this.#updated.has(symbol)));
        this.#failed(null);
      },
      (error) => this.#failed(error instanceof Error ? error.message : null),
    );
  }

  #onMessage(events: readonly MiniEvent[]): void {
    for (const { s } of events) this.#updated.add(s);
    this.#put(
      events.map(({ E, s, c, o, h, l, v, q }) => ({
        ...{ symbol: s, lastPrice: this.#priceAt(E, s) ?? c, openPrice: o, highPrice: h, lowPrice: l },
        ...{ volume: v, quoteVolume: q },
      })),
    );
  }

  /** The price of a trade that is newer than the ticker; undefined if none is known. */
  #priceAt(timeMs: number, symbol: string): string | undefined {
    const traded = this.#traded;
    return traded?.symbol === symbol && traded.print.timeMs > timeMs ? traded.print.price : undefined;
  }

  #put(all: readonly Ticker[]): void {
    const next = new Map(this.#tickers.value);
    for (const figures of all) {
      const { symbol, lastPrice, openPrice, highPrice, lowPrice, volume, quoteVolume } = figures;
      next.set(symbol, { symbol, lastPrice, openPrice, highPrice, lowPrice, volume, quoteVolume });
    }
    this.#tickers.value = next;
  }
}
