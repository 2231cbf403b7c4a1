/** A lab's market with its control, and the routes that move it, without a port. */
import { LabMarket, type LabMarketOptions, type LabMarketState } from "@pricetime/testkit/lab-market";
import { Rejection } from "../../../src/people/http/answer.ts";
import { callRoute } from "../call-route.ts";
import { LabMarkets, marketRoutes } from "../../../src/lab/lab-markets.ts";

export interface MarketBody {
  readonly id: number;
  readonly symbol: string;
  readonly status: string;
  readonly driver: string | null;
  readonly price: number | null;
  readonly holds: Record<string, unknown> | null;
  readonly scheduled: readonly { readonly id: number; readonly atMs: number }[];
}

export interface Trade {
  readonly symbol: string;
  readonly price: number;
  readonly timeMs: number;
  readonly takerSide: "BUY" | "SELL";
}

export interface HeldVenue {
  readonly market: LabMarket;
  readonly control: LabMarkets;
  readonly trades: Trade[];
  /** The answer's body; a refusal has `status` and `error`. */
  ask(method: string, path: string, body?: unknown): Promise<MarketBody>;
  refusal(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<readonly [status: number, code: string, message: string]>;
  /** As in a file. */
  readonly state: LabMarketState;
}

export async function heldVenue(options: Omit<LabMarketOptions, "control" | "onApplied"> = {}): Promise<HeldVenue> {
  let control: LabMarkets | undefined;
  const trades: Trade[] = [];
  const market: LabMarket = new LabMarket({
    ...options,
    control: ({ engine, sequencer, world }) => {
      control = new LabMarkets(world);
      control.start({ view: engine, sequencer });
      return control;
    },
    onApplied: (_entry, events) => {
      for (const event of events) {
        if (event.type !== "trade") continue;
        const { spec, scale } = market.engine.market(event.symbolId);
        const { timeMs, takerSide } = event;
        trades.push({ symbol: spec.symbol, price: event.priceTicks / 10 ** scale.priceDecimals, timeMs, takerSide });
      }
    },
  });
  await market.open();
  if (control === undefined) throw new Error("a market has a control");
  const made = control;
  const routes = marketRoutes({ markets: made, view: market.engine, nowMs: market.clock.nowMs });
  const call = async (method: string, path: string, body?: unknown): Promise<MarketBody> => {
    return (await callRoute(routes, method, `/v1/lab/markets${path}`, body)) as MarketBody;
  };
  return {
    market,
    control: made,
    trades,
    ask: call,
    refusal: async (method, path, body) => {
      try {
        await call(method, path, body);
      } catch (error) {
        if (error instanceof Rejection) return [error.status, error.code, error.message];
        throw error;
      }
      throw new Error(`${method} ${path} was not refused`);
    },
    get state() {
      const { state } = market;
      return { ...state, states: JSON.parse(JSON.stringify(state.states)) as LabMarketState["states"] };
    },
  };
}
