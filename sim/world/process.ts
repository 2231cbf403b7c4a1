/**
 * What the process of a single node and that of a node in a cluster share, wired as in `main.ts`: the real recovery,
 * engine, clock, sequencer, gateway, streams and projection, on a simulated disk and clock.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Command, Engine, Entry, Event, InterfaceName } from "@pricetime/engine";
import { VENUE_INTERFACES } from "@pricetime/protocol";
import {
  type History,
  type Journal,
  type JournalRows,
  openQueries,
  Projection,
  recover,
  SnapshotFolder,
} from "@pricetime/server/data-folder";
import {
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
  Streams,
  SendQueue,
  type World,
} from "@pricetime/server/parts";
import { historyOver } from "@pricetime/testkit/journal";
import { PowerCut } from "./disk.ts";
import type { JournalWorld } from "./journal.ts";
import { type SimMachine, simWorld } from "./machine.ts";
import { CONFIRMATIONS } from "./tokens.ts";

const SNAPSHOTS = "data/snapshots";
const LIMITS = { maxQueuedCommands: 24, maxBatchCommands: 8, recoveryAttempts: 4, recoveryPauseMs: 50 };
const LONGEST_PROJECTOR_PAUSE_MS = 300;
export const NO_LOG = { info: () => {}, warn: () => {}, error: () => {} };
const CLIENT_LIMITS = { ...DEFAULT_LIMITS, enabled: false };

export interface ProcessWorld extends JournalWorld, SimMachine {
  readonly clocks: MachineClocks;
  /** The history tables, which outlive the node. */
  readonly database: DatabaseSync;
  readonly ids: Ids;
  readonly interface: InterfaceName;
  readonly onApplied: (entry: Entry, events: readonly Event[], engine: Engine) => void;
  /** Called for every submitted command; the returned function is called with its outcome. */
  readonly onSubmit: (command: Command) => (outcome: Outcome | OutcomeUnknown | NotAccepted) => void;
  readonly onFatal: (error: Error) => void;
  /** The gateway has detected an internal error. */
  readonly onBug: (error: unknown) => void;
}

interface Recovery {
  readonly journal: Journal & JournalRows;
  /** The rows that recovery reads. */
  readonly rows: JournalRows;
  readonly snapshotEveryEntries: number;
  readonly clocks: MachineClocks;
  readonly onReplayed?: (entry: Entry, events: readonly Event[], engine: Engine) => void;
  /** Queries wait until history has reached their entry. */
  readonly historyWaits: boolean;
}

type GatewayOptions = Parameters<typeof createGateway>[0];
type WalletPorts = Pick<GatewayOptions["walletPorts"], "wallet" | "tradingRules">;

export class SimProcess<W extends ProcessWorld> {
  readonly engine: Engine;
  readonly clock: GuardedClock;
  readonly world: W;
  /** The environment of the node's parts. */
  readonly machine: World;
  readonly history: SimHistory;
  readonly sendQueue = new SendQueue();
  readonly #journal: Journal & JournalRows;
  readonly #projection: Projection;
  #publishedSeq: number;

  /** Throws the real node's error if it cannot start. */
  constructor(world: W, { journal, rows, snapshotEveryEntries, clocks, onReplayed, historyWaits }: Recovery) {
    const { database, disk } = world;
    this.world = world;
    this.#journal = journal;
    const snapshots = new SnapshotFolder(SNAPSHOTS, disk);
    const machine = simWorld(world, world.clocks.wallMs);
    const parts = { journal, database, snapshots, snapshotEveryEntries, path: "history", world: machine };
    this.#projection = new Projection(parts);
    this.engine = recover(rows, snapshots, { world: machine, ...(onReplayed && { visit: onReplayed }) }).engine;
    this.clock = new GuardedClock({ clocks, timers: machine });
    this.machine = { ...machine, nowMs: this.clock.nowMs };
    this.#publishedSeq = this.engine.seq;
    this.history = openSimHistory(database, () => (historyWaits ? this.#projection.seq : this.engine.seq));
  }

  openSequencer(
    options: Pick<ConstructorParameters<typeof GroupCommitSequencer>[0], "node" | "onFatal" | "shared">,
  ): GroupCommitSequencer {
    return new GroupCommitSequencer({
      ...options,
      journal: this.#journal,
      engine: this.engine,
      historySeq: () => this.#projection.seq,
      onApplied: (entry, events) => {
        if (!this.world.life.alive) return;
        this.world.onApplied(entry, events, this.engine);
        this.sendQueue.applied(entry, events);
      },
      onBatch: ({ firstSeq, count }) => {
        this.#publishedSeq = firstSeq + count - 1;
      },
      world: this.machine,
      limits: LIMITS,
    });
  }

  /** The sequencer as the parts of the process use it: every submitted command is reported, with its outcome. */
  watched(real: Sequencer): Sequencer {
    const { onSubmit, life } = this.world;
    const submit: Sequencer["submit"] = (command, settle, untilMs) => {
      if (!life.alive) return;
      const onSettled = onSubmit(command);
      real.submit(
        command,
        (outcome) => {
          if (!life.alive) return;
          onSettled(outcome);
          settle(outcome);
        },
        untilMs,
      );
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

  openGateway(sequencer: Sequencer, walletPorts: WalletPorts, fresh?: GatewayOptions["fresh"]): Gateway {
    const { ids, onBug, onFatal } = this.world;
    return createGateway({
      ...(fresh && { fresh }),
      engine: this.engine,
      venueInterface: VENUE_INTERFACES[this.world.interface],
      sequencer,
      history: this.history,
      walletPorts: { ...walletPorts, checkTotp: () => null, confirmations: CONFIRMATIONS },
      unseal: (sealed) => sealed.split("").reverse().join(""),
      limits: CLIENT_LIMITS,
      world: this.machine,
      sendQueue: this.sendQueue,
      ids,
      log: { error: (fields) => onBug((fields as { err?: unknown }).err) },
      onFatal,
    });
  }

  openStreams(clock: GroupCommitSequencer, sink: Gateway): Streams {
    const { life, onBug } = this.world;
    return new Streams({
      engine: this.engine,
      venueInterface: VENUE_INTERFACES[this.world.interface],
      clock,
      history: this.history,
      sink,
      config: {
        limits: CLIENT_LIMITS,
        http: { trustedProxies: [], allowedOrigins: [] },
        publicUrl: null,
        demo: false,
        streams: {},
      },
      log: { error: (fields) => life.alive && onBug((fields as { err?: unknown }).err) },
      world: this.machine,
      sendQueue: this.sendQueue,
    });
  }

  /** The projector's thread: updates history at intervals. */
  project(): void {
    const { schedule, dice, life, onFatal } = this.world;
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
        this.history.wake();
        this.project();
      },
      life,
    );
  }
}

/** The history port on real tables in memory: a query waits until history has reached its entry. */
interface SimHistory extends History {
  /** History has new entries. */
  wake(): void;
}

/** `seqNow` returns the last entry in the tables. */
function openSimHistory(database: DatabaseSync, seqNow: () => number): SimHistory {
  let waiting: { readonly seq: number; readonly go: () => void }[] = [];
  const reached = (seq: number): Promise<void> =>
    seqNow() >= seq ? Promise.resolve() : new Promise((go) => waiting.push({ seq, go }));
  const wake = (): void => {
    const due = waiting.filter(({ seq }) => seq <= seqNow());
    waiting = waiting.filter(({ seq }) => seq > seqNow());
    for (const { go } of due) go();
  };
  return Object.assign(historyOver(openQueries(database), seqNow, reached), { wake });
}
