/** The result of a scenario as plain data, written as `report.json` and shown by the page. */
import type { Course, Happening, Point } from "./course.ts";
import type { Scenario } from "@pricetime/server/scenarios";
import type { BotEnd } from "./bot.ts";
import type { FaultSummary } from "./actions.ts";
import type { Verdict } from "./judge.ts";
import type { DonePoint, Played } from "./run.ts";

export function thinned(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points;
  const [firstMs, lastMs] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  const stretches = Math.floor(most / 2);
  const ofStretch = new Map<number, { low: Point; high: Point }>();
  for (const point of points) {
    const stretch = Math.min(stretches - 1, Math.floor(((point[0] - firstMs) / (lastMs - firstMs)) * stretches));
    const range = ofStretch.get(stretch) ?? { low: point, high: point };
    if (point[1] < range.low[1]) range.low = point;
    if (point[1] > range.high[1]) range.high = point;
    ofStretch.set(stretch, range);
  }
  return [...ofStretch.values()].flatMap(({ low, high }) => {
    if (low === high) return [low];
    return low[0] <= high[0] ? [low, high] : [high, low];
  });
}

/** The maximum number of points of a curve in a report. */
const MOST_POINTS = 1500;
/** The maximum number of events that are listed after a fault. */
const MOST_FOLLOWING = 25;
/** The period after the end of a fault in which events count as its consequences. */
const AFTERMATH_MS = 60_000;
/**
 * The maximum number of markets with charts. Only markets that the bot has traded get one; if there are none, only the
 * first market.
 */
const MOST_CHARTS = 4;

export interface ReportedFault extends FaultSummary {
  /** The end of the period that is searched for consequences of the fault. */
  readonly untilMs: number;
  /** The events of the bot's account from the first strike on. */
  readonly followed: readonly Happening[];
  /** The number of further events that are not listed. */
  readonly more: number;
  readonly equityBefore: number | null;
  readonly equityAfter: number | null;
}

/** An order in the book, from its acceptance until it was filled or ended. */
export interface ReportedOrder {
  readonly fromMs: number;
  readonly toMs: number;
  readonly side: string;
  readonly price: number;
  /** The order's last status. */
  readonly status: string;
}

export interface ReportedMarket {
  readonly symbol: string;
  readonly prices: readonly Point[];
  readonly orders: readonly ReportedOrder[];
  readonly fills: readonly {
    readonly atMs: number;
    readonly side: string;
    readonly price: number;
    readonly quantity: string;
  }[];
}

export interface Report {
  readonly scenario: string;
  readonly about: string;
  readonly result: "holds" | "failed";
  readonly failed: readonly string[];
  readonly seed: number;
  readonly version: string;
  /** SHA-256 of the scenario's file. */
  readonly hash: string;
  /** The command that runs the scenario again. */
  readonly repeat: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly asserts: readonly Verdict[];
  readonly timeline: readonly DonePoint[];
  readonly faults: readonly ReportedFault[];
  readonly account: string;
  /** The asset in which equity is measured. The assets in `unpriced` have no price in it and are not included. */
  readonly quote: string;
  readonly unpriced: readonly string[];
  readonly equity: readonly Point[];
  readonly positions: Readonly<Record<string, readonly Point[]>>;
  readonly markets: readonly ReportedMarket[];
  readonly orders: number;
  readonly fills: number;
  readonly refusals: readonly { readonly what: string; readonly count: number }[];
  readonly bot: { readonly command: readonly string[]; readonly end: BotEnd; readonly said: string };
}

export interface ReportParts {
  readonly scenario: Scenario;
  readonly played: Played;
  readonly failed: readonly string[];
  readonly repeat: string;
  readonly version: string;
  readonly command: readonly string[];
}

export function reportOf({ scenario, played, failed, repeat, version, command }: ReportParts): Report {
  const { startMs, endMs, verdicts, timeline, faults, course, bot, quote, unpriced } = played;
  return {
    scenario: scenario.name,
    about: scenario.about,
    result: failed.length === 0 ? "holds" : "failed",
    failed,
    seed: scenario.seed,
    version,
    hash: scenario.hash,
    repeat,
    startMs,
    endMs,
    asserts: verdicts,
    timeline,
    faults: faults.map((fault) => reportedFault(fault, played)),
    account: bot.account,
    quote,
    unpriced,
    equity: thinned(course.equity.points, MOST_POINTS),
    positions: Object.fromEntries(
      [...course.positions].map(([asset, { points }]) => [asset, thinned([[startMs, 0], ...points], MOST_POINTS)]),
    ),
    markets: marketsOf(scenario, played),
    orders: new Set(course.orders.map(({ symbol, orderId }) => `${symbol} ${orderId}`)).size,
    fills: course.fills.length,
    refusals: refusalsOf(course.happenings),
    bot: { command, end: bot.end, said: bot.said },
  };
}

function reportedFault(fault: FaultSummary, { course, endMs }: Played): ReportedFault {
  const overMs = Math.min(fault.healedMs ?? endMs, fault.toMs ?? endMs);
  const untilMs = Math.min(endMs, overMs + AFTERMATH_MS);
  const fromMs = fault.strikes[0]?.atMs ?? fault.fromMs;
  const followed = course.happenings.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs);
  const equityAt = (timeMs: number): number | null =>
    course.equity.points.findLast(([atMs]) => atMs <= timeMs)?.[1] ?? null;
  return {
    ...fault,
    untilMs,
    followed: followed.slice(0, MOST_FOLLOWING),
    more: Math.max(0, followed.length - MOST_FOLLOWING),
    equityBefore: equityAt(fault.fromMs),
    equityAfter: equityAt(untilMs),
  };
}

function marketsOf({ symbols = [] }: Scenario, { course, endMs }: Played): readonly ReportedMarket[] {
  const traded = [...new Set(course.orders.map(({ symbol }) => symbol))];
  const first = symbols[0] ?? [...course.prices.keys()][0];
  const drawn = traded.length > 0 ? traded.slice(0, MOST_CHARTS) : first === undefined ? [] : [first];
  return drawn.map((symbol) => ({
    symbol,
    prices: thinned(course.prices.get(symbol)?.points ?? [], MOST_POINTS),
    orders: ordersOf(course, symbol, endMs).slice(0, MOST_POINTS),
    fills: course.fills
      .filter((fill) => fill.symbol === symbol)
      .slice(0, MOST_POINTS)
      .map(({ atMs, side, price, quantity }) => ({ atMs, side, price: Number(price), quantity })),
  }));
}

/** Returns the symbol's orders that have a price. */
function ordersOf({ orders }: Course, symbol: string, endMs: number): readonly ReportedOrder[] {
  const found = new Map<number, ReportedOrder>();
  for (const order of orders) {
    if (order.symbol !== symbol || Number(order.price) === 0) continue;
    const { orderId, side, status, atMs } = order;
    const isOver = status !== "NEW" && status !== "PARTIALLY_FILLED";
    const fromMs = found.get(orderId)?.fromMs ?? atMs;
    found.set(orderId, { fromMs, toMs: isOver ? atMs : endMs, side, price: Number(order.price), status });
  }
  return [...found.values()];
}

/** Returns how often each rejection occurred, the most frequent first. */
function refusalsOf(happenings: readonly Happening[]): Report["refusals"] {
  const counts = new Map<string, number>();
  for (const { text } of happenings) {
    const what = / answered (?<what>\d{3}(?: -\d+)?)/.exec(text)?.groups?.["what"];
    if (what !== undefined) counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => ({ what, count })).toSorted((one, other) => other.count - one.count);
}
