/** The subject of each scenario of the package, and its file without it. */
import { parse, stringify } from "yaml";

type Point = Readonly<Record<string, unknown>>;
export type IsOfIt = (point: Point) => boolean;

const isFault =
  (fault: string): IsOfIt =>
  (point) =>
    point["fault"] === fault;
const isNamed =
  (name: string): IsOfIt =>
  (point) =>
    point["name"] === name;
const has =
  (...keys: readonly string[]): IsOfIt =>
  (point) =>
    keys.some((key) => key in point);
const driesUp =
  (side: string): IsOfIt =>
  ({ dryUp }) =>
    (dryUp as { readonly side?: unknown } | undefined)?.side === side;

/** The subject of each scenario, by name, and its points on the timeline. */
export const EVENTS: Readonly<Record<string, Readonly<Record<string, IsOfIt>>>> = {
  "clock-skew": { "the skew": isFault("skew") },
  delisting: { "the delisting": has("delist") },
  "flash-crash": { "the crash": has("crash") },
  "halt-and-reopening": { "the halt": has("halt", "resume") },
  "hour-of-5xx": {
    "5XX for orders that were taken": isFault("fail-after"),
    "5XX for orders that were not": isFault("fail-before"),
    "5XX for queries": isNamed("queries"),
    "5XX for cancels": isNamed("cancels"),
  },
  "one-lot-at-a-time": { "the small pieces": has("repeat") },
  "one-sided-book": { "a time without bids": driesUp("BUY"), "a time without offers": driesUp("SELL") },
  "rate-limit-storm": { "429": isNamed("too many"), "418": isNamed("banned") },
  "slow-deposits": {
    "the deposits": has("deposit"),
    "the stuck deposit": isFault("deposit-stuck"),
    "the reorganization": isFault("reorg"),
  },
  "stream-gaps": {
    "lost reports": isNamed("lost"),
    "duplicate reports": isNamed("duplicate"),
    "late reports": isNamed("late"),
    "gaps in the book": isNamed("gap"),
    "a stalled book": isNamed("stalled"),
    "closed streams": isNamed("closed"),
  },
};

/** This matches nothing: bob is not the bot, and nobody pays him. */
const NOTHING = { fault: "deposit-stuck", where: { account: "bob" } };

/**
 * The scenario's text without the points that are `isOfIt`. Their times stay, because others may refer to them, and
 * names of faults stay, because assertions may refer to them.
 */
export function without(isOfIt: IsOfIt, text: string): string {
  const { timeline, ...rest } = parse(text) as { readonly timeline: readonly Point[] };
  const quiet = (point: Point): Point => {
    const when = "at" in point ? { at: point["at"] } : { in: point["in"] };
    if (!("fault" in point)) return { ...when, mark: "nothing" };
    return { ...when, ...NOTHING, name: point["name"] ?? point["fault"] };
  };
  return stringify({ ...rest, timeline: timeline.map((point) => (isOfIt(point) ? quiet(point) : point)) });
}
