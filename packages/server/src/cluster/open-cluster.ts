/** Opens the shared store and brings the node's journal to the position after which the shared log continues. */
import { mkdirSync } from "node:fs";
import type { EtcdStore, EtcdStoreOptions } from "./etcd/etcd-store.ts";
import type { EtcdLimits } from "./etcd/endpoint.ts";
import type { EtcdAccess } from "./etcd/members.ts";
import type { LogPlace } from "../journal/port.ts";
import { dataPaths, lockFolder } from "../journal/storage/data-folder.ts";
import { openCopy } from "../journal/storage/open-journal.ts";
import type { Logger } from "../platform/observe/log.ts";
import { SnapshotFolder } from "../journal/replica/snapshots.ts";
import { NodeUnfit } from "../journal/sequencer/port.ts";
import type { World } from "../platform/world/port.ts";
import { differingSetting } from "./compare-nodes.ts";
import { RETRY_PAUSE_MS } from "./catch-up/catch-up.ts";
import { type CatchUpProgress, joinLog } from "./catch-up/join-log.ts";
import type { StartupProbes } from "./catch-up/port.ts";

export interface OpenClusterOptions {
  readonly settings: EtcdAccess &
    Pick<EtcdStoreOptions, "prefix"> &
    Pick<EtcdLimits, "maxTailBytes" | "maxStoreBytes"> & { readonly mirrors: number };
  /** The name of this node. */
  readonly node: string;
  readonly release: string;
  readonly dataFolder: string;
  readonly snapshotEveryEntries: number;
  /** The token with which nodes authenticate to each other. */
  readonly token: string;
  /** The check value of the master key. */
  readonly masterKey: string;
  /** Answers probes while the journal catches up. */
  readonly room: StartupProbes;
  readonly holdPayments: () => void;
  /** Records the progress of catching up. */
  readonly progress: CatchUpProgress;
  readonly world: World;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Aborted when the node stops. */
  readonly signal?: AbortSignal | undefined;
}

export interface OpenCluster {
  readonly store: EtcdStore;
  /** The position after which the log continues this node's journal; null if it continues at its first batch. */
  readonly place: LogPlace | null;
  /** The progress of catching up before the node started. */
  readonly progress: CatchUpProgress;
  close(): Promise<void>;
}

/**
 * Resolves once the log continues the node's journal. This may take hours if the node was stopped for a long time.
 * Rejects with one line for the operator if the store cannot be reached or is not this node's, or if the journal is not
 * the cluster's.
 */
export async function openCluster(options: OpenClusterOptions): Promise<OpenCluster> {
  const { dataFolder, progress } = options;
  const paths = dataPaths(dataFolder);
  mkdirSync(dataFolder, { recursive: true });
  const lock = lockFolder(dataFolder);
  try {
    const journal = openCopy(paths.journal);
    try {
      const store = await openStore(options, journal.head().lastSeq === 0);
      try {
        // Compare the master key first, because the other nodes would not answer a node with a different one.
        const differing = differingSetting({ masterKey: options.masterKey }, await store.positions());
        if (differing !== undefined) throw new NodeUnfit(differing);
        const snapshots = new SnapshotFolder(paths.snapshots);
        const place = await joinLog({ ...options, journal, store, snapshots });
        return { store, place, progress, close: () => store.close() };
      } catch (error) {
        await store.close();
        throw error;
      }
    } finally {
      journal.closeWhole();
    }
  } finally {
    lock.release();
  }
}

/**
 * Opens the store. A node with an empty journal starts an epoch if there is none. If etcd does not answer, this node
 * fails immediately, because its configuration may be wrong; a node with entries waits for etcd, as after a complete
 * outage.
 */
async function openStore(options: OpenClusterOptions, isEmpty: boolean): Promise<EtcdStore> {
  // Imported only here, so that a single node does not load these modules.
  const [{ openEtcdStore }, { firstEpoch }, { CallFailed }] = await Promise.all([
    import("./etcd/etcd-store.ts"),
    import("./etcd/epoch.ts"),
    import("./etcd/endpoint.ts"),
  ]);
  const { settings, node, world, log, room, signal } = options;
  const { prefix, mirrors, maxTailBytes, maxStoreBytes } = settings;
  const first = isEmpty ? firstEpoch(world) : undefined;
  const onWarning = (line: string): void => log.warn(line);
  const limits = { maxTailBytes, maxStoreBytes };
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await openEtcdStore({ access: settings, prefix, node, first, mirrors, world, onWarning, limits });
    } catch (error) {
      if (!(error instanceof CallFailed) || isEmpty) throw error;
      log.warn({ why: error.message }, "etcd not reachable, retrying");
      room.say(`etcd is not reachable: ${error.message}`);
      await world.pause(RETRY_PAUSE_MS);
    }
  }
}
