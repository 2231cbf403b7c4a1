/** The underlying value of a demo symbol for each second, without books or orders: its bots' prices follow it. */
import assert from "node:assert/strict";
import {
  AssetValues,
  type DemoMarket,
  DEMO_MARKETS,
  nextStepMs,
  Random,
  STEP_MS,
  walkingAssets,
} from "@pricetime/server/demo";
import { MACHINE } from "@pricetime/server/parts";

const SECOND_MS = 1000;
const WEEK_S = 7 * 86_400;
const QUARTER_WEEKS = 13;
/** As in the recordings of weeks. */
const WARM_UP_MS = 60_000;

export function valuePrices(symbol: string, seed: number, fromMs: number, seconds: number): number[] {
  const { market, values } = valuesOf(symbol, seed, SECOND_MS);
  return Array.from({ length: seconds }, (_, second) => {
    values.step(fromMs + second * SECOND_MS);
    return values.price(market.spec.baseAsset, market.spec.quoteAsset);
  });
}

/**
 * The value that the bots follow in a market that trades only this symbol and started at `startMs`, at the end of each
 * second from `fromMs` on. Takes four times as long.
 */
export function marketValues(symbol: string, seed: number, startMs: number, fromMs: number, seconds: number): number[] {
  const { market, values } = valuesOf(symbol, seed, STEP_MS);
  const pace = new Random(seed, "pace", MACHINE.saved);
  let [dueMs, price] = [startMs, 0];
  return Array.from({ length: seconds }, (_, second) => {
    for (; dueMs <= fromMs + (second + 1) * SECOND_MS; dueMs += nextStepMs(pace)) {
      values.step(dueMs);
      price = values.price(market.spec.baseAsset, market.spec.quoteAsset);
    }
    return price;
  });
}

/**
 * One week for each of the first thirteen seeds, joined to one price series: as long as the samples of real markets,
 * since a single week has too few storms and hours.
 */
export function quarterOfValues(symbol: string, fromMs: number): number[] {
  const prices: number[] = [];
  for (let seed = 1; seed <= QUARTER_WEEKS; seed++) {
    const week = marketValues(symbol, seed, fromMs - WARM_UP_MS, fromMs, WEEK_S);
    const factor = (prices.at(-1) ?? 1) / (week[0] ?? 1);
    for (const price of week) prices.push(price * factor);
  }
  return prices;
}

function valuesOf(
  symbol: string,
  seed: number,
  stepMs: number,
): { readonly market: DemoMarket; readonly values: AssetValues } {
  const market = DEMO_MARKETS.find(({ spec }) => spec.symbol === symbol);
  assert(market !== undefined, `${symbol} is of the demo`);
  return { market, values: new AssetValues(walkingAssets([{ market }]), seed, stepMs, MACHINE.saved) };
}
