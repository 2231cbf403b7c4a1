/** Gives each symbol of the demo a past that ends at the price where the bots start. */
import {
  type AddPast,
  decimalsNeeded,
  formatDecimal,
  NEWEST_GENERATOR,
  type RejectReason,
  toScale,
  MINUTE_MS,
} from "@pricetime/engine";
import { DEMO_ASSETS, type DemoAsset } from "./assets.ts";
import { whole } from "./exact.ts";
import type { DemoMarket } from "./markets.ts";
import { BY, type DemoNode } from "./operator.ts";

const DAYS_A_YEAR = 365;
const DAY_SECONDS = 86_400;
/** The average trades per order of the usual rate, as the bots make them: a dense book gives an order several. */
const TRADES_AN_ORDER = { dense: 3.4, other: 0.9 };
/** A symbol that is refused for one of these reasons begins without a past. */
const WITHOUT: ReadonlySet<RejectReason> = new Set(["ORDERS_WAIT", "INVALID_VALUE"]);

/**
 * Once anything has traded, every symbol stays as it is, as in demos older than this feature. Symbols with a past, with
 * waiting orders, or listed too finely for a past stay as well: resolves to the last two kinds. The same seed and
 * minute give the same past.
 */
export async function giveDemoPast(node: DemoNode, markets: readonly DemoMarket[], seed: number): Promise<string[]> {
  if (node.view.markets().some(({ firstTradeMs }) => firstTradeMs > 0)) return [];
  const endMs = Math.floor(node.sequencer.nowMs() / MINUTE_MS) * MINUTE_MS;
  const commands = markets.flatMap((market) => {
    const live = node.view.marketBySymbol(market.spec.symbol);
    const command = live?.past === null ? pastOf(market, seed, endMs) : null;
    return command === null ? [] : [command];
  });
  const refused = await Promise.all(
    commands.map(async (command) => {
      const { events } = await node.sequencer.run(command);
      const first = events[0];
      if (first?.type !== "rejected") return [];
      if (WITHOUT.has(first.reason)) return [command.symbol];
      throw new Error(`the demo's past of ${command.symbol} was refused: ${first.reason}`);
    }),
  );
  return refused.flat();
}

/** Returns null when the symbol's filters give no tick or no step to work with. */
function pastOf(
  { spec, dailyVolume, ordersPerSecond, isDense }: DemoMarket,
  seed: number,
  endMs: number,
): AddPast | null {
  const { priceFilter, lotSize } = spec.filters;
  const [base, quote] = [spec.baseAsset, spec.quoteAsset].map((asset) =>
    DEMO_ASSETS.find((each) => each.spec.asset === asset),
  );
  if (base === undefined || quote === undefined) return null;
  const price = base.startValue / quote.startValue;
  const endPrice = stepped(price, priceFilter?.tickSize);
  const dayVolume = stepped(dailyVolume / price, lotSize?.stepSize);
  if (endPrice === null || dayVolume === null) return null;
  const dayTrades = Math.ceil(DAY_SECONDS * ordersPerSecond * TRADES_AN_ORDER[isDense ? "dense" : "other"]);
  const what = { type: "addPast", by: BY, symbol: spec.symbol, generator: NEWEST_GENERATOR } as const;
  return { ...what, seed, endMs, endPrice, dayVolume, dayTrades, base: movesOf(base), quote: movesOf(quote) };
}

function movesOf({ yearlyVolatility, marketCorrelation }: DemoAsset): AddPast["base"] {
  return {
    dayMoveBps: Math.round((10_000 * yearlyVolatility) / Math.sqrt(DAYS_A_YEAR)),
    marketPercent: Math.round(100 * marketCorrelation),
  };
}

/** Formats the nearest multiple of `step` as a decimal, at least one step. */
function stepped(value: number, step: string | undefined): string | null {
  const decimals = step === undefined ? null : decimalsNeeded(step);
  if (step === undefined || decimals === null) return null;
  const units = toScale(step, decimals);
  if (units <= 0) return null;
  const steps = Math.max(1, Math.round((value * whole(10, decimals)) / units));
  return formatDecimal(BigInt(steps * units), decimals, decimals);
}
