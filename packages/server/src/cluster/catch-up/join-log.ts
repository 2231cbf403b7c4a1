/** Before a node starts: brings its journal to where the log goes on, and tells the operator what it waits for. */
import { NEWEST_EDITION } from "@pricetime/engine";
import type { Batch, LogPlace } from "../../journal/port.ts";
import type { Logger } from "../../platform/observe/log.ts";
import { LONG_REPLAY_IN_SNAPSHOTS } from "../../journal/replica/shared-replay.ts";
import type { SnapshotFolder } from "../../journal/replica/snapshot-folder.ts";
import type { Clock } from "../../platform/world/port.ts";
import { type ClusterStore, StoreUnfit } from "../port.ts";
import { catchUp, type CatchUpOptions, type CaughtUp, RETRY_PAUSE_MS } from "./catch-up.ts";
import { type Peer, PeerFailed } from "./fetch-rows.ts";
import type { WaitingRoom } from "./port.ts";
import type { CatchUpProgress } from "./progress.ts";
import { takeSnapshot } from "./take-snapshot.ts";

export interface JoinLogOptions extends Omit<CatchUpOptions, "onStep" | "onFetched" | "onTrouble" | "world"> {
  readonly store: CatchUpOptions["store"] & Pick<ClusterStore, "announce">;
  readonly release: string;
  readonly snapshots: SnapshotFolder;
  /** The entries between a node's own snapshots; 0: it takes none. */
  readonly snapshotEveryEntries: number;
  readonly room: WaitingRoom;
  readonly progress: CatchUpProgress;
  readonly world: CatchUpOptions["world"] & Clock;
  readonly log: Pick<Logger, "info" | "warn">;
}

const LOGGED_EVERY_MS = 5000;

/** Resolves to where the log goes on; null: with its first row. Rejects as `catchUp` does. */
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
      // The log is looked at once more after it was told to keep what comes.
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
 * Tells where the node stands, so that rows after its place stay in the log for a while: a long replay may come before
 * the node follows. Rejects with `StoreUnfit`, and when the store cannot be reached.
 */
function hold(at: LogPlace | null, { store, journal, node, release, world }: JoinLogOptions): Promise<void> {
  const place = at ?? { epoch: store.epoch.epoch, number: 0, revision: 0 };
  const { lastSeq: seq } = journal.head();
  const position = { node, release, rules: NEWEST_EDITION, place, seq, clockMs: world.nowMs() };
  return store.announce({ ...position, incarnation: "", eventDigest: "", admin: "", bans: {} });
}

/** Resolves to the entry of the snapshot that was taken from one of those who gave rows; 0: none was. */
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
