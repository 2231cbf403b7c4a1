/** Routes of symbols' pasts: the time before their first trade, and recorded candles for it. docs/operate/candles.md */
import {
  decimalsNeeded,
  type EngineView,
  type ImportedCandle,
  MAX_CANDLE_AMOUNT_DIGITS,
  MAX_CANDLES_A_COMMAND,
  MAX_TRADES_A_CANDLE,
  type MarketView,
  PAST_INTERVALS,
} from "@pricetime/engine";
import { z } from "zod";
import { decimal } from "../config/listing-schema.ts";
import { AdminRefusal, created, ok } from "./answer.ts";
import { findMarket } from "./find-market.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { type Route, route } from "./router.ts";

const whole = z.int().min(0);
const candleSchema = z.tuple([whole, decimal, decimal, decimal, decimal, decimal, decimal, whole, decimal, decimal]);
const klinesSchema = z.strictObject({
  interval: z.enum(PAST_INTERVALS),
  candles: z.array(candleSchema).min(1).max(MAX_CANDLES_A_COMMAND),
});

export function pastRoutes(node: AdminNode): Route[] {
  const { view } = node;
  return [
    route({
      method: "GET",
      pattern: "/v1/symbols/:symbol/past",
      needs: "view",
      summary: "What a symbol has of the time before its first trade.",
      handle: ({ path }) => ok(pastBody(findMarket(view, path["symbol"]))),
    }),
    route({
      method: "POST",
      pattern: "/v1/symbols/:symbol/past",
      needs: "venue",
      summary: "Gives a symbol recorded candles of the time before its first trade.",
      status: 201,
      body: klinesSchema,
      handle: async ({ path, body, by }) => {
        const market = findMarket(view, path["symbol"]);
        const { symbol } = market.spec;
        const { interval, candles } = body;
        for (const [place, candle] of candles.entries()) refuseUnheld(view, market, candle, place);
        await carryOut(node, { type: "importKlines", symbol, interval, candles, by });
        return created(pastBody(findMarket(view, symbol)));
      },
    }),
  ];
}

/** Null where the symbol has none of it. */
function pastBody({ spec, past, firstTradeMs }: MarketView): object {
  return {
    symbol: spec.symbol,
    interval: past?.interval ?? null,
    firstMs: past?.firstMs ?? null,
    endMs: past?.endMs ?? null,
    firstTradeMs: firstTradeMs === 0 ? null : firstTradeMs,
  };
}

/** Refuses a number that the symbol cannot hold, or that contradicts another: nothing is rounded. */
function refuseUnheld(view: EngineView, market: MarketView, candle: ImportedCandle, place: number): void {
  const [openTimeMs, open, high, low, close, volume, quoteVolume, count, takerVolume, takerQuoteVolume] = candle;
  const { symbol, quoteAsset } = market.spec;
  const { priceDecimals, quantityDecimals } = market.scale;
  const quoteDecimals = view.asset(market.quoteAssetId).spec.precision;
  const refuse = (why: string): never => {
    throw new AdminRefusal(400, "INVALID_VALUE", `candles.${place} (${timeText(openTimeMs)}): ${why}`);
  };
  const hold = (what: string, values: readonly string[], decimals: number, whose: string): void => {
    const wide = values.find((value) => (decimalsNeeded(value) ?? Number.POSITIVE_INFINITY) > decimals);
    if (wide !== undefined) refuse(`${what} ${wide} has more decimals than the ${decimals} of ${whose}`);
  };
  const tooMuch = [volume, quoteVolume, takerVolume, takerQuoteVolume].find(
    (amount) => amount.replace(/\..*/, "").length > MAX_CANDLE_AMOUNT_DIGITS,
  );
  if (tooMuch !== undefined) refuse(`${tooMuch} has more than ${MAX_CANDLE_AMOUNT_DIGITS} digits before the point`);
  if (count > MAX_TRADES_A_CANDLE) refuse(`${count} trades are more than the ${MAX_TRADES_A_CANDLE} of a candle`);
  hold("price", [open, high, low, close], priceDecimals, `${symbol}'s tick size`);
  hold("volume", [volume, takerVolume], quantityDecimals, `${symbol}'s step size`);
  hold("quote volume", [quoteVolume, takerQuoteVolume], quoteDecimals, quoteAsset);
  const [o, h, l, c] = [open, high, low, close].map(Number) as [number, number, number, number];
  if (l <= 0) refuse("a price is 0");
  if (o > h || c > h || o < l || c < l) refuse(`open ${open} and close ${close} are not from ${low} to ${high}`);
  if (Number(takerVolume) > Number(volume)) refuse("takers bought more than was traded");
}

function timeText(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? String(timeMs) : date.toISOString();
}
