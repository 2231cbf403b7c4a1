/** Average price and tickers, from the engine's memory. Interface 4.1. */
import type { MarketView } from "@pricetime/engine";
import type { Call } from "../call.ts";
import { longList, type MaybeLong } from "../long/long-list.ts";
import { averageText } from "./amounts.ts";
import { marketOf, marketsOf } from "./markets.ts";
import {
  bookTickerShape,
  dayTickerShape,
  priceTickerShape,
  readBookTop,
  readDayTicker,
  readLastPrice,
} from "./ticker-shape.ts";

/** Interface 2.8, the average price rule. */
const AVERAGE_PRICE_MINS = 5;

export function averagePrice(call: Call): string {
  const market = marketOf(call);
  const average = market.averagePrice(AVERAGE_PRICE_MINS, call.nowMs);
  return `{"mins":${AVERAGE_PRICE_MINS},"price":"${averageText(market, average)}"}`;
}

/** What is read of a market at one moment, and the JSON of that. */
interface TickerKind<Read> {
  readonly name: string;
  readonly rowsAPiece: number;
  readonly read: (market: MarketView, nowMs: number) => Read;
  readonly shape: (read: Read) => object;
}

const PRICE = { name: "price", rowsAPiece: 250, read: readLastPrice, shape: priceTickerShape };
const BOOK = { name: "book", rowsAPiece: 100, read: readBookTop, shape: bookTickerShape };
const DAYS_A_PIECE = 25;

/** One object for `symbol`, an array for `symbols` or neither. */
function oneOrMany<Read>(call: Call, kind: TickerKind<Read>): MaybeLong {
  const asked = marketsOf(call) ?? call.venue.engine.markets();
  return "length" in asked ? manyTickers(call, kind, asked) : JSON.stringify(kind.shape(kind.read(asked, call.nowMs)));
}

function manyTickers<Read>(call: Call, kind: TickerKind<Read>, markets: readonly MarketView[]): MaybeLong {
  const { name, rowsAPiece, read, shape } = kind;
  const { turns, sequencer } = call.venue;
  const readAll = (nowMs: number): Read[] => markets.map((market) => read(market, nowMs));
  return longList(turns, {
    key: `ticker ${name} ${call.optionalText("symbols") ?? ""}`,
    count: markets.length,
    rowsAPiece,
    read: () => ({ rows: readAll(sequencer.nowMs()) }),
    write: (row) => JSON.stringify(shape(row)),
  });
}

export function dayTickers(call: Call): MaybeLong {
  const { engine } = call.venue;
  return oneOrMany(call, {
    name: "day",
    rowsAPiece: DAYS_A_PIECE,
    read: readDayTicker,
    shape: (row) => dayTickerShape(engine, row),
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
