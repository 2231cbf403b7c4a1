/** Opens the data folder of a node that starts. A start that fails leaves nothing behind that it made. */
import { existsSync } from "node:fs";
import { dataPaths } from "../../journal/storage/data-paths.ts";
import { FolderInUse } from "../../journal/storage/folder-lock.ts";
import { openReader } from "../../journal/storage/open-journal.ts";
import type { Storage, StorageOptions } from "../../journal/storage/storage.ts";
import { newFolder } from "./new-folder.ts";

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
