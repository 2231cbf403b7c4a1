/** What a read on this node may see: how old that is, and waiting until it is no older than the question. */
import type { LogPlace } from "../journal/port.ts";
import { NotAccepted } from "../journal/sequencer/port.ts";
import type { Clock, Timers } from "../platform/world/port.ts";
import { Freshness } from "./freshness.ts";
import type { ClusterLimits } from "./limits.ts";
import { LogEnd } from "./log-end.ts";
import { Milestones } from "./milestones.ts";
import type { ClusterStore, StoreUnfit } from "./port.ts";

export interface ReadsOptions {
  readonly store: Pick<ClusterStore, "lastNumber">;
  /** The serving replica, and the last row that it has applied or skipped. */
  readonly engine: { readonly seq: number };
  readonly number: number;
  /** Whether the node has heard nothing of the quorum for too long. */
  readonly isCutOff: () => boolean;
  /** Called when the quorum has answered a call that began at `startMs` (steady). */
  readonly onContact: (startMs: number) => void;
  /** Called when the store cannot be used any more. */
  readonly onUnfit: (error: StoreUnfit) => void;
  readonly world: Clock & Timers;
  readonly limits: ClusterLimits;
}

export class Reads {
  readonly #options: ReadsOptions;
  readonly #logEnd: LogEnd;
  readonly #freshness = new Freshness();
  /** The rows of the log that are applied or skipped, and the entries that are applied. */
  readonly #rows: Milestones;
  readonly #entries: Milestones;
  /** The last row of the log that is known of. */
  #logNumber = 0;
  /** When a read was let go that might lack something (steady). */
  #uncertainMs = Number.NEGATIVE_INFINITY;

  constructor(options: ReadsOptions) {
    const { store, engine, number, world, limits, onContact, onUnfit } = options;
    this.#options = options;
    this.#rows = new Milestones(number, world);
    this.#entries = new Milestones(engine.seq, world);
    this.#logEnd = new LogEnd({
      ...{ store, world, limits, onUnfit },
      // The log never loses a row, so a number that was seen once stays known, even if this node has not reached it.
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

  /** Lets waiting reads go: while cut off, the node cannot learn where the log ends. */
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
    // A read that was let go without an answer makes the state uncertain, however fresh the rest is.
    this.#uncertainMs = this.#options.world.steadyMs();
    return Math.max(1, staleMs);
  }

  /** The age that answers show; 0: they show none. */
  get shownStaleMs(): number {
    const { isCutOff, limits, world } = this.#options;
    const { staleMs } = this;
    const isUncertain = world.steadyMs() - this.#uncertainMs < limits.uncertainMs;
    if (isUncertain) return Math.max(staleMs, Math.min(limits.uncertainMs, limits.maxStaleMs));
    return isCutOff() || staleMs > limits.cutOffAfterMs ? Math.max(1, staleMs) : 0;
  }

  /** Resolves to true when the node has applied all that was in the log at the call; to false when that takes too long. */
  async hasAll(): Promise<boolean> {
    const number = await this.#logEnd.ask();
    return number !== undefined && this.#rows.reached(number, this.#options.limits.readTimeoutMs);
  }

  applied(seq: number, patienceMs: number): Promise<boolean> {
    return this.#entries.reached(seq, patienceMs);
  }
}
