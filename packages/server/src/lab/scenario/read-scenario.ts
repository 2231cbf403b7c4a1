/** Reads a scenario file. Errors are reported with file and line before anything starts. */
import { z } from "zod";
import { ConfigError, firstFault, likeliest, schemaFault } from "../../platform/config/faults.ts";
import { faultSchema } from "../faults/fault.ts";
import { durationText, withSpans } from "./duration.ts";
import {
  type Act,
  ACT_KINDS,
  type ActKind,
  ACTS,
  type Assertion,
  DEMO_NAMES,
  FAULT_KINDS,
  FAULT_TIMES,
  faultPoint,
  fileShape,
  type Scenario,
  SCENARIO_LIMITS,
  type ScenarioFile,
  type TimelinePoint,
  WHEN_KEYS,
  whenShape,
} from "./scenario.ts";
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { readConfigFile } from "../../platform/config/config-file.ts";

/** Throws an error with a sentence and the path within the file. */
type Wrong = (path: readonly PropertyKey[], why: string) => never;

type Fields = Readonly<Record<string, unknown>>;
const when = z.strictObject(whenShape);

/** Returns the points ordered by time; at equal times, in the order of the file. */
function readTimeline(points: readonly unknown[], wrong: Wrong): TimelinePoint[] {
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
  // Keys inside the fields do not count: `crash` and `side` are also fields of other kinds.
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

/** Returns a one-line description: `market BTCUSDT crash.percent=20`. */
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

/** The existing names that a scenario may use. */
export interface KnownNames {
  readonly symbols: readonly string[];
  readonly assets: readonly string[];
}

/** Reads and checks a scenario file. `shown`: the path for messages. Throws a one-line `ConfigError`. */
export function readScenario(path: string, shown: string, known: KnownNames): Scenario {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > SCENARIO_LIMITS.maxFileBytes) {
    throw new ConfigError(`${shown}: a scenario has at most ${SCENARIO_LIMITS.maxFileBytes} bytes`);
  }
  const file = readConfigFile(path, shown);
  const { settings } = file;
  const wrong: Wrong = (at, why) => {
    const number = file.line(at);
    throw new ConfigError(`${shown}${number === undefined ? "" : `:${number}`}: ${why}`);
  };
  const written = checked(fileShape, settings, [], wrong);
  const timeline = readTimeline(written.timeline, wrong);
  const names = new Names(written, known, wrong);
  names.check(timeline);
  const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
  const name = written.name ?? basename(path).replace(/\.ya?ml$/, "");
  return { ...written, name, hash, timeline };
}

/** Checks the names that a scenario uses. */
class Names {
  readonly #file: ScenarioFile;
  readonly #known: KnownNames;
  readonly #wrong: Wrong;
  readonly #accounts: readonly string[];

  constructor(file: ScenarioFile, known: KnownNames, wrong: Wrong) {
    this.#file = file;
    this.#known = known;
    this.#wrong = wrong;
    this.#accounts = [...file.accounts.map(({ name }) => name), ...DEMO_NAMES];
  }

  check(timeline: readonly TimelinePoint[]): void {
    const { accounts, symbols = [], bot, agents, replays } = this.#file;
    for (const [index, { name, balances }] of accounts.entries()) {
      const isOfLab = DEMO_NAMES.includes(name);
      if (isOfLab) this.#wrong(["accounts", index], `account ${name}: every lab has one, take another name`);
      else if (this.#accounts.indexOf(name) !== index)
        this.#wrong(["accounts", index], `account ${name} is there twice`);
      for (const asset of Object.keys(balances)) this.#asset(asset, ["accounts", index, "balances", asset]);
    }
    for (const [index, symbol] of symbols.entries())
      this.#one("symbol", symbol, this.#known.symbols, ["symbols", index]);
    if (bot.account !== undefined) this.#account(bot.account, ["bot", "account"]);
    for (const [index, { symbol }] of agents.entries()) this.#symbol(symbol, ["agents", index, "symbol"]);
    for (const [index, { symbol }] of replays.entries()) this.#symbol(symbol, ["replays", index, "symbol"]);
    this.#timeline(timeline);
    this.#asserts(timeline);
  }

  /** Checks names in the order of the file, because errors show the position in the file. */
  #timeline(timeline: readonly TimelinePoint[]): void {
    const { duration, timeline: written } = this.#file;
    for (const [index, point] of written.entries()) {
      const said = point as Readonly<Record<string, unknown>>;
      const at = (...rest: PropertyKey[]): PropertyKey[] => ["timeline", index, ...rest];
      for (const kind of ["market", "halt", "resume", "delist"]) {
        if (typeof said[kind] === "string") this.#symbol(said[kind], at(kind));
      }
      for (const kind of ["order", "cancel"]) {
        if (typeof said[kind] === "string") {
          // With latency, the timeline would wait for a response that arrives only after the timeline has continued.
          if (this.#file.latency !== undefined) this.#wrong(at(kind), `${kind}: not together with latency`);
          this.#account(said[kind], at(kind));
          if (typeof said["symbol"] === "string") this.#symbol(said["symbol"], at("symbol"));
        }
      }
      for (const kind of ["deposit", "withdraw"]) {
        const paid = said[kind] as { readonly account: string; readonly asset: string } | undefined;
        if (paid === undefined) continue;
        this.#account(paid.account, at(kind, "account"));
        this.#asset(paid.asset, at(kind, "asset"));
      }
      const where = said["where"] as { readonly account?: unknown; readonly symbol?: unknown } | undefined;
      if (typeof where?.account === "string" && !where.account.includes("@"))
        this.#account(where.account, at("where", "account"));
      if (typeof where?.symbol === "string") this.#symbol(where.symbol, at("where", "symbol"));
      if (typeof said["heal"] === "string" && said["heal"] !== "all") this.#fault(said["heal"], timeline, at("heal"));
    }
    const late = timeline.find(({ afterMs }) => afterMs > duration);
    if (late !== undefined) {
      this.#wrong(
        ["duration"],
        `${late.text} is at ${durationText(late.afterMs)}, after the end at ${durationText(duration)}`,
      );
    }
  }

  #asserts(timeline: readonly TimelinePoint[]): void {
    const counted = new Map<string, number>();
    for (const { kind, condition } of this.#file.assert as readonly Assertion[]) {
      const index = counted.get(kind) ?? 0;
      counted.set(kind, index + 1);
      const at = (key: string): PropertyKey[] => ["assert", kind, index, condition.is, key];
      const of: Readonly<Record<string, unknown>> = condition.of;
      if (typeof of["account"] === "string") this.#account(of["account"], at("account"));
      if (typeof of["symbol"] === "string") this.#symbol(of["symbol"], at("symbol"));
      for (const key of ["asset", "quote"]) if (typeof of[key] === "string") this.#asset(of[key], at(key));
      if (typeof of["fault"] === "string") this.#fault(of["fault"], timeline, at("fault"));
    }
  }

  #fault(name: string, timeline: readonly TimelinePoint[], path: readonly PropertyKey[]): void {
    const known = timeline.flatMap(({ act }) => (act.kind === "fault" ? [act.name] : []));
    this.#one("fault", name, known, path);
  }

  #symbol(name: string, path: readonly PropertyKey[]): void {
    this.#one("symbol", name, this.#file.symbols ?? this.#known.symbols, path);
  }

  #asset(name: string, path: readonly PropertyKey[]): void {
    this.#one("asset", name, this.#known.assets, path);
  }

  #account(name: string, path: readonly PropertyKey[]): void {
    this.#one("account", name, this.#accounts, path);
  }

  #one(what: string, name: string, known: readonly string[], path: readonly PropertyKey[]): void {
    if (known.includes(name)) return;
    const like = likeliest(name, known);
    const hint = like === undefined ? `there are ${[...new Set(known)].join(", ") || "none"}` : `did you mean ${like}?`;
    this.#wrong(path, `unknown ${what} ${name}; ${hint}`);
  }
}
