/** Candles of one market and interval: the newest from the stream, older ones fetched page by page. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Rest } from "../wire/rest.ts";
import type { Streams } from "../wire/streams.ts";
import { type Candle, type CandleFeed, type Interval, PAGE_CANDLES } from "./port.ts";

type KlineAnswer = readonly [number, string, string, string, string, string, ...unknown[]];

interface KlineEvent {
  readonly k: {
    readonly t: number;
    readonly o: string;
    readonly h: string;
    readonly l: string;
    readonly c: string;
    readonly v: string;
  };
}

export class CandleStream implements CandleFeed {
  readonly #rest: Rest;
  readonly #symbol: string;
  readonly #interval: Interval;
  readonly #newest = signal<Candle | null>(null);
  readonly newest: ReadonlySignal<Candle | null> = this.#newest;
  readonly #reset = signal(0);
  readonly reset: ReadonlySignal<number> = this.#reset;
  readonly #unsubscribe: () => void;
  #hasGap = false;

  constructor(rest: Rest, streams: Streams, symbol: string, interval: Interval) {
    this.#rest = rest;
    this.#symbol = symbol;
    this.#interval = interval;
    this.#unsubscribe = streams.subscribe(`${symbol.toLowerCase()}@kline_${interval}`, {
      opened: () => this.#opened(),
      lost: () => (this.#hasGap = true),
      message: (data) => this.#put(candleOfEvent(data as KlineEvent)),
    });
  }

  async before(timeMs: number | null): Promise<readonly Candle[]> {
    const answers = await this.#rest.get<readonly KlineAnswer[]>("/api/v3/klines", {
      symbol: this.#symbol,
      interval: this.#interval,
      limit: PAGE_CANDLES,
      endTime: timeMs === null ? undefined : timeMs - 1,
    });
    const candles = answers.map(candleOf);
    const last = candles.at(-1);
    if (timeMs === null && this.#newest.value === null && last !== undefined) this.#put(last);
    return candles;
  }

  close(): void {
    this.#unsubscribe();
  }

  #opened(): void {
    if (!this.#hasGap) return;
    this.#hasGap = false;
    this.#reset.value++;
  }

  #put(candle: Candle): void {
    if (candle.openTimeMs >= (this.#newest.value?.openTimeMs ?? 0)) this.#newest.value = candle;
  }
}

function candleOf([openTimeMs, open, high, low, close, volume]: KlineAnswer): Candle {
  return {
    openTimeMs,
    ...{ open: Number(open), high: Number(high), low: Number(low), close: Number(close), volume: Number(volume) },
  };
}

function candleOfEvent({ k }: KlineEvent): Candle {
  return candleOf([k.t, k.o, k.h, k.l, k.c, k.v]);
}
