/** Routes of backfilled candles: synthetic history before the first trade of a symbol. docs/operate/candles.md */
import { MAX_CANDLES_A_COMMAND, type MarketView, PAST_INTERVALS } from "@pricetime/engine";
import { z } from "zod";
import { decimal } from "../../platform/config/listing-schema.ts";
import { candleFault } from "../../platform/config/candle-fault.ts";
import { created, ok, Rejection } from "../http/answer.ts";
import { findMarket } from "./parse.ts";
import { type AdminNode, carryOut } from "./node.ts";
import { type AdminRoute, route } from "./router.ts";
import { type BackfilledCandles, backfilledCandles } from "./answers.ts";

const whole = z.int().min(0);
const candleSchema = z.tuple([whole, decimal, decimal, decimal, decimal, decimal, decimal, whole, decimal, decimal]);
const klinesSchema = z.strictObject({
  interval: z.enum(PAST_INTERVALS),
  candles: z.array(candleSchema).min(1).max(MAX_CANDLES_A_COMMAND),
});

export function pastRoutes(node: AdminNode): AdminRoute[] {
  const { view } = node;
  return [
    route({
      endpoint: "GET /v1/symbols/:symbol/backfilled-candles",
      needs: "view",
      summary: "Returns the range of backfilled candles of a symbol, from before its first trade.",
      answer: backfilledCandles,
      handle: ({ path }) => ok(pastBody(findMarket(view, path.symbol))),
    }),
    route({
      endpoint: "POST /v1/symbols/:symbol/backfilled-candles",
      needs: "venue",
      summary: "Imports recorded candles of a symbol from before its first trade.",
      answer: backfilledCandles,
      status: 201,
      body: klinesSchema,
      handle: async ({ path, body, by }) => {
        const market = findMarket(view, path.symbol);
        const { symbol } = market.spec;
        const { interval, candles } = body;
        for (const [place, candle] of candles.entries()) {
          const why = candleFault(candle, market.past?.scale ?? null);
          if (why === null) continue;
          throw new Rejection(400, "INVALID_VALUE", `candles.${place} (${timeText(candle[0])}): ${why}`);
        }
        await carryOut(node, { type: "importKlines", symbol, interval, candles, by });
        return created(pastBody(findMarket(view, symbol)));
      },
    }),
  ];
}

function pastBody({ spec, past, firstTradeMs }: MarketView): BackfilledCandles {
  return {
    symbol: spec.symbol,
    interval: past?.interval ?? null,
    firstMs: past?.firstMs ?? null,
    endMs: past?.endMs ?? null,
    scale: past?.scale ?? null,
    firstTradeMs: firstTradeMs === 0 ? null : firstTradeMs,
  };
}

function timeText(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? String(timeMs) : date.toISOString();
}
