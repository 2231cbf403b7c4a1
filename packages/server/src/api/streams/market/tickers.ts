/** `@ticker` and `@miniTicker` of one market, or of all markets whose ticker has changed. Interface 10.3. */
import { type DepthLevel, type EngineView, type MarketView, MINUTE_MS, type TickerView } from "@pricetime/engine";
import { z } from "zod";
import { type DayTicker, dayTickerShape, readDayTicker } from "../../../history/shapes/market-data.ts";
import type { SavedState } from "../../../platform/world/port.ts";
import { savedBigint, savedCount } from "../../../platform/world/saved-state.ts";
import { amountText, priceText, volumeText } from "../../../history/shapes/amounts.ts";
import { atOnce, type Pieces } from "../../answers/long-list.ts";
import type { ArrayPeriod, MarketContext, MarketStream, StreamPlace } from "./market-stream.ts";

// The last ticker that was sent, as stored in checkpoints.

const level: z.ZodType<DepthLevel> = z.tuple([savedCount, savedCount]);
const ticker: z.ZodType<TickerView> = z.strictObject({
  prevCloseTicks: savedCount,
  openTicks: savedCount,
  highTicks: savedCount,
  lowTicks: savedCount,
  lastTicks: savedCount,
  lastLots: savedCount,
  volumeLots: savedBigint,
  quoteVolume: savedBigint,
  openTimeMs: savedCount,
  closeTimeMs: savedCount,
  firstTradeId: z.int(),
  lastTradeId: z.int(),
  count: savedCount,
});

const SAVED_TICKER = z.strictObject({
  /** The book's update id at the last comparison. */
  updateId: savedCount,
  minute: savedCount,
  told: z.strictObject({ bid: level, ask: level, ticker }),
});

const PERIOD_MS = 1000;

export type TickerKind = "ticker" | "miniTicker";

/** A kind of ticker: the fields that count as changes, and the message. */
interface TickerForm {
  readonly event: string;
  /** Compares only fields that the message contains. */
  readonly isSame: (one: DayTicker, other: DayTicker) => boolean;
  readonly fields: (engine: EngineView, read: DayTicker) => string;
}

/** Detects changes of one market's ticker. Compares numbers before it generates any text. */
class ChangingTicker {
  readonly #market: MarketView;
  readonly #context: MarketContext;
  readonly #form: TickerForm;
  #updateId: number;
  #minute: number;
  #told: DayTicker;

  /** `name` is the name under which the state is saved. */
  constructor(market: MarketView, context: MarketContext, kind: TickerKind, saved: SavedState, name: string) {
    this.#market = market;
    this.#context = context;
    this.#form = FORMS[kind];
    const nowMs = context.nowMs();
    const restored = saved.restore(name, SAVED_TICKER, () => {
      const { bid, ask, ticker: told } = this.#told;
      const amounts = { volumeLots: String(told.volumeLots), quoteVolume: String(told.quoteVolume) };
      return { updateId: this.#updateId, minute: this.#minute, told: { bid, ask, ticker: { ...told, ...amounts } } };
    });
    this.#updateId = restored?.updateId ?? market.bookUpdateId;
    this.#minute = restored?.minute ?? Math.floor(nowMs / MINUTE_MS);
    this.#told = restored === undefined ? readDayTicker(market, nowMs) : { market, ...restored.told };
  }

  /**
   * Returns the message if the ticker has changed. Every trade changes the book, so the book's update id also detects
   * trades.
   */
  change(): string | undefined {
    const { bookUpdateId, spec } = this.#market;
    const nowMs = this.#context.nowMs();
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (bookUpdateId === this.#updateId && minute === this.#minute) return undefined;
    this.#updateId = bookUpdateId;
    this.#minute = minute;
    const read = readDayTicker(this.#market, nowMs);
    const { event, isSame, fields } = this.#form;
    if (isSame(read, this.#told)) return undefined;
    this.#told = read;
    return `{"e":"${event}","E":${nowMs},"s":"${spec.symbol}",${fields(this.#context.engine, read)}}`;
  }
}

const FORMS: Readonly<Record<TickerKind, TickerForm>> = {
  ticker: {
    event: "24hrTicker",
    isSame: (one, other) => isSameTop(one, other) && isSameDay(one.ticker, other.ticker),
    fields: tickerFields,
  },
  miniTicker: {
    event: "24hrMiniTicker",
    isSame: (one, other) => arePricesSame(one.ticker, other.ticker),
    fields: miniTickerFields,
  },
};

function isSameTop({ bid, ask }: DayTicker, other: DayTicker): boolean {
  return isSameLevel(bid, other.bid) && isSameLevel(ask, other.ask);
}

function isSameLevel(one: DepthLevel, other: DepthLevel): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

/** Compares all fields except the times of the window, which change constantly. */
function isSameDay(one: TickerView, other: TickerView): boolean {
  return (
    arePricesSame(one, other) &&
    one.prevCloseTicks === other.prevCloseTicks &&
    one.lastLots === other.lastLots &&
    one.firstTradeId === other.firstTradeId &&
    one.lastTradeId === other.lastTradeId &&
    one.count === other.count
  );
}

function arePricesSame(one: TickerView, other: TickerView): boolean {
  return (
    one.lastTicks === other.lastTicks &&
    one.openTicks === other.openTicks &&
    one.highTicks === other.highTicks &&
    one.lowTicks === other.lowTicks &&
    one.volumeLots === other.volumeLots &&
    one.quoteVolume === other.quoteVolume
  );
}

function tickerFields(engine: EngineView, read: DayTicker): string {
  const ticker = dayTickerShape(engine, read);
  return (
    `"p":"${ticker.priceChange}","P":"${ticker.priceChangePercent}","w":"${ticker.weightedAvgPrice}",` +
    `"x":"${ticker.prevClosePrice}","c":"${ticker.lastPrice}","Q":"${ticker.lastQty}",` +
    `"b":"${ticker.bidPrice}","B":"${ticker.bidQty}","a":"${ticker.askPrice}","A":"${ticker.askQty}",` +
    `"o":"${ticker.openPrice}","h":"${ticker.highPrice}","l":"${ticker.lowPrice}",` +
    `"v":"${ticker.volume}","q":"${ticker.quoteVolume}","O":${ticker.openTime},"C":${ticker.closeTime},` +
    `"F":${ticker.firstId},"L":${ticker.lastId},"n":${ticker.count}`
  );
}

function miniTickerFields(engine: EngineView, { market, ticker }: DayTicker): string {
  return (
    `"c":"${priceText(market, ticker.lastTicks)}","o":"${priceText(market, ticker.openTicks)}",` +
    `"h":"${priceText(market, ticker.highTicks)}","l":"${priceText(market, ticker.lowTicks)}",` +
    `"v":"${volumeText(market, ticker.volumeLots)}",` +
    `"q":"${amountText(engine, market.quoteAssetId, ticker.quoteVolume)}"`
  );
}

export class TickerStream implements MarketStream {
  readonly periodMs = PERIOD_MS;
  readonly #place: StreamPlace;
  readonly #ticker: ChangingTicker;

  constructor(place: StreamPlace, kind: TickerKind) {
    this.#place = place;
    this.#ticker = new ChangingTicker(place.market, place, kind, place.saved, place.name);
  }

  flush(): void {
    const message = this.#ticker.change();
    if (message !== undefined) this.#place.publisher.publish(this.#place.name, message);
  }
}

/** Number of tickers checked per piece. */
const TICKERS_A_PIECE = 25;

/**
 * The tickers of all changed markets in one array. The array is generated over several turns of the event loop, and
 * each ticker is as of its own `E`. A change during that time is sent one period later.
 */
export class AllTickersStream {
  readonly periodMs: ArrayPeriod;
  readonly #name: string;
  readonly #context: MarketContext;
  readonly #kind: TickerKind;
  readonly #saved: SavedState;
  readonly #tickers: ChangingTicker[] = [];
  #isMaking = false;

  /** `saved` is the saved state of this stream. */
  constructor(name: string, context: MarketContext, kind: TickerKind, periodMs: ArrayPeriod, saved: SavedState) {
    this.#name = name;
    this.#saved = saved;
    this.#context = context;
    this.#kind = kind;
    this.periodMs = periodMs;
  }

  add(market: MarketView): void {
    this.#tickers.push(new ChangingTicker(market, this.#context, this.#kind, this.#saved, market.spec.symbol));
  }

  flush(): void {
    if (this.#isMaking) return;
    if (this.#tickers.length <= TICKERS_A_PIECE) {
      atOnce(this.#pieces());
      return;
    }
    this.#isMaking = true;
    const made = (): void => {
      this.#isMaking = false;
    };
    // An error ends the process, as it would in a timer.
    void this.#context.turns.make(this.#name, () => this.#pieces()).then(made);
  }

  *#pieces(): Pieces<void> {
    const pieces: string[] = [];
    let changed: string[] = [];
    for (const [at, ticker] of this.#tickers.entries()) {
      if (at > 0 && at % TICKERS_A_PIECE === 0) {
        if (changed.length > 0) pieces.push(inOnePiece(changed));
        changed = [];
        yield;
      }
      const message = ticker.change();
      if (message !== undefined) changed.push(message);
    }
    if (changed.length > 0) pieces.push(inOnePiece(changed));
    if (pieces.length > 0) this.#context.publisher.publish(this.#name, `[${pieces.join(",")}]`);
  }
}

/** Flattens each ASCII text now. Otherwise V8 would join all strings at once in the last turn. */
function inOnePiece(messages: readonly string[]): string {
  return Buffer.from(messages.join(","), "latin1").toString("latin1");
}
