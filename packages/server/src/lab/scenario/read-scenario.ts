/** Reads a scenario file. What cannot be played is told before anything starts, with file and line. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { likeliest } from "../../platform/config/alike.ts";
import { ConfigError } from "../../platform/config/config-error.ts";
import { readConfigFile } from "../../platform/config/config-file.ts";
import { firstFault, schemaFault } from "../../platform/config/schema-fault.ts";
import type { Assertion } from "./assert-shape.ts";
import { durationText } from "./duration.ts";
import { SCENARIO_LIMITS } from "./limits.ts";
import { readTimeline, type Wrong } from "./read-timeline.ts";
import { DEMO_NAMES, fileShape, type Scenario, type ScenarioFile } from "./scenario.ts";
import type { TimelinePoint } from "./timeline-shape.ts";

/** The names that a lab knows, and that a scenario may use. */
export interface KnownNames {
  readonly symbols: readonly string[];
  readonly assets: readonly string[];
}

/** `shown`: the file as it was named. Throws a one-line `ConfigError`. */
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
  const result = fileShape.safeParse(settings);
  if (!result.success) {
    const issue = firstFault(result.error);
    if (issue === undefined) return wrong([], "is no scenario");
    const key = issue.code === "unrecognized_keys" ? [issue.keys[0] ?? ""] : [];
    return wrong([...issue.path, ...key], schemaFault(issue, settings, fileShape));
  }
  const timeline = readTimeline(result.data.timeline, wrong);
  const names = new Names(result.data, known, wrong);
  names.check(timeline);
  const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
  const name = result.data.name ?? basename(path).replace(/\.ya?ml$/, "");
  return { ...result.data, name, hash, timeline };
}

/** The names in a scenario, looked up. */
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

  /** Checks names in the order of the file, because errors give the point's place there. */
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
          // The time line would wait for an answer that waits for the time line.
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
    this.#one(
      "fault",
      name,
      timeline.flatMap(({ act }) => (act.kind === "fault" ? [act.name] : [])),
      path,
    );
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
