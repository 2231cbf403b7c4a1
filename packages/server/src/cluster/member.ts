/**
 * A node as one of several: whether it still hears from the store's quorum, how old what it shows may be, where the
 * others stand, whether it agrees with them, and by whose clock it may write. It looks at the rows as they come, and
 * holds the sequencer while the node must not write.
 */
import type { NodeBatch } from "@pricetime/engine";
import type { LogPlace } from "../journal/port.ts";
import { NotAccepted, type RowObserver } from "../sequencer/port.ts";
import type { Clock, Timers } from "../world/port.ts";
import { aheadMs } from "./clock-bound.ts";
import { Contact } from "./contact.ts";
import { DigestVote } from "./digest-vote.ts";
import { Freshness } from "./freshness.ts";
import { CLUSTER_LIMITS, type ClusterLimits } from "./limits.ts";
import { LogEnd, type LogEndAnswer } from "./log-end.ts";
import { Milestones } from "./milestones.ts";
import { Neighbours, type Neighbour } from "./neighbours.ts";
import type { ClusterStore, NodePosition } from "./port.ts";
import { RowDigests } from "./row-digests.ts";

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
  readonly tells: () => Pick<NodePosition, "admin" | "bans">;
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

export class Member implements RowObserver {
  readonly #options: MemberOptions;
  readonly #limits: ClusterLimits;
  readonly #contact: Contact;
  readonly #logEnd: LogEnd;
  readonly #freshness: Freshness;
  readonly #neighbours: Neighbours;
  readonly #digests: RowDigests;
  readonly #vote: DigestVote;
  /** The rows of the log that are applied or skipped, and the entries that are applied. */
  readonly #rows: Milestones;
  readonly #entries: Milestones;
  readonly #joined = Promise.withResolvers<void>();
  #sequencer: Holdable | undefined;
  /** The last row that the node's own journal holds. */
  #place: LogPlace;
  #warnedOf = "";

  constructor(options: MemberOptions) {
    const { store, engine, place, node, world } = options;
    this.#options = options;
    const limits = { ...CLUSTER_LIMITS, ...options.limits };
    this.#limits = limits;
    this.#place = place ?? { epoch: store.epoch.epoch, number: 0, revision: 0 };
    this.#rows = new Milestones(this.#place.number, world);
    this.#entries = new Milestones(engine.seq, world);
    this.#freshness = new Freshness(world.steadyMs());
    this.#contact = new Contact(world, limits, (isCutOff) => this.#contactChanged(isCutOff));
    const knownNumber = (): number => this.#rows.number;
    this.#logEnd = new LogEnd({ store, onAnswer: (answer) => this.#logEnded(answer), knownNumber, world, limits });
    this.#neighbours = new Neighbours({
      ...{ store, node, world, limits },
      position: () => this.#position(),
      onRead: (changed) => this.#heard(changed),
      onWentBack: () => this.#wentBack(),
    });
    this.#digests = new RowDigests(limits.digestRows);
    this.#digests.note(engine.seq, engine.eventDigest());
    this.#vote = new DigestVote(limits);
  }

  /** Call it before the sequencer's own start: nothing is taken until the clocks of the others are known. */
  start(sequencer: Holdable): void {
    this.#sequencer = sequencer;
    sequencer.hold("clock", "the clocks of the other nodes are not known yet");
    this.#contact.start();
    this.#logEnd.start();
    this.#neighbours.start();
  }

  stop(): void {
    this.#contact.stop();
    this.#logEnd.stop();
    this.#neighbours.stop();
    this.#rows.release();
    this.#entries.release();
  }

  /** Resolves when the node may write for the first time, and has applied what was in the log then. */
  async joined(): Promise<void> {
    await this.#joined.promise;
    for (;;) {
      const number = await this.#logEnd.ask();
      if (number === undefined) return;
      if (await this.#rows.reached(number, this.#limits.readPatienceMs)) return;
    }
  }

  /** No word from the quorum. */
  get isCutOff(): boolean {
    return this.#contact.isCutOff;
  }

  /** How old what the node shows may be: it lacks nothing that was in the log this long ago. */
  get staleMs(): number {
    return this.#freshness.staleMs(this.#options.world.steadyMs());
  }

  /** What the others told last, whether they live or not. */
  get neighbours(): readonly Neighbour[] {
    return this.#neighbours.others;
  }

  /** Those that live, by name. */
  get live(): readonly string[] {
    return this.#neighbours.live.map(({ position }) => position.node);
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
   * For reads that must see all that was answered anywhere before: resolves to 0 when the node has applied it. Where
   * nobody can know that, since the node is cut off, it resolves to how old what it has may be (ms). Rejects with
   * `NotAccepted` when that is too old, or when the node does not get there in time.
   */
  async caughtUp(): Promise<number> {
    if (!this.isCutOff) {
      const number = await this.#logEnd.ask();
      if (number !== undefined) {
        if (await this.#rows.reached(number, this.#limits.readPatienceMs)) return 0;
        if (!this.isCutOff) throw new NotAccepted("the node is behind the log");
      }
    }
    const { staleMs } = this;
    if (staleMs > this.#limits.maxStaleMs) throw new NotAccepted("the node is cut off from the others");
    // What was just asked for and not answered is not certain, however fresh the rest is.
    return Math.max(1, staleMs);
  }

  /** Resolves to true once entry `seq` is applied here; to false after `patienceMs`. */
  applied(seq: number, patienceMs: number): Promise<boolean> {
    return this.#entries.reached(seq, patienceMs);
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
    if (fault !== undefined) throw new Error(fault);
  }

  rowIsDone(place: LogPlace, isApplied: boolean): void {
    const { engine } = this.#options;
    if (isApplied) {
      this.#place = place;
      this.#digests.note(engine.seq, engine.eventDigest());
      this.#entries.reach(engine.seq);
    }
    this.#freshness.reached(place.number);
    this.#rows.reach(place.number);
  }

  returned(): void {}

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
      ...tells(),
    };
  }

  #contactChanged(isCutOff: boolean): void {
    this.#sequencer?.hold("contact", isCutOff ? "the node is cut off from the others" : null);
    if (!isCutOff) return;
    this.#logEnd.release();
    this.#rows.release();
  }

  #logEnded({ lastNumber, startMs, knownNumber }: LogEndAnswer): void {
    this.#contact.made(startMs);
    this.#freshness.logEnded(lastNumber, startMs, this.#rows.number);
    if (lastNumber < knownNumber) this.#wentBack();
  }

  #wentBack(): void {
    this.#stop("the cluster's store has gone back: it is an older copy, and holds less than this node has seen");
  }

  #heard(changed: readonly NodePosition[]): void {
    const { engine, world, onPositions } = this.#options;
    for (const { node, seq, eventDigest } of changed) {
      // One that is further will be heard when this node has got there.
      const agrees = seq > engine.seq ? undefined : this.#digests.agree(seq, eventDigest);
      if (agrees !== undefined) this.#vote.hear(node, seq, agrees, world.steadyMs());
    }
    const fault = this.#stateFault();
    if (fault !== undefined) this.#stop(fault);
    this.#checkClock();
    onPositions?.(changed);
  }

  /** Returns a line when this node's state is the one that is wrong; warns when another's is. */
  #stateFault(): string | undefined {
    const { world, onWarning } = this.#options;
    const { differing, seq, isOurs } = this.#vote.decide(this.live, world.steadyMs());
    const names = differing.join(", ");
    if (isOurs) return `the state of this node at entry ${seq} or before is not that of ${names}: it must be made anew`;
    if (names !== this.#warnedOf && names !== "") {
      onWarning(`the state of ${names} at entry ${seq} or before is not that of this node`);
    }
    this.#warnedOf = names;
    return undefined;
  }

  /** Nothing is taken any more while the node stops. */
  #stop(line: string): void {
    this.#sequencer?.hold("member", line);
    this.#options.onFatal(new Error(line));
  }

  #checkClock(): void {
    if (!this.#neighbours.isSettled) return;
    const ahead = this.clockAheadMs;
    const isAhead = ahead > this.#limits.maxAheadMs;
    const why = `this node's clock is ${Math.round(ahead)} ms ahead of the others'`;
    this.#sequencer?.hold("clock", isAhead ? why : null);
    if (!isAhead) this.#joined.resolve();
  }
}
