/**
 * Follows the log over watches, one after the other. Each begins just after the last row that came, never after the
 * revision that a member tells of itself, and is believed only as far as it can be checked.
 */
import type { Following, LogRow } from "../../journal/port.ts";
import type { World } from "../../platform/world/port.ts";
import { checkPlace } from "./check-place.ts";
import type { Counters, ReconnectReason } from "./counters.ts";
import { StoreUnfit } from "../port.ts";
import { CallFailed } from "./failure.ts";
import type { EtcdLimits } from "./limits.ts";
import type { Members } from "./members.ts";
import type { WatchResponse } from "./protocol.ts";
import { type Reached, RowAssembler, RowsMissing } from "./row-assembler.ts";
import { RowQueue } from "./row-queue.ts";
import type { OpenEpoch } from "./open-epoch.ts";
import { readStoredRows } from "./stored-rows.ts";
import { Watch, type WatchEnd } from "./watch.ts";

export interface FollowingOptions {
  readonly members: Members;
  readonly epoch: OpenEpoch;
  readonly from: Reached;
  readonly limits: EtcdLimits;
  readonly world: World;
  readonly counters: Counters;
  readonly onRow: (row: LogRow) => void;
}

export class EtcdFollowing implements Following {
  readonly #options: FollowingOptions;
  readonly #queue = new RowQueue();
  readonly #assembler: RowAssembler;
  #watch: Watch | undefined;
  /** Gaps in a row: a member may err once. */
  #gaps = 0;
  /** Resolves when nothing of it runs any more. */
  readonly ended: Promise<void>;

  constructor(options: FollowingOptions) {
    this.#options = options;
    const { epoch, from, counters } = options;
    this.#assembler = new RowAssembler(epoch.record.epoch, epoch.keys, from, counters);
    this.#queue.onTaken = () => this.#throttle();
    this.ended = this.#run();
  }

  next(): Promise<LogRow | undefined> {
    return this.#queue.next();
  }

  /** The store turned out to be unfit otherwise. */
  fail(error: Error): void {
    this.#queue.fail(error);
    this.#watch?.close();
  }

  close(): void {
    this.#queue.close();
    this.#watch?.close();
  }

  async #run(): Promise<void> {
    const { members, counters, world } = this.#options;
    try {
      for (let failures = 0; !this.#isOver; ) {
        const before = this.#assembler.reached.number;
        const reason = await this.#follow().catch((error: unknown) => this.#excuse(error));
        if (this.#isOver) return;
        counters.reconnects[reason]++;
        failures = this.#assembler.reached.number > before ? 0 : failures + 1;
        await world.pause(members.pauseMs(failures));
      }
    } catch (error) {
      this.#queue.fail(error as Error);
    }
  }

  get #isOver(): boolean {
    return this.#queue.isEnded || this.#options.members.isClosed;
  }

  /** One watch, from its beginning to its end. */
  async #follow(): Promise<ReconnectReason> {
    const { members, epoch } = this.#options;
    const check = await checkPlace(members, epoch, this.#assembler.reached);
    if (check === "compacted") return this.#readStored();
    const endpoint = members.current;
    const stream = await members.stream(endpoint, "Watch/Watch");
    const watch = new Watch({
      ...{ stream, keys: epoch.keys, startRevision: this.#assembler.reached.seenRevision + 1 },
      ...this.#options,
      onResponse: (response) => this.#take(response, check.clusterId),
    });
    this.#watch = watch;
    this.#assembler.restart();
    this.#throttle();
    const stopComparing = this.#compare(watch);
    try {
      // Closed while the stream was opened.
      if (this.#isOver) watch.close();
      const end = await watch.ended;
      return await this.#afterWatch(end);
    } finally {
      stopComparing();
      watch.close();
      members.turnFrom(endpoint);
    }
  }

  async #afterWatch({ reason, compactRevision }: WatchEnd): Promise<ReconnectReason> {
    if (compactRevision > 0) return this.#readStored();
    return reason === "closed" ? "stuck" : reason;
  }

  #take(response: WatchResponse, clusterId: string): void {
    if (response.header.clusterId !== clusterId)
      throw new StoreUnfit("one etcd member belongs to another etcd cluster than the others");
    const rows: LogRow[] = [];
    try {
      for (const row of this.#assembler.take(response)) rows.push(row);
    } finally {
      // Rows before the one that cannot be trusted are delivered.
      this.#deliver(rows);
    }
  }

  #deliver(rows: readonly LogRow[]): void {
    if (rows.length === 0) return;
    const { counters, onRow } = this.#options;
    this.#gaps = 0;
    counters.lastDelivered = this.#assembler.reached.number;
    counters.lastKnown = Math.max(counters.lastKnown, counters.lastDelivered);
    for (const row of rows) onRow(row);
    this.#queue.push(rows);
    this.#throttle();
  }

  /** The watch cannot go on, as changes were compacted; the batches may all be there still. Throws `LogTrimmed` if not. */
  async #readStored(): Promise<ReconnectReason> {
    const { members, epoch, limits } = this.#options;
    const { revision, pages } = await readStoredRows(members, epoch, this.#assembler.reached);
    for await (const page of pages) {
      if (this.#isOver) return "compacted";
      this.#deliver(page.map(({ number, batch }) => this.#assembler.add(number, batch)));
      await this.#queue.whileOver(limits.maxQueuedBytes);
    }
    this.#assembler.seeUpTo(revision);
    return "compacted";
  }

  /** A watch that is silent about batches only: the counter tells. */
  #compare(watch: Watch): () => void {
    const { members, epoch, limits, world, counters } = this.#options;
    let behindMs = 0;
    return world.every(limits.compareMs, () => {
      const { number } = this.#assembler.reached;
      // The queue is full, and the stream is not read: it is we who are behind.
      if (this.#isFull) return;
      members
        .call("KV/Range", { key: epoch.keys.counter }, 0)
        .then(({ kvs }) => {
          counters.lastKnown = Math.max(counters.lastKnown, Number(kvs[0]?.version ?? 0));
          const isStill = this.#assembler.reached.number === number;
          behindMs = isStill && counters.lastKnown > number ? behindMs + limits.compareMs : 0;
          if (behindMs > limits.stuckMs) watch.close();
        })
        // Whether the store can be reached is seen elsewhere.
        .catch(() => {});
    });
  }

  get #isFull(): boolean {
    return this.#queue.bytes > this.#options.limits.maxQueuedBytes;
  }

  #throttle(): void {
    if (this.#watch !== undefined) this.#watch.isPaused = this.#isFull;
  }

  /** Returns why to reconnect if another attempt may help; throws all other errors. */
  #excuse(error: unknown): ReconnectReason {
    if (error instanceof RowsMissing) {
      if (++this.#gaps > 1) throw new StoreUnfit(`${error.message}, twice: batches of the shared log are missing`);
      return "rows missing";
    }
    if (error instanceof CallFailed) return "ended";
    throw error;
  }
}

/** Where to begin: after `place`, or at the first row. Throws when the place is in another epoch. */
export function startOf(epoch: OpenEpoch, place: LogRow["place"] | null): Reached {
  if (place === null) return { number: 0, revision: epoch.revision, id: "", seenRevision: epoch.revision };
  if (place.epoch !== epoch.record.epoch)
    throw new StoreUnfit(
      `etcd has epoch ${epoch.record.epoch}, but the journal of this node ends in epoch ${place.epoch}`,
    );
  return { ...place, id: "", seenRevision: place.revision };
}
