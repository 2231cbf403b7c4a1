/** Runs a scenario on its lab: moves the clock, executes the timeline, and evaluates the assertions. */
import type { RunningLab } from "../start/exchange.ts";
import type { ScenarioStatus, WatchRecord } from "../types.ts";
import { Judge, type Verdict } from "./judge.ts";
import { clockText, Course } from "./course.ts";
import { type Pair, ScenarioState } from "./scenario-state.ts";
import type { Scenario, TimelinePoint } from "@pricetime/server/scenarios";
import { HELD } from "../hold/environment.ts";
import { Actions, FaultLog, type FaultSummary } from "./actions.ts";
import { Bot, type BotEnd } from "./bot.ts";
import { type Pace, paceOf } from "./pace.ts";

export interface WitnessParts {
  readonly lab: RunningLab;
  readonly state: ScenarioState;
  readonly judge: Judge;
  readonly course: Course;
}

class Witness {
  readonly #parts: WitnessParts;
  #seen = 0;

  constructor(parts: WitnessParts) {
    this.#parts = parts;
  }

  /** Starts watching these accounts, identified by email address, and these symbols. */
  async begin(accounts: readonly string[], symbols: readonly string[]): Promise<void> {
    await this.#parts.lab.watch.begin({ accounts, symbols });
    await this.look();
  }

  /** Processes all events since the last call. */
  async look(): Promise<void> {
    const { lost, last, records } = await this.#parts.lab.watch.look(this.#seen);
    if (lost > 0) throw new Error(`${lost} events of the lab's watch were lost: more occurred at once than it stores`);
    this.#take(records);
    this.#seen = last;
  }

  #take(records: readonly WatchRecord[]): void {
    const { state, judge, course } = this.#parts;
    for (const [index, record] of records.entries()) {
      state.take(record);
      course.take(record);
      // In the middle of a journal entry, only one side of a trade may be booked. Assertions are therefore evaluated
      // only after the last record of an entry.
      const next = records[index + 1];
      if (next !== undefined && next.seq === record.seq && next.atMs === record.atMs) continue;
      judge.look(record.atMs);
      course.look(record.atMs);
    }
  }
}

/** The maximum time on the lab's clock between two reads of the events. */
const LOOK_MS = 60_000;
/** The asset in which a report measures equity. */
const QUOTE = "USDT";

export interface RunParts {
  readonly scenario: Scenario;
  readonly lab: RunningLab;
  readonly command: readonly string[];
  readonly print: (line: string) => void;
  readonly onOutput: (text: string, isError: boolean) => void;
}

/** An executed point of the timeline. */
export interface DonePoint {
  readonly atMs: number;
  readonly kind: string;
  readonly text: string;
  /** Why the action was rejected. */
  readonly refused?: string;
}

export interface Played {
  readonly startMs: number;
  /** The time at which the scenario ended or was aborted. */
  readonly endMs: number;
  readonly verdicts: readonly Verdict[];
  readonly timeline: readonly DonePoint[];
  readonly faults: readonly FaultSummary[];
  readonly course: Course;
  readonly bot: { readonly account: string; readonly end: BotEnd; readonly said: string };
  readonly quote: string;
  readonly unpriced: readonly string[];
  /** Failures other than failed assertions, and the reason if the scenario was aborted. */
  readonly failures: readonly string[];
}

/** The parts of a run after its bot has started. */
interface Stage {
  readonly startMs: number;
  readonly endMs: number;
  readonly pace: Pace;
  readonly state: ScenarioState;
  readonly witness: Witness;
  readonly judge: Judge;
}

export class Run {
  readonly #parts: RunParts;
  readonly #botName: string;
  readonly #actions: Actions;
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
    this.#actions = new Actions(lab);
    this.#faultLog = new FaultLog(lab, this.#actions.faults);
    // Prevents an unhandled rejection if nothing waits for the promise.
    this.#stopping.promise.catch(() => {});
  }

  /** Kills the bot and aborts the scenario. */
  stop(): void {
    this.#stopping.reject(new Error("stopped by a signal"));
    this.#bot?.send("SIGKILL");
  }

  /**
   * Runs the scenario. If it is aborted after its bot has started, this also resolves: to everything recorded until
   * then, and the reason.
   */
  async play(): Promise<Played> {
    const { scenario, lab, command, onOutput } = this.#parts;
    const { email, apiKey, secretKey } = lab.account(this.#botName);
    const pairs = await lab.api.ask<readonly Pair[]>("GET", "/v1/symbols");
    const assertedNames = scenario.assert.flatMap(({ condition: { of } }) => ("account" in of ? [of.account] : []));
    const names = [...scenario.accounts.map(({ name }) => name), ...assertedNames.filter((name) => name !== undefined)];
    const emails = new Map(names.map((name) => [name, lab.account(name).email]));
    const state = new ScenarioState(emails, pairs);
    const judge = new Judge(scenario.assert, state, this.#botName);
    const course = new Course(state, { bot: this.#botName, email, quote: QUOTE });
    const witness = new Witness({ lab, state, judge, course });
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
        ...(pace.isLockStep && lockStepEnvironment(lab)),
      },
      onOutput,
    });
    this.#bot = bot;
    const overMs = await this.#playThrough({ startMs, endMs, pace, state, witness, judge }, bot);
    const unpriced = state.unpriced(state.account(this.#botName), QUOTE);
    const end = await bot.ended;
    const botResult = { account: this.#botName, end, said: bot.output };
    const [timeline, faults, failures] = [this.#done, this.#faultLog.summaries(), this.#failures];
    return {
      startMs,
      endMs: overMs,
      verdicts: judge.verdicts,
      timeline,
      faults,
      course,
      bot: botResult,
      quote: QUOTE,
      unpriced,
      failures,
    };
  }

  /** Resolves to the time at which the scenario ended. */
  async #playThrough(stage: Stage, bot: Bot): Promise<number> {
    const { startMs, endMs, pace, state, witness, judge } = stage;
    const { lab } = this.#parts;
    this.#nowMs = startMs;
    try {
      await pace.follow(bot);
      await this.#live(stage);
      await this.#orStopped(pace.end(bot));
      await witness.look();
      await this.#faultLog.look();
      this.#count(state);
      judge.end(await lab.clock.now());
      await this.#reportStatus(startMs, endMs, judge);
      return endMs;
    } catch (error) {
      this.#failures.push((error as Error).message.split("\n")[0] ?? "");
      // The report should include everything that can still be read, even if this reading fails as well. The clock must
      // not continue without the bot.
      for (const look of [() => witness.look(), () => this.#faultLog.look()]) await look().catch(() => {});
      const overMs = await lab.clock.now().catch(() => this.#nowMs);
      bot.send("SIGKILL");
      await bot.ended;
      return Math.min(endMs, overMs);
    }
  }

  async #live({ startMs, endMs, pace, state, witness, judge }: Stage): Promise<void> {
    const { timeline } = this.#parts.scenario;
    const waiting = [...timeline];
    await this.#reportStatus(startMs, endMs, judge);
    for (let nowMs = startMs; ; ) {
      const due = waiting.findIndex(({ afterMs }) => startMs + afterMs > nowMs);
      const points = waiting.splice(0, due === -1 ? waiting.length : due);
      for (const point of points) await this.#act(point, nowMs, startMs);
      if (points.length > 0) {
        await this.#faultLog.look();
        await this.#reportStatus(startMs, endMs, judge);
      }
      if (nowMs >= endMs) return;
      const nextMs = Math.min(endMs, nowMs + LOOK_MS, startMs + (waiting[0]?.afterMs ?? Number.POSITIVE_INFINITY));
      this.#nowMs = nowMs = await this.#orStopped(pace.until(nextMs));
      this.#checkBot();
      await witness.look();
      if (this.#parts.scenario.assert.some(({ condition }) => condition.is === "struck")) {
        await this.#faultLog.look();
        this.#count(state);
        judge.look(nowMs);
      }
    }
  }

  /** Rejects as soon as `stop` is called. */
  #orStopped<T>(done: Promise<T>): Promise<T> {
    return Promise.race([this.#stopping.promise, done]);
  }

  async #act({ act, text, mayFail, isAgain }: TimelinePoint, nowMs: number, startMs: number): Promise<void> {
    const { print } = this.#parts;
    if (act.kind === "heal") await this.#faultLog.look();
    let refused: string | undefined;
    try {
      await this.#actions.do(act, nowMs);
    } catch (error) {
      refused = (error as Error).message.split("\n")[0] ?? "";
      const why = `${text} was refused: ${refused}`;
      if (!mayFail && !this.#failures.includes(why)) this.#failures.push(why);
    }
    if (!isAgain)
      print(`${clockText(nowMs - startMs)} ${text}${refused === undefined ? "" : ` (refused: ${refused})`}`);
    this.#done.push({ atMs: nowMs, kind: act.kind, text, ...(refused !== undefined && { refused }) });
  }

  /** Checks that the bot has not failed. It may exit before the scenario ends. */
  #checkBot(): void {
    const end = this.#bot?.end;
    if (end === undefined || this.#failures.some((why) => why.startsWith("the bot"))) return;
    const { mustRun } = this.#parts.scenario.bot;
    if (end.failure !== undefined) throw new Error(`the bot could not be started: ${end.failure}`);
    if (end.code !== 0) this.#failures.push(`the bot exited with ${end.signal ?? `code ${end.code}`}`);
    else if (mustRun) this.#failures.push("the bot exited before the end of the scenario");
  }

  #count(state: ScenarioState): void {
    for (const [name, count] of this.#faultLog.counts()) state.struck.set(name, count);
  }

  /** Sends the progress of the scenario to the node, so that the terminal can show it. */
  async #reportStatus(startMs: number, endMs: number, judge: Judge): Promise<void> {
    const { scenario, lab } = this.#parts;
    const done = this.#done.length;
    const status: ScenarioStatus = {
      name: scenario.name,
      hash: scenario.hash,
      startMs,
      endMs,
      timeline: scenario.timeline.map(({ afterMs, text, act }, index) => {
        return { atMs: startMs + afterMs, kind: act.kind, text, isDone: index < done };
      }),
      asserts: judge.verdicts.map(({ name, kind, state, text }) => ({ name, kind, state, text })),
    };
    await lab.scenario.tell(status);
  }
}

/** Returns environment variables for the lab's preload, or for a bot that implements lock step itself. */
function lockStepEnvironment({ admin, adminToken, seed }: RunningLab): Record<string, string> {
  return { [HELD.url]: admin, [HELD.token]: adminToken, [HELD.client]: "bot", [HELD.seed]: String(seed) };
}
