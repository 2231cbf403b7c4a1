/**
 * The store is restored to an older copy, and later to the current one. A node that has seen newer data must exit with
 * a log line that says so as soon as a response shows it, and must not keep running on the copy.
 */
import type { Schedule } from "@pricetime/testkit/schedule";
import type { LogAudit } from "./log-audit.ts";
import type { Machine } from "./machine.ts";
import type { SimStore, StoreCopy } from "./store.ts";

/** How long a process may run after such a response: it exits, and clients stop sending to it. */
const LONGEST_STOP_MS = 500;
/** A call that the copy has answered may return this late. */
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

  /** Makes a backup of the store. */
  keep(): void {
    if (!this.isOld) this.#copies.push(this.#store.copy());
  }

  /** Every journal is at least `rows` rows ahead of the copy: a node behind it could not detect it. */
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

  /**
   * The process has received a response that shows the copy. The time limit does not run while the process is paused.
   */
  known(machine: Machine): void {
    const { name, life } = machine;
    const knownMs = this.#schedule.nowMs;
    const goesOn = (): void => {
      if (machine.pauseEndedMs > knownMs) this.known(machine);
      else this.#auditor.fail(`${name} goes on, and the store has told that it went back`);
    };
    this.#schedule.after(LONGEST_STOP_MS, goesOn, life);
  }

  /** Whether this is a valid reason for a node to exit: its log line must state it. */
  explains(machine: Machine, { name, message }: Error): boolean {
    return this.#mayBeReceived(machine) && name === "StoreUnfit" && LINE.test(message);
  }

  /** Whether a response of the copy may arrive now. A paused process receives pending responses when it resumes. */
  #mayBeReceived({ pauseBeganMs, pauseEndedMs }: Machine): boolean {
    const { nowMs } = this.#schedule;
    const lastMs = this.#endedMs + LATE_ANSWER_MS;
    return this.isOld || nowMs <= lastMs || (pauseBeganMs <= lastMs && nowMs <= pauseEndedMs + LATE_ANSWER_MS);
  }
}
