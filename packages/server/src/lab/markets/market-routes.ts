/** Routes that hold the markets of a lab. */
import type { EngineView, MarketView } from "@pricetime/engine";
import { AdminRefusal, created, ok } from "../../people/admin/answer.ts";
import { findMarket } from "../../people/admin/find-market.ts";
import { type Route, route } from "../../people/admin/router.ts";
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
  "`symbol`, `status`, `driver` (what makes its market; null: nothing), `price` (the value around which quotes are placed; null before the first controlled step), `holds` (the current changes; null: none was ever requested), `scheduled`.";

export function marketRoutes({ markets, view, nowMs }: MarketParts): Route[] {
  const bodyOf = (market: MarketView): object => bodyOfMarket(markets, market);
  return [
    route({
      method: "GET",
      pattern: "/v1/lab/markets",
      summary: "Lists all markets with their current and scheduled changes.",
      answers: `For each: ${ANSWERS}`,
      handle: () => ok(view.markets().map(bodyOf)),
    }),
    route({
      method: "GET",
      pattern: "/v1/lab/markets/:symbol",
      summary: "Shows one market with its current and scheduled changes.",
      answers: ANSWERS,
      handle: ({ path }) => ok(bodyOf(findMarket(view, path["symbol"]))),
    }),
    route({
      method: "POST",
      pattern: "/v1/lab/markets/:symbol",
      summary:
        "Changes a market at once, or at the time `at` or `inMs` of the lab's clock: its price, the behavior of its bots, whether it trades.",
      answers:
        "The market, and the `id` of the move. 409 (NOT_DRIVEN) if no bots trade or a recording is replayed, 409 (TIME_GOES_BACK).",
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
      summary: "Cancels all scheduled changes of a market. Current changes stay in effect: see `reset`.",
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
      summary: "Cancels one scheduled change.",
      answers: `${ANSWERS} 404 (UNKNOWN_MOVE) if it has happened already or does not exist.`,
      handle: ({ path }) => {
        const market = findMarket(view, path["symbol"]);
        const id = /^[1-9][0-9]{0,15}$/.test(path["id"] ?? "") ? Number(path["id"]) : 0;
        if (id === 0 || markets.takeBack(market.spec.symbol, id) === 0) {
          throw new AdminRefusal(404, "UNKNOWN_MOVE", "No scheduled change has this id.");
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
