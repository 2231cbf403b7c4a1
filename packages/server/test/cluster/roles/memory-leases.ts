/** The store's leases in memory and in virtual time: renewed by connected nodes, and expiring otherwise. */
import type { Dice } from "@pricetime/testkit/dice";
import type { Life, Schedule } from "@pricetime/testkit/schedule";
import type { ClusterStore, Lease } from "../../../src/cluster/port.ts";

export const LEASE_MS = 6000;
const KEEP_EVERY_MS = 1000;
/** How long a call without a response takes. */
const CALL_MS = 2000;

/** The content of the store. */
export class MemoryLeases {
  readonly #schedule: Schedule;
  readonly #held = new Map<string, { readonly token: object; untilMs: number }>();
  /** How much later than its time a lease ends, as after a change of the store's leader. */
  lateMs = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  /** The process that acquired the last lease. */
  lastTaker: Life | undefined;

  /** Whether the task had no owner. */
  take(role: string, token: object, taker: Life): boolean {
    const held = this.#held.get(role);
    if (held !== undefined && held.untilMs > this.#schedule.nowMs) return false;
    this.lastTaker = taker;
    this.#held.set(role, { token, untilMs: this.#schedule.nowMs + LEASE_MS });
    return true;
  }

  /** Whether the lease still exists. */
  keep(role: string, token: object): boolean {
    const held = this.#held.get(role);
    if (held?.token !== token || held.untilMs <= this.#schedule.nowMs) return false;
    held.untilMs = this.#schedule.nowMs + LEASE_MS + this.lateMs;
    return true;
  }

  release(role: string, token: object): void {
    if (this.#held.get(role)?.token === token) this.#held.delete(role);
  }

  /** Removes a lease, as a restored store might. */
  forget(role: string): void {
    this.#held.delete(role);
  }
}

/** The connection of one process. */
export class LeaseLine implements Pick<ClusterStore, "lease"> {
  readonly #leases: MemoryLeases;
  readonly #schedule: Schedule;
  readonly #life: Life;
  readonly #dice: Dice;
  isCut = false;

  constructor(leases: MemoryLeases, schedule: Schedule, life: Life, dice: Dice) {
    this.#leases = leases;
    this.#schedule = schedule;
    this.#life = life;
    this.#dice = dice;
  }

  async lease(role: string): Promise<Lease | undefined> {
    const token = {};
    await this.#call();
    const isTaken = this.#leases.take(role, token, this.#life);
    await this.#call();
    return isTaken ? this.#kept(role, token) : undefined;
  }

  #kept(role: string, token: object): Lease {
    const schedule = this.#schedule;
    const listeners: (() => void)[] = [];
    let keptMs = schedule.nowMs;
    const lease = {
      isHeld: true,
      onLost: (listener: () => void) => void listeners.push(listener),
      release: async () => {
        lease.isHeld = false;
        await this.#call();
        this.#leases.release(role, token);
      },
    };
    const keep = (): void => {
      if (!lease.isHeld) return;
      const isOver = schedule.nowMs - keptMs >= LEASE_MS;
      if (!isOver && (this.isCut || this.#leases.keep(role, token))) {
        if (!this.isCut) keptMs = schedule.nowMs;
        schedule.after(KEEP_EVERY_MS, keep, this.#life);
        return;
      }
      lease.isHeld = false;
      for (const listener of listeners) listener();
    };
    schedule.after(KEEP_EVERY_MS, keep, this.#life);
    return lease;
  }

  async #call(): Promise<void> {
    await this.#schedule.pause(this.isCut ? CALL_MS : this.#dice.below(6), this.#life);
    if (this.isCut) throw new Error("the store cannot be reached");
  }
}
