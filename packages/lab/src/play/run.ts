/** Plays a scenario on its lab: moves the clock, executes the time line, and judges the assertions. */
import type { RunningLab } from "../start/exchange.ts";
import type { WatchRecord } from "../types.ts";
import { Judge, type Verdict } from "./judge.ts";
import { clockText, Course } from "./course.ts";
import { type Pair, World } from "./world.ts";
import type { Scenario, TimelinePoint, ToldScenario } from "@pricetime/server/scenarios";
import { HELD } from "../hold/environment.ts";
import { Acts, FaultLog, type FaultTold } from "./acts.ts";
import { Bot, type BotEnd } from "./bot.ts";
import { type Pace, paceOf } from "./pace.ts";

export interface WitnessParts {
  readonly lab: RunningLab;
  readonly world: World;
  readonly judge: Judge;
  readonly course: Course;
}

class Witness {
  readonly #parts: WitnessParts;
  #seen = 0;

  constructor(parts: WitnessParts) {
    this.#parts = parts;
  }

  /** Begins to watch these accounts, by mail address, and symbols. */
  async begin(accounts: readonly string[], symbols: readonly string[]): Promise<void> {
    await this.#parts.lab.watch.begin({ accounts, symbols });
    await this.look();
  }

  /** Takes in all that has happened since. */
  async look(): Promise<void> {
    const { lost, last, records } = await this.#parts.lab.watch.look(this.#seen);
    if (lost > 0) throw new Error(`${lost} events of the lab's watch were lost: more occurred at once than it stores`);
    this.#take(records);
    this.#seen = last;
  }

  #take(records: readonly WatchRecord[]): void {
    const { world, judge, course } = this.#parts;
    for (const [index, record] of records.entries()) {
      world.take(record);
      course.take(record);
      // Within an entry, an account has been paid and has not paid yet.
      const next = records[index + 1];
      if (next !== undefined && next.seq === record.seq && next.atMs === record.atMs) continue;
      judge.look(record.atMs);
      course.look(record.atMs);
    }
  }
}

/** The longest way between two looks at what has happened. */
const LOOK_MS = 60_000;
/** The asset in which a report tells what an account is worth. */
const QUOTE = "USDT";

export interface RunParts {
  readonly scenario: Scenario;
  readonly lab: RunningLab;
  readonly command: readonly string[];
  readonly tell: (line: string) => void;
  readonly onOutput: (text: string, isError: boolean) => void;
}

/** A point of the time line that was done. */
export interface DonePoint {
  readonly atMs: number;
  readonly kind: string;
  readonly text: string;
  /** Why it was refused. */
  readonly refused?: string;
}

export interface Played {
  readonly startMs: number;
  /** The scenario's end; where it has broken off before, that time. */
  readonly endMs: number;
  readonly verdicts: readonly Verdict[];
  readonly timeline: readonly DonePoint[];
  readonly faults: readonly FaultTold[];
  readonly course: Course;
  readonly bot: { readonly account: string; readonly end: BotEnd; readonly said: string };
  readonly quote: string;
  readonly unpriced: readonly string[];
  /** What went wrong besides what was asserted, and why it broke off. */
  readonly failures: readonly string[];
}

/** What a run goes by once its bot has begun. */
interface Stage {
  readonly startMs: number;
  readonly endMs: number;
  readonly pace: Pace;
  readonly world: World;
  readonly witness: Witness;
  readonly judge: Judge;
}

export class Run {
  readonly #parts: RunParts;
  readonly #botName: string;
  readonly #acts: Acts;
  readonly #faultLog: FaultLog;
  readonly #done: DonePoint[] = [];
  readonly #failures: string[] = [];
  readonly #stopping = Promise.withResolvers<never>();
  #bot: Bot | undefined;
  #nowMs = 0;

  constructor(parts: RunParts) {
    this.#parts = parts;
    const { scenario, lab } = parts;
    this.#botName = scenario.bot.account ?? scenario.accounts[0]?.name ?? "";
    this.#acts = new Acts(lab);
    this.#faultLog = new FaultLog(lab, this.#acts.faults);
    // Nobody may be waiting when it is stopped.
    this.#stopping.promise.catch(() => {});
  }

  /** Ends the bot at once, and the scenario with it. */
  stop(): void {
    this.#stopping.reject(new Error("stopped by a signal"));
    this.#bot?.send("SIGKILL");
  }

  /** Resolves also when it breaks off once its bot has begun: with all that there is until then, and why. */
  async play(): Promise<Played> {
    const { scenario, lab, command, onOutput } = this.#parts;
    const { email, apiKey, secretKey } = lab.account(this.#botName);
    const pairs = await lab.api.ask<readonly Pair[]>("GET", "/v1/symbols");
    const asked = scenario.assert.flatMap(({ condition: { of } }) => ("account" in of ? [of.account] : []));
    const names = [...scenario.accounts.map(({ name }) => name), ...asked.filter((name) => name !== undefined)];
    const emails = new Map(names.map((name) => [name, lab.account(name).email]));
    const world = new World(emails, pairs);
    const judge = new Judge(scenario.assert, world, this.#botName);
    const course = new Course(world, { bot: this.#botName, email, quote: QUOTE });
    const witness = new Witness({ lab, world, judge, course });
    const symbols = scenario.symbols ?? [];
    const watched = pairs.filter(
      ({ symbol, quoteAsset }) => quoteAsset === QUOTE || symbols.length === 0 || symbols.includes(symbol),
    );
    await witness.begin(
      [...emails.values()],
      watched.map(({ symbol }) => symbol),
    );

    const startMs = await lab.clock.now();
    const endMs = startMs + scenario.duration;
    const pace = await paceOf(scenario, lab);
    const bot = new Bot({
      command,
      preload: pace.preload,
      environment: {
        PRICETIME_REST: lab.rest,
        PRICETIME_WS: lab.ws,
        PRICETIME_API_KEY: apiKey,
        PRICETIME_API_SECRET: secretKey,
        ...(pace.isLockStep && heldBy(lab)),
      },
      onOutput,
    });
    this.#bot = bot;
    const overMs = await this.#playThrough({ startMs, endMs, pace, world, witness, judge }, bot);
    const unpriced = world.unpriced(world.account(this.#botName), QUOTE);
    const end = await bot.ended;
    const told = { account: this.#botName, end, said: bot.said };
    const [timeline, faults, failures] = [this.#done, this.#faultLog.told(), this.#failures];
    return {
      startMs,
      endMs: overMs,
      verdicts: judge.verdicts,
      timeline,
      faults,
      course,
      bot: told,
      quote: QUOTE,
      unpriced,
      failures,
    };
  }

  /** Resolves to when it was over. */
  async #playThrough(stage: Stage, bot: Bot): Promise<number> {
    const { startMs, endMs, pace, world, witness, judge } = stage;
    const { lab } = this.#parts;
    this.#nowMs = startMs;
    try {
      await pace.follow(bot);
      await this.#live(stage);
      await this.#orStopped(pace.end(bot));
      await witness.look();
      await this.#faultLog.look();
      this.#count(world);
      judge.end(await lab.clock.now());
      await this.#tellNode(startMs, endMs, judge);
      return endMs;
    } catch (error) {
      this.#failures.push((error as Error).message.split("\n")[0] ?? "");
      // What is still to be had belongs into the report, also when this fails, too. Without the bot the clock would go on.
      for (const look of [() => witness.look(), () => this.#faultLog.look()]) await look().catch(() => {});
      const overMs = await lab.clock.now().catch(() => this.#nowMs);
      bot.send("SIGKILL");
      await bot.ended;
      return Math.min(endMs, overMs);
    }
  }

  async #live({ startMs, endMs, pace, world, witness, judge }: Stage): Promise<void> {
    const { timeline } = this.#parts.scenario;
    const waiting = [...timeline];
    await this.#tellNode(startMs, endMs, judge);
    for (let nowMs = startMs; ; ) {
      const due = waiting.findIndex(({ afterMs }) => startMs + afterMs > nowMs);
      const points = waiting.splice(0, due === -1 ? waiting.length : due);
      for (const point of points) await this.#act(point, nowMs, startMs);
      if (points.length > 0) {
        await this.#faultLog.look();
        await this.#tellNode(startMs, endMs, judge);
      }
      if (nowMs >= endMs) return;
      const nextMs = Math.min(endMs, nowMs + LOOK_MS, startMs + (waiting[0]?.afterMs ?? Number.POSITIVE_INFINITY));
      this.#nowMs = nowMs = await this.#orStopped(pace.until(nextMs));
      this.#checkBot();
      await witness.look();
      if (this.#parts.scenario.assert.some(({ condition }) => condition.is === "struck")) {
        await this.#faultLog.look();
        this.#count(world);
        judge.look(nowMs);
      }
    }
  }

  /** Rejects as soon as the run is stopped. */
  #orStopped<T>(done: Promise<T>): Promise<T> {
    return Promise.race([this.#stopping.promise, done]);
  }

  async #act({ act, text, mayFail, isAgain }: TimelinePoint, nowMs: number, startMs: number): Promise<void> {
    const { tell } = this.#parts;
    if (act.kind === "heal") await this.#faultLog.look();
    let refused: string | undefined;
    try {
      await this.#acts.do(act, nowMs);
    } catch (error) {
      refused = (error as Error).message.split("\n")[0] ?? "";
      const why = `${text} was refused: ${refused}`;
      if (!mayFail && !this.#failures.includes(why)) this.#failures.push(why);
    }
    if (!isAgain) tell(`${clockText(nowMs - startMs)} ${text}${refused === undefined ? "" : ` (refused: ${refused})`}`);
    this.#done.push({ atMs: nowMs, kind: act.kind, text, ...(refused !== undefined && { refused }) });
  }

  /** A bot may end before the scenario does, but not by a failure. */
  #checkBot(): void {
    const end = this.#bot?.end;
    if (end === undefined || this.#failures.some((why) => why.startsWith("the bot"))) return;
    const { mustRun } = this.#parts.scenario.bot;
    if (end.failure !== undefined) throw new Error(`the bot could not be started: ${end.failure}`);
    if (end.code !== 0) this.#failures.push(`the bot exited with ${end.signal ?? `code ${end.code}`}`);
    else if (mustRun) this.#failures.push("the bot exited before the end of the scenario");
  }

  #count(world: World): void {
    for (const [name, count] of this.#faultLog.counts()) world.struck.set(name, count);
  }

  /** Tells the node how the scenario stands, for people who look at the lab. */
  async #tellNode(startMs: number, endMs: number, judge: Judge): Promise<void> {
    const { scenario, lab } = this.#parts;
    const done = this.#done.length;
    const told: ToldScenario = {
      name: scenario.name,
      hash: scenario.hash,
      startMs,
      endMs,
      timeline: scenario.timeline.map(({ afterMs, text, act }, index) => {
        return { atMs: startMs + afterMs, kind: act.kind, text, isDone: index < done };
      }),
      asserts: judge.verdicts.map(({ name, kind, state, text }) => ({ name, kind, state, text })),
    };
    await lab.scenario.tell(told);
  }
}

/** Environment of the lab's preload, or of a bot that speaks lock step itself. */
function heldBy({ admin, adminToken, seed }: RunningLab): Record<string, string> {
  return { [HELD.url]: admin, [HELD.token]: adminToken, [HELD.client]: "bot", [HELD.seed]: String(seed) };
}
