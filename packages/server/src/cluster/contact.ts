/**
 * Knows whether the store's quorum still answers this node. What counts is when a call began that was answered, or that
 * a row came: after a pause of the process neither is taken for newer than it is.
 */
import type { Cancel, Clock, Timers } from "../platform/world/port.ts";
import type { ClusterLimits } from "./limits.ts";

export class Contact {
  readonly #world: Clock & Timers;
  readonly #limits: Pick<ClusterLimits, "cutOffAfterMs">;
  readonly #onChange: (isCutOff: boolean) => void;
  #lastMs: number;
  /** The state that was reported last. */
  #toldCutOff = false;
  #stop: Cancel = () => {};

  /** `onChange` is called when the node is cut off, and when it is not any more. */
  constructor(
    world: Clock & Timers,
    limits: Pick<ClusterLimits, "cutOffAfterMs">,
    onChange: (isCutOff: boolean) => void,
  ) {
    this.#world = world;
    this.#limits = limits;
    this.#onChange = onChange;
    this.#lastMs = world.steadyMs();
  }

  get isCutOff(): boolean {
    return this.#world.steadyMs() - this.#lastMs > this.#limits.cutOffAfterMs;
  }

  start(): void {
    this.#lastMs = this.#world.steadyMs();
    this.#checkAfter(this.#limits.cutOffAfterMs);
  }

  stop(): void {
    this.#stop();
  }

  /** The quorum has answered something that began at `startMs` (steady), or a row came then. */
  made(startMs: number): void {
    this.#lastMs = Math.max(this.#lastMs, startMs);
    if (this.#toldCutOff && !this.isCutOff) this.#tell(false);
  }

  #checkAfter(waitMs: number): void {
    const dueMs = this.#world.steadyMs() + waitMs;
    this.#stop = this.#world.after(waitMs, () => this.#check(dueMs));
  }

  #check(dueMs: number): void {
    const { cutOffAfterMs } = this.#limits;
    const leastMs = cutOffAfterMs / 8;
    const nowMs = this.#world.steadyMs();
    // After a pause of the process, it first reads answers that came meanwhile, before it reports that none came.
    const isLate = nowMs - dueMs > leastMs;
    if (this.isCutOff && !this.#toldCutOff && !isLate) this.#tell(true);
    this.#checkAfter(Math.max(this.#lastMs + cutOffAfterMs - nowMs + 1, leastMs));
  }

  #tell(isCutOff: boolean): void {
    this.#toldCutOff = isCutOff;
    this.#onChange(isCutOff);
  }
}
