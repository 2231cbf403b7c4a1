/**
 * One life of a node, wired as `main.ts` wires it: the real recovery, engine, sequencer, gateway, projection and
 * snapshots, on a simulated disk and clock.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Command, Engine, Entry, Event } from "@pricetime/engine";
import {
  checkNotBehind,
  CLOCK_LIMITS,
  createGateway,
  DEFAULT_LIMITS,
  type Gateway,
  GroupCommitSequencer,
  GuardedClock,
  type Ids,
  type MachineClocks,
  type NotAccepted,
  type Outcome,
  type OutcomeUnknown,
  type Sequencer,
  type World,
} from "@pricetime/server/parts";
import { type Journal, type JournalRows, Projection, recover, SnapshotFolder } from "@pricetime/server/data-folder";
import { PowerCut } from "./disk.ts";
import { openSimHistory, type SimHistory } from "./history.ts";
import { type JournalWorld, SimJournal } from "./journal.ts";
import { type SimMachine, simWorld } from "./machine.ts";
import { NOTHING_OUTSIDE } from "./outside.ts";

const SNAPSHOTS = "data/snapshots";
const LIMITS = { maxQueuedCommands: 24, maxBatchCommands: 8, recoveryAttempts: 4, recoveryPauseMs: 50 };
const LONGEST_PROJECTOR_PAUSE_MS = 300;

/** Where a planted bug gets in. */
export interface Seams {
  /** What the sequencer writes to and the projector reads. */
  journal(real: SimJournal): Journal & JournalRows;
  /** What recovery reads. */
  rows(real: JournalRows): JournalRows;
  sequencer(real: Sequencer): Sequencer;
  /** What a start finds is made safe before it is shown. */
  readonly syncsAtStart: boolean;
  /** What the node's clock looks at. */
  clocks(real: MachineClocks): MachineClocks;
  /** A clock that is behind the journal is refused. */
  readonly refusesClockBehind: boolean;
  /** Questions wait until history has reached their entry. */
  readonly historyWaits: boolean;
}

export interface NodeWorld extends JournalWorld, SimMachine {
  readonly clocks: MachineClocks;
  /** History's tables, which outlive the node. */
  readonly database: DatabaseSync;
  readonly snapshotEveryEntries: number;
  readonly ids: Ids;
  readonly seams: Seams;
  readonly onRecovered: (entry: Entry, events: readonly Event[], engine: Engine) => void;
  readonly onApplied: (entry: Entry, events: readonly Event[], engine: Engine) => void;
  /** Every command that is submitted; gives what is to be told how it ended. */
  readonly onSubmit: (command: Command) => (outcome: Outcome | OutcomeUnknown | NotAccepted) => void;
  readonly onFatal: (error: Error) => void;
  /** The gateway has met a bug of ours. */
  readonly onBug: (error: unknown) => void;
}

export class SimNode {
  readonly engine: Engine;
  readonly clock: GuardedClock;
  readonly gateway: Gateway;
  /** As clients of the port see it. */
  readonly sequencer: Sequencer;
  readonly #world: NodeWorld;
  readonly #machine: World;
  readonly #real: GroupCommitSequencer;
  readonly #projection: Projection;
  readonly #history: SimHistory;
  #publishedSeq: number;

  /** Throws what the real one would, when it cannot start. */
  constructor(world: NodeWorld) {
    this.#world = world;
    const { seams, database, snapshotEveryEntries, life, disk, onFatal } = world;
    const journal = seams.journal(new SimJournal(world));
    const snapshots = new SnapshotFolder(SNAPSHOTS, disk);
    const machine = simWorld(world, world.clocks.wallMs);
    const parts = { journal, database, snapshots, snapshotEveryEntries, path: "history", world: machine };
    this.#projection = new Projection(parts);
    this.engine = recover(seams.rows(journal), snapshots, { world: machine, visit: world.onRecovered }).engine;
    this.clock = new GuardedClock({ clocks: seams.clocks(world.clocks), timers: machine });
    this.#machine = { ...machine, nowMs: this.clock.nowMs };
    if (seams.refusesClockBehind) checkNotBehind(this.clock.nowMs(), this.engine.timeMs, CLOCK_LIMITS.maxLeapMs);
    this.#publishedSeq = this.engine.seq;
    this.#history = openSimHistory(database, () => (seams.historyWaits ? this.#projection.seq : this.engine.seq));
    this.#real = new GroupCommitSequencer({
      journal,
      engine: this.engine,
      node: "sim",
      onFatal: (error) => life.alive && onFatal(error),
      historySeq: () => this.#projection.seq,
      onApplied: (entry, events) => {
        if (life.alive) world.onApplied(entry, events, this.engine);
        for (const event of events) if (event.type === "apiKeyDeleted") this.gateway.forgetApiKey(event.apiKey);
      },
      onBatch: ({ firstSeq, count }) => {
        this.#publishedSeq = firstSeq + count - 1;
      },
      world: this.#machine,
      limits: LIMITS,
    });
    this.sequencer = this.#watched(seams.sequencer(this.#real));
    this.gateway = this.#openGateway();
    this.#real.start();
    this.#project();
  }

  get canAppend(): boolean {
    return this.#real.canAppend;
  }

  #openGateway(): Gateway {
    const { ids, onBug, onFatal } = this.#world;
    return createGateway({
      engine: this.engine,
      sequencer: this.sequencer,
      history: this.#history,
      walletPorts: NOTHING_OUTSIDE,
      unseal: (sealed) => sealed.split("").reverse().join(""),
      limits: { ...DEFAULT_LIMITS, enabled: false },
      world: this.#machine,
      ids,
      log: { error: (fields) => onBug((fields as { err?: unknown }).err) },
      onFatal,
    });
  }

  #watched(real: Sequencer): Sequencer {
    const { onSubmit, life } = this.#world;
    const submit: Sequencer["submit"] = (command, settle) => {
      const onSettled = onSubmit(command);
      real.submit(command, (outcome) => {
        if (!life.alive) return;
        onSettled(outcome);
        settle(outcome);
      });
    };
    return {
      submit,
      run: (command) =>
        new Promise((resolve, reject) => {
          submit(command, (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)));
        }),
      nowMs: () => real.nowMs(),
    };
  }

  /** The projector's thread: takes history on, now and then. */
  #project(): void {
    const { schedule, dice, life, onFatal } = this.#world;
    schedule.after(
      1 + dice.below(LONGEST_PROJECTOR_PAUSE_MS),
      () => {
        try {
          while (this.#projection.advance(this.#publishedSeq));
        } catch (error) {
          if (error instanceof PowerCut) throw error;
          onFatal(error as Error);
          return;
        }
        this.#history.wake();
        this.#project();
      },
      life,
    );
  }
}
