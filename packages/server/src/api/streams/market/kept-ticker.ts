/** A ticker as last told, for checkpoints. */
import type { DepthLevel, MarketView, TickerView } from "@pricetime/engine";
import { z } from "zod";
import type { DayTicker } from "../../../history/shapes/tickers.ts";
import type { KeptValue } from "../../../platform/world/kept.ts";
import { keptBigint, keptCount } from "../../../platform/world/read-kept.ts";

const level: z.ZodType<DepthLevel> = z.tuple([keptCount, keptCount]);
const ticker: z.ZodType<TickerView> = z.strictObject({
  prevCloseTicks: keptCount,
  openTicks: keptCount,
  highTicks: keptCount,
  lowTicks: keptCount,
  lastTicks: keptCount,
  lastLots: keptCount,
  volumeLots: keptBigint,
  quoteVolume: keptBigint,
  openTimeMs: keptCount,
  closeTimeMs: keptCount,
  firstTradeId: z.int(),
  lastTradeId: z.int(),
  count: keptCount,
});

export const KEPT_TICKER = z.strictObject({
  /** The update at which it was last compared. */
  updateId: keptCount,
  minute: keptCount,
  told: z.strictObject({ bid: level, ask: level, ticker }),
});

export type KeptTicker = z.infer<typeof KEPT_TICKER>;

export function keptTicker(updateId: number, minute: number, { bid, ask, ticker: told }: DayTicker): KeptValue {
  const amounts = { volumeLots: String(told.volumeLots), quoteVolume: String(told.quoteVolume) };
  return { updateId, minute, told: { bid, ask, ticker: { ...told, ...amounts } } };
}

export function tickerOf(market: MarketView, { told }: KeptTicker): DayTicker {
  return { market, ...told };
}
