/** Reads the points of a time line. What is wrong with one is told with the place in the file. */
import { z } from "zod";
import { likeliest } from "../../platform/config/alike.ts";
import { firstFault, schemaFault } from "../../platform/config/schema-fault.ts";
import { faultSchema } from "../faults/fault.ts";
import { durationText, withSpans } from "./duration.ts";
import {
  type Act,
  ACT_KINDS,
  type ActKind,
  ACTS,
  FAULT_KINDS,
  FAULT_TIMES,
  faultPoint,
  type TimelinePoint,
  WHEN_KEYS,
  whenShape,
} from "./timeline-shape.ts";

/** Fails with the path within the file, and a sentence. */
export type Wrong = (path: readonly PropertyKey[], why: string) => never;

type Fields = Readonly<Record<string, unknown>>;
const when = z.strictObject(whenShape);

/** The points in the order of time; those of one moment in the order of the file. */
export function readTimeline(points: readonly unknown[], wrong: Wrong): TimelinePoint[] {
  let beforeMs = 0;
  const read = points.flatMap((point, index) => {
    const path = ["timeline", index];
    if (typeof point !== "object" || point === null || Array.isArray(point)) wrong(path, "must be keys and values");
    const said = point as Fields;
    const timed = checked(
      when,
      pick(said, (key) => WHEN_KEYS.has(key)),
      path,
      wrong,
    );
    const { at, in: since, repeat, note, mayFail } = timed;
    if ((at === undefined) === (since === undefined))
      wrong(path, "say when: `at` since the start, or `in` since the point before");
    const act = readAct(
      pick(said, (key) => !WHEN_KEYS.has(key)),
      path,
      wrong,
    );
    const { every, times } = repeat ?? { every: 0, times: 1 };
    const often = repeat === undefined ? "" : `, ${times} times every ${durationText(every)}`;
    const text = (note ?? textOf(act)) + often;
    const firstMs = at ?? beforeMs + (since ?? 0);
    const repeated = Array.from({ length: times }, (_, count) => firstMs + count * every);
    beforeMs = repeated.at(-1) ?? firstMs;
    return repeated.map((afterMs, count) => ({ afterMs, text, mayFail, isAgain: count > 0, act }));
  });
  return read.toSorted((one, other) => one.afterMs - other.afterMs);
}

function readAct(said: Fields, path: readonly PropertyKey[], wrong: Wrong): Act {
  const keys = Object.keys(said);
  const kinds = keys.filter((key): key is ActKind => (ACT_KINDS as readonly string[]).includes(key));
  const [kind] = kinds;
  if (kind === undefined) {
    const [key = ""] = keys;
    const like = likeliest(key, ACT_KINDS);
    if (like !== undefined) wrong([...path, key], `unknown key ${key}; did you mean ${like}?`);
    wrong(path, `nothing happens here: one of ${ACT_KINDS.join(", ")}`);
  }
  const { [kind]: value, ...others } = said;
  // What a market's crash and an order's side are called is no kind of point.
  if (kinds.length > 1) wrong([...path, kinds[1] ?? ""], `a point does one thing: ${kinds.join(" and ")} are two`);
  if (kind === "fault") return readFault(value, others, path, wrong);
  const { subject, rest } = ACTS[kind];
  const about = checked(subject as z.ZodType, withSpans(value), [...path, kind], wrong);
  const fields = checked(rest as z.ZodType, withSpans(others), path, wrong);
  return { kind, subject: about, fields } as Act;
}

function readFault(value: unknown, others: Fields, path: readonly PropertyKey[], wrong: Wrong): Act {
  const kind = typeof value === "string" ? value : "";
  if (!FAULT_KINDS.includes(kind)) {
    const like = likeliest(kind, FAULT_KINDS);
    const hint = like === undefined ? `there are ${FAULT_KINDS.join(", ")}` : `did you mean ${like}?`;
    wrong([...path, "fault"], `unknown fault ${String(value)}; ${hint}`);
  }
  const own = checked(
    z.strictObject(faultPoint),
    pick(others, (key) => key in faultPoint),
    path,
    wrong,
  );
  const fields = withSpans(pick(others, (key) => !(key in faultPoint))) as Fields;
  const time = FAULT_TIMES.find((key) => key in fields);
  if (time !== undefined) wrong([...path, time], `${time}: a fault begins at its point; say how long by \`for\``);
  checked(faultSchema, { ...fields, fault: kind }, path, wrong);
  return { kind: "fault", subject: kind, fields, forMs: own.for, name: own.name ?? kind };
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[],
  wrong: Wrong,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = firstFault(result.error);
  if (issue === undefined) return wrong(path, "is not right");
  const key = issue.code === "unrecognized_keys" ? [issue.keys[0] ?? ""] : [];
  return wrong([...path, ...issue.path, ...key], schemaFault(issue, value, schema));
}

const pick = (fields: Fields, isWanted: (key: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => isWanted(key)));

/** The act as people read it: `market BTCUSDT crash.percent=20`. */
function textOf(act: Act): string {
  const { kind, subject } = act;
  const fields = "fields" in act ? act.fields : {};
  const said = typeof subject === "string" ? subject : words(subject);
  const lasting = act.kind === "fault" && act.forMs !== undefined ? `for ${durationText(act.forMs)}` : "";
  return [kind, said, words(fields), lasting]
    .filter((word) => word !== "")
    .join(" ")
    .slice(0, 500);
}

function words(fields: Fields, before = ""): string {
  return Object.entries(fields)
    .map(([key, value]) => {
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return words(value as Fields, `${before}${key}.`);
      return `${before}${key}=${typeof value === "string" ? value : JSON.stringify(value)}`;
    })
    .filter((word) => word !== "")
    .join(" ");
}
