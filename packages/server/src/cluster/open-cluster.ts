/** Opens what a node shares with the others, and brings its journal to where the shared log goes on. */
import type { EtcdStore } from "../etcd/etcd-store.ts";
import type { EtcdAccess } from "../etcd/members.ts";
import type { EtcdStoreOptions } from "../etcd/open-store.ts";
import type { JournalCopy, LogPlace } from "../journal/port.ts";
import { dataPaths } from "../storage/data-paths.ts";
import { lockFolder } from "../storage/folder-lock.ts";
import { openCopy } from "../storage/open-journal.ts";
import type { Logger } from "../observe/log.ts";
import type { World } from "../world/port.ts";
import { catchUp } from "./catch-up/catch-up.ts";

/** The pause between two lines of the log about a catch-up. */
const TELL_EVERY_MS = 5000;

export interface OpenClusterOptions {
  readonly settings: EtcdAccess &
    Pick<EtcdStoreOptions, "prefix"> & { readonly mirrors: number; readonly maxTailBytes: number };
  /** The name of this node. */
  readonly node: string;
  readonly dataFolder: string;
  readonly world: World;
  readonly log: Pick<Logger, "info" | "warn">;
  /** What nodes show each other. */
  readonly token: string;
}

export interface OpenCluster {
  readonly store: EtcdStore;
  /** Where the log goes on for this node's journal; null: with its first row. */
  readonly place: LogPlace | null;
  close(): Promise<void>;
}

/**
 * Rejects with one line for the operator when the store cannot be reached or is not this node's, and when the journal is
 * not the cluster's.
 */
export async function openCluster(options: OpenClusterOptions): Promise<OpenCluster> {
  const { settings, node, dataFolder, world, log } = options;
  // A node that is alone does not load it.
  const [{ openEtcdStore }, { firstEpoch }] = await Promise.all([
    import("../etcd/open-store.ts"),
    import("../etcd/open-epoch.ts"),
  ]);
  const lock = lockFolder(dataFolder);
  try {
    const journal = openCopy(dataPaths(dataFolder).journal);
    try {
      const first = journal.head().lastSeq === 0 ? firstEpoch(world) : undefined;
      const { prefix, mirrors, maxTailBytes } = settings;
      const onWarning = (line: string): void => log.warn(line);
      const limits = { maxTailBytes };
      const store = await openEtcdStore({ access: settings, prefix, node, first, mirrors, world, onWarning, limits });
      const place = await caughtUp(journal, store, options).catch(async (error: unknown) => {
        await store.close();
        throw error;
      });
      return { store, place, close: () => store.close() };
    } finally {
      journal.closeWhole();
    }
  } finally {
    lock.release();
  }
}

/** Takes from other nodes what the log does not hold any more. */
async function caughtUp(
  journal: JournalCopy,
  store: EtcdStore,
  { node, token, world, log }: OpenClusterOptions,
): Promise<LogPlace | null> {
  let toldMs = world.steadyMs();
  const onStep = (seq: number, untilSeq: number, { node: from }: { readonly node: string }): void => {
    if (world.steadyMs() - toldMs < TELL_EVERY_MS) return;
    toldMs = world.steadyMs();
    log.info({ seq, untilSeq, from }, "catching up");
  };
  const onTrouble = (why: string | null): void => {
    if (why !== null) log.warn({ why }, "this node cannot catch up, and tries again");
  };
  const { place, rows, from } = await catchUp({ journal, store, node, token, world, onStep, onTrouble });
  if (rows > 0) log.info({ rows, seq: journal.head().lastSeq, from: from.map((peer) => peer.node) }, "caught up");
  return place;
}
