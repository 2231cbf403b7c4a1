/**
 * Opens the data folder and the cluster of a starting node. If the start fails, deletes the files that it has created.
 */
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataPaths, FolderInUse, LAB_MARK_FILE, LOCK_FILE, lockFolder } from "../../journal/storage/data-folder.ts";
import { openReader } from "../../journal/storage/open-journal.ts";
import type { Storage, StorageOptions } from "../../journal/storage/storage.ts";
import { ConfigError } from "../../platform/config/faults.ts";
import { JournalUnreadable } from "../../journal/port.ts";
import { WaitingServer } from "../../people/admin/waiting-server.ts";
import { CatchUpProgress, watchCatchUp } from "../../cluster/catch-up/join-log.ts";
import { type OpenCluster, openCluster } from "../../cluster/open-cluster.ts";
import { type Config, settingDigests } from "../../platform/config/config.ts";
import { holdPayments, whyPaymentsAreHeld } from "../../platform/config/held-payments.ts";
import type { Logger } from "../../platform/observe/log.ts";
import { Metrics } from "../../platform/observe/metrics.ts";
import type { CertificateSource } from "../../platform/transport/tls.ts";
import type { World } from "../../platform/world/port.ts";
import { nodeTokenOf, sharedMasterKey } from "./master-key.ts";
import { VERSION } from "./version.ts";

/** Name prefixes of the files that a start creates. Other new files are not deleted. */
const OWN: readonly string[] = [
  ...["journal.", "history.", LOCK_FILE, "master.key", "admin.json", "demo.json"],
  ...["snapshots", "sandbox", "mail", LAB_MARK_FILE, "candles.", "checkpoints"],
];

export interface NewFolder {
  /** Deletes the files created since. All files in the folder must be closed. */
  remove(): void;
}

/**
 * Records the contents of a folder before a start. Returns undefined if the folder already contains an exchange;
 * existing exchanges are never deleted.
 */
export function newFolder(folder: string): NewFolder | undefined {
  if (existsSync(dataPaths(folder).journal)) return undefined;
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  const before = new Set(missing.length === 0 ? readdirSync(folder) : []);
  return { remove: () => remove(folder, before, missing) };
}

function remove(folder: string, before: ReadonlySet<string>, missing: readonly string[]): void {
  if (!existsSync(folder)) return;
  try {
    // If another node has started in this folder meanwhile, the files belong to that node.
    const lock = lockFolder(folder);
    const made = readdirSync(folder).filter((name) => !before.has(name) && OWN.some((own) => name.startsWith(own)));
    for (const name of made.filter((one) => !one.startsWith(LOCK_FILE)))
      rmSync(join(folder, name), { recursive: true });
    lock.release();
    for (const name of made.filter((one) => one.startsWith(LOCK_FILE))) rmSync(join(folder, name), { force: true });
    for (const each of missing) rmdirSync(each);
  } catch (error) {
    // If deleting fails, the error must not hide why the start failed.
    if (!(error instanceof FolderInUse || (error as NodeJS.ErrnoException).code !== undefined)) throw error;
  }
}

interface Closed {
  close(): Promise<void>;
}

export interface OpenedFolder<Shared extends Closed> {
  readonly storage: Storage;
  /** The cluster; undefined on a single node. */
  readonly shared: Shared | undefined;
  /** Keeps the created files, because clients can connect and may have received answers. */
  keep(): void;
  /** After a failed start: closes everything, and deletes the created files unless `keep` was called. */
  giveUp(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the folder's files with `openStorage`, and the cluster with `share`, which may first copy rows into the
 * folder's journal. Rejects with the errors of both.
 */
export async function openFolder<Shared extends Closed>(
  openStorage: (options: StorageOptions) => Storage,
  options: StorageOptions,
  share: (() => Promise<Shared>) | null,
): Promise<OpenedFolder<Shared>> {
  const found = newFolder(options.folder);
  let shared: Shared | undefined;
  let storage: Storage;
  try {
    shared = await share?.();
    storage = openStorage(options);
  } catch (error) {
    await shared?.close();
    if (!(error instanceof FolderInUse) && !holdsRows(options.folder)) found?.remove();
    throw error;
  }
  const close = async (): Promise<void> => {
    await storage.close();
    await shared?.close();
  };
  // If the new journal has entries, another node has used the folder meanwhile, and its files must not be deleted.
  let made = storage.recovery.engine.seq === 0 ? found : undefined;
  return {
    storage,
    shared,
    keep: () => (made = undefined),
    giveUp: async () => {
      await close();
      made?.remove();
    },
    close,
  };
}

/** Whether the journal has rows copied from other nodes. They are kept, so that the next start continues from there. */
function holdsRows(folder: string): boolean {
  const { journal: path } = dataPaths(folder);
  if (!existsSync(path)) return false;
  try {
    const journal = openReader(path);
    try {
      return journal.head().lastSeq > 0;
    } finally {
      journal.close();
    }
  } catch {
    // The caller reports why the start failed.
    return false;
  }
}

/**
 * Throws `ConfigError` if the journal belongs to a cluster: on a single node, it would diverge from the other nodes'
 * journals. An unreadable journal is reported when it is opened.
 */
export function checkIsAlone(dataFolder: string): void {
  const { journal: path } = dataPaths(dataFolder);
  if (!existsSync(path) || !isOfCluster(path)) return;
  throw new ConfigError(
    `${dataFolder} is the data folder of a cluster node. Start the node with --cluster. If the cluster no longer ` +
      "exists, detach the folder with `pricetime cluster detach` first",
  );
}

function isOfCluster(path: string): boolean {
  try {
    const journal = openReader(path);
    try {
      return journal.place() !== null;
    } finally {
      journal.close();
    }
  } catch (error) {
    if (error instanceof JournalUnreadable) return false;
    throw error;
  }
}

/**
 * Returns the function that opens the cluster; null on a single node. `certificates`: those of the admin port.
 * `signal`: aborts a start that waits for other nodes.
 */
export function sharedOf(
  config: Config,
  world: World,
  log: Logger,
  certificates: CertificateSource | undefined,
  signal: AbortSignal | undefined,
): (() => Promise<OpenCluster>) | null {
  const { cluster: settings, node, dataFolder, adminPort: port, snapshotEveryCommands: snapshotEveryEntries } = config;
  if (settings === null) return null;
  const onTrouble = (err: Error): void => log.warn({ err }, "cannot answer probes while the node catches up");
  return async () => {
    const hold = (): void => {
      if (whyPaymentsAreHeld(dataFolder) !== "") return;
      log.warn("payments on hold: the cluster was bootstrapped from a restored journal");
      holdPayments(dataFolder);
    };
    const progress = new CatchUpProgress();
    const metrics = new Metrics();
    watchCatchUp(metrics, progress);
    const room = new WaitingServer({ port, version: VERSION, metrics, certificates, onTrouble });
    const token = nodeTokenOf(config) ?? "";
    const { masterKey = "" } = settingDigests(config, sharedMasterKey(config));
    const found = { settings, masterKey, node, dataFolder, snapshotEveryEntries, token };
    return openCluster({ ...found, release: VERSION, room, progress, holdPayments: hold, world, log, signal });
  };
}
