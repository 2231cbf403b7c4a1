/** A node on a shared log, with its own journal. It can be killed and restarted. */
import assert from "node:assert/strict";
import { type Command, Engine, type Entry, encodeCommands, type Event } from "@pricetime/engine";
import type { Dice } from "@pricetime/testkit/dice";
import { Life, type Schedule } from "@pricetime/testkit/schedule";
import { MemoryJournal } from "../memory-journal.ts";
import {
  type Batch,
  EMPTY_HEAD,
  type Journal,
  type JournalHead,
  JournalRefused,
  type LogPlace,
  type NewBatch,
} from "../../../src/journal/port.ts";
import { replayBatch } from "../../../src/journal/replica/recover.ts";
import type { ClusterLimits } from "../../../src/cluster/peers.ts";
import { Member } from "../../../src/cluster/member.ts";
import { GroupCommitSequencer } from "../../../src/journal/sequencer/group-commit.ts";
import { NotAccepted, type Outcome, OutcomeUnknown } from "../../../src/journal/sequencer/port.ts";
import type { LogModel } from "./log-model.ts";
import { worldOf } from "../../cluster/world.ts";
import { LogLine, type MemoryLog } from "./memory-log.ts";
import { NOTHING_SAVED } from "../../../src/platform/world/port.ts";

export type JournalFault = "refused" | "before writing" | "after writing";

/** The outcome of a request, in the order of the answers. */
export interface Told {
  readonly node: number;
  /** Number of the request, in the order of submission. */
  readonly request: number;
  readonly answer:
    | "unknown"
    | "not accepted"
    | { readonly seq: number; readonly timeMs: number; readonly events: string };
}

/** Faster than in production, in the same proportions. */
const CLUSTER_LIMITS: Partial<ClusterLimits> = {
  ...{ cutOffAfterMs: 150, contactEveryMs: 40, callPatienceMs: 100, callPauseMs: 8, readTimeoutMs: 400 },
  ...{
    maxStaleMs: 800,
    uncertainMs: 400,
    announceEveryMs: 80,
    liveMs: 400,
    maxAheadMs: 800,
    digestPatienceMs: 250,
    digestWordMs: 800,
  },
};

export interface SharedWorld {
  readonly log: MemoryLog;
  readonly model: LogModel;
  readonly schedule: Schedule;
  readonly dice: Dice;
  readonly told: Told[];
  readonly fatal: Error[];
}

/** A comparable form of events that outlives their turn. */
export const textOf = (events: readonly Event[]): string =>
  JSON.stringify(events, (_, value: unknown) => {
    if (typeof value === "bigint") return `${value}n`;
    return value instanceof Object && "orderId" in value && "level" in value
      ? Object.values(value).filter(isPlain).map(String)
      : value;
  });
const isPlain = (value: unknown): boolean => typeof value !== "object";
export const nameOf = (command: Command): string => Buffer.from(encodeCommands([command])).toString("base64");

/** The journal during one process of a node: slow, and sometimes failing. A dead node writes no more. */
class SlowJournal implements Journal {
  readonly #kept: MemoryJournal;
  readonly #faults: JournalFault[];
  readonly #pause: () => Promise<void>;

  constructor(kept: MemoryJournal, faults: JournalFault[], pause: () => Promise<void>) {
    this.#kept = kept;
    this.#faults = faults;
    this.#pause = pause;
  }

  async append(batch: NewBatch, place?: LogPlace): Promise<JournalHead> {
    const fault = this.#faults.shift();
    await this.#pause();
    if (fault === "refused") throw new JournalRefused("the disk is full");
    if (fault === "before writing") throw new Error("the disk has failed");
    const head = await this.#kept.append(batch, place);
    await this.#pause();
    if (fault === "after writing") throw new Error("nobody knows");
    return head;
  }

  head(): Promise<JournalHead> {
    return this.#kept.head();
  }

  read(fromSeq: number): AsyncIterable<Batch> {
    return this.#kept.read(fromSeq);
  }

  close(): Promise<void> {
    return this.#kept.close();
  }
}

export class SharedNode {
  readonly journal = new MemoryJournal();
  /** Faults of the next appends. */
  readonly faults: JournalFault[] = [];
  /** Requests made, by kind. */
  readonly requests: string[] = [];
  engine = new Engine();
  sequencer: GroupCommitSequencer;
  member: Member;
  line: LogLine;
  /** The current error of its clock. */
  leapMs = 0;
  /** Consistent reads so far. */
  reads = 0;
  /** Requests applied by this process, in order. */
  readonly applied: number[] = [];
  readonly warnings: string[] = [];
  /** Why it has stopped. */
  readonly fatal: string[] = [];
  #life = new Life();
  readonly #world: SharedWorld;
  readonly #number: number;
  readonly #name: string;
  readonly #skewMs: number;
  #lives = 0;
  /** The node has reported that no later entry is earlier. */
  #settledMs = 0;

  /** `name`: default, a unique one. */
  constructor(world: SharedWorld, number: number, skewMs: number, name = `n${number}`) {
    this.#world = world;
    this.#number = number;
    this.#name = name;
    this.#skewMs = skewMs;
    this.line = this.#newLine();
    [this.sequencer, this.member] = this.#start();
  }

  /** Starts a consistent read. */
  read(): void {
    const { engine, member } = this;
    const life = this.#life;
    const { model, fatal } = this.#world;
    const { seq } = model;
    const check = (staleMs: number): void => {
      if (staleMs > 0) return;
      assert.ok(life.alive && engine.seq >= seq, `a read sees entry ${engine.seq}, and ${seq} was in the log before`);
      this.reads++;
    };
    member
      .caughtUp()
      .then(check)
      .catch((error: unknown) => {
        if (!(error instanceof NotAccepted)) fatal.push(error as Error);
      });
  }

  submit(command: Command): void {
    const { told, model } = this.#world;
    const request = this.requests.push(nameOf(command)) - 1;
    const { engine } = this;
    const life = this.#life;
    this.#settledMs = this.sequencer.settledMs();
    this.sequencer.submit(command, (outcome) => {
      assert.ok(life.alive, "a dead node answers");
      told.push({ node: this.#number, request, answer: answerOf(outcome) });
      if (outcome instanceof Error) return;
      assert.equal(engine.seq, outcome.seq, "it is answered right after it was applied");
      assert.ok(model.seq >= outcome.seq, "it is in the log before it is answered");
      assert.ok(
        this.journal.reader().head().lastSeq >= outcome.seq,
        "it is in the node's journal before it is answered",
      );
    });
  }

  /** Kills the process and restarts it from its journal. Its requests are not answered. */
  restart(): void {
    this.#life.alive = false;
    this.#life = new Life();
    this.engine = new Engine();
    for (const batch of this.journal.reader().after(EMPTY_HEAD)) replayBatch(this.engine, batch);
    const { isCalm } = this.line;
    this.line = this.#newLine();
    this.line.isCalm = isCalm;
    [this.sequencer, this.member] = this.#start();
  }

  readonly #onFatal = (error: Error): void => {
    this.fatal.push(error.message);
    this.#world.fatal.push(error);
  };

  #newLine(): LogLine {
    const { log, schedule, dice } = this.#world;
    return new LogLine(log, schedule, this.#life, dice);
  }

  #start(): [GroupCommitSequencer, Member] {
    const { schedule, dice } = this.#world;
    const { engine } = this;
    const life = this.#life;
    const number = this.#number;
    const incarnation = `${number}${String(++this.#lives).padStart(15, "0")}`;
    const pause = (): Promise<void> => schedule.pause(dice.below(4), life);
    this.applied.length = 0;
    this.#settledMs = 0;
    const onApplied = ({ seq, timeMs }: Entry): void => {
      assert.ok(timeMs >= this.#settledMs, "an entry is earlier than the node has said that any would be");
      this.applied.push(seq);
    };
    const world = worldOf(schedule, life, () => this.#skewMs + this.leapMs);
    const place = this.journal.reader().place();
    const process = { node: this.#name, incarnation, release: "1.0.0" };
    const member = new Member({
      ...{ store: this.line, engine, place, ...process, world, limits: CLUSTER_LIMITS },
      tells: () => ({ admin: "", bans: {} }),
      onFatal: this.#onFatal,
      onWarning: (line) => this.warnings.push(line),
    });
    const sequencer = new GroupCommitSequencer({
      journal: new SlowJournal(this.journal, this.faults, pause),
      engine,
      node: process.node,
      shared: { log: this.line, place, ...process, observer: member },
      onApplied,
      onFatal: this.#onFatal,
      world: { ...world, saved: NOTHING_SAVED },
      limits: { maxBatchCommands: 4, retryPauseMs: 40, recoveryPauseMs: 5, submitTimeoutMs: 300 },
    });
    member.start(sequencer);
    sequencer.start();
    return [sequencer, member];
  }
}

function answerOf(outcome: Outcome | Error): Told["answer"] {
  if (outcome instanceof OutcomeUnknown) return "unknown";
  if (outcome instanceof NotAccepted) return "not accepted";
  assert.ok(!(outcome instanceof Error));
  return { seq: outcome.seq, timeMs: outcome.timeMs, events: textOf(outcome.events) };
}
