/**
 * One process of a node in a cluster, wired as in `main.ts`: the real recovery, engine, sequencer, member, gateway,
 * projection and streams, on a simulated disk, clock and store.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Command, Engine, Entry, Event } from "@pricetime/engine";
import { Projection, recover, SnapshotFolder } from "@pricetime/server/data-folder";
import {
  CLUSTER_LIMITS,
  ClusterNode,
  createGateway,
  DEFAULT_LIMITS,
  type Gateway,
  GroupCommitSequencer,
  GuardedClock,
  type Ids,
  type MachineClocks,
  type NotAccepted,
  NoSuchNetwork,
  type RolePart,
  type Outcome,
  type OutcomeUnknown,
  type Sequencer,
  standingOf,
  Streams,
  TellingOrder,
  type World,
} from "@pricetime/server/parts";
import { CONFIRMATIONS } from "../world/tokens.ts";
import { PowerCut } from "../world/disk.ts";
import { openSimHistory, type SimHistory } from "../world/history.ts";
import { type JournalWorld, SimJournal } from "../world/journal.ts";
import { type SimMachine, simWorld } from "../world/machine.ts";
import type { StoreLine } from "./store.ts";

const SNAPSHOTS = "data/snapshots";
const SNAPSHOT_EVERY_ENTRIES = 40;
const LIMITS = { maxQueuedCommands: 24, maxBatchCommands: 8, recoveryAttempts: 4, recoveryPauseMs: 50 };
const LONGEST_PROJECTOR_PAUSE_MS = 300;
const NO_LOG = { info: () => {}, warn: () => {}, error: () => {} };
const SETTINGS = { ...CLUSTER_LIMITS, reads: "linearizable", adminUrl: null } as const;
const NO_BANS = { bans: () => ({}), takeBans: () => {} };

type Freshness = ClusterNode["fresh"]["freshness"];

/** The places where planted bugs are inserted. */
export interface NodeSeams {
  sequencer(real: Sequencer, line: StoreLine, engine: Engine): Sequencer;
  /** Waits until the node has everything that a reader must see. */
  latest(real: () => Promise<number>): () => Promise<number>;
  readonly syncsAtStart: boolean;
  readonly liesAboutSync: boolean;
  /** Whether it exits when the store reports an older state. */
  readonly heedsStore: boolean;
}

export interface MemberWorld extends JournalWorld, SimMachine {
  readonly name: string;
  readonly line: StoreLine;
  readonly clocks: MachineClocks;
  readonly database: DatabaseSync;
  readonly ids: Ids;
  readonly parts: readonly RolePart[];
  readonly seams: NodeSeams;
  /** Completes the journal from another node's when the log no longer contains the row after its last one. */
  readonly catchUp: (journal: SimJournal) => void;
  readonly onRecovered: (engine: Engine) => void;
  readonly onApplied: (entry: Entry, events: readonly Event[], engine: Engine) => void;
  readonly onSubmit: (command: Command) => (outcome: Outcome | OutcomeUnknown | NotAccepted) => void;
  readonly onFatal: (error: Error) => void;
  readonly onBug: (error: unknown) => void;
}

export class ClusterSimNode {
  readonly name: string;
  readonly engine: Engine;
  readonly journal: SimJournal;
  readonly cluster: ClusterNode;
  readonly sequencer: Sequencer;
  readonly gateway: Gateway;
  readonly streams: Streams;
  readonly clock: GuardedClock;
  readonly line: StoreLine;
  readonly #world: MemberWorld;
  readonly #machine: World;
  readonly #real: GroupCommitSequencer;
  readonly #projection: Projection;
  readonly #history: SimHistory;
  readonly #telling = new TellingOrder();
  #publishedSeq: number;

  /** Throws the real node's error if it cannot start. */
  constructor(world: MemberWorld) {
    this.#world = world;
    const { name, line, life, disk, database, seams } = world;
    this.name = name;
    this.line = line;
    const machine = simWorld(world, world.clocks.wallMs);
    disk.liesAboutSync = seams.liesAboutSync;
    this.journal = new SimJournal(world);
    world.catchUp(this.journal);
    const { journal } = this;
    const own = { head: () => journal.end, headAt: (seq: number) => journal.headAt(seq), place: () => journal.place() };
    const standing = standingOf(own, line.epoch);
    if (standing === "behind") throw new Error(`the journal of ${name} is behind`);
    const snapshots = new SnapshotFolder(SNAPSHOTS, disk);
    const parts = { journal, database, snapshots, snapshotEveryEntries: SNAPSHOT_EVERY_ENTRIES, path: "history" };
    this.#projection = new Projection({ ...parts, world: machine });
    this.engine = recover(journal, snapshots, { world: machine }).engine;
    world.onRecovered(this.engine);
    this.clock = new GuardedClock({ clocks: world.clocks, timers: machine });
    this.#machine = { ...machine, nowMs: this.clock.nowMs };
    const onFatal = (error: Error): void => {
      if (life.alive && (seams.heedsStore || error.name !== "StoreUnfit")) world.onFatal(error);
    };
    const common = { engine: this.engine, node: name, onFatal, world: this.#machine };
    // The node uses only the port of its store, which the connection implements.
    const store = line as never;
    const settings = {
      settings: SETTINGS,
      sharedSettings: [],
      settingDigests: {},
      release: "0.0.0",
      log: NO_LOG as never,
    };
    this.cluster = new ClusterNode({ ...common, ...settings, store, place: standing.place });
    this.#publishedSeq = this.engine.seq;
    this.#history = openSimHistory(database, () => this.#projection.seq);
    this.#real = new GroupCommitSequencer({
      ...common,
      journal,
      shared: this.cluster.order,
      historySeq: () => this.#projection.seq,
      onApplied: (entry, events) => {
        if (!life.alive) return;
        world.onApplied(entry, events, this.engine);
        this.#telling.applied(entry, events);
      },
      onBatch: ({ firstSeq, count }) => {
        this.#publishedSeq = firstSeq + count - 1;
      },
      limits: LIMITS,
    });
    this.sequencer = this.#watched(seams.sequencer(this.#real, line, this.engine));
    this.gateway = this.#openGateway();
    this.streams = this.#openStreams();
    const real = this.#real;
    this.#telling.follow(this.streams, this.gateway);
    this.cluster.start(this.#real, NO_BANS);
    this.#real.start();
    this.clock.start();
    // These objects use `canAppend`, which only the real store has.
    const able = {
      get canAppend() {
        return real.canAppend;
      },
      hold: real.hold.bind(real),
    };
    this.cluster.holdRoles(world.parts, Object.assign(able, this.sequencer));
    this.#project();
  }

  /** Whether it currently accepts commands. */
  get isAble(): boolean {
    return this.#real.canAppend;
  }

  /** Why it accepts none. */
  get heldBy(): string {
    return [...this.#real.heldBy.values()].join(", ");
  }

  #openStreams(): Streams {
    return new Streams({
      engine: this.engine,
      clock: this.#real,
      history: this.#history,
      sink: this.gateway,
      config: {
        limits: { ...DEFAULT_LIMITS, enabled: false },
        http: { trustedProxies: [], allowedOrigins: [] },
        publicUrl: null,
        demo: false,
        streams: {},
      },
      log: { error: (fields) => this.#world.life.alive && this.#world.onBug((fields as { err?: unknown }).err) },
      world: this.#machine,
      telling: this.#telling,
    });
  }

  #openGateway(): Gateway {
    const { ids, onBug, onFatal, seams } = this.#world;
    const { fresh } = this.cluster;
    return createGateway({
      fresh: { ...fresh, freshness: changed(fresh.freshness, seams.latest(fresh.freshness.latest)) },
      engine: this.engine,
      sequencer: this.sequencer,
      history: this.#history,
      walletPorts: {
        wallet: {
          networks: () => [],
          isAddress: () => true,
          depthOf: () => undefined,
          depositAddress: (_accountId, name) => Promise.reject(new NoSuchNetwork(name)),
        },
        tradingRules: { settings: { enabled: false } } as never,
        checkTotp: () => null,
        confirmations: CONFIRMATIONS,
      },
      unseal: (sealed) => sealed.split("").reverse().join(""),
      limits: { ...DEFAULT_LIMITS, enabled: false },
      world: this.#machine,
      telling: this.#telling,
      ids,
      log: { error: (fields) => onBug((fields as { err?: unknown }).err) },
      onFatal,
    });
  }

  #watched(real: Sequencer): Sequencer {
    const { onSubmit, life } = this.#world;
    const submit: Sequencer["submit"] = (command, settle) => {
      if (!life.alive) return;
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

  /** The projector's thread: updates history at intervals. */
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

/** A freshness check with another `latest`. */
function changed(real: Freshness, latest: Freshness["latest"]): Freshness {
  return {
    get seq() {
      return real.seq;
    },
    staleMs: () => real.staleMs(),
    latest,
  };
}
