/** A machine with a node: its disk, its clock, and its successive processes. */
import type { DatabaseSync } from "node:sqlite";
import { openHistoryFile } from "@pricetime/server/data-folder";
import { Dice } from "@pricetime/testkit/dice";
import { Life, type Schedule } from "@pricetime/testkit/schedule";
import { SimDisk } from "../world/disk.ts";
import type { ProcessAudit } from "./log-audit.ts";
import type { ClusterSimNode } from "./node.ts";

export class Machine {
  readonly name: string;
  readonly disk: SimDisk;
  readonly #seed: number;
  readonly #schedule: Schedule;
  /** The history tables, which outlive the node. */
  readonly database: DatabaseSync = openHistoryFile(":memory:");
  dice: Dice;
  nodeDice: Dice;
  life = new Life();
  node: ClusterSimNode | undefined;
  audit: ProcessAudit | undefined;
  /** The last entry that any of its processes has published, and the last row that its journal is known to contain. */
  shownSeq = 0;
  heldNumber = 0;
  wallOffsetMs: number;
  stepMs = 1;
  powerIsOff = false;
  /** The process is about to exit because of a fatal error. */
  isStopping = false;
  lives = 0;
  /** The time of its next start. It is not started earlier. */
  startsAtMs = 0;
  /** When its process was last paused and resumed. */
  pauseBeganMs = Number.NEGATIVE_INFINITY;
  pauseEndedMs = Number.NEGATIVE_INFINITY;

  constructor(name: string, seed: number, schedule: Schedule, startMs: number) {
    this.name = name;
    this.#seed = seed;
    this.#schedule = schedule;
    this.dice = new Dice(seed);
    this.nodeDice = new Dice(seed);
    this.disk = new SimDisk(this.dice);
    this.wallOffsetMs = startMs + this.dice.below(200) - 100;
  }

  get wallMs(): number {
    return this.wallOffsetMs + this.#schedule.nowMs;
  }

  /** The last row of the log in its journal. */
  get heldNow(): number {
    return this.node?.journal.place()?.number ?? this.heldNumber;
  }

  pause(forMs: number): void {
    const { life } = this;
    if (!life.isPaused) this.pauseBeganMs = this.#schedule.nowMs;
    life.pause();
    this.#schedule.after(forMs, () => {
      if (life.isPaused && life === this.life) this.pauseEndedMs = this.#schedule.nowMs;
      life.resume(this.#schedule);
    });
  }

  /** Random numbers of an earlier process must not affect later ones, or a run could not be shortened. */
  begin(): void {
    this.lives++;
    this.dice = new Dice(this.#seed ^ (this.lives * 0x9e37));
    this.nodeDice = new Dice(this.#seed ^ (this.lives * 0xc2b3));
    this.disk.dice = new Dice(this.#seed ^ (this.lives * 0x85eb));
    if (this.powerIsOff) this.disk.restart();
    this.powerIsOff = false;
    this.isStopping = false;
    this.life = new Life();
    this.stepMs = 1;
    this.disk.isFull = false;
  }
}
