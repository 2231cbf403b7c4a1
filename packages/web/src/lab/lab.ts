/** The lab of the node that served the page: its state, refreshed while the node is a lab, and its commands. */
import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { Connection } from "../market/port.ts";
import { LAB } from "../words/words.ts";
import { refusalOf } from "../wire/rest.ts";
import type { World } from "../wire/world.ts";
import { askLab, LabPart, LabRefused } from "./requests.ts";
import type {
  ClockSetting,
  FaultRequest,
  LabClock,
  LabPartName,
  LabParts,
  MarketMove,
  ReplayChange,
  Seen,
} from "./port.ts";

/** The part of `/terminal.json` that a page with access to the lab receives. */
export interface LabFacts {
  readonly lab?: { readonly token: string };
}

export interface NodeLabParts {
  readonly base: string;
  readonly world: World;
  /** Fetches the facts. Rejects if the node does not respond. */
  readonly facts: () => Promise<LabFacts>;
  readonly connection: ReadonlySignal<Connection>;
}

/**
 * The clock is read at this interval, because other clients, such as tests and the command line, can control it too.
 */
const CLOCK_LOOK_MS = 1000;
/** Parts that are not shown are refreshed this many times less often. */
const REST_EVERY = 5;

type LabRequest = Parameters<typeof askLab>[2];

interface ClockReading {
  readonly clock: LabClock;
  readonly atMs: number;
}

/**
 * Commands resolve to true if the node executed them. Otherwise they resolve to false, and `refusal` has the reason.
 */
export class Lab {
  readonly #parts: NodeLabParts;
  readonly #clock = signal<LabClock | null>(null);
  /** Null if the node is not a lab, or this page has no access to the lab. */
  readonly clock: ReadonlySignal<LabClock | null> = this.#clock;
  readonly #isBusy = signal(false);
  /** Whether the node is executing a command. */
  readonly isBusy: ReadonlySignal<boolean> = this.#isBusy;
  readonly #refusal = signal<string | null>(null);
  /** Why the last command failed; null if it succeeded. */
  readonly refusal: ReadonlySignal<string | null> = this.#refusal;
  readonly #seenParts: { readonly [Name in LabPartName]: LabPart<LabParts[Name]> };
  readonly #endWatch: () => void;
  #token: string | null = null;
  #clockReading: ClockReading | null = null;
  /** The clock's last setting that was not manual. */
  #pace: ClockSetting = { mode: "real" };
  /** The components that watch the lab, with the part that each one shows. */
  readonly #watchers = new Set<{ readonly shown: LabPartName | undefined }>();
  #looks = 0;
  #isClosed = false;
  #cancelLook = (): void => {};

  constructor(parts: NodeLabParts) {
    this.#parts = parts;
    const part = <Name extends LabPartName>(name: Name) =>
      new LabPart<LabParts[Name]>(name, (path) => this.#ask(["GET", path]));
    this.#seenParts = {
      ...{ markets: part("markets"), agents: part("agents"), replays: part("replays") },
      ...{ scenario: part("scenario"), faults: part("faults"), checkpoints: part("checkpoints") },
    };
    // After a reconnect, the node may have restarted, and a restart creates another token.
    this.#endWatch = parts.connection.subscribe(({ state }) => {
      if (state === "live") void this.#begin(); // The promise never rejects.
    });
  }

  seen<Name extends LabPartName>(name: Name): Seen<LabParts[Name]> {
    return this.#seenParts[name].seen.value;
  }

  /** The estimated current time of the lab's clock. */
  nowMs(): number {
    if (this.#clockReading === null) return 0;
    const { clock, atMs } = this.#clockReading;
    if (clock.mode === "manual") return clock.nowMs;
    const pace = clock.mode === "scaled" ? clock.speed : 1;
    return clock.nowMs + Math.floor((this.#parts.world.elapsedMs() - atMs) * pace);
  }

  /** Refreshes the part `shown` every second and the other parts less often, until the returned function is called. */
  watch(shown?: LabPartName): () => void {
    const watcher = { shown };
    this.#watchers.add(watcher);
    void this.#lookAtAll(); // The promise never rejects.
    return () => void this.#watchers.delete(watcher);
  }

  setClock(setting: ClockSetting): Promise<boolean> {
    return this.#do(["POST", "clock", setting]);
  }

  /** Stops the clock until it is advanced or started again. */
  freeze(): Promise<boolean> {
    return this.setClock({ mode: "manual" });
  }

  /** Runs the clock at its last speed, or in real time if no speed was set before. */
  run(): Promise<boolean> {
    return this.setClock(this.#pace);
  }

  /** Advances the clock by `spanMs`. All events due in that time are processed in order. The clock must be manual. */
  advance(spanMs: number): Promise<boolean> {
    return this.#do(["POST", "clock/advance", { ms: spanMs }]);
  }

  /** Advances the clock until the lab has no work left. The clock must be manual. */
  advanceUntilIdle(): Promise<boolean> {
    return this.#do(["POST", "clock/advance", { untilIdle: true }]);
  }

  /** Advances a manual clock to `timeMs`; any other clock jumps there. Time never goes backwards. */
  goTo(timeMs: number): Promise<boolean> {
    const mode = this.#clock.peek()?.mode;
    if (mode === "manual") return this.#do(["POST", "clock/advance", { toMs: timeMs }]);
    return this.#do(["POST", "clock", { mode, nowMs: timeMs }]);
  }

  moveMarket(symbol: string, move: MarketMove): Promise<boolean> {
    return this.#do(["POST", `markets/${encodeURIComponent(symbol)}`, move]);
  }

  turnAgents(id: number, isOn: boolean): Promise<boolean> {
    return this.#do(["POST", `agents/${id}`, { isOn }]);
  }

  /** Removes the agents and cancels their open orders. */
  removeAgents(id: number): Promise<boolean> {
    return this.#do(["DELETE", `agents/${id}`]);
  }

  changeReplay(id: number, change: ReplayChange): Promise<boolean> {
    return this.#do(["POST", `replays/${id}`, change]);
  }

  /** Replays the next row of a paused replay. */
  stepReplay(id: number): Promise<boolean> {
    return this.#do(["POST", `replays/${id}/step`, { rows: 1 }]);
  }

  /** Ends and removes a replay. The symbol's bots resume trading. */
  removeReplay(id: number): Promise<boolean> {
    return this.#do(["DELETE", `replays/${id}`]);
  }

  addFault(fault: FaultRequest): Promise<boolean> {
    return this.#do(["POST", "faults", fault]);
  }

  /** Removes a fault; null removes all faults. */
  removeFault(id: number | null): Promise<boolean> {
    return this.#do(["DELETE", id === null ? "faults" : `faults/${id}`]);
  }

  takeCheckpoint(name: string): Promise<boolean> {
    return this.#do(["POST", "checkpoints", { name }]);
  }

  restore(name: string): Promise<boolean> {
    return this.#do(["POST", `checkpoints/${encodeURIComponent(name)}/restore`, {}]);
  }

  deleteCheckpoint(name: string): Promise<boolean> {
    return this.#do(["DELETE", `checkpoints/${encodeURIComponent(name)}`]);
  }

  /** Returns the lab to its initial state. */
  reset(): Promise<boolean> {
    return this.#do(["POST", "reset", {}]);
  }

  close(): void {
    this.#isClosed = true;
    this.#endWatch();
    this.#cancelLook();
  }

  async #begin(): Promise<void> {
    const { lab } = await this.#parts.facts().catch((): LabFacts => ({}));
    if (this.#isClosed) return;
    this.#token = lab?.token ?? null;
    if (this.#token === null) return this.#isNone();
    for (const part of Object.values(this.#seenParts)) part.mayBeThere();
    await this.#look();
    await this.#lookAtAll();
  }

  #isNone(): void {
    this.#cancelLook();
    this.#token = this.#clockReading = null;
    batch(() => {
      this.#clock.value = null;
      for (const part of Object.values(this.#seenParts)) part.forget();
    });
  }

  #ask<Value>(request: LabRequest): Promise<Value> {
    if (this.#token === null) return Promise.reject(new LabRefused(LAB.none, 404, ""));
    return askLab<Value>(this.#parts, this.#token, request);
  }

  /** Sends one command at a time. Commands given while another one is running are ignored. */
  async #do(request: LabRequest): Promise<boolean> {
    if (this.#isBusy.peek()) return false;
    this.#isBusy.value = true;
    try {
      await this.#ask(request);
      this.#refusal.value = null;
      return true;
    } catch (error) {
      this.#refusal.value = refusalOf(error).message;
      return false;
    } finally {
      this.#isBusy.value = false;
      await this.#look();
      await this.#lookAtAll();
    }
  }

  /** Reads the clock. The promise never rejects. */
  async #look(): Promise<void> {
    const { world } = this.#parts;
    this.#cancelLook();
    try {
      this.#takeClock(await this.#ask<LabClock>(["GET", "clock"]));
    } catch (error) {
      // Another node may have taken over this address. If there is no response, the connection state shows the problem.
      if (error instanceof LabRefused && error.isNoLab) return this.#isNone();
    }
    if (this.#isClosed || this.#token === null) return;
    this.#cancelLook();
    this.#cancelLook = world.after(CLOCK_LOOK_MS, () => {
      // No requests are sent until the node is reachable again.
      if (this.#parts.connection.peek().state !== "live") return;
      void this.#look();
      void this.#lookAgain();
    });
  }

  #takeClock(clock: LabClock): void {
    this.#clockReading = { clock, atMs: this.#parts.world.elapsedMs() };
    const { mode, nowMs, speed } = clock;
    if (mode !== "manual") this.#pace = mode === "scaled" ? { mode, speed } : { mode };
    const before = this.#clock.peek();
    if (before?.mode !== mode || before.nowMs !== nowMs || before.speed !== speed) this.#clock.value = clock;
  }

  /** Refreshes the parts that are shown, and a running scenario, which the strip shows. The promise never rejects. */
  async #lookAgain(): Promise<void> {
    if (this.#watchers.size > 0 && ++this.#looks % REST_EVERY === 0) return this.#lookAtAll();
    const scenario = this.#seenParts.scenario.seen.peek();
    const names = new Set([...this.#watchers].flatMap(({ shown }) => shown ?? []));
    if (scenario.state === "known" && scenario.value !== null) names.add("scenario");
    await Promise.all([...names].map((name) => this.#seenParts[name].look()));
  }

  /** Refreshes all parts. The promise never rejects. */
  async #lookAtAll(): Promise<void> {
    if (this.#token === null) return;
    await Promise.all(Object.values(this.#seenParts).map((part) => part.look()));
  }
}
