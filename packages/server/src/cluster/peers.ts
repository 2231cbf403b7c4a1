/**
 * What a node knows about its peers, and the limits: whether the store's quorum answers, the positions of other nodes,
 * how far its clock is ahead of theirs, and whether it computes the same results.
 */
import type { Cancel, Clock, Timers } from "../platform/world/port.ts";
import { type ClusterStore, type NodePosition, StoreUnfit } from "./port.ts";

/** The limits of a cluster node. */
export const CLUSTER_LIMITS = {
  /** The node stops accepting commands after this long without a response from the store's quorum. */
  cutOffAfterMs: 2_000,
  /** How often the node reads the end of the log if no read needs it. */
  contactEveryMs: 500,
  /** A call to the store without a response by then is repeated. */
  callPatienceMs: 1_500,
  /** The pause after a failed call. */
  callPauseMs: 100,
  /** How long a read waits until the node has applied what was in the log. */
  readTimeoutMs: 5_000,
  /** Reads of older data are rejected. */
  maxStaleMs: 10_000,
  /**
   * After a read was answered that may be incomplete, responses report an age for this long, because the read may still
   * use history when the node is connected again.
   */
  uncertainMs: 2_000,
  /** How often a node publishes its position, and reads those of others. */
  announceEveryMs: 1_000,
  /** A node whose position has not changed for this long does not count as live. */
  liveMs: 5_000,
  /** A node whose clock is further ahead of the others accepts no commands. */
  maxAheadMs: 2_500,
  /** For how many batches the event digest is kept, for comparison with other nodes. */
  digestRows: 16_384,
  /** How long a node that differs from another one waits for the digests of the rest. */
  digestPatienceMs: 3_000,
  /** How long a reported digest counts. */
  digestWordMs: 10_000,
};
export type ClusterLimits = Readonly<typeof CLUSTER_LIMITS>;

// Uses the time at which an answered call began, or a batch arrived, so that after a suspension of the process neither
// counts as newer than it is.

export class QuorumContact {
  readonly #world: Clock & Timers;
  readonly #limits: Pick<ClusterLimits, "cutOffAfterMs">;
  readonly #onChange: (isCutOff: boolean) => void;
  #lastMs: number;
  /** The last reported state. */
  #toldCutOff = false;
  #stop: Cancel = () => {};

  /** `onChange` is called when the node is cut off, and when it no longer is. */
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

  /** The quorum has answered a call that began at `startMs` (monotonic), or a batch arrived then. */
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
    // After a suspension of the process, responses that arrived meanwhile are read before the node is reported as cut
    // off.
    const isLate = nowMs - dueMs > leastMs;
    if (this.isCutOff && !this.#toldCutOff && !isLate) this.#tell(true);
    this.#checkAfter(Math.max(this.#lastMs + cutOffAfterMs - nowMs + 1, leastMs));
  }

  #tell(isCutOff: boolean): void {
    this.#toldCutOff = isCutOff;
    this.#onChange(isCutOff);
  }
}

// Entries carry the latest time that any node has written, so a clock that is ahead would affect all nodes.

/** What another node's clock showed, and when that was read here (monotonic). */
interface ClockReading {
  readonly clockMs: number;
  readonly readMs: number;
}

/**
 * How far `nowMs` is ahead of the median of the other clocks, at `steadyMs`; negative: behind; 0 without others. Of two
 * clocks in the middle, the later counts, so that one clock that is far behind does not make all others appear ahead.
 * Other clocks appear slightly behind, by the duration of a reading.
 */
export function aheadMs(nowMs: number, steadyMs: number, others: readonly ClockReading[]): number {
  if (others.length === 0) return 0;
  const clocks = others.map(({ clockMs, readMs }) => clockMs + (steadyMs - readMs)).sort((a, b) => a - b);
  return nowMs - (clocks[Math.floor(clocks.length / 2)] as number);
}

export interface PeerState extends ClockReading {
  readonly position: NodePosition;
  /** Whether the position has changed since this node's first reading: only then is its time known. */
  readonly hasChanged: boolean;
}

export interface PeersOptions {
  /** Its calls settle in bounded time. */
  readonly store: Pick<ClusterStore, "announce" | "positions">;
  readonly node: string;
  /** This node's current position. */
  readonly position: () => NodePosition;
  /** Called after each reading, with the changed positions of other nodes. Must not throw. */
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

  /** The other nodes that are live, as far as is known. */
  get live(): readonly PeerState[] {
    const { world, limits } = this.#options;
    const sinceMs = world.steadyMs() - limits.liveMs;
    return this.others.filter(({ hasChanged, readMs }) => hasChanged && readMs >= sinceMs);
  }

  /** Whether it is known which of the others are live: each has published a change, or had the time to. */
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

  /** Reads the positions now, unless that is in progress. */
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

  /** Never rejects: the next round tries again. */
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

  /** Whether the position is new. Positions from before the first reading do not count. */
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

  /** `rows`: how many are kept. */
  constructor(rows: number) {
    this.#seqs = new Float64Array(rows);
  }

  /** Records the digest after entry `seq`, the last entry of a batch. */
  note(seq: number, digest: string): void {
    const at = this.#count++ % this.#seqs.length;
    this.#seqs[at] = seq;
    this.#digests[at] = digest;
  }

  /** Whether another node's event digest after entry `seq` equals this node's; undefined if that is too long ago. */
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
// differ from it than agree with it. With only two nodes, it is unknown which is right, so both stop.

interface PeerReport {
  /** The last entry after which the node agreed with us; -1: none. */
  agreedSeq: number;
  /** The first entry after which it differed. */
  differedSeq: number | undefined;
  /** When it last reported (monotonic). */
  atMs: number;
}

export interface Verdict {
  /** The nodes that differ from this one; empty: none. */
  readonly differing: readonly string[];
  /** The first entry after which one differed. */
  readonly seq: number;
  readonly isOurs: boolean;
}

const NONE: Verdict = { differing: [], seq: 0, isOurs: false };

export class DigestVote {
  readonly #limits: Pick<ClusterLimits, "digestPatienceMs" | "digestWordMs">;
  readonly #reports = new Map<string, PeerReport>();
  /** Since when a node differs. */
  #sinceMs: number | undefined;

  constructor(limits: Pick<ClusterLimits, "digestPatienceMs" | "digestWordMs">) {
    this.#limits = limits;
  }

  /** Records whether another node's digest after entry `seq` equals ours. */
  record(node: string, seq: number, agrees: boolean, nowMs: number): void {
    const report = this.#reports.get(node) ?? { agreedSeq: -1, differedSeq: undefined, atMs: nowMs };
    report.atMs = nowMs;
    if (agrees) {
      report.agreedSeq = Math.max(report.agreedSeq, seq);
      // A digest that differs once differs forever, so this is another process with the same name.
      if (report.differedSeq !== undefined && seq > report.differedSeq) report.differedSeq = undefined;
    } else report.differedSeq = Math.min(report.differedSeq ?? seq, seq);
    this.#reports.set(node, report);
  }

  /** `live`: the other live nodes. */
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
    // Agreement before that entry means nothing, so those nodes are waited for.
    const heard = new Set([...differing, ...agreeing].map(([node]) => node));
    const isLate = nowMs - this.#sinceMs >= this.#limits.digestPatienceMs;
    const awaited = isLate ? 0 : live.filter((node) => !heard.has(node)).length;
    const isOurs = differing.length > agreeing.length + awaited;
    return { differing: differing.map(([node]) => node), seq, isOurs };
  }
}
