/**
 * Knows whether the store's quorum still answers this node. What counts is when a call began that was answered, or that
 * a row came: after a pause of the process neither is taken for newer than it is.
 */
import type { Cancel, Clock, Timers } from "../world/port.ts";
import type { ClusterLimits } from "./limits.ts";

export class Contact {
  readonly #world: Clock & Timers;
  readonly #limits: Pick<ClusterLimits, "cutOffAfterMs">;
  readonly #onChange: (isCutOff: boolean) => void;
  #lastMs: number;
  /** What was told last. */
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
    this.#check();
  }

  stop(): void {
    this.#stop();
  }

  /** The quorum has answered something that began at `startMs` (steady), or a row came then. */
  made(startMs: number): void {
    this.#lastMs = Math.max(this.#lastMs, startMs);
    if (this.#toldCutOff && !this.isCutOff) this.#tell(false);
  }

  #check(): void {
    if (this.isCutOff && !this.#toldCutOff) this.#tell(true);
    const dueMs = this.#lastMs + this.#limits.cutOffAfterMs - this.#world.steadyMs();
    this.#stop = this.#world.after(Math.max(dueMs + 1, this.#limits.cutOffAfterMs / 8), () => this.#check());
  }

  #tell(isCutOff: boolean): void {
    this.#toldCutOff = isCutOff;
    this.#onChange(isCutOff);
  }
}
