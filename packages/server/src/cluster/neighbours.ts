/** Tells the other nodes where this one stands, about once a second, and reads where they stand. */
import type { Cancel, Clock, Timers } from "../platform/world/port.ts";
import type { ClockReading } from "./clock-bound.ts";
import type { ClusterLimits } from "./limits.ts";
import { type ClusterStore, type NodePosition, StoreUnfit } from "./port.ts";

export interface Neighbour extends ClockReading {
  readonly position: NodePosition;
  /** Whether the position has changed since this node's first reading: only then is it known when it was told. */
  readonly hasChanged: boolean;
}

export interface NeighboursOptions {
  /** Its calls settle within bounded time. */
  readonly store: Pick<ClusterStore, "announce" | "positions">;
  readonly node: string;
  /** This node's position as of now. */
  readonly position: () => NodePosition;
  /** Called after each reading, with the positions of the other nodes that have told something new. Throws nothing. */
  readonly onRead: (changed: readonly NodePosition[]) => void;
  /** Called when the store cannot be used any more. */
  readonly onUnfit: (error: StoreUnfit) => void;
  readonly world: Clock & Timers;
  readonly limits: Pick<ClusterLimits, "announceEveryMs" | "liveMs">;
}

export class Neighbours {
  readonly #options: NeighboursOptions;
  readonly #others = new Map<string, Neighbour>();
  #startMs = 0;
  #reads = 0;
  #stopTimer: Cancel = () => {};
  #isReading = false;
  #isStopped = false;

  constructor(options: NeighboursOptions) {
    this.#options = options;
  }

  /** All other nodes that have ever told a position in this epoch. */
  get others(): readonly Neighbour[] {
    return [...this.#others.values()];
  }

  /** The other nodes that are there, as far as is known. */
  get live(): readonly Neighbour[] {
    const { world, limits } = this.#options;
    const sinceMs = world.steadyMs() - limits.liveMs;
    return this.others.filter(({ hasChanged, readMs }) => hasChanged && readMs >= sinceMs);
  }

  /** Whether it is known which of the others live: each has told something new, or had the time to. */
  get isSettled(): boolean {
    const { world, limits } = this.#options;
    if (this.#reads === 0) return false;
    if (this.others.every(({ hasChanged }) => hasChanged)) return true;
    return world.steadyMs() - this.#startMs >= 2.5 * limits.announceEveryMs;
  }

  start(): void {
    this.#startMs = this.#options.world.steadyMs();
    void this.#turn();
  }

  /** Reads them now, unless that is under way. */
  hurry(): void {
    if (this.#isReading || this.#isStopped) return;
    this.#stopTimer();
    void this.#turn();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
  }

  async #turn(): Promise<void> {
    const { world, limits } = this.#options;
    this.#isReading = true;
    await this.#round();
    this.#isReading = false;
    if (!this.#isStopped) this.#stopTimer = world.after(limits.announceEveryMs, () => void this.#turn());
  }

  /** Never rejects: the next round tries again. */
  async #round(): Promise<void> {
    const { store, position, onUnfit } = this.#options;
    try {
      this.#read(await store.positions());
      if (!this.#isStopped) await store.announce(position());
    } catch (error) {
      if (error instanceof StoreUnfit && !this.#isStopped) onUnfit(error);
    }
  }

  #read(positions: readonly NodePosition[]): void {
    const { node, world, onRead } = this.#options;
    if (this.#isStopped) return;
    const readMs = world.steadyMs();
    const changed = positions.filter((position) => position.node !== node && this.#note(position, readMs));
    this.#reads++;
    onRead(changed);
  }

  /** Returns whether the position is news; positions from before the first reading do not count. */
  #note(position: NodePosition, readMs: number): boolean {
    const last = this.#others.get(position.node);
    const { clockMs, incarnation } = position;
    if (last !== undefined && last.clockMs === clockMs && last.position.incarnation === incarnation) return false;
    const hasChanged = last !== undefined || this.#reads > 0;
    this.#others.set(position.node, { position, clockMs, readMs, hasChanged });
    return hasChanged;
  }
}
