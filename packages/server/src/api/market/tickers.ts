/** Average price and tickers, from the engine's memory. Interface 4.1. */
import type { MarketView } from "@pricetime/engine";
import type { Call } from "../call.ts";
import { type MaybeLong, writeRows } from "../answers/long-list.ts";
import { type LongBody, LongTextWriter } from "../answers/long-text.ts";
import { atOnce, type Pieces } from "../answers/turns.ts";
import { averageText } from "../../history/shapes/amounts.ts";
import { marketOf, marketsOf } from "../markets.ts";
import {
  bookTickerShape,
  dayTickerShape,
  miniTickerShape,
  priceTickerShape,
  readBookTop,
  readDayTicker,
  readLastPrice,
} from "../../history/shapes/tickers.ts";

/** Interface 2.8, the average price rule. */
const AVERAGE_PRICE_MINS = 5;

export function averagePrice(call: Call): string {
  const market = marketOf(call);
  const average = market.averagePrice(AVERAGE_PRICE_MINS, call.nowMs);
  return `{"mins":${AVERAGE_PRICE_MINS},"price":"${averageText(market, average)}"}`;
}

/** Reads a market at one moment, and writes the JSON of the result. */
interface TickerKind<Read> {
  readonly name: string;
  readonly rowsAPiece: number;
  readonly read: (market: MarketView, nowMs: number) => Read;
  readonly shape: (read: Read) => object;
}

const PRICE = { name: "price", rowsAPiece: 250, read: readLastPrice, shape: priceTickerShape };
const BOOK = { name: "book", rowsAPiece: 100, read: readBookTop, shape: bookTickerShape };
const DAYS_A_PIECE = 25;
/** Larger than the pieces for writing, because reading a market costs less. */
const MARKETS_READ_A_PIECE = 250;

/** One object for `symbol`, an array for `symbols` or neither. */
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

/** Tickers of one moment, that of the second pass, which rereads what has changed since the first. */
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
