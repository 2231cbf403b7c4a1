/**
 * What a node learns of the others, and its limits: whether the store's quorum answers it, where the other nodes stand,
 * how far its clock is ahead of theirs, and whether it computes the same results.
 */
import type { Cancel, Clock, Timers } from "../platform/world/port.ts";
import { type ClusterStore, type NodePosition, StoreUnfit } from "./port.ts";

/** The limits of a node among others. */
export interface ClusterLimits {
  /** The node stops taking commands after this long without word from the store's quorum. */
  readonly cutOffAfterMs: number;
  /** How often the node asks for the log's end when no read needs it. */
  readonly contactEveryMs: number;
  /** A call of the store that has no answer by then is made again. */
  readonly callPatienceMs: number;
  /** The pause after a call that failed. */
  readonly callPauseMs: number;
  /** How long a read waits until the node has applied what was in the log. */
  readonly readTimeoutMs: number;
  /** Reads of what is older than this are refused. */
  readonly maxStaleMs: number;
  /**
   * After a read was answered that may lack something, answers are called old for this long: the read may still be made
   * from history when the node is in touch again.
   */
  readonly uncertainMs: number;
  /** How often a node tells the others its position, and reads theirs. */
  readonly announceEveryMs: number;
  /** A node whose position has not changed for this long is not counted among the living. */
  readonly liveMs: number;
  /** A node whose clock is further ahead of the others' takes no commands. */
  readonly maxAheadMs: number;
  /** The ends of rows whose event digest a node keeps, to compare it with the others'. */
  readonly digestRows: number;
  /** How long a node that differs from another waits for the word of the rest. */
  readonly digestPatienceMs: number;
  /** How long a node's word about the digest counts. */
  readonly digestWordMs: number;
}

export const CLUSTER_LIMITS: ClusterLimits = {
  cutOffAfterMs: 2_000,
  contactEveryMs: 500,
  callPatienceMs: 1_500,
  callPauseMs: 100,
  readTimeoutMs: 5_000,
  maxStaleMs: 10_000,
  uncertainMs: 2_000,
  announceEveryMs: 1_000,
  liveMs: 5_000,
  maxAheadMs: 2_500,
  digestRows: 16_384,
  digestPatienceMs: 3_000,
  digestWordMs: 10_000,
};

// What counts is when a call began that was answered, or that a row came: after a pause of the process neither is taken
// for newer than it is.

export class Contact {
  readonly #world: Clock & Timers;
  readonly #limits: Pick<ClusterLimits, "cutOffAfterMs">;
  readonly #onChange: (isCutOff: boolean) => void;
  #lastMs: number;
  /** The state that was reported last. */
  #toldCutOff = false;
  #stop: Cancel = () => {};

  /** `onChange` is called when the node is cut off, and when it is not any more. */
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

  /** The quorum has answered something that began at `startMs` (steady), or a row came then. */
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
    // After a pause of the process, it first reads answers that came meanwhile, before it reports that none came.
    const isLate = nowMs - dueMs > leastMs;
    if (this.isCutOff && !this.#toldCutOff && !isLate) this.#tell(true);
    this.#checkAfter(Math.max(this.#lastMs + cutOffAfterMs - nowMs + 1, leastMs));
  }

  #tell(isCutOff: boolean): void {
    this.#toldCutOff = isCutOff;
    this.#onChange(isCutOff);
  }
}

// The entries of all nodes carry the latest time that any of them has written, so one that is ahead would take all of
// them along.

/** What another node's clock showed, and when that was read here (steady). */
interface ClockReading {
  readonly clockMs: number;
  readonly readMs: number;
}

/**
 * Returns how far `nowMs` is ahead of the median of the others, by `steadyMs`; negative: behind; 0 without others. Of
 * two in the middle the later counts, so that one clock that is far behind does not make all others look ahead. The
 * others' clocks look a little behind, by the time that a reading takes.
 */
export function aheadMs(nowMs: number, steadyMs: number, others: readonly ClockReading[]): number {
  if (others.length === 0) return 0;
  const clocks = others.map(({ clockMs, readMs }) => clockMs + (steadyMs - readMs)).sort((a, b) => a - b);
  return nowMs - (clocks[Math.floor(clocks.length / 2)] as number);
}

export interface Neighbour extends ClockReading {
  readonly position: NodePosition;
  /** Whether the position has changed since this node's first reading: only then is it known when it was told. */
  readonly hasChanged: boolean;
}

export interface NeighboursOptions {
  /** Its calls settle within bounded time. */
  readonly store: Pick<ClusterStore, "announce" | "positions">;
  readonly node: string;
  /** This node's position as of now. */
  readonly position: () => NodePosition;
  /** Called after each reading, with the positions of the other nodes that have told something new. Throws nothing. */
  readonly onRead: (changed: readonly NodePosition[]) => void;
  /** Called when the store cannot be used any more. */
  readonly onUnfit: (error: StoreUnfit) => void;
  readonly world: Clock & Timers;
  readonly limits: Pick<ClusterLimits, "announceEveryMs" | "liveMs">;
}

export class Neighbours {
  readonly #options: NeighboursOptions;
  readonly #others = new Map<string, Neighbour>();
  #startMs = 0;
  #reads = 0;
  #stopTimer: Cancel = () => {};
  #isReading = false;
  #isStopped = false;

  constructor(options: NeighboursOptions) {
    this.#options = options;
  }

  /** All other nodes that have ever told a position in this epoch. */
  get others(): readonly Neighbour[] {
    return [...this.#others.values()];
  }

  /** The other nodes that are there, as far as is known. */
  get live(): readonly Neighbour[] {
    const { world, limits } = this.#options;
    const sinceMs = world.steadyMs() - limits.liveMs;
    return this.others.filter(({ hasChanged, readMs }) => hasChanged && readMs >= sinceMs);
  }

  /** Whether it is known which of the others live: each has told something new, or had the time to. */
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

  /** Reads them now, unless that is under way. */
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

  /** Returns whether the position is news; positions from before the first reading do not count. */
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

  /** The row that ends with entry `seq`, later than those before. */
  note(seq: number, digest: string): void {
    const at = this.#count++ % this.#seqs.length;
    this.#seqs[at] = seq;
    this.#digests[at] = digest;
  }

  /** Whether a node that had the event digest after entry `seq` agrees with this one; undefined: that is too long ago. */
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

// When the event digests of two nodes differ after the same entry, the majority is right: a node stops when more nodes
// differ from it than agree with it. Of only two nodes it is unknown which is right, so both stop.

interface Word {
  /** The last entry after which the node agreed with us; -1: none. */
  agreedSeq: number;
  /** The first entry after which it differed. */
  differedSeq: number | undefined;
  /** When it last said so (steady). */
  atMs: number;
}

export interface Verdict {
  /** The nodes that differ from this one; empty: all is well. */
  readonly differing: readonly string[];
  /** The first entry after which one differed. */
  readonly seq: number;
  readonly isOurs: boolean;
}

const NONE: Verdict = { differing: [], seq: 0, isOurs: false };

export class DigestVote {
  readonly #limits: Pick<ClusterLimits, "digestPatienceMs" | "digestWordMs">;
  readonly #words = new Map<string, Word>();
  /** Since when a node differs. */
  #sinceMs: number | undefined;

  constructor(limits: Pick<ClusterLimits, "digestPatienceMs" | "digestWordMs">) {
    this.#limits = limits;
  }

  /** A node's digest after entry `seq` is ours, or is not. */
  hear(node: string, seq: number, agrees: boolean, nowMs: number): void {
    const word = this.#words.get(node) ?? { agreedSeq: -1, differedSeq: undefined, atMs: nowMs };
    word.atMs = nowMs;
    if (agrees) {
      word.agreedSeq = Math.max(word.agreedSeq, seq);
      // A digest that differs once differs for ever, so this is another copy under the same name.
      if (word.differedSeq !== undefined && seq > word.differedSeq) word.differedSeq = undefined;
    } else word.differedSeq = Math.min(word.differedSeq ?? seq, seq);
    this.#words.set(node, word);
  }

  /** `live`: the other nodes that are there. */
  decide(live: readonly string[], nowMs: number): Verdict {
    const lately = [...this.#words].filter(([, { atMs }]) => nowMs - atMs <= this.#limits.digestWordMs);
    const differing = lately.filter(([, { differedSeq }]) => differedSeq !== undefined);
    if (differing.length === 0) {
      this.#sinceMs = undefined;
      return NONE;
    }
    this.#sinceMs ??= nowMs;
    const seq = Math.min(...differing.map(([, { differedSeq }]) => differedSeq as number));
    const agreeing = lately.filter(([, word]) => word.differedSeq === undefined && word.agreedSeq >= seq);
    // Agreement before that entry says nothing: those nodes are waited for.
    const heard = new Set([...differing, ...agreeing].map(([node]) => node));
    const isLate = nowMs - this.#sinceMs >= this.#limits.digestPatienceMs;
    const awaited = isLate ? 0 : live.filter((node) => !heard.has(node)).length;
    const isOurs = differing.length > agreeing.length + awaited;
    return { differing: differing.map(([node]) => node), seq, isOurs };
  }
}
