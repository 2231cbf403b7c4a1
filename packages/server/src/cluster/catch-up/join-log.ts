/**
 * Runs before a node starts: brings its journal to the position after which the log continues, shows the operator what
 * it is waiting for, and measures the progress.
 */
import type { Batch, LogPlace } from "../../journal/port.ts";
import { type Peer, PeerFailed, takeSnapshot } from "./fetch-rows.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";
import { NEWEST_EDITION } from "@pricetime/engine";
import type { Logger } from "../../platform/observe/log.ts";
import { LONG_REPLAY_IN_SNAPSHOTS } from "../../journal/replica/recover.ts";
import type { SnapshotFolder } from "../../journal/replica/snapshots.ts";
import type { Clock } from "../../platform/world/port.ts";
import { type ClusterStore, StoreUnfit } from "../port.ts";
import { catchUp, type CatchUpOptions, type CaughtUp, RETRY_PAUSE_MS } from "./catch-up.ts";
import type { StartupProbes } from "./port.ts";

/**
 * The node is `comparing` the journal with the log, `fetching` batches, `waiting` because no node sends batches, or
 * `done`.
 */
const CATCH_UP_STATES = ["comparing", "fetching", "waiting", "done"] as const;
export type CatchUpState = (typeof CATCH_UP_STATES)[number];

export class CatchUpProgress {
  #state: CatchUpState = "comparing";
  #missing = 0;
  readonly #rows: Record<string, number> = {};
  readonly #bytes: Record<string, number> = {};

  get state(): CatchUpState {
    return this.#state;
  }

  /** Number of entries that the sending node has and this node's journal does not have yet. */
  get missingEntries(): number {
    return this.#missing;
  }

  /** Number of batches fetched since the start, by sending node. */
  get rows(): Readonly<Record<string, number>> {
    return this.#rows;
  }

  /** Size of the fetched batches' commands in bytes, by sending node. */
  get bytes(): Readonly<Record<string, number>> {
    return this.#bytes;
  }

  fetched({ node }: Peer, rows: readonly Batch[]): void {
    this.#rows[node] = (this.#rows[node] ?? 0) + rows.length;
    const bytes = rows.reduce((sum, row) => sum + row.bytes.length, 0);
    this.#bytes[node] = (this.#bytes[node] ?? 0) + bytes;
  }

  /** Records that this node's journal has the entries up to `seq`, and the other node those up to `untilSeq`. */
  stepped(seq: number, untilSeq: number): void {
    this.#state = "fetching";
    this.#missing = Math.max(0, untilSeq - seq);
  }

  /** Records whether the node waits because no other node sends batches. */
  waits(isWaiting: boolean): void {
    this.#state = isWaiting ? "waiting" : "comparing";
  }

  done(): void {
    this.#state = "done";
    this.#missing = 0;
  }
}

export function watchCatchUp(
  metrics: Pick<Metrics, "gauge" | "gauges" | "counterBy">,
  progress: Pick<CatchUpProgress, "state" | "missingEntries" | "rows" | "bytes">,
): void {
  const name = (end: string): string => `pricetime_cluster_catch_up_${end}`;
  metrics.gauges(name("state"), "1 for the current state of catching up, 0 for the others", () =>
    CATCH_UP_STATES.map((state) => ({ labels: { state }, value: Number(state === progress.state) })),
  );
  const missing = "Entries still to be fetched from another node";
  metrics.gauge(name("missing_entries"), missing, () => progress.missingEntries);
  metrics.counterBy(
    "from",
    name("rows_total"),
    "Batches fetched from other nodes since the start",
    () => progress.rows,
  );
  metrics.counterBy("from", name("bytes_total"), "Bytes of the batches fetched since the start", () => progress.bytes);
}

export interface JoinLogOptions extends Omit<CatchUpOptions, "onStep" | "onFetched" | "onTrouble" | "world"> {
  readonly store: CatchUpOptions["store"] & Pick<ClusterStore, "announce">;
  readonly release: string;
  readonly snapshots: SnapshotFolder;
  /** Number of entries between the node's own snapshots; 0 if none are taken. */
  readonly snapshotEveryEntries: number;
  readonly room: StartupProbes;
  readonly progress: CatchUpProgress;
  readonly world: CatchUpOptions["world"] & Clock;
  readonly log: Pick<Logger, "info" | "warn">;
}

const LOGGED_EVERY_MS = 5000;

/**
 * Resolves to the position after which the log continues; null if it continues at its first batch. Rejects with the
 * errors of `catchUp`.
 */
export async function joinLog(options: JoinLogOptions): Promise<LogPlace | null> {
  const { world, log, room, progress } = options;
  let loggedMs = Number.NEGATIVE_INFINITY;
  const onStep = (seq: number, untilSeq: number, { node }: Peer): void => {
    progress.stepped(seq, untilSeq);
    room.say(`entry ${seq} of ${untilSeq}`);
    if (world.steadyMs() - loggedMs < LOGGED_EVERY_MS) return;
    loggedMs = world.steadyMs();
    log.info({ seq, untilSeq, from: node }, "catching up");
  };
  const onFetched = (rows: readonly Batch[], peer: Peer): void => progress.fetched(peer, rows);
  const onTrouble = (why: string | null): void => {
    progress.waits(why !== null);
    room.say(why ?? "it goes on");
    if (why === null) log.info("catching up again");
    else log.warn({ why }, "cannot catch up, retrying");
  };
  try {
    for (let held: number | undefined; ; ) {
      const caughtUp = await catchUp({ ...options, onStep, onFetched, onTrouble });
      if (caughtUp.entries > 0) {
        const snapshotSeq = await snapshotOf(caughtUp, options);
        log.info({ entries: caughtUp.entries, seq: options.journal.head().lastSeq, snapshotSeq }, "caught up");
      }
      // After `hold` has succeeded, the log is checked once more, because batches may have been removed before.
      const number = caughtUp.place?.number ?? 0;
      if (held === number) {
        progress.done();
        return caughtUp.place;
      }
      try {
        await hold(caughtUp.place, options);
        held = number;
      } catch (error) {
        if (error instanceof StoreUnfit) throw error;
        onTrouble(`the store: ${(error as Error).message}`);
        await world.pause(RETRY_PAUSE_MS);
      }
    }
  } finally {
    await room.close();
  }
}

/**
 * Publishes the node's position, so that the log keeps the batches after it for a while: the node may have a long
 * replay before it follows. Rejects with `StoreUnfit`, and if the store cannot be reached.
 */
function hold(at: LogPlace | null, { store, journal, node, release, world }: JoinLogOptions): Promise<void> {
  const place = at ?? { epoch: store.epoch.epoch, number: 0, revision: 0 };
  const { lastSeq: seq } = journal.head();
  const position = { node, release, rules: NEWEST_EDITION, place, seq, clockMs: world.nowMs() };
  return store.announce({ ...position, incarnation: "", eventDigest: "", admin: "", bans: {} });
}

/** Resolves to the entry of a snapshot fetched from one of the sending nodes; 0 if none was fetched. */
async function snapshotOf({ from }: CaughtUp, options: JoinLogOptions): Promise<number> {
  const { journal, snapshots, snapshotEveryEntries, log } = options;
  const leastEntries = LONG_REPLAY_IN_SNAPSHOTS * snapshotEveryEntries;
  const isNear = journal.head().lastSeq - (snapshots.list()[0]?.seq ?? 0) <= leastEntries;
  if (snapshotEveryEntries === 0 || isNear) return 0;
  for (const peer of from.toReversed()) {
    try {
      const seq = await takeSnapshot(peer, { ...options, leastEntries });
      if (seq !== undefined) return seq;
    } catch (error) {
      if (!(error instanceof PeerFailed)) throw error;
      log.warn({ from: peer.node, why: error.message }, "snapshot download failed");
    }
  }
  return 0;
}
