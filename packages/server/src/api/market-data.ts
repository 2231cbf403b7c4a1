/** Public endpoints: exchange information, order books, trades, klines and tickers. Interface 4.1. */
import { type Call, json } from "./call.ts";
import { Refused } from "./edge/refusals.ts";
import { atOnce, type MaybeLong, type Pieces, writeRows } from "./answers/long-list.ts";
import { marketOf, marketsOf, ofStatus, windowOf } from "./parameters.ts";
import { DAY_MS, type MarketView } from "@pricetime/engine";
import { type LongBody, LongTextWriter } from "./answers/long-text.ts";
import {
  AVERAGE_PRICE_MINS,
  bookTickerShape,
  dayTickerShape,
  levelsJson,
  levelWriter,
  miniTickerShape,
  priceTickerShape,
  readBookTop,
  readDayTicker,
  readLastPrice,
  windowUntil,
} from "../history/shapes/market-data.ts";
import { type KlineInterval, NO_REFERENCE_PRICE, openTimeOf, timeZoneOffset, windowSizeMs } from "@pricetime/protocol";
import { HistoryBehind, type Window, type WindowBounds } from "../history/port.ts";
import { averageText } from "../history/shapes/amounts.ts";

// General information. Interface 4.1 (ping, time, exchangeInfo) and Interface S.16.

export function ping(): string {
  return "{}";
}

export function time(call: Call): string {
  return `{"serverTime":${call.nowMs}}`;
}

export function exchangeInfo(call: Call): MaybeLong {
  const { exchangeInfo: full, sequencer, venueInterface } = call.venue;
  const showsPermissionSets = call.optionalText("showPermissionSets") !== "false";
  const showsConnections = call.isOverWebSocket && venueInterface.announcesConnections;
  const info = full.variant({ showsPermissionSets, showsConnections });
  const asked = isSpotAsked(call) ? marketsOf(call) : [];
  const nowMs = (): number => sequencer.nowMs();
  if (asked === undefined) return info.all(nowMs);
  return info.some("length" in asked ? asked : [asked], nowMs);
}

/**
 * Whether the request includes SPOT, the only permission of all symbols. `permissions` is a word or a JSON array of
 * words.
 */
function isSpotAsked(call: Call): boolean {
  const permissions = call.optionalText("permissions");
  return permissions === undefined || permissions.split(/[^A-Z0-9_]/).includes("SPOT");
}

/** Empty, because the exchange has no margin markets. */
export function marginPairs(): string {
  return "[]";
}

/** Empty, because the exchange has no futures markets. */
export function futuresExchangeInfo(call: Call): string {
  return JSON.stringify({
    timezone: "UTC",
    serverTime: call.nowMs,
    rateLimits: [],
    exchangeFilters: [],
    assets: [],
    symbols: [],
  });
}

// Endpoints of features that the exchange does not have: their symbols and parameters are checked.

export function blockTrades(call: Call): string {
  marketOf(call);
  return "[]";
}

// Price ranges. Interface 3.14.

export function executionRules(call: Call): string {
  const markets = marketsOf(call) ?? call.venue.engine.markets();
  const symbolRules = [markets].flat().flatMap(({ spec: { symbol, priceRange } }) => {
    if (priceRange === undefined) return [];
    const { bucketCount: _count, bucketWidthMs: _width, ...bounds } = priceRange;
    const rule = { ruleType: "PRICE_RANGE" as const, ...bounds };
    return Object.keys(bounds).length === 0 ? [] : [{ symbol, rules: [rule] }];
  });
  return json<"executionRules">({ symbolRules });
}

export function referencePrice(call: Call): string {
  const market = marketOf(call);
  const { symbol } = rangeOf(market);
  const price = market.referencePrice(call.nowMs);
  return json<"referencePrice">({
    symbol,
    referencePrice: price === null ? null : averageText(market, price),
    timestamp: call.nowMs,
  });
}

export function referencePriceCalculation(call: Call): string {
  const { symbol, priceRange } = rangeOf(ofStatus(marketOf(call), call.optionalText("symbolStatus")));
  const { bucketCount, bucketWidthMs } = priceRange;
  return json<"referencePrice.calculation">({
    symbol,
    calculationType: "ARITHMETIC_MEAN",
    bucketCount,
    bucketWidthMs,
  });
}

function rangeOf({ spec: { symbol, priceRange } }: MarketView) {
  if (priceRange === undefined) throw new Refused(NO_REFERENCE_PRICE);
  return { symbol, priceRange };
}

// The order book (Interface 2.6). The JSON is written by hand, because these responses are frequent and long.

/** Number of levels per piece: more than most clients request. */
const LEVELS_A_PIECE = 500;

export function depth(call: Call): MaybeLong {
  const market = ofStatus(marketOf(call), call.optionalText("symbolStatus"));
  const limit = call.limit();
  if (limit > LEVELS_A_PIECE) {
    return call.venue.turns.make(`depth ${market.symbolId} ${limit}`, () => depthPieces(market, limit));
  }
  const bids = levelsJson(market, market.bids(limit));
  return `{"lastUpdateId":${market.bookUpdateId},"bids":${bids},"asks":${levelsJson(market, market.asks(limit))}}`;
}

function* depthPieces(market: MarketView, limit: number): Pieces<LongBody> {
  const { bookUpdateId } = market;
  const bidsAtFirst = market.bids(limit);
  yield;
  // Both sides must be from the same instant, that of the asks.
  const asks = market.asks(limit);
  const bids = market.bookUpdateId === bookUpdateId ? bidsAtFirst : market.bids(limit);
  const before = `{"lastUpdateId":${market.bookUpdateId},"bids":[`;
  yield;
  const writing = { rowsAPiece: LEVELS_A_PIECE, write: levelWriter(market) };
  const text = new LongTextWriter();
  yield* writeRows(text, bids, writing, before, `],"asks":[`);
  yield* writeRows(text, asks, writing, "", "]}");
  return { head: "", text: text.text() };
}

// Public trades, aggregate trades and klines, from history. Interface 2.6, 4.1.

async function tradesIn(call: Call, window: Window): Promise<string> {
  const { engine, history } = call.venue;
  return history.query(engine.seq, "tradePage", { symbolId: marketOf(call).symbolId, ...window });
}

export function recentTrades(call: Call): Promise<string> {
  return tradesIn(call, { limit: call.limit() });
}

export function historicalTrades(call: Call): Promise<string> {
  const fromId = call.integer("fromId");
  return tradesIn(call, fromId === undefined ? { limit: call.limit() } : { fromId, limit: call.limit() });
}

export async function aggTrades(call: Call): Promise<string> {
  const { engine, history, venueInterface } = call.venue;
  const market = marketOf(call);
  const window = windowOf(call, {
    fromId: call.integer("fromId"),
    maxHours: venueInterface.aggTradesMaxHours,
    backwards: "empty",
  });
  if (window === null) return "[]";
  return history.query(engine.seq, "aggTradePage", { symbolId: market.symbolId, ...window });
}

/** How far the local time of `timeZone` is ahead of UTC. */
function offsetOf(call: Call): number {
  return timeZoneOffset(call.optionalText("timeZone") ?? "0") ?? 0;
}

export async function klines(call: Call): Promise<string> {
  const { engine, history } = call.venue;
  const market = marketOf(call);
  const window = windowOf(call, { fromId: undefined, maxHours: undefined, backwards: "empty" });
  if (window === null) return "[]";
  const interval = call.text("interval") as KlineInterval;
  const of = { symbolId: market.symbolId, interval, offsetMs: offsetOf(call), nowMs: call.nowMs };
  return history.query(engine.seq, "klinePage", { ...of, ...window });
}

// Average price and tickers, from the engine's state. Interface 4.1.

export async function averagePrice(call: Call): Promise<string> {
  const market = marketOf(call);
  const average = averageText(market, market.averagePrice(AVERAGE_PRICE_MINS, call.nowMs));
  const last = await lastTradeMs(call, market);
  const closeTime = last === undefined ? "" : `,"closeTime":${last}`;
  return `{"mins":${AVERAGE_PRICE_MINS},"price":"${average}"${closeTime}}`;
}

/**
 * The time of the last trade that history has, 0 if there is none; undefined if a lab keeps none. The answer does not
 * wait for history, because the average price is the engine's.
 */
async function lastTradeMs(call: Call, { symbolId }: MarketView): Promise<number | undefined> {
  try {
    const [last] = await call.venue.history.query(0, "trades", { symbolId, limit: 1 });
    return last?.time ?? 0;
  } catch (error) {
    if (error instanceof HistoryBehind) return undefined;
    throw error;
  }
}

/** A kind of ticker: how it is read from a market, and its JSON. */
interface TickerKind<Read> {
  readonly name: string;
  readonly rowsAPiece: number;
  readonly read: (market: MarketView, nowMs: number) => Read;
  readonly shape: (read: Read) => object;
}

const PRICE = { name: "price", rowsAPiece: 250, read: readLastPrice, shape: priceTickerShape };
const BOOK = { name: "book", rowsAPiece: 100, read: readBookTop, shape: bookTickerShape };
const DAYS_A_PIECE = 25;
/** Larger than the number of tickers written per piece, because reading a market costs less. */
const MARKETS_READ_A_PIECE = 250;

/** One object if `symbol` is given, otherwise an array. */
function oneOrMany<Read>(call: Call, kind: TickerKind<Read>): MaybeLong {
  const asked = marketsOf(call) ?? call.venue.engine.markets();
  return "length" in asked ? manyTickers(call, kind, asked) : JSON.stringify(kind.shape(kind.read(asked, call.nowMs)));
}

function manyTickers<Read>(call: Call, kind: TickerKind<Read>, markets: readonly MarketView[]): MaybeLong {
  const { turns, sequencer } = call.venue;
  const pieces = (): Pieces<LongBody> => tickerPieces(kind, markets, sequencer.nowMs());
  const key = `ticker ${kind.name} ${call.optionalText("symbols") ?? ""} ${call.optionalText("symbolStatus") ?? ""}`;
  return markets.length <= kind.rowsAPiece ? atOnce(pieces()) : turns.make(key, pieces);
}

/** Tickers, all from the same instant: a second pass reads the markets again that have changed since the first. */
function* tickerPieces<Read>(
  { read, shape, rowsAPiece }: TickerKind<Read>,
  markets: readonly MarketView[],
  nowMs: number,
): Pieces<LongBody> {
  const first: { readonly updateId: number; readonly row: Read }[] = [];
  for (const market of markets) {
    first.push({ updateId: market.bookUpdateId, row: read(market, nowMs) });
    if (first.length % MARKETS_READ_A_PIECE === 0) yield;
  }
  const rows = first.map(({ updateId, row }, n) => {
    const market = markets[n] as MarketView;
    return market.bookUpdateId === updateId ? row : read(market, nowMs);
  });
  const text = new LongTextWriter();
  yield* writeRows(text, rows, { rowsAPiece, write: (row) => JSON.stringify(shape(row)) });
  return { head: "", text: text.text() };
}

export function dayTickers(call: Call): MaybeLong {
  const { engine } = call.venue;
  const isMini = call.optionalText("type") === "MINI";
  return oneOrMany(call, {
    name: isMini ? "mini" : "day",
    rowsAPiece: DAYS_A_PIECE,
    read: readDayTicker,
    shape: (row) => (isMini ? miniTickerShape(engine, row) : dayTickerShape(engine, row)),
  });
}

// Statistics of windows and trading days, from history. Interface 4.1.

export function tradingDayTickers(call: Call): Promise<string> {
  const offsetMs = offsetOf(call);
  const fromMs = openTimeOf("1d", call.nowMs, offsetMs);
  const toMs = fromMs + DAY_MS;
  return windows(call, { fromMs, toMs, closeTimeMs: toMs - 1 });
}

export function windowTickers(call: Call): Promise<string> {
  const sizeMs = windowSizeMs(call.optionalText("windowSize") ?? "1d") ?? DAY_MS;
  return windows(call, windowUntil(call.nowMs, sizeMs));
}

async function windows(call: Call, bounds: WindowBounds): Promise<string> {
  const { engine, history } = call.venue;
  const asked = marketsOf(call) ?? [];
  const isOne = !("length" in asked);
  const symbolIds = (isOne ? [asked] : asked).map(({ symbolId }) => symbolId);
  const isMini = call.optionalText("type") === "MINI";
  return history.query(engine.seq, "windowPage", { symbolIds, isOne, isMini, ...bounds });
}

export function priceTickers(call: Call): MaybeLong {
  return oneOrMany(call, PRICE);
}

export function bookTickers(call: Call): MaybeLong {
  return oneOrMany(call, BOOK);
}

export function allPrices(call: Call): MaybeLong {
  return manyTickers(call, PRICE, call.venue.engine.markets());
}

export function allBookTickers(call: Call): MaybeLong {
  return manyTickers(call, BOOK, call.venue.engine.markets());
}
