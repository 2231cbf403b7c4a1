/** Read consistency of a node: tracks how old its state is, and waits until it is as new as a read requires. */
import { atMost, type Cancel, type Clock, type Timers } from "../platform/world/port.ts";
import type { ClusterLimits } from "./peers.ts";
import { type ClusterStore, StoreUnfit } from "./port.ts";
import type { LogPlace } from "../journal/port.ts";
import { NotAccepted } from "../journal/sequencer/port.ts";

/** At `atMs`, the log ended with batch `number`. */
interface Mark {
  readonly number: number;
  readonly atMs: number;
}

export class Freshness {
  /** The age is unknown at the start, because the node's own journal may be old. */
  #freshMs = Number.NEGATIVE_INFINITY;
  /** Marks that the node has not reached yet: the oldest, which it reaches next, and the newest. */
  #next: Mark | undefined;
  #newest: Mark | undefined;

  /** The age of the state; Infinity until the node has reached an end of the log. Times are monotonic. */
  staleMs(nowMs: number): number {
    return Math.max(0, nowMs - this.#freshMs);
  }

  /**
   * Records that the log ended with batch `number` at `atMs`. At that time, the node had applied the batches up to
   * `reached`.
   */
  logEnded(number: number, atMs: number, reached: number): void {
    if (number <= reached) this.#freshMs = Math.max(this.#freshMs, atMs);
    else if (this.#next === undefined) this.#next = { number, atMs };
    else this.#newest = { number, atMs };
  }

  /** Records that the node has applied the batches up to this one. */
  reached(number: number): void {
    while (this.#next !== undefined && this.#next.number <= number) {
      this.#freshMs = Math.max(this.#freshMs, this.#next.atMs);
      this.#next = this.#newest;
      this.#newest = undefined;
    }
  }
}

interface Waiter {
  readonly number: number;
  readonly settle: (isReached: boolean) => void;
  readonly stopPatience: Cancel;
}

export class Milestones {
  readonly #timers: Pick<Timers, "after">;
  readonly #waiters = new Set<Waiter>();
  #number: number;

  constructor(number: number, timers: Pick<Timers, "after">) {
    this.#number = number;
    this.#timers = timers;
  }

  get number(): number {
    return this.#number;
  }

  /** Resolves to true once `number` is reached, or to false after `patienceMs` or `release`. */
  reached(number: number, patienceMs: number): Promise<boolean> {
    if (this.#number >= number) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (isReached: boolean): void => {
        this.#waiters.delete(waiter);
        waiter.stopPatience();
        resolve(isReached);
      };
      const stopPatience = this.#timers.after(patienceMs, () => settle(false));
      const waiter = { number, settle, stopPatience };
      this.#waiters.add(waiter);
    });
  }

  reach(number: number): void {
    this.#number = number;
    if (this.#waiters.size === 0) return;
    for (const waiter of this.#waiters) if (waiter.number <= number) waiter.settle(true);
  }

  /** Resolves all waiting calls to false. */
  release(): void {
    for (const waiter of this.#waiters) waiter.settle(false);
  }
}

// Reads the end of the log. Only one call is in progress at a time. A caller that arrives meanwhile waits for the next
// call, because the result of the current one may be older than the request.

export interface LogEndAnswer {
  readonly lastNumber: number;
  /** When the request began (monotonic). */
  readonly startMs: number;
}

export interface LogEndOptions {
  readonly store: Pick<ClusterStore, "lastNumber">;
  /** Called with each answer. Must not throw. */
  readonly onAnswer: (answer: LogEndAnswer) => void;
  /** Called when the store has become unusable. */
  readonly onUnfit: (error: StoreUnfit) => void;
  /** The last batch that this node knows. A store whose log ends before this batch was restored from a backup. */
  readonly knownNumber: () => number;
  readonly world: Clock & Timers;
  readonly limits: Pick<ClusterLimits, "callPatienceMs" | "callPauseMs" | "contactEveryMs">;
}

type Settle = (lastNumber: number | undefined) => void;

export class LogEnd {
  readonly #options: LogEndOptions;
  /** Callers that wait for the next call. */
  #waiting: Settle[] = [];
  /** Callers that wait for the call in progress; undefined if none is in progress. */
  #asking: Settle[] | undefined;
  #stopTimer: Cancel = () => {};
  /** Whether the periodic calls are pausing after a failed one. */
  #isPausing = false;
  #isStopped = false;

  constructor(options: LogEndOptions) {
    this.#options = options;
  }

  /** Starts the periodic calls. */
  start(): void {
    this.#call();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
    this.release();
  }

  /**
   * Resolves to the number of the log's last batch at some time after this call; undefined if the caller was released,
   * or if the store was restored from a backup.
   */
  ask(): Promise<number | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isPausing) this.#call();
    });
  }

  /** Releases all waiting callers without an answer. */
  release(): void {
    for (const settle of [...(this.#asking?.splice(0) ?? []), ...this.#waiting.splice(0)]) settle(undefined);
  }

  #call(): void {
    if (this.#asking !== undefined || this.#isStopped) return;
    this.#isPausing = false;
    this.#stopTimer();
    this.#asking = this.#waiting;
    this.#waiting = [];
    void this.#ask();
  }

  /** Never rejects: a failed call is repeated. */
  async #ask(): Promise<void> {
    const { store, onAnswer, onUnfit, world, limits } = this.#options;
    const knownNumber = this.#options.knownNumber();
    const startMs = world.steadyMs();
    let lastNumber: number | undefined;
    const answer = store.lastNumber().then(
      (number) => (lastNumber = number),
      (error: unknown) => {
        if (error instanceof StoreUnfit && !this.#isStopped) onUnfit(error);
      },
    );
    await atMost(world, limits.callPatienceMs, answer);
    const asking = this.#asking ?? [];
    this.#asking = undefined;
    if (lastNumber !== undefined && lastNumber < knownNumber) {
      // The store has another log, and the end of that log must not answer any read.
      for (const settle of asking) settle(undefined);
      onUnfit(new StoreUnfit(`etcd was restored or replaced: the shared log ends with batch ${lastNumber}`));
      this.#callAfter(limits.contactEveryMs);
      return;
    }
    if (lastNumber === undefined) {
      this.#waiting = [...asking, ...this.#waiting];
      this.#isPausing = true;
      this.#callAfter(limits.callPauseMs);
      return;
    }
    onAnswer({ lastNumber, startMs });
    for (const settle of asking) settle(lastNumber);
    if (this.#waiting.length > 0) this.#call();
    else this.#callAfter(limits.contactEveryMs);
  }

  #callAfter(waitMs: number): void {
    this.#stopTimer();
    if (!this.#isStopped) this.#stopTimer = this.#options.world.after(waitMs, () => this.#call());
  }
}

export interface ReadsOptions {
  readonly store: Pick<ClusterStore, "lastNumber">;
  /** The replica that serves requests, and the last batch that it has applied or skipped. */
  readonly engine: { readonly seq: number };
  readonly number: number;
  /** Whether the quorum has not answered for too long. */
  readonly isCutOff: () => boolean;
  /** Called when the quorum has answered a call that began at `startMs` (monotonic). */
  readonly onContact: (startMs: number) => void;
  /** Called when the store has become unusable. */
  readonly onUnfit: (error: StoreUnfit) => void;
  readonly world: Clock & Timers;
  readonly limits: ClusterLimits;
}

export class Reads {
  readonly #options: ReadsOptions;
  readonly #logEnd: LogEnd;
  readonly #freshness = new Freshness();
  /** Progress of batches that are applied or skipped, and of entries that are applied. */
  readonly #rows: Milestones;
  readonly #entries: Milestones;
  /** The number of the last known batch of the log. */
  #logNumber = 0;
  /** Time when a possibly incomplete read was last answered (monotonic). */
  #uncertainMs = Number.NEGATIVE_INFINITY;

  constructor(options: ReadsOptions) {
    const { store, engine, number, world, limits, onContact, onUnfit } = options;
    this.#options = options;
    this.#rows = new Milestones(number, world);
    this.#entries = new Milestones(engine.seq, world);
    this.#logEnd = new LogEnd({
      ...{ store, world, limits, onUnfit },
      // The log never loses batches, so this number stays valid even if this node has not reached it.
      knownNumber: () => Math.max(this.#rows.number, this.#logNumber),
      onAnswer: ({ lastNumber, startMs }) => {
        this.#logNumber = Math.max(this.#logNumber, lastNumber);
        onContact(startMs);
        this.#freshness.logEnded(lastNumber, startMs, this.#rows.number);
      },
    });
  }

  start(): void {
    this.#logEnd.start();
  }

  stop(): void {
    this.#logEnd.stop();
    this.#rows.release();
    this.#entries.release();
  }

  /** Releases waiting reads, because a node that is cut off cannot determine where the log ends. */
  cutOff(): void {
    this.#logEnd.release();
    this.#rows.release();
  }

  rowIsDone({ number }: LogPlace): void {
    this.#freshness.reached(number);
    this.#entries.reach(this.#options.engine.seq);
    this.#rows.reach(number);
  }

  get staleMs(): number {
    return this.#freshness.staleMs(this.#options.world.steadyMs());
  }

  get lagRows(): number {
    return Math.max(0, this.#logNumber - this.#rows.number);
  }

  async caughtUp(): Promise<number> {
    const { isCutOff, limits } = this.#options;
    if (!isCutOff()) {
      const isThere = await this.hasAll();
      if (isThere) return 0;
      if (!isCutOff()) throw new NotAccepted("the node is behind the log");
    }
    const { staleMs } = this;
    if (staleMs > limits.maxStaleMs) throw new NotAccepted("the node is cut off from the others");
    // A read that is answered without knowing the end of the log may be incomplete, no matter how fresh the rest of the
    // state is.
    this.#uncertainMs = this.#options.world.steadyMs();
    return Math.max(1, staleMs);
  }

  /** The age that responses report; 0 to report none. */
  get shownStaleMs(): number {
    const { isCutOff, limits, world } = this.#options;
    const { staleMs } = this;
    const isUncertain = world.steadyMs() - this.#uncertainMs < limits.uncertainMs;
    if (isUncertain) return Math.max(staleMs, Math.min(limits.uncertainMs, limits.maxStaleMs));
    return isCutOff() || staleMs > limits.cutOffAfterMs ? Math.max(1, staleMs) : 0;
  }

  /**
   * Resolves to true when the node has applied everything that was in the log at the time of the call, or to false if
   * that takes too long.
   */
  async hasAll(): Promise<boolean> {
    const number = await this.#logEnd.ask();
    return number !== undefined && this.#rows.reached(number, this.#options.limits.readTimeoutMs);
  }

  applied(seq: number, patienceMs: number): Promise<boolean> {
    return this.#entries.reached(seq, patienceMs);
  }
}
