/**
 * A node of a cluster, reduced to tasks: its own engine, journal and sequencer on the shared log, and its parts. It can
 * be killed, suspended, cut off, stopped, and restarted.
 */
import { Engine, type Entry, type Event } from "@pricetime/engine";
import type { Dice } from "@pricetime/testkit/dice";
import { Life, type Schedule } from "@pricetime/testkit/schedule";
import { type OwnedTasks, ownTasks, type TaskPart } from "../../../src/cluster/tasks.ts";
import { MemoryJournal } from "../../journal/memory-journal.ts";
import { EMPTY_HEAD } from "../../../src/journal/port.ts";
import { replayBatch } from "../../../src/journal/replica/recover.ts";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import type { World } from "../../../src/platform/world/port.ts";
import { LogLine, type MemoryLog } from "../../journal/sequencer/memory-log.ts";
import { LeaseLine, type MemoryLeases } from "./memory-leases.ts";
import { roleWorld } from "./role-world.ts";

const NO_LOG = { info: () => {}, warn: () => {}, error: () => {} };

export interface ClusterWorld {
  readonly log: MemoryLog;
  readonly leases: MemoryLeases;
  readonly schedule: Schedule;
  readonly dice: Dice;
  readonly fatal: Error[];
  /** Modifies the engine of every process, for planted bugs. */
  readonly spoil?: (engine: Engine) => void;
}

/** The state of one process, which is lost with it. */
export interface Process {
  readonly node: string;
  readonly incarnation: string;
  readonly life: Life;
  readonly world: World;
  readonly engine: Engine;
  readonly sequencer: GroupCommitSequencer;
}

/** What is called in the process after each entry, and its work by task. */
export interface Work {
  readonly parts: readonly TaskPart[];
  readonly applied?: (entry: Entry, events: readonly Event[]) => void;
}

export class ClusterNode {
  readonly name: string;
  readonly #world: ClusterWorld;
  readonly #work: (process: Process) => Work;
  readonly #journal = new MemoryJournal();
  #lives = 0;
  #line: LogLine | undefined;
  #leaseLine: LeaseLine | undefined;
  process: Process;
  roles: OwnedTasks;

  constructor(world: ClusterWorld, name: string, work: (process: Process) => Work) {
    this.#world = world;
    this.name = name;
    this.#work = work;
    [this.process, this.roles] = this.#start();
  }

  get isAlive(): boolean {
    return this.process.life.alive;
  }
  get isPaused(): boolean {
    return this.process.life.isPaused;
  }

  kill(): void {
    this.process.life.alive = false;
  }

  restart(): void {
    this.kill();
    [this.process, this.roles] = this.#start();
  }

  pause(): void {
    this.process.life.pause();
  }
  resume(): void {
    this.process.life.resume(this.#world.schedule);
  }

  /** Cut off from the log only: its lease lasts. */
  set isLogCut(isCut: boolean) {
    if (this.#line !== undefined) this.#line.isCut = isCut;
  }

  /** Cut off from the log and the store. */
  set isCut(isCut: boolean) {
    this.isLogCut = isCut;
    if (this.#leaseLine !== undefined) this.#leaseLine.isCut = isCut;
  }

  /** Hands over its tasks, then ends. */
  async stop(): Promise<void> {
    await this.roles.stop();
    this.kill();
  }

  #start(): [Process, OwnedTasks] {
    const { log, leases, schedule, dice, fatal, spoil } = this.#world;
    const life = new Life();
    const world = roleWorld(schedule, life, dice);
    const incarnation = `${this.name.slice(1).padStart(2, "0")}${String(++this.#lives).padStart(14, "0")}`;
    const engine = new Engine();
    spoil?.(engine);
    for (const batch of this.#journal.reader().after(EMPTY_HEAD)) replayBatch(engine, batch);
    this.#line = new LogLine(log, schedule, life, dice);
    this.#line.isCalm = true;
    this.#leaseLine = new LeaseLine(leases, schedule, life, dice);
    let work: Work = { parts: [] };
    const place = this.#journal.reader().place();
    const sequencer = new GroupCommitSequencer({
      journal: this.#journal,
      engine,
      node: this.name,
      shared: { log: this.#line, place, incarnation, release: "1.0.0" },
      onApplied: (entry, events) => life.alive && work.applied?.(entry, events),
      onFatal: (error) => life.alive && fatal.push(error),
      world,
      limits: { submitTimeoutMs: 3000 },
    });
    const process: Process = { node: this.name, incarnation, life, world, engine, sequencer };
    work = this.#work(process);
    sequencer.start();
    const roles = ownTasks({
      ...{ store: this.#leaseLine, sequencer, view: engine, node: this.name, incarnation, world, log: NO_LOG },
      parts: work.parts,
      isAble: () => sequencer.canAppend,
      onFatal: (error) => life.alive && fatal.push(error),
    });
    roles.start();
    return [process, roles];
  }
}
