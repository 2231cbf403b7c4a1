/**
 * A node's part in a running cluster: its position in the shared log, the data that it publishes and receives, the
 * consistency of its reads, the tasks that it owns, and its metrics. docs/decisions/0044.
 */
import { type Engine, NEWEST_EDITION, type SharedSetting } from "@pricetime/engine";
import type { EtcdStore } from "./etcd/etcd-store.ts";
import { Histogram, LATENCY_BOUNDS } from "../platform/observe/histogram.ts";
import type { Logger } from "../platform/observe/log.ts";
import { NodeUnfit, type RowObserver, type Sequencer } from "../journal/sequencer/port.ts";
import type { SharedOrder } from "../journal/sequencer/shared-placement.ts";
import type { World } from "../platform/world/port.ts";
import { differingSetting, olderNode, unlikeJournal } from "./compare-nodes.ts";
import type { ClusterLimits } from "./peers.ts";
import { type Holdable, Member } from "./member.ts";
import type { OpenCluster } from "./open-cluster.ts";
import type { ClusterStatus, ClusterView, Freshness, NodePosition, NodeStatus } from "./port.ts";
import { type OwnedTasks, ownTasks, inTurn, type TaskPart, watchTasks } from "./tasks.ts";
import type { Metrics } from "../platform/observe/metrics.ts";

const INCARNATION_BYTES = 8;
/** The name of the lease on preparing the journal at the start. */
const START = "start";

/** The configuration of a running node. */
export interface ClusterSettings
  extends Pick<ClusterLimits, "cutOffAfterMs" | "maxStaleMs" | "maxAheadMs" | "readTimeoutMs"> {
  readonly reads: "linearizable" | "local";
  /** The URL at which other nodes reach the admin port; null to use its listening address. */
  readonly adminUrl: string | null;
}

export interface ClusterNodeOptions extends Pick<OpenCluster, "store" | "place"> {
  readonly settings: ClusterSettings;
  /** The name of this node. */
  readonly node: string;
  readonly release: string;
  readonly engine: Engine;
  /** The settings that must be equal on all nodes, and digests of these settings and of the master key. */
  readonly sharedSettings: readonly SharedSetting[];
  readonly settingDigests: Readonly<Record<string, string>>;
  readonly world: World;
  readonly log: Logger;
  readonly onFatal: (error: Error) => void;
}

/** The bans of the gateway's rate limiter. */
export interface BanBook {
  /** End times of current bans in milliseconds, by address. */
  bans(): Readonly<Record<string, number>>;
  takeBans(bans: Readonly<Record<string, number>>): void;
}

type NodeSequencer = Sequencer & Holdable & { readonly canAppend: boolean };

export class ClusterNode implements ClusterView {
  /** The log and this node's position in it, for the sequencer. */
  readonly order: SharedOrder;
  readonly member: Member;
  readonly store: EtcdStore;
  /** Time from submitting a batch of this node until the node received it back from the log. */
  readonly returnSeconds = new Histogram(LATENCY_BOUNDS);
  readonly #options: ClusterNodeOptions;
  readonly #incarnation: string;
  #roles: OwnedTasks | undefined;
  #bans: BanBook | undefined;
  #adminUrl = "";
  /**
   * The settings in the journal when this node last compared them with its own; undefined while it prepares the
   * journal.
   */
  #knownSettings: readonly SharedSetting[] | undefined;

  constructor(options: ClusterNodeOptions) {
    const { store, place, settings, log, release, world } = options;
    const incarnation = world.randomBytes(INCARNATION_BYTES).toString("hex");
    this.#options = options;
    this.store = store;
    this.#incarnation = incarnation;
    const onWarning = (line: string): void => log.warn(line);
    const { settingDigests } = options;
    const tells = (): Pick<NodePosition, "admin" | "bans" | "settings"> => ({
      admin: this.#adminUrl,
      bans: this.#bans?.bans() ?? {},
      settings: settingDigests,
    });
    const onPositions = (changed: readonly NodePosition[]): void => {
      for (const { bans } of changed) this.#bans?.takeBans(bans);
    };
    this.member = new Member({ ...options, incarnation, tells, onPositions, onWarning, limits: settings });
    const { member, returnSeconds } = this;
    const observer: RowObserver = {
      refusal: (timeMs) => member.refusal(timeMs),
      rowComes: (header) => member.rowComes(header),
      rowIsDone: (done, isApplied) => {
        member.rowIsDone(done, isApplied);
        this.#checkSettings();
      },
      returned: (elapsedMs) => returnSeconds.observe(elapsedMs / 1000),
    };
    const onUnreadable = (error: Error): void => {
      log.error(error.message);
      member.staysBehind(error);
    };
    this.order = { log: store, place, release, incarnation, observer, onUnreadable };
  }

  /** How fresh the node's state is, for reads. */
  get fresh(): { readonly freshness: Freshness; readonly isLinearizable: boolean; readonly maxStaleMs: number } {
    const { settings, engine } = this.#options;
    const { member } = this;
    const freshness: Freshness = {
      get seq() {
        return engine.seq;
      },
      staleMs: () => member.shownStaleMs,
      latest: this.latest,
    };
    return { freshness, isLinearizable: settings.reads === "linearizable", maxStaleMs: settings.maxStaleMs };
  }

  /** See `Freshness.latest`. */
  readonly latest = (): Promise<number> => this.member.caughtUp();

  /** The node that owns a task; "" if the task was never granted. */
  readonly holderOf = (role: string): string => this.#options.engine.nodes.role(role)?.node ?? "";

  /** The tasks of this node; undefined until it competes for them. */
  get roles(): OwnedTasks | undefined {
    return this.#roles;
  }

  /** Must be called before the sequencer is started. */
  start(sequencer: Holdable, bans: BanBook): void {
    this.#bans = bans;
    this.member.start(sequencer);
  }

  /**
   * Publishes the URL of the admin port, from which other nodes fetch this node's journal. `url` is the URL on this
   * machine.
   */
  tellAdmin(url: string): void {
    this.#adminUrl = this.#options.settings.adminUrl ?? url;
  }

  /**
   * A running node that does not support this release's rules version. The version is not adopted until that node has
   * stopped.
   */
  get older(): Pick<NodePosition, "node" | "release"> | undefined {
    return olderNode({ release: this.#options.release, rules: NEWEST_EDITION }, this.#liveOthers());
  }

  #liveOthers(): readonly NodePosition[] {
    const live = new Set(this.member.live);
    return this.member.peers.map(({ position }) => position).filter(({ node }) => live.has(node));
  }

  /**
   * Runs work that starting nodes must not do concurrently, once this node may write. Rejects with `NodeUnfit` if its
   * settings differ from those of the other nodes, and with the reason of `signal` if that is aborted.
   */
  async prepare<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { store, world, settingDigests } = this.#options;
    await orAborted(this.member.joined(), signal);
    const differing = differingSetting(settingDigests, this.#liveOthers());
    if (differing !== undefined) throw new NodeUnfit(differing);
    return inTurn(store, START, world, async () => {
      // The journal must first include the batches that the previous node has submitted.
      await this.latest();
      const done = await act();
      this.#knownSettings = this.#options.engine.sharedSettings;
      return done;
    });
  }

  /** Stops the node if another node has journaled different settings without detecting that this node is running. */
  #checkSettings(): void {
    const { engine, sharedSettings } = this.#options;
    const journaled = engine.sharedSettings;
    if (this.#knownSettings === undefined || journaled === this.#knownSettings) return;
    this.#knownSettings = journaled;
    const unlike = unlikeJournal(sharedSettings, journaled);
    if (unlike !== undefined) this.member.mustStop(new NodeUnfit(unlike));
  }

  /** Starts running the parts, each while this node owns its task. */
  ownTasks(parts: readonly TaskPart[], sequencer: NodeSequencer): void {
    const { engine } = this.#options;
    const isAble = (): boolean => sequencer.canAppend;
    const roles = { ...this.#options, parts, sequencer, incarnation: this.#incarnation, view: engine, isAble };
    this.#roles = ownTasks(roles);
    this.#roles.start();
  }

  /** Hands the tasks over. Must be called before the sequencer stops. */
  async endRoles(): Promise<void> {
    await this.#roles?.stop();
  }

  status(): ClusterStatus {
    const { store, member } = this;
    const { node, engine } = this.#options;
    const { epoch, baseSeq } = store.epoch;
    const { edition } = engine;
    const { tail, counters } = store;
    return {
      ...{ node, edition, epoch, baseSeq },
      lastRow: Math.max(counters.lastKnown, counters.lastDelivered, member.place.number),
      tailRows: tail.count,
      tailBytes: tail.bytes,
      isCutOff: member.isCutOff,
      staleMs: Math.round(member.staleMs),
      nodes: this.#nodes(),
      roles: [...engine.nodes.roles()].map(({ role, node: holder, number }) => ({ role, node: holder, number })),
      warnings: Object.values(this.warnings()),
    };
  }

  #nodes(): NodeStatus[] {
    const { node, release, engine } = this.#options;
    const { member } = this;
    const own: NodeStatus = {
      ...{ node, isThis: true, isLive: !member.isCutOff, release, row: member.place.number, seq: engine.seq },
      ...{ incarnation: this.#incarnation, admin: this.#adminUrl },
    };
    const live = new Set(member.live);
    const others = member.peers.map(({ position }): NodeStatus => {
      const { node: name, incarnation, place, seq, release: its, admin } = position;
      return {
        node: name,
        isThis: false,
        isLive: live.has(name),
        release: its,
        row: place.number,
        seq,
        incarnation,
        admin,
      };
    });
    return [own, ...others].sort((a, b) => (a.node < b.node ? -1 : 1));
  }

  faults(): Readonly<Record<string, string>> {
    const { maxStaleMs } = this.#options.settings;
    const { staleMs } = this.member;
    const { whyFull } = this.store;
    return {
      ...(staleMs > maxStaleMs && { stale: `what it shows may be ${Math.round(staleMs)} ms old` }),
      ...(whyFull !== null && { tail: whyFull }),
    };
  }

  warnings(): Readonly<Record<string, string>> {
    const lines = [...this.store.warnings];
    const roles = Object.entries(this.#roles?.troubles() ?? {});
    const differing = differingSetting(this.#options.settingDigests, this.#liveOthers());
    const settings = differing === undefined ? [] : [["settings", differing]];
    return Object.fromEntries([...settings, ...lines.map((line, at) => [`etcd${at + 1}`, line]), ...roles]);
  }

  holders(): Readonly<Record<string, string>> {
    const roles = [...this.#options.engine.nodes.roles()];
    return Object.fromEntries(roles.map(({ role, node }) => [role, node]));
  }

  /** Must be called after the sequencer has stopped. */
  stop(): void {
    this.member.stop();
  }
}

async function orAborted(event: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal?.reason as Error);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    signal?.throwIfAborted();
    await Promise.race([event, aborted.promise]);
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

export function watchCluster(metrics: Metrics, cluster: ClusterNode): void {
  const { member, store } = cluster;
  const { counters, tail } = store;
  const gauge = (name: string, help: string, reading: () => number): void =>
    metrics.gauge(`pricetime_cluster_${name}`, help, reading);
  const counter = (name: string, help: string, reading: () => number): void =>
    metrics.counter(`pricetime_cluster_${name}`, help, reading);

  gauge("row", "Last batch of the log in the journal of this node", () => member.place.number);
  gauge("lag_rows", "Batches of the log that this node has not applied", () =>
    Math.max(0, counters.lastKnown - member.place.number),
  );
  gauge("stale_seconds", "Maximum age of the state of this node", () => member.staleMs / 1000);
  gauge("cut_off", "1 while the quorum of etcd is not reachable", () => Number(member.isCutOff));
  gauge(
    "clock_ahead_seconds",
    "Seconds by which the clock is ahead of the other nodes",
    () => member.clockAheadMs / 1000,
  );
  gauge("live_nodes", "Live nodes, including this one", () => member.live.length + 1);
  metrics.gauges("pricetime_cluster_position_rows", "Last batch in the journal of a node, as it reported", () =>
    member.peers.map(({ position: { node, place } }) => ({ labels: { node }, value: place.number })),
  );
  metrics.histogram(
    "pricetime_cluster_return_seconds",
    "Seconds from submitting a batch until it is applied",
    cluster.returnSeconds,
  );
  counter("submitted_total", "Batches of this node in the log", () => counters.submitted);
  counter("submit_seconds_total", "Total seconds spent submitting batches", () => counters.submittedMs / 1000);
  counter("repeats_total", "Repeated attempts to submit a batch", () => counters.repeats);
  metrics.counterBy(
    "reason",
    "pricetime_cluster_reconnects_total",
    "Watches replaced by a new one, by reason",
    () => counters.reconnects,
  );
  counter("duplicates_total", "Batches delivered again by etcd and dropped", () => counters.duplicatesDropped);
  gauge("tail_rows", "Batches stored in etcd", () => tail.count);
  gauge("tail_bytes", "Bytes of the batches stored in etcd", () => tail.bytes);
  gauge("tail_full", "1 while orders are rejected because etcd is full", () => Number(store.whyFull !== null));
  counter("removed_rows_total", "Batches removed from etcd by this node", () => counters.removed);
  counter("reliefs_total", "Times this node has freed space in a full etcd", () => counters.reliefs);
  gauge("store_bytes", "Size of the largest database file of an etcd member", () => counters.storeBytes);
  watchTasks(metrics, () => cluster.roles);
}
