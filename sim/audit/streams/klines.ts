/** `@kline`: each message must equal the sum of the trades so far, and each candle closes once, in order. */
import type { Traded } from "@pricetime/testkit/models";
import { wire } from "../amounts.ts";
import type { AuditedEntry } from "../entry.ts";
import { differing, type Fail, type Json, type Listener } from "./listener.ts";

/** A trade and its time. A symbol's trades are stored from the first on. */
export type TimedTrade = readonly [timeMs: number, trade: Traded];

const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n);

export class KlineListener implements Listener {
  readonly #what: string;
  readonly #trades: () => readonly TimedTrade[];
  /** The first candles include trades of the synthetic history, so the comparison begins later. */
  readonly #fromMs: () => number;
  readonly #fail: Fail;
  /** The trades when the subscription began: unchanged candles are not reported again. */
  readonly #tradesBefore: number;
  #openMs = 0;
  #last: Json;
  #isDone = false;

  /** `fromMs` is the start of the first candle without synthetic history. */
  constructor(symbol: string, fromMs: () => number, trades: () => readonly TimedTrade[], fail: Fail) {
    this.#what = `candles of ${symbol}`;
    this.#trades = trades;
    this.#fromMs = fromMs;
    this.#fail = fail;
    this.#tradesBefore = trades().length;
  }

  message({ k }: Json): void {
    this.#checkTurn(k);
    this.#last = k;
    this.#compare(k);
  }

  /** All trades are in the last message, or in candles that were reported. */
  quiet(): void {
    const last = this.#trades().slice(this.#tradesBefore).at(-1);
    if (last === undefined) return;
    const [timeMs, { tradeId }] = last;
    if (this.#last === undefined) this.#fail(`${this.#what}: nothing ever came of trade ${tradeId}`);
    else if (this.#last.T < timeMs) this.#fail(`${this.#what}: trade ${tradeId} is in no candle`);
    else this.#compare(this.#last);
  }

  #compare(candle: Json): void {
    const { t, T } = candle;
    const fromMs = this.#fromMs();
    const isQuietSincePast = fromMs > 0 && this.#trades().every(([timeMs]) => timeMs > T);
    if (t < fromMs || isQuietSincePast) return;
    differing(this.#what, this.#candle(t, T), candle, this.#fail);
  }

  #checkTurn({ t, T, x }: Json): void {
    const isNext = this.#isDone ? t === this.#openMs : t >= this.#openMs;
    if (this.#last !== undefined && (!isNext || (!this.#isDone && t !== this.#last.t))) {
      this.#fail(`${this.#what}: the candle of ${t} follows that of ${this.#last.t}, which is ${this.#isDone}`);
    }
    this.#isDone = x;
    this.#openMs = x ? T + 1 : t;
  }

  #candle(fromMs: number, toMs: number): Record<string, unknown> {
    const all = this.#trades();
    const within = all.filter(([timeMs]) => timeMs >= fromMs && timeMs <= toMs).map(([, trade]) => trade);
    const [first, last] = [within[0], within.at(-1)];
    if (first === undefined || last === undefined) {
      const before = all.findLast(([timeMs]) => timeMs < fromMs);
      const price = wire(before?.[1].price ?? 0n);
      return { n: 0, o: price, h: price, l: price, c: price, v: wire(0n), f: -1, L: -1 };
    }
    const prices = within.map(({ price }) => price).toSorted((a, b) => (a < b ? -1 : 1));
    const bought = within.filter(({ takerSide }) => takerSide === "BUY");
    return {
      ...{ n: within.length, o: wire(first.price), c: wire(last.price) },
      ...{ l: wire(prices[0] as bigint), h: wire(prices.at(-1) as bigint), f: first.tradeId, L: last.tradeId },
      v: wire(sum(within.map(({ quantity }) => quantity))),
      q: wire(sum(within.map(({ quote }) => quote))),
      V: wire(sum(bought.map(({ quantity }) => quantity))),
      Q: wire(sum(bought.map(({ quote }) => quote))),
    };
  }
}

export function timedTrades({ timeMs, happened }: AuditedEntry): readonly TimedTrade[] {
  return happened.flatMap((each) => (each.kind === "traded" ? [[timeMs, each] as const] : []));
}
