/** What happens every so often, with a timer only while there is something to do. */
export interface Periodic {
  flush(): void;
}

class Beat {
  readonly #periodMs: number;
  readonly #members = new Set<Periodic>();
  #timer: NodeJS.Timeout | undefined;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  add(member: Periodic): void {
    this.#members.add(member);
    this.#timer ??= setInterval(() => this.#flush(), this.#periodMs).unref();
  }

  remove(member: Periodic): void {
    this.#members.delete(member);
    if (this.#members.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #flush(): void {
    for (const member of this.#members) member.flush();
  }
}

export class Cadence {
  readonly #beats = new Map<number, Beat>();

  /** Of one that is added again, nothing changes. */
  add(periodMs: number, member: Periodic): void {
    let beat = this.#beats.get(periodMs);
    if (beat === undefined) this.#beats.set(periodMs, (beat = new Beat(periodMs)));
    beat.add(member);
  }

  remove(periodMs: number, member: Periodic): void {
    this.#beats.get(periodMs)?.remove(member);
  }
}
