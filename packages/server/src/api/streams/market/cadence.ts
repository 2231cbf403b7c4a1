/** Calls its members periodically, with a timer only while there are members. */
import type { Cancel, Timers } from "../../../platform/world/port.ts";

export interface Periodic {
  flush(): void;
}

class Beat {
  readonly #timers: Timers;
  readonly #periodMs: number;
  readonly #members = new Set<Periodic>();
  #stop: Cancel | undefined;

  constructor(timers: Timers, periodMs: number) {
    this.#timers = timers;
    this.#periodMs = periodMs;
  }

  add(member: Periodic): void {
    this.#members.add(member);
    this.#stop ??= this.#timers.every(this.#periodMs, () => this.#flush(), `streams ${this.#periodMs}`);
  }

  remove(member: Periodic): void {
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  #flush(): void {
    for (const member of this.#members) member.flush();
  }
}

export class Cadence {
  readonly #timers: Timers;
  readonly #beats = new Map<number, Beat>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Adding a member again changes nothing. */
  add(periodMs: number, member: Periodic): void {
    let beat = this.#beats.get(periodMs);
    if (beat === undefined) this.#beats.set(periodMs, (beat = new Beat(this.#timers, periodMs)));
    beat.add(member);
  }

  remove(periodMs: number, member: Periodic): void {
    this.#beats.get(periodMs)?.remove(member);
  }
}
