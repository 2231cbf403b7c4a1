/**
 * `@ticker`, `@miniTicker` and tickers of windows (`@ticker_1h`), of one market or of all markets whose ticker has
 * changed. Interface 10.3.
 */
import { type DepthLevel, type EngineView, type MarketView, MINUTE_MS, type TickerView } from "@pricetime/engine";
import { type WindowTicker, windowSizeMs } from "@pricetime/protocol";
import { z } from "zod";
import { type DayTicker, dayTickerShape, readDayTicker, windowUntil } from "../../../history/shapes/market-data.ts";
import type { SavedState } from "../../../platform/world/port.ts";
import { savedBigint, savedCount } from "../../../platform/world/saved-state.ts";
import { amountText, priceText, volumeText } from "../../../history/shapes/amounts.ts";
import { atOnce, type Pieces } from "../../answers/long-list.ts";
import type { ArrayPeriod, MarketContext, MarketStream, StreamPlace, WindowSize } from "./market-stream.ts";

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
  #isOpen = true;

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

  close(): void {
    this.#isOpen = false;
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
    if (pieces.length > 0 && this.#isOpen) this.#context.publisher.publish(this.#name, `[${pieces.join(",")}]`);
  }
}

/** Flattens each ASCII text now. Otherwise V8 would join all strings at once in the last turn. */
function inOnePiece(messages: readonly string[]): string {
  return Buffer.from(messages.join(","), "latin1").toString("latin1");
}

// Tickers of windows. They are read from history, as for `GET ticker`: when the market has traded, and each minute,
// because windows start with whole minutes.

/** Number of windows in one query, so that a reader thread is not occupied for long. */
const WINDOWS_A_QUERY = 100;
const UNREADABLE = "cannot read tickers of windows from history, retrying each second";

/** Reads windows for all streams, one query at a time. Streams that need the same window share it. */
export class WindowReads {
  readonly #context: MarketContext;
  readonly #waiting = new Map<WindowSize, Map<number, PromiseWithResolvers<WindowTicker>>>();
  #isRunning = false;
  #isFailing = false;

  constructor(context: MarketContext) {
    this.#context = context;
  }

  /** The window of a market, read after this call. Rejects if history cannot be read, which is logged once. */
  read(size: WindowSize, symbolId: number): Promise<WindowTicker> {
    let waiting = this.#waiting.get(size);
    if (waiting === undefined) this.#waiting.set(size, (waiting = new Map()));
    let result = waiting.get(symbolId);
    if (result === undefined) waiting.set(symbolId, (result = Promise.withResolvers()));
    if (!this.#isRunning) void this.#run();
    return result.promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // All streams of this beat ask first.
    await Promise.resolve();
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) await this.#readSome(...next);
    this.#isRunning = false;
  }

  async #readSome(size: WindowSize, waiting: Map<number, PromiseWithResolvers<WindowTicker>>): Promise<void> {
    const some = [...waiting].slice(0, WINDOWS_A_QUERY);
    for (const [symbolId] of some) waiting.delete(symbolId);
    if (waiting.size === 0) this.#waiting.delete(size);
    const { history, engine } = this.#context;
    const symbolIds = some.map(([symbolId]) => symbolId);
    const bounds = windowUntil(this.#context.nowMs(), windowSizeMs(size) ?? 0);
    try {
      const rows = await history.query(engine.seq, "windows", { symbolIds, ...bounds });
      for (const [at, [, result]] of some.entries()) result.resolve(rows[at] as WindowTicker);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#context.log.error({ err: error, size }, UNREADABLE);
      this.#isFailing = true;
      for (const [, result] of some) result.reject(error);
    }
  }
}

const SAVED_WINDOW = z.strictObject({
  updateId: savedCount,
  minute: savedCount,
  tradeId: z.int().min(-1),
  hasTraded: z.boolean(),
  isDue: z.boolean(),
  told: z.string().nullable(),
});

/** Detects changes of a market's window. */
class ChangingWindow {
  readonly market: MarketView;
  readonly #context: MarketContext;
  readonly #size: WindowSize;
  #updateId: number;
  #minute: number;
  #tradeId: number;
  /** Whether the market has traded since the stream was opened. */
  #hasTraded: boolean;
  /** The fields of the last message or, before it, those at the first reading; null before that. */
  #told: string | null;
  /** Whether a change was noticed that has not been read yet. */
  #isDue: boolean;

  constructor(market: MarketView, context: MarketContext, size: WindowSize, saved: SavedState, name: string) {
    this.market = market;
    this.#context = context;
    this.#size = size;
    const restored = saved.restore(name, SAVED_WINDOW, () => ({
      ...{ updateId: this.#updateId, minute: this.#minute, tradeId: this.#tradeId },
      ...{ hasTraded: this.#hasTraded, isDue: this.#isDue, told: this.#told },
    }));
    const nowMs = context.nowMs();
    this.#updateId = restored?.updateId ?? market.bookUpdateId;
    this.#minute = restored?.minute ?? Math.floor(nowMs / MINUTE_MS);
    this.#tradeId = restored?.tradeId ?? market.ticker(nowMs).lastTradeId;
    this.#hasTraded = restored?.hasTraded ?? false;
    this.#isDue = restored?.isDue ?? false;
    this.#told = restored?.told ?? null;
  }

  /** Whether the window must be read: it has not been yet, or may have changed. */
  isDue(): boolean {
    const { bookUpdateId } = this.market;
    const nowMs = this.#context.nowMs();
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute || this.#told === null) this.#isDue = true;
    this.#minute = minute;
    if (bookUpdateId === this.#updateId) return this.#isDue;
    this.#updateId = bookUpdateId;
    const { lastTradeId } = this.market.ticker(nowMs);
    if (lastTradeId === this.#tradeId) return this.#isDue;
    this.#tradeId = lastTradeId;
    this.#hasTraded = true;
    this.#isDue = true;
    return true;
  }

  /** Returns the message about a window that was read, if it has changed. */
  message(row: WindowTicker): string | undefined {
    this.#isDue = false;
    const fields = windowFields(row);
    const ids = `"F":${row.firstId},"L":${row.lastId},"n":${row.count}`;
    // The times of the window change constantly.
    const told = `${fields},${ids}`;
    if (told === this.#told) return undefined;
    const isChange = this.#told !== null || this.#hasTraded;
    this.#told = told;
    if (!isChange) return undefined;
    const head = `"e":"${this.#size}Ticker","E":${this.#context.nowMs()},"s":"${row.symbol}"`;
    return `{${head},${fields},"O":${row.openTime},"C":${row.closeTime},${ids}}`;
  }
}

function windowFields(row: WindowTicker): string {
  return (
    `"p":"${row.priceChange}","P":"${row.priceChangePercent}","o":"${row.openPrice}","h":"${row.highPrice}",` +
    `"l":"${row.lowPrice}","c":"${row.lastPrice}","w":"${row.weightedAvgPrice}","v":"${row.volume}",` +
    `"q":"${row.quoteVolume}"`
  );
}

export class WindowTickerStream implements MarketStream {
  readonly periodMs = PERIOD_MS;
  readonly #place: StreamPlace;
  readonly #size: WindowSize;
  readonly #reads: WindowReads;
  readonly #window: ChangingWindow;
  #isReading = false;
  #isOpen = true;

  constructor(place: StreamPlace, size: WindowSize, reads: WindowReads) {
    this.#place = place;
    this.#size = size;
    this.#reads = reads;
    this.#window = new ChangingWindow(place.market, place, size, place.saved, place.name);
  }

  flush(): void {
    // In this order: a trade that is noticed while the window is read would be forgotten when the reading ends.
    if (this.#isReading || !this.#window.isDue()) return;
    this.#isReading = true;
    void this.#read();
  }

  close(): void {
    this.#isOpen = false;
  }

  async #read(): Promise<void> {
    const { name, market, publisher } = this.#place;
    try {
      const row = await this.#reads.read(this.#size, market.symbolId);
      const message = this.#isOpen ? this.#window.message(row) : undefined;
      if (message !== undefined) publisher.publish(name, message);
    } catch {
      // Read again in the next period.
    }
    this.#isReading = false;
  }
}

/** The windows of all markets that changed, in one array. */
export class AllWindowsStream {
  readonly periodMs = PERIOD_MS;
  readonly #name: string;
  readonly #context: MarketContext;
  readonly #size: WindowSize;
  readonly #reads: WindowReads;
  readonly #saved: SavedState;
  readonly #windows: ChangingWindow[] = [];
  #isReading = false;
  #isOpen = true;

  /** `saved` is the saved state of this stream. */
  constructor(name: string, context: MarketContext, size: WindowSize, reads: WindowReads, saved: SavedState) {
    this.#name = name;
    this.#context = context;
    this.#size = size;
    this.#reads = reads;
    this.#saved = saved;
  }

  add(market: MarketView): void {
    this.#windows.push(new ChangingWindow(market, this.#context, this.#size, this.#saved, market.spec.symbol));
  }

  flush(): void {
    if (this.#isReading) return;
    const due = this.#windows.filter((window) => window.isDue());
    if (due.length === 0) return;
    this.#isReading = true;
    void this.#read(due);
  }

  close(): void {
    this.#isOpen = false;
  }

  async #read(due: readonly ChangingWindow[]): Promise<void> {
    try {
      // Each window's message is written when its query has answered, so no turn writes all of them.
      const read = due.map(async (window) =>
        window.message(await this.#reads.read(this.#size, window.market.symbolId)),
      );
      const messages = (await Promise.all(read)).filter((message) => message !== undefined);
      if (messages.length > 0 && this.#isOpen) this.#context.publisher.publish(this.#name, `[${inOnePiece(messages)}]`);
    } catch {
      // Read again in the next period.
    }
    this.#isReading = false;
  }
}
