/** Routes that hold the markets of a lab. */
import type { EngineView, MarketView } from "@pricetime/engine";
import { AdminRefusal, created, ok } from "../../admin/answer.ts";
import { findMarket } from "../../admin/find-market.ts";
import { type Route, route } from "../../admin/router.ts";
import type { LabMarkets } from "./market-hand.ts";
import type { HeldState } from "./held-market.ts";
import { MARKET_LIMITS } from "./limits.ts";
import { asksBots, type MarketMove, pathOf, sentMove, type SentMove, whatOf } from "./move.ts";

export interface MarketParts {
  readonly markets: LabMarkets;
  readonly view: EngineView;
  readonly nowMs: () => number;
}

const ANSWERS =
  "`symbol`, `status`, `driver` (who makes its market; null: nobody), `price` (the value that quotes stand around; null before the first step in the hand), `holds` (null: nothing was ever asked), `scheduled`.";

export function marketRoutes({ markets, view, nowMs }: MarketParts): Route[] {
  const bodyOf = (market: MarketView): object => bodyOfMarket(markets, market);
  return [
    route({
      method: "GET",
      pattern: "/v1/lab/markets",
      summary: "All markets: what holds of each, and what is scheduled.",
      answers: `Of each: ${ANSWERS}`,
      handle: () => ok(view.markets().map(bodyOf)),
    }),
    route({
      method: "GET",
      pattern: "/v1/lab/markets/:symbol",
      summary: "One market: what holds, and what is scheduled.",
      answers: ANSWERS,
      handle: ({ path }) => ok(bodyOf(findMarket(view, path["symbol"]))),
    }),
    route({
      method: "POST",
      pattern: "/v1/lab/markets/:symbol",
      summary:
        "Moves a market, at once or `at` or `inMs` a time of the lab's clock: its price, how its bots act, whether it trades.",
      answers:
        "The market, and the `id` of the move. 409 (NOT_DRIVEN) where no bots trade or a recording is played, 409 (TIME_GOES_BACK).",
      status: 201,
      body: sentMove,
      handle: async ({ path, body, by }) => {
        const market = findMarket(view, path["symbol"]);
        const { symbol } = market.spec;
        const move = moveOf(body, nowMs());
        checkPrices(move, market);
        if (asksBots(move) && (markets.driverOf(symbol) === undefined || markets.isStoodInFor(symbol))) {
          throw new AdminRefusal(409, "NOT_DRIVEN", `No bots trade ${symbol} now: it can be halted and resumed.`);
        }
        if (!markets.takesMore) {
          throw new AdminRefusal(409, "TOO_MANY", `${MARKET_LIMITS.maxScheduled} moves can be scheduled.`);
        }
        const id = await markets.ask({ ...move, symbol, by });
        return created({ id, ...bodyOf(findMarket(view, symbol)) });
      },
    }),
    route({
      method: "DELETE",
      pattern: "/v1/lab/markets/:symbol",
      summary: "Takes back all that is scheduled for a market. What holds goes on holding: see `reset`.",
      answers: ANSWERS,
      handle: ({ path }) => {
        const market = findMarket(view, path["symbol"]);
        markets.takeBack(market.spec.symbol);
        return ok(bodyOf(market));
      },
    }),
    route({
      method: "DELETE",
      pattern: "/v1/lab/markets/:symbol/:id",
      summary: "Takes back one scheduled move.",
      answers: `${ANSWERS} 404 (UNKNOWN_MOVE) when it has happened, or never was.`,
      handle: ({ path }) => {
        const market = findMarket(view, path["symbol"]);
        const id = /^[1-9][0-9]{0,15}$/.test(path["id"] ?? "") ? Number(path["id"]) : 0;
        if (id === 0 || markets.takeBack(market.spec.symbol, id) === 0) {
          throw new AdminRefusal(404, "UNKNOWN_MOVE", "There is no such move that waits for its time.");
        }
        return ok(bodyOf(market));
      },
    }),
  ];
}

function moveOf(sent: SentMove, nowMs: number): Omit<MarketMove, "id" | "symbol" | "by"> {
  const { at, inMs = 0 } = sent;
  const atMs = at ?? nowMs + inMs;
  if (atMs < nowMs) {
    throw new AdminRefusal(409, "TIME_GOES_BACK", `It is ${new Date(nowMs).toISOString()} already.`);
  }
  const path = pathOf(sent, atMs);
  if (typeof path === "string") throw new AdminRefusal(400, "BAD_REQUEST", `path: ${path}.`);
  return { atMs, ...whatOf(sent), ...(path !== undefined && { path }) };
}

/** Prices that the symbol can never have are refused before their time. */
function checkPrices({ fairPrice, path }: Pick<MarketMove, "fairPrice" | "path">, { spec }: MarketView): void {
  const { minPrice = "0", maxPrice = "0" } = spec.filters.priceFilter ?? {};
  const prices = [...(fairPrice === undefined ? [] : [fairPrice]), ...(path?.points.map(({ price }) => price) ?? [])];
  const high = Number(maxPrice) === 0 ? Number.POSITIVE_INFINITY : Number(maxPrice);
  if (prices.some((price) => price < Number(minPrice) || price > high)) {
    throw new AdminRefusal(400, "BAD_REQUEST", `PRICE_FILTER of ${spec.symbol} is from ${minPrice} to ${maxPrice}.`);
  }
}

function bodyOfMarket(markets: LabMarkets, { spec }: MarketView): object {
  const { symbol, status } = spec;
  const state = markets.stateOf(symbol);
  return {
    symbol,
    status,
    driver: markets.driverOf(symbol) ?? null,
    price: state?.price ?? null,
    holds: state === undefined ? null : holdsOf(state),
    scheduled: markets.scheduledOf(symbol),
  };
}

function holdsOf(state: Readonly<HeldState>): object {
  const { path, shocks, drift, volatility, spread, spreadBps, depth, tradeRate, dryUntilMs } = state;
  return { path, shocks, drift, volatility, spread, spreadBps, depth, tradeRate, dryUntilMs };
}
