/** The latest trades of one market: fetched once, updated from the stream, and fetched again after a gap. */
import type { PublicTrade } from "@pricetime/protocol";
import { WIRE } from "../words/words.ts";
import { Refused, type Rest } from "../wire/rest.ts";
import { Throttle, untilDone } from "../wire/pacing.ts";
import type { Streams } from "../wire/streams.ts";
import type { World } from "../wire/world.ts";
import { LEAST_BETWEEN_VIEWS_MS } from "./order-book.ts";
import type { Market, Print } from "./port.ts";
import { compare, type Decimal, decimal } from "../exact/decimal.ts";

interface TradeEvent {
  readonly t: number;
  readonly p: string;
  readonly q: string;
  readonly T: number;
  readonly m: boolean;
}

const MOST_PRINTS = 200;

export interface TapeParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  readonly market: Market;
  readonly publish: (prints: readonly Print[]) => void;
  readonly failed: (why: string | null) => void;
}

export class Tape {
  readonly #parts: TapeParts;
  readonly #throttle: Throttle;
  readonly #unsubscribe: () => void;
  /** Trades received since the stream was opened, newest first. */
  #prints: Print[] = [];
  /**
   * Trades from before a reconnect, shown until the first response after it. They are then dropped, because a lab may
   * have been restored to an earlier time.
   */
  #earlier: readonly Print[] = [];
  #cancelFetch = (): void => {};

  constructor(parts: TapeParts) {
    this.#parts = parts;
    this.#throttle = new Throttle(parts.world, LEAST_BETWEEN_VIEWS_MS, () => parts.publish(this.#shown()));
    this.#unsubscribe = parts.streams.subscribe(`${parts.market.symbol.toLowerCase()}@trade`, {
      opened: () => this.#begin(),
      lost: () => this.#cancelFetch(),
      message: (data) => this.#onMessage(data as TradeEvent),
    });
  }

  close(): void {
    this.#unsubscribe();
    this.#cancelFetch();
    this.#throttle.stop();
  }

  #begin(): void {
    this.#earlier = this.#shown();
    this.#prints = [];
    this.#fetch();
  }

  #shown(): Print[] {
    const oldest = this.#prints.at(-1)?.tradeId ?? Infinity;
    return [...this.#prints, ...this.#earlier.filter(({ tradeId }) => tradeId < oldest)].slice(0, MOST_PRINTS);
  }

  #onMessage({ t, p, q, T, m }: TradeEvent): void {
    if (t <= (this.#prints[0]?.tradeId ?? 0)) return;
    this.#prints.unshift({ tradeId: t, price: p, quantity: q, timeMs: T, buyerIsMaker: m });
    if (this.#prints.length > MOST_PRINTS) this.#prints.pop();
    this.#throttle.ask();
  }

  #fetch(): void {
    const { rest, world, market, failed } = this.#parts;
    this.#cancelFetch();
    this.#cancelFetch = untilDone(
      world,
      async (isWanted) => {
        const { symbol } = market;
        const answers = await rest.get<readonly PublicTrade[]>("/api/v3/trades", { symbol, limit: MOST_PRINTS });
        if (!isWanted()) return;
        this.#merge(answers.map(printOf).reverse());
        failed(null);
      },
      (error) => failed(error instanceof Error ? error.message : null),
    );
  }

  /**
   * Combines fetched and received trades. Trade IDs are consecutive. If there is a gap between the two, throws
   * `Refused`, so that the list never looks complete when it is not.
   */
  #merge(fetched: readonly Print[]): void {
    const newest = fetched[0]?.tradeId ?? 0;
    const received = this.#prints.filter(({ tradeId }) => tradeId > newest);
    const oldest = received.at(-1)?.tradeId;
    if (oldest !== undefined && oldest !== newest + 1) {
      throw new Refused(WIRE.oldSnapshot, { code: null, isUnknown: false });
    }
    this.#prints = [...received, ...fetched].slice(0, MOST_PRINTS);
    this.#earlier = [];
    this.#throttle.now();
  }
}

function printOf({ id, price, qty, time, isBuyerMaker }: PublicTrade): Print {
  return { tradeId: id, price, quantity: qty, timeMs: time, buyerIsMaker: isBuyerMaker };
}

// Large trades, which are highlighted.

/** At most one in this many trades is highlighted. */
const LARGE_ONE_OF = 40;

/** The quantity above which a trade is highlighted; null if too few trades are known. */
export function largeAbove(prints: readonly Print[]): Decimal | null {
  if (prints.length < LARGE_ONE_OF) return null;
  const falling = prints.map(({ quantity }) => decimal(quantity)).toSorted((one, other) => compare(other, one));
  return falling[Math.floor(prints.length / LARGE_ONE_OF)] ?? null;
}
