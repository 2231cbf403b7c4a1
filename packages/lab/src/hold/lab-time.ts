/** The lab's time within a bot: it stands still while the bot works. */
import { DueTasks } from "./due-tasks.ts";

export class LabTime {
  readonly startMs: number;
  readonly due = new DueTasks();
  #nowMs: number;

  constructor(nowMs: number) {
    this.startMs = nowMs;
    this.#nowMs = nowMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** The moment that the lab's clock shows. */
  set(nowMs: number): void {
    this.#nowMs = nowMs;
  }
}
