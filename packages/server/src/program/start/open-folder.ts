/**
 * Opens the data folder of a node that starts, and what it shares with other nodes. A start that fails leaves
 * nothing behind that it made.
 */
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataPaths, FolderInUse, LAB_MARK_FILE, LOCK_FILE, lockFolder } from "../../journal/storage/data-folder.ts";
import { openReader } from "../../journal/storage/open-journal.ts";
import type { Storage, StorageOptions } from "../../journal/storage/storage.ts";
import { ConfigError } from "../../platform/config/faults.ts";
import { JournalUnreadable } from "../../journal/port.ts";
import { WaitingDoor } from "../../people/admin/waiting-server.ts";
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

// Removes what a refused start made: a new data folder, or the new files in a folder without an exchange.

/** Beginnings of the names of files that a start makes. Other files that appear meanwhile belong to somebody else. */
const OWN: readonly string[] = [
  ...["journal.", "history.", LOCK_FILE, "master.key", "admin.json", "demo.json"],
  ...["snapshots", "sandbox", "mail", LAB_MARK_FILE, "candles.", "checkpoints"],
];

export interface NewFolder {
  /** Removes what was made since; call it when nothing in the folder is open any more. */
  remove(): void;
}

/** Notes a folder's content before a start. Undefined when it contains an exchange, which a start leaves as it is. */
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
    // Another node may have begun here in the meantime: then everything is that node's.
    const lock = lockFolder(folder);
    const made = readdirSync(folder).filter((name) => !before.has(name) && OWN.some((own) => name.startsWith(own)));
    for (const name of made.filter((one) => !one.startsWith(LOCK_FILE)))
      rmSync(join(folder, name), { recursive: true });
    lock.release();
    for (const name of made.filter((one) => one.startsWith(LOCK_FILE))) rmSync(join(folder, name), { force: true });
    for (const each of missing) rmdirSync(each);
  } catch (error) {
    // The start has failed for another reason; a failed removal must not hide it.
    if (!(error instanceof FolderInUse || (error as NodeJS.ErrnoException).code !== undefined)) throw error;
  }
}

interface Closed {
  close(): Promise<void>;
}

export interface OpenedFolder<Shared extends Closed> {
  readonly storage: Storage;
  /** What the node shares with others; undefined when it is alone. */
  readonly shared: Shared | undefined;
  /** Clients can connect: from here on what is journaled was told to somebody. */
  keep(): void;
  /** After a failed start: closes everything, and removes what the start made unless it is to be kept. */
  giveUp(): Promise<void>;
  /** Closes all. */
  close(): Promise<void>;
}

/**
 * `openStorage` opens what is on disk. `share` opens what the node shares with others, and may bring rows into the folder's journal before it is opened.
 * Rejects as `openStorage` throws, and as `share` does.
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
  // Another node may have been here since the folder was looked at: what it journaled is nobody's to take away.
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

/** What came from other nodes stays: the next start goes on from there. */
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
    // The start has failed for another reason, which is told.
    return false;
  }
}

// Prevents a start as a single node on a cluster's data folder: the journals would diverge.

/** Throws `ConfigError` when the journal is one of a cluster. A journal that cannot be read is told when it is opened. */
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

// Opens what a node shares with others, from its configuration.

/** Null where the node is alone, else as `openCluster`. `certificates`: of the admin port. `signal`: ends a start that waits for other nodes. */
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
    const room = new WaitingDoor({ port, version: VERSION, metrics, certificates, onTrouble });
    const token = nodeTokenOf(config) ?? "";
    const { masterKey = "" } = settingDigests(config, sharedMasterKey(config));
    const found = { settings, masterKey, node, dataFolder, snapshotEveryEntries, token };
    return openCluster({ ...found, release: VERSION, room, progress, holdPayments: hold, world, log, signal });
  };
}
