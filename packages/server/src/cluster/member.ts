/**
 * A node as a member of a cluster: whether it hears from the store's quorum, how old its state may be, where the others
 * stand, whether it agrees with them, and by whose clock it may write. It looks at rows as they come, and holds the
 * sequencer while the node must not write.
 */
import { NEWEST_EDITION, type NodeBatch } from "@pricetime/engine";
import type { LogPlace } from "../journal/port.ts";
import { NodeUnfit, NotAccepted, type RowObserver } from "../journal/sequencer/port.ts";
import type { Clock, Timers } from "../platform/world/port.ts";
import {
  aheadMs,
  CLUSTER_LIMITS,
  type ClusterLimits,
  Contact,
  DigestVote,
  type Neighbour,
  Neighbours,
  RowDigests,
} from "./neighbours.ts";
import type { ClusterStore, NodePosition } from "./port.ts";
import { Reads } from "./reads.ts";

export interface MemberOptions {
  readonly store: Pick<ClusterStore, "epoch" | "announce" | "positions" | "lastNumber">;
  /** The serving replica. */
  readonly engine: { readonly seq: number; readonly timeMs: number; eventDigest(): string };
  /** Where the node's own journal stood in the log at the start; null: before the first row. */
  readonly place: LogPlace | null;
  readonly node: string;
  readonly incarnation: string;
  readonly release: string;
  /** What else the node tells the others. */
  readonly tells: () => Pick<NodePosition, "admin" | "bans" | "settings">;
  /** Called about once a second with what others have told anew. */
  readonly onPositions?: (changed: readonly NodePosition[]) => void;
  /** Called when the node must stop. */
  readonly onFatal: (error: Error) => void;
  /** Called with a line for the operator. */
  readonly onWarning: (line: string) => void;
  readonly world: Clock & Timers;
  readonly limits?: Partial<ClusterLimits>;
}

/** The sequencer, as far as a member needs it. */
export interface Holdable {
  hold(reason: string, why: string | null): void;
}

const CLOCKS_UNKNOWN = "the clocks of the other nodes are not known yet";

export class Member implements RowObserver {
  readonly #options: MemberOptions;
  readonly #limits: ClusterLimits;
  readonly #contact: Contact;
  readonly #reads: Reads;
  readonly #neighbours: Neighbours;
  readonly #digests: RowDigests;
  readonly #vote: DigestVote;
  readonly #joined = Promise.withResolvers<void>();
  #sequencer: Holdable | undefined;
  /** The last row that the node's own journal holds. */
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
    this.#contact = new Contact(world, limits, (isCutOff) => this.#contactChanged(isCutOff));
    this.#reads = new Reads({
      ...{ store, engine, number: this.#place.number, world, limits },
      isCutOff: () => this.isCutOff || this.#isReadOnly,
      onContact: (startMs) => this.#contact.made(startMs),
      onUnfit: (error) => this.mustStop(error),
    });
    this.#neighbours = new Neighbours({
      ...{ store, node, world, limits },
      position: () => this.#position(),
      onRead: (changed) => this.#heard(changed),
      onUnfit: (error) => this.mustStop(error),
    });
    this.#digests = new RowDigests(limits.digestRows);
    this.#digests.note(engine.seq, engine.eventDigest());
    this.#vote = new DigestVote(limits);
    // Waiting callers see the rejection; without any, it must not count as unhandled.
    this.#joined.promise.catch(() => {});
  }

  /** Call it before the sequencer's own start: nothing is taken until the clocks of the others are known. */
  start(sequencer: Holdable): void {
    this.#sequencer = sequencer;
    sequencer.hold("clock", CLOCKS_UNKNOWN);
    this.#contact.start();
    this.#reads.start();
    this.#neighbours.start();
  }

  stop(): void {
    this.#contact.stop();
    this.#reads.stop();
    this.#neighbours.stop();
    this.#joined.reject(new NotAccepted("the node is stopping"));
  }

  /**
   * Resolves when the node has applied what was in the log when it knew the others' clocks for the first time, which is
   * when it may write. Rejects with `NotAccepted` when it is stopped before.
   */
  joined(): Promise<void> {
    return this.#joined.promise;
  }

  /** The node applies nothing any more, since it cannot read the log: it shows what it has for as long as that may be. */
  staysBehind(why: Error): void {
    this.#isReadOnly = true;
    this.#reads.cutOff();
    this.#joined.reject(why);
  }

  /** Takes nothing any more, and says that the node must stop. */
  mustStop(error: Error): void {
    this.#sequencer?.hold("member", error.message);
    this.#options.onFatal(error);
  }

  /** Whether the quorum has been silent for too long. */
  get isCutOff(): boolean {
    return this.#contact.isCutOff;
  }

  /** Age of the state at most: it lacks nothing that was in the log this long ago. */
  get staleMs(): number {
    return this.#reads.staleMs;
  }

  /** The age that readers are shown: 0 while the state is as fresh as that of any connected node. */
  get shownStaleMs(): number {
    return this.#reads.shownStaleMs;
  }

  /** The others' last reports, from living nodes or not. */
  get neighbours(): readonly Neighbour[] {
    return this.#neighbours.others;
  }

  /** Those that live, by name. */
  get live(): readonly string[] {
    return this.#neighbours.live.map(({ position }) => position.node);
  }

  /** The rows that are known to be in the log and are not applied here. */
  get lagRows(): number {
    return this.#reads.lagRows;
  }

  /** How many batches of this node have come back, and how long that took in all. */
  get returns(): { readonly count: number; readonly totalMs: number } {
    return this.#returns;
  }

  /** The last row that the node's own journal holds. */
  get place(): LogPlace {
    return this.#place;
  }

  /** How far this node's clock is ahead of the others'. */
  get clockAheadMs(): number {
    const { world } = this.#options;
    return aheadMs(world.nowMs(), world.steadyMs(), this.#neighbours.live);
  }

  /**
   * For reads that must see all that any node answered before: resolves to 0 when the node has applied it. A node that
   * is cut off cannot know that, and resolves to the age of its state (ms). Rejects with `NotAccepted` when the state
   * is too old, or when the node does not catch up in time.
   */
  caughtUp(): Promise<number> {
    return this.#reads.caughtUp();
  }

  /** Resolves to true once entry `seq` is applied here; to false after `patienceMs`. */
  applied(seq: number, patienceMs: number): Promise<boolean> {
    return this.#reads.applied(seq, patienceMs);
  }

  rowComes({ node, atSeq, digest }: NodeBatch): void {
    const { world, engine } = this.#options;
    this.#contact.made(world.steadyMs());
    if (node === this.#options.node) return;
    // The writer had applied nothing that is not before this row.
    const agrees = atSeq > engine.seq ? false : this.#digests.agree(atSeq, digest);
    if (agrees === undefined) return;
    this.#vote.hear(node, atSeq, agrees, world.steadyMs());
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
    // A time that the entries have reached already pushes nobody.
    if (timeMs <= engine.timeMs) return undefined;
    const ahead = aheadMs(timeMs, world.steadyMs(), this.#neighbours.live);
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
    // Clocks may have leapt meanwhile, this one or the others.
    this.#sequencer?.hold("clock", CLOCKS_UNKNOWN);
    this.#sequencer?.hold("contact", null);
    this.#neighbours.hurry();
  }

  #heard(changed: readonly NodePosition[]): void {
    const { engine, world, onPositions } = this.#options;
    for (const { node, seq, eventDigest } of changed) {
      // A node that is further is compared when this one gets there; one that is catching up has no state yet.
      const agrees = seq > engine.seq || eventDigest === "" ? undefined : this.#digests.agree(seq, eventDigest);
      if (agrees !== undefined) this.#vote.hear(node, seq, agrees, world.steadyMs());
    }
    const fault = this.#stateFault();
    if (fault !== undefined) this.mustStop(new NodeUnfit(fault));
    this.#checkClock();
    onPositions?.(changed);
  }

  /** Returns a line when this node's state is the one that is wrong; warns when another's is. */
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
    if (!this.#neighbours.isSettled) return;
    const ahead = this.clockAheadMs;
    const isAhead = ahead > this.#limits.maxAheadMs;
    const why = `this node's clock is ${Math.round(ahead)} ms ahead of the others'`;
    this.#sequencer?.hold("clock", isAhead ? why : null);
    if (!isAhead && !this.#isJoining) void this.#join();
  }

  /** Never rejects. */
  async #join(): Promise<void> {
    this.#isJoining = true;
    while (!(await this.#reads.hasAll())) await this.#options.world.pause(this.#limits.contactEveryMs);
    this.#joined.resolve();
  }
}
