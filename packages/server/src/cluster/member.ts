/**
 * A node as a member of a cluster: whether it reaches the store's quorum, how old its state may be, the positions of
 * other nodes, whether its results agree with theirs, and whether its clock allows it to write. It checks received
 * batches, and holds the sequencer while the node must not write.
 */
import { NEWEST_EDITION, type NodeBatch } from "@pricetime/engine";
import type { LogPlace } from "../journal/port.ts";
import { NodeUnfit, NotAccepted, type RowObserver } from "../journal/sequencer/port.ts";
import type { Clock, Timers } from "../platform/world/port.ts";
import {
  aheadMs,
  CLUSTER_LIMITS,
  type ClusterLimits,
  QuorumContact,
  DigestVote,
  type PeerState,
  Peers,
  RowDigests,
} from "./peers.ts";
import type { ClusterStore, NodePosition } from "./port.ts";
import { Reads } from "./reads.ts";

export interface MemberOptions {
  readonly store: Pick<ClusterStore, "epoch" | "announce" | "positions" | "lastNumber">;
  /** The replica that serves requests. */
  readonly engine: { readonly seq: number; readonly timeMs: number; eventDigest(): string };
  /** The position of the node's own journal in the log when the node starts; null if before the first batch. */
  readonly place: LogPlace | null;
  readonly node: string;
  readonly incarnation: string;
  readonly release: string;
  /** Returns the other fields of the published position. */
  readonly tells: () => Pick<NodePosition, "admin" | "bans" | "settings">;
  /** Called about once per second with the positions of other nodes that have changed. */
  readonly onPositions?: (changed: readonly NodePosition[]) => void;
  /** Called when the node must stop. */
  readonly onFatal: (error: Error) => void;
  /** Called with a line of text for the operator. */
  readonly onWarning: (line: string) => void;
  readonly world: Clock & Timers;
  readonly limits?: Partial<ClusterLimits>;
}

/** The part of the sequencer that a member uses. */
export interface Holdable {
  hold(reason: string, why: string | null): void;
}

const CLOCKS_UNKNOWN = "the clocks of the other nodes are not known yet";

export class Member implements RowObserver {
  readonly #options: MemberOptions;
  readonly #limits: ClusterLimits;
  readonly #contact: QuorumContact;
  readonly #reads: Reads;
  readonly #peers: Peers;
  readonly #digests: RowDigests;
  readonly #vote: DigestVote;
  readonly #joined = Promise.withResolvers<void>();
  #sequencer: Holdable | undefined;
  /** The position of the last batch in the node's own journal. */
  #place: LogPlace;
  readonly #returns = { count: 0, totalMs: 0 };
  #isJoining = false;
  #isReadOnly = false;
  #warnedOf = "";

  constructor(options: MemberOptions) {
    const { store, engine, place, node, world } = options;
    this.#options = options;
    const limits = { ...CLUSTER_LIMITS, ...options.limits };
    this.#limits = limits;
    this.#place = place ?? { epoch: store.epoch.epoch, number: 0, revision: 0 };
    this.#contact = new QuorumContact(world, limits, (isCutOff) => this.#contactChanged(isCutOff));
    this.#reads = new Reads({
      ...{ store, engine, number: this.#place.number, world, limits },
      isCutOff: () => this.isCutOff || this.#isReadOnly,
      onContact: (startMs) => this.#contact.made(startMs),
      onUnfit: (error) => this.mustStop(error),
    });
    this.#peers = new Peers({
      ...{ store, node, world, limits },
      position: () => this.#position(),
      onRead: (changed) => this.#received(changed),
      onUnfit: (error) => this.mustStop(error),
    });
    this.#digests = new RowDigests(limits.digestRows);
    this.#digests.note(engine.seq, engine.eventDigest());
    this.#vote = new DigestVote(limits);
    // Callers of `joined` receive the rejection. If there are none, it must not count as unhandled.
    this.#joined.promise.catch(() => {});
  }

  /**
   * Must be called before the sequencer is started: no command is accepted until the clocks of the other nodes are
   * known.
   */
  start(sequencer: Holdable): void {
    this.#sequencer = sequencer;
    sequencer.hold("clock", CLOCKS_UNKNOWN);
    this.#contact.start();
    this.#reads.start();
    this.#peers.start();
  }

  stop(): void {
    this.#contact.stop();
    this.#reads.stop();
    this.#peers.stop();
    this.#joined.reject(new NotAccepted("the node is stopping"));
  }

  /**
   * Resolves when the node may write: it has applied everything that was in the log when it first knew the other nodes'
   * clocks. Rejects with `NotAccepted` if the node stops before.
   */
  joined(): Promise<void> {
    return this.#joined.promise;
  }

  /**
   * Called when the node applies no more entries because it cannot read the log. It serves reads until its state is too
   * old.
   */
  staysBehind(why: Error): void {
    this.#isReadOnly = true;
    this.#reads.cutOff();
    this.#joined.reject(why);
  }

  /** Stops accepting commands, and reports that the node must stop. */
  mustStop(error: Error): void {
    this.#sequencer?.hold("member", error.message);
    this.#options.onFatal(error);
  }

  /** Whether the quorum has not answered for too long. */
  get isCutOff(): boolean {
    return this.#contact.isCutOff;
  }

  /** The maximum age of the node's state, which includes everything that was in the log this long ago. */
  get staleMs(): number {
    return this.#reads.staleMs;
  }

  /** The age that responses report; 0 while the state is as fresh as that of any connected node. */
  get shownStaleMs(): number {
    return this.#reads.shownStaleMs;
  }

  /** The last published positions of the other nodes, live or not. */
  get peers(): readonly PeerState[] {
    return this.#peers.others;
  }

  /** Names of the other nodes that are live. */
  get live(): readonly string[] {
    return this.#peers.live.map(({ position }) => position.node);
  }

  /** Number of batches that are known to be in the log but are not applied here yet. */
  get lagRows(): number {
    return this.#reads.lagRows;
  }

  /** Number of this node's batches that it received back from the log, and the total time this took. */
  get returns(): { readonly count: number; readonly totalMs: number } {
    return this.#returns;
  }

  /** The position of the last batch in the node's own journal. */
  get place(): LogPlace {
    return this.#place;
  }

  /** Milliseconds by which this node's clock is ahead of the others. */
  get clockAheadMs(): number {
    const { world } = this.#options;
    return aheadMs(world.nowMs(), world.steadyMs(), this.#peers.live);
  }

  /**
   * For reads that must include everything that any node has already answered: resolves to 0 when this node has applied
   * it. A node that is cut off cannot determine that, and resolves to the age of its state in milliseconds. Rejects
   * with `NotAccepted` if the state is too old, or the node does not catch up in time.
   */
  caughtUp(): Promise<number> {
    return this.#reads.caughtUp();
  }

  /** Resolves to true once entry `seq` is applied here, or to false after `patienceMs`. */
  applied(seq: number, patienceMs: number): Promise<boolean> {
    return this.#reads.applied(seq, patienceMs);
  }

  rowComes({ node, atSeq, digest }: NodeBatch): void {
    const { world, engine } = this.#options;
    this.#contact.made(world.steadyMs());
    if (node === this.#options.node) return;
    // An author can only have applied entries before its batch, so a later entry means that the states differ.
    const agrees = atSeq > engine.seq ? false : this.#digests.agree(atSeq, digest);
    if (agrees === undefined) return;
    this.#vote.record(node, atSeq, agrees, world.steadyMs());
    const fault = agrees ? undefined : this.#stateFault();
    if (fault !== undefined) throw new NodeUnfit(fault);
  }

  rowIsDone(place: LogPlace, isApplied: boolean): void {
    const { engine } = this.#options;
    if (isApplied) {
      this.#place = place;
      this.#digests.note(engine.seq, engine.eventDigest());
    }
    this.#reads.rowIsDone(place);
  }

  returned(elapsedMs: number): void {
    this.#returns.count++;
    this.#returns.totalMs += elapsedMs;
  }

  refusal(timeMs: number): string | undefined {
    const { engine, world } = this.#options;
    // Entries have already reached this time, so it does not move time forward.
    if (timeMs <= engine.timeMs) return undefined;
    const ahead = aheadMs(timeMs, world.steadyMs(), this.#peers.live);
    if (ahead <= this.#limits.maxAheadMs) return undefined;
    const why = `this node's clock is ${Math.round(ahead)} ms ahead of the others'`;
    this.#sequencer?.hold("clock", why);
    return why;
  }

  #position(): NodePosition {
    const { engine, node, incarnation, release, tells, world } = this.#options;
    const { seq } = engine;
    const clockMs = world.nowMs();
    return {
      node,
      incarnation,
      place: this.#place,
      seq,
      eventDigest: engine.eventDigest(),
      clockMs,
      release,
      rules: NEWEST_EDITION,
      ...tells(),
    };
  }

  #contactChanged(isCutOff: boolean): void {
    if (isCutOff) {
      this.#sequencer?.hold("contact", "the node is cut off from the others");
      this.#reads.cutOff();
      return;
    }
    // This node's clock or those of the others may have jumped meanwhile.
    this.#sequencer?.hold("clock", CLOCKS_UNKNOWN);
    this.#sequencer?.hold("contact", null);
    this.#peers.hurry();
  }

  #received(changed: readonly NodePosition[]): void {
    const { engine, world, onPositions } = this.#options;
    for (const { node, seq, eventDigest } of changed) {
      // If the other node is ahead, the states are compared once this node has caught up. An empty digest means that
      // the other node is catching up and has no state yet.
      const agrees = seq > engine.seq || eventDigest === "" ? undefined : this.#digests.agree(seq, eventDigest);
      if (agrees !== undefined) this.#vote.record(node, seq, agrees, world.steadyMs());
    }
    const fault = this.#stateFault();
    if (fault !== undefined) this.mustStop(new NodeUnfit(fault));
    this.#checkClock();
    onPositions?.(changed);
  }

  /** Returns an error line if this node's state is the wrong one. Warns if another node's state is. */
  #stateFault(): string | undefined {
    const { world, onWarning } = this.#options;
    const { differing, seq, isOurs } = this.#vote.decide(this.live, world.steadyMs());
    const names = differing.join(", ");
    if (isOurs)
      return `the state of this node at entry ${seq} or before differs from that of ${names}: it must be rebuilt`;
    if (names !== this.#warnedOf && names !== "") {
      onWarning(`the state of ${names} at entry ${seq} or before is not that of this node`);
    }
    this.#warnedOf = names;
    return undefined;
  }

  #checkClock(): void {
    if (!this.#peers.isSettled) return;
    const ahead = this.clockAheadMs;
    const isAhead = ahead > this.#limits.maxAheadMs;
    const why = `this node's clock is ${Math.round(ahead)} ms ahead of the others'`;
    this.#sequencer?.hold("clock", isAhead ? why : null);
    if (!isAhead && !this.#isJoining) void this.#join();
  }

  /** Waits until the node has applied the log, then resolves `joined`. Never rejects. */
  async #join(): Promise<void> {
    this.#isJoining = true;
    while (!(await this.#reads.hasAll())) await this.#options.world.pause(this.#limits.contactEveryMs);
    this.#joined.resolve();
  }
}
