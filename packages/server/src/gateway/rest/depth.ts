/** The order book. Interface 2.6. Written by hand: it is asked for often, and is long. */
import { fromScale } from "@pricetime/engine";
import type { DepthLevel, MarketView } from "@pricetime/engine";
import type { Call } from "../call.ts";
import { type MaybeLong, writeRows } from "../long/long-list.ts";
import { type LongBody, LongTextWriter } from "../long/long-text.ts";
import type { Pieces } from "../long/turns.ts";
import { marketOf, ofStatus } from "./markets.ts";

/** Written in one turn: more than most ask for. */
const LEVELS_A_PIECE = 500;

type WriteLevel = (level: DepthLevel) => string;

function writerOf(market: MarketView): WriteLevel {
  const { priceDecimals, quantityDecimals } = market.scale;
  return ([priceTicks, lots]) => `["${fromScale(priceTicks, priceDecimals)}","${fromScale(lots, quantityDecimals)}"]`;
}

export function levelsJson(market: MarketView, levels: readonly DepthLevel[]): string {
  const write = writerOf(market);
  let json = "[";
  for (const level of levels) json += json.length > 1 ? `,${write(level)}` : write(level);
  return `${json}]`;
}

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
  // Both sides as of one moment: that of the asks.
  const asks = market.asks(limit);
  const bids = market.bookUpdateId === bookUpdateId ? bidsAtFirst : market.bids(limit);
  const before = `{"lastUpdateId":${market.bookUpdateId},"bids":[`;
  yield;
  const writing = { rowsAPiece: LEVELS_A_PIECE, write: writerOf(market) };
  const text = new LongTextWriter();
  yield* writeRows(text, bids, writing, before, `],"asks":[`);
  yield* writeRows(text, asks, writing, "", "]}");
  return { head: "", text: text.text() };
}
