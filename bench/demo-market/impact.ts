/**
 * The price impact of a large order in BTCUSDT while it is executed: an agent takes a tenth of the usual volume until
 * it has reached 0.1, 1 and 10 % of an hour's volume. The same market without the order is the reference.
 */
import assert from "node:assert/strict";
import { AssetValues, DEMO_MARKETS, STEP_MS, walkingAssets } from "@pricetime/server/demo";
import { MACHINE } from "@pricetime/server/parts";
import { LabMarket } from "@pricetime/testkit/lab-market";
import { type Figure, figure } from "./figures.ts";
import * as of from "./statistics.ts";

const SYMBOL = "BTCUSDT";
const SECOND_MS = 1000;
const HOUR_S = 3600;
const DAY_MS = 86_400_000;
const PARTICIPATION = 0.1;
/** Sizes in % of the usual hourly volume. */
const SIZES = [0.1, 1, 10] as const;
/** When the order has reached each size. */
const SPANS_S = SIZES.map((size) => ((size / 100) * HOUR_S) / PARTICIPATION);
/** When the remaining impact is measured, after the end. */
const AFTERWARDS_S = 900;
/** A price is the mean of so many seconds. */
const MEAN_S = 10;
/** An order that does not end on its own. */
const ENDLESS_QUOTE = 1e12;

export interface WorkedImpact {
  /** The price change in the order's direction at each size, as logarithms. */
  readonly moves: readonly number[];
  /** The quote amount that the order had taken by then. */
  readonly taken: readonly number[];
  readonly afterwards: number;
}

/** Executes an order in the market of a seed: odd seeds buy, even ones sell. Starts on a Wednesday at noon UTC. */
export async function workedImpact(seed: number): Promise<WorkedImpact> {
  const [side, sign] = seed % 2 === 1 ? (["BUY", 1] as const) : (["SELL", -1] as const);
  const order = { type: "worked", symbol: SYMBOL, side, totalQuote: ENDLESS_QUOTE, participation: PARTICIPATION };
  const market = await new LabMarket({ seed, symbols: [SYMBOL], agents: [order] }).open();
  const without = await new LabMarket({ seed, symbols: [SYMBOL] }).open();
  const [worked] = market.agents.groups;
  assert.ok(worked !== undefined);
  const { quoteAssetId } = viewOf(market);
  const quoteUnits = 10 ** market.engine.asset(quoteAssetId).spec.precision;
  const moves: number[] = [];
  const taken: number[] = [];
  for (const [index, spanS] of SPANS_S.entries()) {
    moves.push(sign * (await apart(market, without, spanS - (SPANS_S[index - 1] ?? 0))));
    taken.push(Number(market.agents.figuresOf(worked).volume) / quoteUnits);
  }
  await market.agents.turn(worked, false);
  const afterwards = sign * (await apart(market, without, AFTERWARDS_S));
  await Promise.all([market.stop(), without.stop()]);
  for (const { errors, refused } of [market, without]) assert.deepEqual([errors, refused], [[], []]);
  return { moves, taken, afterwards };
}

/** The figures of the mean of several orders, because a single one has the noise of its book. */
export function impactFigures(orders: readonly WorkedImpact[]): Figure[] {
  const [moves, taken] = [orders.map((order) => order.moves), orders.map((order) => order.taken)].map((all) =>
    SIZES.map((_, index) => of.mean(all.map((one) => one[index] ?? Number.NaN))),
  ) as [number[], number[]];
  const { dailyVolume, dailyDeviation } = usual();
  const root = dailyDeviation * Math.sqrt((taken.at(-1) ?? 0) / dailyVolume);
  const [first, last] = [SIZES[0], SIZES[SIZES.length - 1]];
  const left = of.mean(orders.map(({ afterwards }) => afterwards)) / (moves.at(-1) ?? 0);
  return [
    ...SIZES.map((size, index) =>
      figure(`order of ${size} % of an hour's volume: impact, bps`, 1e4 * (moves[index] ?? 0), [1, ""]),
    ),
    figure(
      `exponent of the impact's growth, ${first} to ${last} %`,
      of.slope(taken.map(Math.log), moves.map(Math.log)),
      [...([2, "0.5", [0.4, 0.6]] as const)],
    ),
    figure(
      `impact of ${last} % / (daily deviation * square root of the share of the daily volume)`,
      (moves.at(-1) ?? 0) / root,
      [...([2, "about 1", [0.5, 2]] as const)],
    ),
    figure("share of the impact left 15 minutes after the end", left, [2, "", [0.1, 0.9]]),
  ];
}

/** The average daily volume in the quote asset, and the deviation of the price in a day, as a logarithm. */
function usual(): { readonly dailyVolume: number; readonly dailyDeviation: number } {
  const market = DEMO_MARKETS.find(({ spec }) => spec.symbol === SYMBOL);
  assert.ok(market !== undefined);
  const { baseAsset, quoteAsset } = market.spec;
  const values = new AssetValues(walkingAssets([{ market }]), 1, STEP_MS, MACHINE.saved);
  return { dailyVolume: market.dailyVolume, dailyDeviation: values.deviation(baseAsset, quoteAsset, DAY_MS) };
}

/** The difference between the middle prices of two books after so many more seconds. */
async function apart(one: LabMarket, other: LabMarket, seconds: number): Promise<number> {
  const both = [one, other] as const;
  for (const market of both) await market.advance((seconds - MEAN_S) * SECOND_MS);
  let sum = 0;
  for (let second = 0; second < MEAN_S; second++) {
    for (const market of both) await market.advance(SECOND_MS);
    sum += Math.log(midOf(one) / midOf(other)) / MEAN_S;
  }
  return sum;
}

function midOf(market: LabMarket): number {
  const view = viewOf(market);
  return view.bestLevel("BUY")[0] + view.bestLevel("SELL")[0];
}

function viewOf({ engine }: LabMarket): NonNullable<ReturnType<LabMarket["engine"]["marketBySymbol"]>> {
  const view = engine.marketBySymbol(SYMBOL);
  assert.ok(view !== undefined, "BTCUSDT is of the demo");
  return view;
}
