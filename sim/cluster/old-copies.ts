/**
 * The store is put back to an older copy, and some time later to the right one. A node that has seen more must stop with
 * a line that says so as soon as an answer shows it, and must not stay up on the copy.
 */
import type { Schedule } from "@pricetime/testkit/schedule";
import type { LogAudit } from "./log-audit.ts";
import type { Machine } from "./machine.ts";
import type { SimStore, StoreCopy } from "./store.ts";

/** How long a process may go on after an answer that shows it: it stops, and stops being asked. */
const LONGEST_STOP_MS = 500;
/** A call that the copy has answered may return as late as this. */
const LATE_ANSWER_MS = 100;
const LINE = /^etcd was restored or replaced/u;

export class OldCopies {
  readonly #store: SimStore;
  readonly #machines: readonly Machine[];
  readonly #auditor: LogAudit;
  readonly #schedule: Schedule;
  readonly #copies: StoreCopy[] = [];
  #endedMs = Number.NEGATIVE_INFINITY;

  constructor(store: SimStore, machines: readonly Machine[], auditor: LogAudit, schedule: Schedule) {
    this.#store = store;
    this.#machines = machines;
    this.#auditor = auditor;
    this.#schedule = schedule;
  }

  get isOld(): boolean {
    return this.#store.isOldCopy;
  }

  /** A backup of the store. */
  keep(): void {
    if (!this.isOld) this.#copies.push(this.#store.copy());
  }

  /** Every journal goes on for `rows` rows at least after the copy: a node behind it could not know. */
  goBack(rows: number, forMs: number): boolean {
    if (this.isOld) return false;
    const held = Math.min(...this.#machines.map(({ heldNow }) => heldNow));
    const copy = this.#copies.findLast((each) => each.rows.length + rows <= held);
    if (copy === undefined) return false;
    this.#store.goBack(copy);
    this.#schedule.after(forMs, () => {
      this.#store.comeBack();
      this.#endedMs = this.#schedule.nowMs;
    });
    return true;
  }

  /** The process has had an answer by which it knows. While it is stopped, its time to stop by itself stands still. */
  known(machine: Machine): void {
    const { name, life } = machine;
    const knownMs = this.#schedule.nowMs;
    const goesOn = (): void => {
      if (machine.pauseEndedMs > knownMs) this.known(machine);
      else this.#auditor.fail(`${name} goes on, and the store has told that it went back`);
    };
    this.#schedule.after(LONGEST_STOP_MS, goesOn, life);
  }

  /** Whether a node may stop for this: its line must say why. */
  explains(machine: Machine, { name, message }: Error): boolean {
    return this.#isHeard(machine) && name === "StoreUnfit" && LINE.test(message);
  }

  /** Whether an answer of the copy may be heard now: a process that was stopped hears what came meanwhile when it goes on. */
  #isHeard({ pauseBeganMs, pauseEndedMs }: Machine): boolean {
    const { nowMs } = this.#schedule;
    const lastMs = this.#endedMs + LATE_ANSWER_MS;
    return this.isOld || nowMs <= lastMs || (pauseBeganMs <= lastMs && nowMs <= pauseEndedMs + LATE_ANSWER_MS);
  }
}
