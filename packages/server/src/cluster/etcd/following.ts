/**
 * Follows the log over successive watches. Each watch starts just after the last received batch, never after the
 * revision that a member reports, and is trusted only as far as it can be checked.
 */
import type { Timers } from "../../platform/world/port.ts";
import { CallFailed, type EtcdLimits, type ReconnectReason, type Stream } from "./endpoint.ts";
import type { EpochKeys, OpenEpoch, StoreParts } from "./epoch.ts";
import type { WatchResponse } from "./protocol.ts";
import assert from "node:assert/strict";
import type { Following, LogRow } from "../../journal/port.ts";
import { checkPlace, type Reached, readStoredRows, RowAssembler, RowsMissing } from "./rows.ts";
import { StoreUnfit } from "../port.ts";

// One watch of the log at one member, until the member ends it, no responses arrive, or we close it.

/** How a watch has ended. If `compactRevision` > 0, the store has compacted the requested revision. */
interface WatchEnd {
  readonly reason: "ended" | "silent" | "closed";
  readonly message: string;
  readonly compactRevision: number;
}

export interface WatchOptions {
  readonly stream: Stream<"Watch/Watch">;
  readonly keys: EpochKeys;
  /** The first revision to watch. */
  readonly startRevision: number;
  readonly limits: Pick<EtcdLimits, "progressMs" | "silenceMs">;
  readonly world: Timers;
  /** Called with each response. If it throws, the watch ends and `ended` rejects with the error. */
  readonly onResponse: (response: WatchResponse) => void;
}

class Watch {
  readonly ended: Promise<WatchEnd>;
  readonly #options: WatchOptions;
  readonly #end = Promise.withResolvers<WatchEnd>();
  readonly #stopAsking: () => void;
  /**
   * Number of progress requests since the last response. Counted instead of time, because a suspended process sends
   * none.
   */
  #unanswered = 0;
  #isPaused = false;
  #isOver = false;

  constructor(options: WatchOptions) {
    const { stream, keys, startRevision, limits, world } = options;
    this.#options = options;
    this.ended = this.#end.promise;
    stream.stream.on("data", (response: WatchResponse) => this.#hear(response));
    stream.stream.on("error", ({ message }: Error) => this.#close("ended", message));
    stream.stream.on("end", () => this.#close("ended", "the member has ended it"));
    stream.stream.write({
      create: {
        ...keys.log,
        startRevision,
        progressNotify: true,
        // Removals are not watched, because batches are removed only when all nodes have them.
        filters: ["NODELETE"],
        fragment: true,
      },
    });
    this.#stopAsking = world.every(limits.progressMs, () => this.#ask());
  }

  /** While paused, the member buffers events, and the absence of responses has no meaning. */
  set isPaused(isPaused: boolean) {
    if (this.#isPaused === isPaused) return;
    this.#isPaused = isPaused;
    this.#unanswered = 0;
    const { stream } = this.#options.stream;
    if (isPaused) stream.pause();
    else stream.resume();
  }

  close(): void {
    this.#close("closed", "");
  }

  #hear(response: WatchResponse): void {
    // The next watch delivers late responses again.
    if (this.#isOver) return;
    this.#unanswered = 0;
    if (response.canceled) {
      this.#close("ended", response.cancelReason, Number(response.compactRevision));
      return;
    }
    try {
      this.#options.onResponse(response);
    } catch (error) {
      this.#end.reject(error);
      this.close();
    }
  }

  #ask(): void {
    if (this.#isPaused) return;
    const { stream, limits } = this.#options;
    const silentMs = this.#unanswered++ * limits.progressMs;
    if (silentMs >= limits.silenceMs) this.#close("silent", `nothing came for ${silentMs} ms`);
    // The response only shows that the member is alive: members before 3.4.25 send it before older events.
    else stream.stream.write({ progress: {} });
  }

  #close(reason: WatchEnd["reason"], message: string, compactRevision = 0): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopAsking();
    this.#end.resolve({ reason, message, compactRevision });
    this.#options.stream.close();
  }
}

// Batches that were received but not processed yet, in order.

export class RowQueue {
  readonly #rows: LogRow[] = [];
  #at = 0;
  #bytes = 0;
  #last: number | undefined;
  #end: Error | "closed" | undefined;
  #wake: (() => void) | undefined;
  #room: (() => void) | undefined;
  /** Called after each batch that is removed from the queue. */
  onTaken = (): void => {};

  get bytes(): number {
    return this.#bytes;
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  push(rows: readonly LogRow[]): void {
    for (const row of rows) {
      assert.ok(this.#last === undefined || row.place.number === this.#last + 1, "rows are without gaps");
      this.#last = row.place.number;
      this.#rows.push(row);
      this.#bytes += row.bytes.length;
    }
    if (rows.length > 0) this.#wake?.();
  }

  /** Resolves when at most `bytes` are queued, or the queue has ended. */
  async whileOver(bytes: number): Promise<void> {
    while (this.#bytes > bytes && this.#end === undefined) await new Promise<void>((resolve) => (this.#room = resolve));
  }

  /** Ends the queue. Received batches are still returned; afterwards, `next` rejects. */
  fail(error: Error): void {
    this.#end ??= error;
    this.#wake?.();
  }

  /** Ends the queue. No further batches are returned. */
  close(): void {
    this.#end = "closed";
    this.#wake?.();
    this.#room?.();
  }

  /** Like `Following.next`. Only one call at a time. */
  async next(): Promise<LogRow | undefined> {
    for (;;) {
      if (this.#end === "closed") return undefined;
      const row = this.#rows[this.#at];
      if (row !== undefined) return this.#take(row);
      if (this.#end !== undefined) throw this.#end;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #take(row: LogRow): LogRow {
    this.#bytes -= row.bytes.length;
    // Delete processed batches once they are half of the array, so that the cost is amortized.
    if (++this.#at * 2 >= this.#rows.length) {
      this.#rows.splice(0, this.#at);
      this.#at = 0;
    }
    this.#room?.();
    this.onTaken();
    return row;
  }
}

export interface FollowingOptions extends StoreParts {
  readonly from: Reached;
  readonly onRow: (row: LogRow) => void;
}

export class EtcdFollowing implements Following {
  readonly #options: FollowingOptions;
  readonly #queue = new RowQueue();
  readonly #assembler: RowAssembler;
  #watch: Watch | undefined;
  /** Number of consecutive gaps. A single gap may be the member's fault. */
  #gaps = 0;
  /** Resolves when following has stopped completely. */
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

  /** Ends the reader because the store has become unusable. */
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

  /** Runs one watch from its start to its end. */
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
      // The reader was closed while the stream was being opened.
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
      // Deliver the batches before the invalid one.
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

  /**
   * Reads batches from the store if the watch cannot continue because changes were compacted. Throws `LogTrimmed` if
   * the batches were removed.
   */
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

  /** Detects a watch that delivers everything except batches, by comparing with the counter. */
  #compare(watch: Watch): () => void {
    const { members, epoch, limits, world, counters } = this.#options;
    let behindMs = 0;
    return world.every(limits.compareMs, () => {
      const { number } = this.#assembler.reached;
      // The queue is full and the stream is not read, so this node is behind, not the member.
      if (this.#isFull) return;
      members
        .call("KV/Range", { key: epoch.keys.counter }, 0)
        .then(({ kvs }) => {
          counters.lastKnown = Math.max(counters.lastKnown, Number(kvs[0]?.version ?? 0));
          const isStill = this.#assembler.reached.number === number;
          behindMs = isStill && counters.lastKnown > number ? behindMs + limits.compareMs : 0;
          if (behindMs > limits.stuckMs) watch.close();
        })
        // Other code detects whether the store is reachable.
        .catch(() => {});
    });
  }

  get #isFull(): boolean {
    return this.#queue.bytes > this.#options.limits.maxQueuedBytes;
  }

  #throttle(): void {
    if (this.#watch !== undefined) this.#watch.isPaused = this.#isFull;
  }

  /** Returns the reason to reconnect if another attempt may help. Throws all other errors. */
  #excuse(error: unknown): ReconnectReason {
    if (error instanceof RowsMissing) {
      if (++this.#gaps > 1) throw new StoreUnfit(`${error.message}, twice: batches of the shared log are missing`);
      return "rows missing";
    }
    if (error instanceof CallFailed) return "ended";
    throw error;
  }
}

/** The position to start from: after `place`, or before the first batch. Throws if `place` is in another epoch. */
export function startOf(epoch: OpenEpoch, place: LogRow["place"] | null): Reached {
  if (place === null) return { number: 0, revision: epoch.revision, id: "", seenRevision: epoch.revision };
  if (place.epoch !== epoch.record.epoch)
    throw new StoreUnfit(
      `etcd has epoch ${epoch.record.epoch}, but the journal of this node ends in epoch ${place.epoch}`,
    );
  return { ...place, id: "", seenRevision: place.revision };
}
