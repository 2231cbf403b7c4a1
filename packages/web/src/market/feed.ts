/** The node's public data: markets, tickers, and all data of the selected market. */
import type { AveragePrice, ExchangeInfo, ReferencePrice, SymbolRules } from "@pricetime/protocol";
import type { StepOrigin } from "@pricetime/engine/numbers";
import { Refused, type Rest } from "../wire/rest.ts";
import { untilDone } from "../wire/pacing.ts";
import type { World } from "../wire/world.ts";
import { decimal, isZero } from "../exact/decimal.ts";
import { stepOriginOf } from "../rules/market-filters.ts";
import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { Streams } from "../wire/streams.ts";
import { BookKeeper } from "./order-book.ts";
import { CandleStream } from "./candle-stream.ts";
import { type Digits, marketsOf, Tickers } from "./markets.ts";
import type { Book, CandleFeed, Connection, Interval, Market, Print, Ticker } from "./port.ts";
import { Tape } from "./tape.ts";

// The prices to which filters compare prices: the five-minute average price (Interface 2.8), and the reference price of
// a market with a price range (decision 105). They are polled, because no stream sends them at once.

const PRICES_EVERY_MS = 30_000;
/** How long a market must be selected before its prices are requested. */
const PRICES_AFTER_MS = 300;

/** Null if the market has never traded; the reference price also without a price range or a recent trade. */
interface FilterPrices {
  readonly average: string | null;
  readonly reference: string | null;
}

class FilterPricesPoll {
  #cancel = (): void => {};

  constructor(rest: Rest, world: World, symbol: string, publish: (prices: FilterPrices) => void) {
    const ask = (): void => {
      this.#cancel = untilDone(world, async (isWanted) => {
        const average = rest.get<AveragePrice>("/api/v3/avgPrice", { symbol });
        const [{ price }, reference] = await Promise.all([average, referencePriceOf(rest, symbol)]);
        if (!isWanted()) return;
        publish({ average: isZero(decimal(price)) ? null : price, reference });
        this.#cancel = world.after(PRICES_EVERY_MS, ask);
      });
    };
    this.#cancel = world.after(PRICES_AFTER_MS, ask);
  }

  close(): void {
    this.#cancel();
  }
}

/** The rules are requested first, because a market without a range answers with an error, which browsers log. */
async function referencePriceOf(rest: Rest, symbol: string): Promise<string | null> {
  try {
    const { symbolRules } = await rest.get<{ readonly symbolRules: readonly SymbolRules[] }>("/api/v3/executionRules", {
      symbol,
    });
    if (symbolRules.length === 0) return null;
    return (await rest.get<ReferencePrice>("/api/v3/referencePrice", { symbol })).referencePrice;
  } catch (error) {
    // Older nodes have no price ranges.
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}

// The market data feed.

export interface FeedParts {
  readonly rest: Rest;
  readonly streams: Streams;
  readonly world: World;
  /** The market to show if none is selected. If the node does not list it, the first market that is trading is shown. */
  readonly symbol?: string | undefined;
}

/** How often the clock offset and the rules and statuses of markets are refreshed. */
const LOOK_EVERY_MS = 60_000;
/** After a reconnect, market data newer than this is not fetched again. */
const FRESH_LOOK_MS = 1_000;
/** The delay before a selected market is loaded, because each load fetches a snapshot. */
const SETTLED_MS = 200;

interface Looked {
  close(): void;
}

type Markets = ReadonlyMap<string, Market>;

/** The market of a symbol in any case, as people type it into an address. */
const find = (markets: Markets, symbol: string): Market | undefined =>
  markets.get(symbol) ?? markets.get(symbol.toUpperCase());

function firstOf(markets: Markets, preferred = ""): Market | undefined {
  const all = [...markets.values()];
  return markets.get(preferred) ?? all.find(({ status }) => status === "TRADING") ?? all[0];
}

export class Feed {
  readonly #parts: FeedParts;
  readonly #tickers: Tickers;
  readonly #markets = signal<Markets>(new Map());
  readonly markets: ReadonlySignal<Markets> = this.#markets;
  readonly #market = signal<Market | null>(null);
  /** The selected market; null before the first response, or if the node lists no markets. */
  readonly market: ReadonlySignal<Market | null> = this.#market;
  readonly #book;
  readonly #prints = signal<readonly Print[]>([]);
  /** The selected market's trades, newest first, at most 200. */
  readonly prints: ReadonlySignal<readonly Print[]> = this.#prints;
  readonly #averagePrice = signal<string | null>(null);
  /**
   * The average price to which the selected market's filters compare prices, at most half a minute old; null until it
   * is known.
   */
  readonly averagePrice: ReadonlySignal<string | null> = this.#averagePrice;
  readonly #referencePrice = signal<string | null>(null);
  /** The reference price, which replaces it in a market with a price range; null if there is none. */
  readonly referencePrice: ReadonlySignal<string | null> = this.#referencePrice;
  readonly #failure = signal<string | null>(null);
  /** Why the last request for market data failed; null if it succeeded. Failed requests are retried automatically. */
  readonly failure: ReadonlySignal<string | null> = this.#failure;
  readonly #failures = new Map<string, string>();
  #origin: Promise<StepOrigin> | null = null;
  readonly #digitsSeen = new Map<string, Digits>();
  readonly #endWatch: () => void;
  readonly #unlisted = signal<string | null>(null);
  /** The selected symbol if the node does not list it: then no market is shown. */
  readonly unlisted: ReadonlySignal<string | null> = this.#unlisted;
  #selected: string | undefined;
  #shownMs = -Infinity;
  #looked: readonly Looked[] = [];
  #lookedMs = -Infinity;
  #cancelLook = (): void => {};

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#book = signal<Book>(this.#emptyBook(""));
    this.#tickers = new Tickers(parts.rest, parts.streams, parts.world, this.#failedIn("tickers"));
    this.#look();
    // After a reconnect, all data may have changed.
    this.#endWatch = parts.streams.state.subscribe(({ state }) => state === "live" && this.#lookAgain());
  }

  get connection(): ReadonlySignal<Connection> {
    return this.#parts.streams.state;
  }

  /**
   * Until when the node rejects all requests from this IP address (429, 418), by this machine's clock; null if it does
   * not.
   */
  get blockedUntilMs(): ReadonlySignal<number | null> {
    return this.#parts.rest.blockedUntilMs;
  }

  /** The node's clock minus this machine's, in milliseconds; null until it is known. */
  get clockOffsetMs(): ReadonlySignal<number | null> {
    return this.#parts.rest.clock.offsetMs;
  }

  /** The part of it that the duration of a request cannot explain. */
  get certainOffsetMs(): ReadonlySignal<number> {
    return this.#parts.rest.clock.certainOffsetMs;
  }

  get tickers(): ReadonlySignal<ReadonlyMap<string, Ticker>> {
    return this.#tickers.tickers;
  }

  /** The selected market's book. After a change of market, it is empty and `loading` at first. */
  get book(): ReadonlySignal<Book> {
    return this.#book;
  }

  /** Shows a market, now or when the markets have been loaded. The case of the symbol does not matter. */
  select(symbol: string): void {
    this.#selected = symbol;
    const markets = this.#markets.value;
    if (markets.size === 0) return;
    const market = find(markets, symbol);
    if (market?.symbol !== this.#market.value?.symbol) this.#showSelected(markets);
  }

  /** Fetches the rules and statuses of markets at once, after they were changed. */
  refresh(): void {
    this.#look();
  }

  candles(symbol: string, interval: Interval): CandleFeed {
    return new CandleStream(this.#parts.rest, this.#parts.streams, symbol, interval);
  }

  /** Ends all subscriptions. */
  close(): void {
    this.#endWatch();
    this.#cancelLook();
    this.#leave();
    this.#tickers.close();
  }

  /** Returns a callback for the outcome of one kind of request. Errors of other requests stay visible. */
  #failedIn(what: string): (why: string | null) => void {
    return (why) => {
      if (why === null) this.#failures.delete(what);
      else this.#failures.set(what, why);
      this.#failure.value = this.#failures.values().next().value ?? null;
    };
  }

  /** Fetches market data again after a reconnect. On the first connection, it may be pending or have just arrived. */
  #lookAgain(): void {
    this.#origin = null;
    if (this.#parts.world.elapsedMs() - this.#lookedMs > FRESH_LOOK_MS) this.#look();
  }

  #look(): void {
    const { rest, world } = this.#parts;
    this.#lookedMs = world.elapsedMs();
    const failed = this.#failedIn("markets");
    this.#cancelLook();
    this.#cancelLook = untilDone(
      world,
      async (isWanted) => {
        const exchangeInfo = rest.get<ExchangeInfo>("/api/v3/exchangeInfo");
        const [info, origin] = await Promise.all([exchangeInfo, this.#readOrigin(), rest.readClock()]);
        if (!isWanted()) return;
        this.#learn(marketsOf(info, this.#digitsSeen, origin));
        failed(null);
        this.#cancelLook = world.after(LOOK_EVERY_MS, () => this.#look());
      },
      (error) => failed(error instanceof Error ? error.message : null),
    );
  }

  /** Where steps are counted from. It is read once for each connection: only a restart changes it. */
  #readOrigin(): Promise<StepOrigin> {
    this.#origin ??= this.#parts.rest
      .terminalFacts<{ readonly interface?: string }>()
      .then((facts) => stepOriginOf(facts.interface))
      .catch((error: unknown) => {
        this.#origin = null;
        // Older nodes do not have the route.
        if (error instanceof Refused && error.status === 404) return stepOriginOf(undefined);
        throw error;
      });
    return this.#origin;
  }

  #learn(markets: Markets): void {
    const before = this.#markets.value;
    const isSame = (one: Market | undefined, other: Market): boolean => JSON.stringify(one) === JSON.stringify(other);
    const next = new Map([...markets].map(([symbol, market]) => [symbol, unchanged(before.get(symbol), market)]));
    function unchanged(old: Market | undefined, market: Market): Market {
      return old !== undefined && isSame(old, market) ? old : market;
    }
    batch(() => {
      this.#markets.value = next;
      const shown = this.#market.value;
      const same = shown === null ? undefined : next.get(shown.symbol);
      if (same === undefined) this.#showSelected(next);
      else if (same !== shown) this.#renew(same, shown);
    });
  }

  /** Shows the selected market, or a first one if none is selected. Never shows another market than the selected one. */
  #showSelected(markets: Markets): void {
    const selected = this.#selected;
    const market = selected === undefined ? firstOf(markets, this.#parts.symbol) : find(markets, selected);
    if (market !== undefined) return this.#show(market);
    this.#leave();
    batch(() => {
      this.#market.value = null;
      this.#unlisted.value = markets.size === 0 ? null : (selected ?? null);
    });
  }

  /** Applies changed rules of the selected market. The book is loaded again only if the digits have changed. */
  #renew(market: Market, before: Market | null): void {
    const isSameScale = market.priceDigits === before?.priceDigits && market.quantityDigits === before.quantityDigits;
    if (isSameScale) this.#market.value = market;
    else this.#show(market);
  }

  #show(market: Market): void {
    const { world } = this.#parts;
    this.#leave();
    batch(() => {
      this.#market.value = market;
      this.#unlisted.value = null;
      this.#book.value = this.#emptyBook(market.symbol);
      this.#prints.value = [];
      this.#averagePrice.value = null;
      this.#referencePrice.value = null;
    });
    const sinceMs = world.elapsedMs() - this.#shownMs;
    this.#shownMs = world.elapsedMs();
    if (sinceMs > SETTLED_MS) this.#follow(market);
    else this.#looked = [{ close: world.after(SETTLED_MS, () => this.#follow(market)) }];
  }

  #follow(market: Market): void {
    const { rest, streams, world } = this.#parts;
    const shared = { rest, streams, world, market };
    this.#looked = [
      new BookKeeper({
        ...shared,
        failed: this.#failedIn("book"),
        publish: (book) => (this.#book.value = book),
        finer: (digits) => this.#refine(market.symbol, digits),
      }),
      new Tape({
        ...shared,
        failed: this.#failedIn("trades"),
        publish: (prints) =>
          batch(() => {
            this.#prints.value = prints;
            this.#tickers.traded(market.symbol, prints[0]);
          }),
      }),
      new FilterPricesPoll(rest, world, market.symbol, ({ average, reference }) =>
        batch(() => {
          this.#averagePrice.value = average;
          this.#referencePrice.value = reference;
        }),
      ),
    ];
  }

  #refine(symbol: string, digits: Digits): void {
    this.#digitsSeen.set(symbol, digits);
    const refined = new Map(this.#markets.value);
    const market = refined.get(symbol);
    if (market !== undefined) refined.set(symbol, { ...market, ...digits });
    this.#learn(refined);
  }

  #leave(): void {
    for (const looked of this.#looked) looked.close();
    this.#looked = [];
    for (const what of ["book", "trades"]) this.#failedIn(what)(null);
  }

  #emptyBook(symbol: string): Book {
    return { symbol, lastUpdateId: 0, bids: [], asks: [], freshness: "loading", atMs: this.#parts.world.nowMs() };
  }
}
