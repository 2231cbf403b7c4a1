/** The changes that can be made to a market, and their times: as requested, and as stored until they are due. */
import { DAY_MS, HOUR_MS } from "@pricetime/engine";
import { z } from "zod";
import { MAX_TIME_MS } from "../platform/config/lab-schema.ts";

export const MARKET_LIMITS = {
  /** Maximum number of scheduled moves of all symbols. */
  maxScheduled: 10_000,
  /** Maximum number of points in a path. */
  maxPoints: 5_000,
  /** Maximum number of active crashes and spikes per symbol. */
  maxShocks: 100,
  /** Maximum multiple of the usual volatility, spread, depth or trade rate. */
  maxTimes: 100,
  maxSpreadBps: 5_000,
  /** The range in which a double represents a price of any symbol exactly. */
  maxPrice: 1e15,
  minPrice: 1e-15,
  maxDriftPercent: 1_000,
  maxCrashPercent: 99,
  maxSpikePercent: 10_000,
  /** Maximum duration of a change, and maximum time in advance. */
  maxSpanMs: 3_660 * DAY_MS,
} as const;

/** A number, or a decimal string. */
const decimal = z.union([
  z.number(),
  z
    .string()
    .regex(/^[0-9]{1,20}(\.[0-9]{1,20})?$/, "a decimal, as in prices of the interface")
    .transform(Number),
]);
const price = decimal.pipe(z.number().min(MARKET_LIMITS.minPrice).max(MARKET_LIMITS.maxPrice));
const times = z.number().min(0).max(MARKET_LIMITS.maxTimes);
const spanMs = z.int().min(0).max(MARKET_LIMITS.maxSpanMs);
const timeMs = z.int().min(0).max(MAX_TIME_MS);
/** A time as milliseconds since 1970 or in ISO 8601. */
const timeText = z.union([timeMs, z.iso.datetime().transform((text) => Date.parse(text))]);

const shock = { overMs: spanMs, recoverMs: spanMs.exactOptional() };

/** The fields that do not depend on the time of the request. */
const what = {
  fairPrice: price.exactOptional(),
  drift: z
    .strictObject({
      percent: z.number().min(-MARKET_LIMITS.maxCrashPercent).max(MARKET_LIMITS.maxDriftPercent),
      perMs: spanMs.min(1).default(HOUR_MS),
    })
    .exactOptional(),
  volatility: times.exactOptional(),
  spread: times.exactOptional(),
  spreadBps: z.number().min(0).max(MARKET_LIMITS.maxSpreadBps).exactOptional(),
  depth: times.min(0.001).exactOptional(),
  tradeRate: times.exactOptional(),
  crash: z
    .strictObject({ percent: z.number().positive().max(MARKET_LIMITS.maxCrashPercent), ...shock })
    .exactOptional(),
  spike: z
    .strictObject({ percent: z.number().positive().max(MARKET_LIMITS.maxSpikePercent), ...shock })
    .exactOptional(),
  dryUp: z.strictObject({ side: z.enum(["BUY", "SELL"]), forMs: spanMs.min(1) }).exactOptional(),
  halt: z.literal(true).exactOptional(),
  resume: z.literal(true).exactOptional(),
  reset: z.literal(true).exactOptional(),
};

const BETWEEN = ["straight", "geometric"] as const;
const pathLength = { min: 1, max: MARKET_LIMITS.maxPoints };

const sentPoint = z.union([z.strictObject({ inMs: spanMs, price }), z.strictObject({ at: timeText, price })]);

const WHEN: ReadonlySet<string> = new Set(["at", "inMs"]);
const BESIDE_BOTS: ReadonlySet<string> = new Set(["atMs", "halt", "resume"]);

/** The body of a request. At most one of its fields `fairPrice`, `path` and `reset` may set the price. */
export const sentMove = z
  .strictObject({
    at: timeText.exactOptional(),
    inMs: spanMs.exactOptional(),
    ...what,
    path: z.array(sentPoint).min(pathLength.min).max(pathLength.max).exactOptional(),
    between: z.enum(BETWEEN).exactOptional(),
  })
  .refine(({ at, inMs }) => at === undefined || inMs === undefined, "at and inMs exclude each other")
  .refine(({ path, between }) => path !== undefined || between === undefined, "between belongs to a path")
  .refine(
    ({ fairPrice, path, reset }) => [fairPrice, path, reset].filter((one) => one !== undefined).length <= 1,
    "fairPrice, path and reset exclude each other",
  )
  .refine(({ halt, resume }) => halt === undefined || resume === undefined, "halt and resume exclude each other")
  .refine((sent) => Object.keys(sent).some((name) => !WHEN.has(name)), "it requests no change");
export type SentMove = z.output<typeof sentMove>;

export const pathShape = z.strictObject({
  points: z
    .array(z.strictObject({ atMs: timeMs, price }))
    .min(pathLength.min)
    .max(pathLength.max + 1),
  between: z.enum(BETWEEN),
});
export type PricePath = z.output<typeof pathShape>;

/** A stored move. `by`: the author of the request, for the journal. */
export const moveShape = z.strictObject({
  id: z.int().min(1),
  symbol: z.string(),
  atMs: timeMs,
  by: z.string(),
  ...what,
  path: pathShape.exactOptional(),
});
export type MarketMove = z.output<typeof moveShape>;

const whatShape = z.object(what);

/** Returns the move without its time. */
export const whatOf = (sent: SentMove): z.output<typeof whatShape> => whatShape.parse(sent);

/** Whether a move changes anything besides the symbol's status. */
export function asksBots(move: Omit<MarketMove, "id" | "symbol" | "by">): boolean {
  return Object.keys(move).some((name) => !BESIDE_BOTS.has(name));
}

export type BadPath = "points must follow each other in time" | "a point is before the move";

/** Returns the path with its points in ascending order of time, or the error in the points. */
export function pathOf({ path, between = "straight" }: SentMove, fromMs: number): PricePath | BadPath | undefined {
  if (path === undefined) return undefined;
  const points = path.map((point) => ({
    atMs: "at" in point ? point.at : fromMs + point.inMs,
    price: point.price,
  }));
  for (const [index, { atMs }] of points.entries()) {
    if (atMs < fromMs) return "a point is before the move";
    if (index > 0 && atMs <= (points[index - 1]?.atMs ?? 0)) return "points must follow each other in time";
  }
  return { points, between };
}
