/** One process of a node in a cluster: in addition to the shared parts, its membership, on a simulated store. */
import type { Engine } from "@pricetime/engine";
import {
  CLUSTER_LIMITS,
  ClusterNode,
  type Gateway,
  type GroupCommitSequencer,
  NoSuchNetwork,
  type TaskPart,
  type Sequencer,
  standingOf,
  type Streams,
} from "@pricetime/server/parts";
import { SimJournal } from "../world/journal.ts";
import { NO_LOG, type ProcessWorld, SimProcess } from "../world/process.ts";
import type { StoreLine } from "./store.ts";

const SNAPSHOT_EVERY_ENTRIES = 40;
const SETTINGS = { ...CLUSTER_LIMITS, reads: "linearizable", adminUrl: null } as const;
const NO_BANS = { bans: () => ({}), takeBans: () => {} };
const NO_WALLET = {
  wallet: {
    networks: () => [],
    isAddress: () => true,
    depthOf: () => undefined,
    depositAddress: (_accountId: number, name: string) => Promise.reject(new NoSuchNetwork(name)),
  },
  tradingRules: { settings: { enabled: false } } as never,
};

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

export interface MemberWorld extends ProcessWorld {
  readonly name: string;
  readonly line: StoreLine;
  readonly parts: readonly TaskPart[];
  readonly seams: NodeSeams;
  /** Completes the journal from another node's when the log no longer contains the row after its last one. */
  readonly catchUp: (journal: SimJournal) => void;
  readonly onRecovered: (engine: Engine) => void;
}

export class ClusterSimNode extends SimProcess<MemberWorld> {
  readonly name: string;
  readonly journal: SimJournal;
  readonly cluster: ClusterNode;
  readonly sequencer: Sequencer;
  readonly gateway: Gateway;
  readonly streams: Streams;
  readonly line: StoreLine;
  readonly #real: GroupCommitSequencer;

  /** Throws the real node's error if it cannot start. */
  constructor(world: MemberWorld) {
    const { name, line, life, disk, clocks, seams } = world;
    disk.liesAboutSync = seams.liesAboutSync;
    const journal = new SimJournal(world);
    world.catchUp(journal);
    const own = { head: () => journal.end, headAt: (seq: number) => journal.headAt(seq), place: () => journal.place() };
    const standing = standingOf(own, line.epoch);
    if (standing === "behind") throw new Error(`the journal of ${name} is behind`);
    super(world, {
      ...{ journal, rows: journal, clocks, snapshotEveryEntries: SNAPSHOT_EVERY_ENTRIES, historyWaits: true },
    });
    this.name = name;
    this.line = line;
    this.journal = journal;
    world.onRecovered(this.engine);
    const onFatal = (error: Error): void => {
      if (life.alive && (seams.heedsStore || error.name !== "StoreUnfit")) world.onFatal(error);
    };
    this.cluster = new ClusterNode({
      ...{ engine: this.engine, node: name, onFatal, world: this.machine, place: standing.place },
      ...{ settings: SETTINGS, sharedSettings: [], settingDigests: {}, release: "0.0.0", log: NO_LOG as never },
      // The node uses only the port of its store, which the connection implements.
      store: line as never,
    });
    const real = this.openSequencer({ node: name, onFatal, shared: this.cluster.order });
    this.#real = real;
    this.sequencer = this.watched(seams.sequencer(real, line, this.engine));
    const { fresh } = this.cluster;
    const freshness = changed(fresh.freshness, seams.latest(fresh.freshness.latest));
    this.gateway = this.openGateway(this.sequencer, NO_WALLET, { ...fresh, freshness });
    this.streams = this.openStreams(real, this.gateway);
    this.sendQueue.follow(this.streams, this.gateway);
    this.cluster.start(real, NO_BANS);
    real.start();
    this.clock.start();
    // These objects use `canAppend`, which only the real store has.
    const able = {
      get canAppend() {
        return real.canAppend;
      },
      hold: real.hold.bind(real),
    };
    this.cluster.ownTasks(world.parts, Object.assign(able, this.sequencer));
    this.project();
  }

  /** Whether it currently accepts commands. */
  get isAble(): boolean {
    return this.#real.canAppend;
  }

  /** Why it accepts none. */
  get heldBy(): string {
    return [...this.#real.heldBy.values()].join(", ");
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
