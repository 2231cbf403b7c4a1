/** The order book. Interface 2.6. JSON is written by hand, because the answers are frequent and long. */
import type { MarketView } from "@pricetime/engine";
import type { Call } from "../call.ts";
import { type MaybeLong, writeRows } from "../answers/long-list.ts";
import { type LongBody, LongTextWriter } from "../answers/long-text.ts";
import type { Pieces } from "../answers/turns.ts";
import { levelWriter, levelsJson } from "../../history/shapes/depth.ts";
import { marketOf, ofStatus } from "../markets.ts";

/** Levels written in one turn: more than most clients request. */
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
  // Both sides are of the same moment, that of the asks.
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
