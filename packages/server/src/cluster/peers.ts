/**
 * The state of a node's peers and the limits of the cluster: whether the store's quorum answers, the positions of other
 * nodes, how far this node's clock is ahead of theirs, and whether all nodes compute the same results.
 */
import type { Cancel, Clock, Timers } from "../platform/world/port.ts";
import { type ClusterStore, type NodePosition, StoreUnfit } from "./port.ts";

/** The limits of a cluster node. */
export const CLUSTER_LIMITS = {
  /** The node stops accepting commands if the store's quorum has not answered for this long. */
  cutOffAfterMs: 2_000,
  /** Interval at which the node reads the end of the log if no read needs it. */
  contactEveryMs: 500,
  /** A call to the store is repeated if there is no response within this time. */
  callPatienceMs: 1_500,
  /** Pause after a failed call. */
  callPauseMs: 100,
  /** Maximum time that a read waits until the node has applied everything that was in the log. */
  readTimeoutMs: 5_000,
  /** Reads are rejected if the node's data is older than this. */
  maxStaleMs: 10_000,
  /**
   * After a possibly incomplete read, responses report an age for this long, because that read may still be querying
   * history when the node is connected again.
   */
  uncertainMs: 2_000,
  /** Interval at which a node publishes its position and reads those of other nodes. */
  announceEveryMs: 1_000,
  /** A node whose position has not changed for this long does not count as live. */
  liveMs: 5_000,
  /** A node whose clock is further ahead of the others than this accepts no commands. */
  maxAheadMs: 2_500,
  /** Number of batches whose event digests are stored for comparison with other nodes. */
  digestRows: 16_384,
  /** How long a node that differs from another one waits for the digests of the remaining nodes. */
  digestPatienceMs: 3_000,
  /** A reported digest counts for this long. */
  digestWordMs: 10_000,
};
export type ClusterLimits = Readonly<typeof CLUSTER_LIMITS>;

// Tracks whether the store's quorum answers. Uses the time at which an answered call began or a batch arrived, so that
// neither counts as newer than it is after a suspension of the process.

export class QuorumContact {
  readonly #world: Clock & Timers;
  readonly #limits: Pick<ClusterLimits, "cutOffAfterMs">;
  readonly #onChange: (isCutOff: boolean) => void;
  #lastMs: number;
  /** The state last reported by `onChange`. */
  #toldCutOff = false;
  #stop: Cancel = () => {};

  /** `onChange` is called when the node is cut off from the quorum and when it is connected again. */
  constructor(
    world: Clock & Timers,
    limits: Pick<ClusterLimits, "cutOffAfterMs">,
    onChange: (isCutOff: boolean) => void,
  ) {
    this.#world = world;
    this.#limits = limits;
    this.#onChange = onChange;
    this.#lastMs = world.steadyMs();
  }

  get isCutOff(): boolean {
    return this.#world.steadyMs() - this.#lastMs > this.#limits.cutOffAfterMs;
  }

  start(): void {
    this.#lastMs = this.#world.steadyMs();
    this.#checkAfter(this.#limits.cutOffAfterMs);
  }

  stop(): void {
    this.#stop();
  }

  /**
   * Records that the quorum has answered a call that began at `startMs` (monotonic), or that a batch arrived at that
   * time.
   */
  made(startMs: number): void {
    this.#lastMs = Math.max(this.#lastMs, startMs);
    if (this.#toldCutOff && !this.isCutOff) this.#tell(false);
  }

  #checkAfter(waitMs: number): void {
    const dueMs = this.#world.steadyMs() + waitMs;
    this.#stop = this.#world.after(waitMs, () => this.#check(dueMs));
  }

  #check(dueMs: number): void {
    const { cutOffAfterMs } = this.#limits;
    const leastMs = cutOffAfterMs / 8;
    const nowMs = this.#world.steadyMs();
    // If the process was suspended, first read the responses that arrived meanwhile; they may show that the node is not
    // cut off.
    const isLate = nowMs - dueMs > leastMs;
    if (this.isCutOff && !this.#toldCutOff && !isLate) this.#tell(true);
    this.#checkAfter(Math.max(this.#lastMs + cutOffAfterMs - nowMs + 1, leastMs));
  }

  #tell(isCutOff: boolean): void {
    this.#toldCutOff = isCutOff;
    this.#onChange(isCutOff);
  }
}

// Measures clocks. Entries carry the latest time that any node has written, so a clock that is ahead would affect all
// nodes.

/** The time that another node's clock showed, and when this node read it (monotonic). */
interface ClockReading {
  readonly clockMs: number;
  readonly readMs: number;
}

/**
 * How far `nowMs` at `steadyMs` is ahead of the median of the other clocks; negative if it is behind; 0 if there are no
 * others. If two clocks are in the middle, the later one counts, so that one clock that is far behind does not make all
 * others appear ahead. Other clocks appear slightly behind, by the duration of a reading.
 */
export function aheadMs(nowMs: number, steadyMs: number, others: readonly ClockReading[]): number {
  if (others.length === 0) return 0;
  const clocks = others.map(({ clockMs, readMs }) => clockMs + (steadyMs - readMs)).sort((a, b) => a - b);
  return nowMs - (clocks[Math.floor(clocks.length / 2)] as number);
}

export interface PeerState extends ClockReading {
  readonly position: NodePosition;
  /** Whether the position has changed since this node's first reading. Only then is its time known. */
  readonly hasChanged: boolean;
}

export interface PeersOptions {
  /** The store. Its calls settle in bounded time. */
  readonly store: Pick<ClusterStore, "announce" | "positions">;
  readonly node: string;
  /** This node's current position. */
  readonly position: () => NodePosition;
  /** Called after each reading with the positions of other nodes that have changed. Must not throw. */
  readonly onRead: (changed: readonly NodePosition[]) => void;
  /** Called when the store has become unusable. */
  readonly onUnfit: (error: StoreUnfit) => void;
  readonly world: Clock & Timers;
  readonly limits: Pick<ClusterLimits, "announceEveryMs" | "liveMs">;
}

export class Peers {
  readonly #options: PeersOptions;
  readonly #others = new Map<string, PeerState>();
  #startMs = 0;
  #reads = 0;
  #stopTimer: Cancel = () => {};
  #isReading = false;
  #isStopped = false;

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  /** All other nodes that have published a position in this epoch. */
  get others(): readonly PeerState[] {
    return [...this.#others.values()];
  }

  /** The other nodes that are live, as far as this node can tell. */
  get live(): readonly PeerState[] {
    const { world, limits } = this.#options;
    const sinceMs = world.steadyMs() - limits.liveMs;
    return this.others.filter(({ hasChanged, readMs }) => hasChanged && readMs >= sinceMs);
  }

  /** Whether it is known which other nodes are live: each has published a new position, or has had enough time to. */
  get isSettled(): boolean {
    const { world, limits } = this.#options;
    if (this.#reads === 0) return false;
    if (this.others.every(({ hasChanged }) => hasChanged)) return true;
    return world.steadyMs() - this.#startMs >= 2.5 * limits.announceEveryMs;
  }

  start(): void {
    this.#startMs = this.#options.world.steadyMs();
    void this.#turn();
  }

  /** Reads the positions now, unless they are already being read. */
  hurry(): void {
    if (this.#isReading || this.#isStopped) return;
    this.#stopTimer();
    void this.#turn();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
  }

  async #turn(): Promise<void> {
    const { world, limits } = this.#options;
    this.#isReading = true;
    await this.#round();
    this.#isReading = false;
    if (!this.#isStopped) this.#stopTimer = world.after(limits.announceEveryMs, () => void this.#turn());
  }

  /** Reads the positions and publishes this node's. Never rejects: the next round tries again. */
  async #round(): Promise<void> {
    const { store, position, onUnfit } = this.#options;
    try {
      this.#read(await store.positions());
      if (!this.#isStopped) await store.announce(position());
    } catch (error) {
      if (error instanceof StoreUnfit && !this.#isStopped) onUnfit(error);
    }
  }

  #read(positions: readonly NodePosition[]): void {
    const { node, world, onRead } = this.#options;
    if (this.#isStopped) return;
    const readMs = world.steadyMs();
    const changed = positions.filter((position) => position.node !== node && this.#note(position, readMs));
    this.#reads++;
    onRead(changed);
  }

  /** Records the position. Returns whether it is new; positions published before the first reading do not count. */
  #note(position: NodePosition, readMs: number): boolean {
    const last = this.#others.get(position.node);
    const { clockMs, incarnation } = position;
    if (last !== undefined && last.clockMs === clockMs && last.position.incarnation === incarnation) return false;
    const hasChanged = last !== undefined || this.#reads > 0;
    this.#others.set(position.node, { position, clockMs, readMs, hasChanged });
    return hasChanged;
  }
}

export class RowDigests {
  readonly #seqs: Float64Array;
  readonly #digests: string[] = [];
  #count = 0;

  /** `rows` is the number of digests to store. */
  constructor(rows: number) {
    this.#seqs = new Float64Array(rows);
  }

  /** Records the digest after entry `seq`, the last entry of a batch. */
  note(seq: number, digest: string): void {
    const at = this.#count++ % this.#seqs.length;
    this.#seqs[at] = seq;
    this.#digests[at] = digest;
  }

  /**
   * Whether another node's event digest after entry `seq` equals this node's; undefined if the digest is no longer
   * stored.
   */
  agree(seq: number, eventDigest: string): boolean | undefined {
    const oldest = Math.max(0, this.#count - this.#seqs.length);
    if (this.#count === 0 || seq < this.#seqAt(oldest)) return undefined;
    let [from, to] = [oldest, this.#count - 1];
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (this.#seqAt(middle) <= seq) from = middle;
      else to = middle - 1;
    }
    return this.#seqAt(from) === seq && this.#digests[from % this.#seqs.length] === eventDigest;
  }

  #seqAt(index: number): number {
    return this.#seqs[index % this.#seqs.length] as number;
  }
}

// If the event digests of two nodes differ after the same entry, the majority is right: a node stops if more nodes
// differ from it than agree with it. With only two nodes, it is unknown which of them is right, so both stop.

interface PeerReport {
  /** The last entry after which the node agreed with this one; -1 if there is none. */
  agreedSeq: number;
  /** The first entry after which the node differed from this one. */
  differedSeq: number | undefined;
  /** Time of the node's last report (monotonic). */
  atMs: number;
}

export interface Verdict {
  /** The nodes that differ from this one; may be empty. */
  readonly differing: readonly string[];
  /** The first entry after which one of them differed. */
  readonly seq: number;
  readonly isOurs: boolean;
}

const NONE: Verdict = { differing: [], seq: 0, isOurs: false };

export class DigestVote {
  readonly #limits: Pick<ClusterLimits, "digestPatienceMs" | "digestWordMs">;
  readonly #reports = new Map<string, PeerReport>();
  /** Time since which at least one node has differed. */
  #sinceMs: number | undefined;

  constructor(limits: Pick<ClusterLimits, "digestPatienceMs" | "digestWordMs">) {
    this.#limits = limits;
  }

  /** Records whether another node's digest after entry `seq` equals this node's. */
  record(node: string, seq: number, agrees: boolean, nowMs: number): void {
    const report = this.#reports.get(node) ?? { agreedSeq: -1, differedSeq: undefined, atMs: nowMs };
    report.atMs = nowMs;
    if (agrees) {
      report.agreedSeq = Math.max(report.agreedSeq, seq);
      // Digests that differ once differ forever, so this report is from another process with the same name.
      if (report.differedSeq !== undefined && seq > report.differedSeq) report.differedSeq = undefined;
    } else report.differedSeq = Math.min(report.differedSeq ?? seq, seq);
    this.#reports.set(node, report);
  }

  /** `live` contains the names of the other live nodes. */
  decide(live: readonly string[], nowMs: number): Verdict {
    const lately = [...this.#reports].filter(([, { atMs }]) => nowMs - atMs <= this.#limits.digestWordMs);
    const differing = lately.filter(([, { differedSeq }]) => differedSeq !== undefined);
    if (differing.length === 0) {
      this.#sinceMs = undefined;
      return NONE;
    }
    this.#sinceMs ??= nowMs;
    const seq = Math.min(...differing.map(([, { differedSeq }]) => differedSeq as number));
    const agreeing = lately.filter(([, report]) => report.differedSeq === undefined && report.agreedSeq >= seq);
    // Nodes that agreed only before that entry have not reported on it yet, so the vote waits for them.
    const heard = new Set([...differing, ...agreeing].map(([node]) => node));
    const isLate = nowMs - this.#sinceMs >= this.#limits.digestPatienceMs;
    const awaited = isLate ? 0 : live.filter((node) => !heard.has(node)).length;
    const isOurs = differing.length > agreeing.length + awaited;
    return { differing: differing.map(([node]) => node), seq, isOurs };
  }
}
