/** Opens the data folder of a node that starts. A start that fails leaves nothing behind that it made. */
import { FolderInUse } from "../storage/folder-lock.ts";
import { openStorage, type Storage, type StorageOptions } from "../storage/storage.ts";
import { type NewFolder, newFolder } from "./new-folder.ts";

export interface OpenedFolder {
  readonly storage: Storage;
  /** Clients can connect: from here on what is journaled was told to somebody. */
  keep(): void;
  /** The start has failed: closes all, and takes away what was made unless it is to be kept. */
  giveUp(): Promise<void>;
}

/** Throws as `openStorage`. */
export function openFolder(options: StorageOptions): OpenedFolder {
  const found = newFolder(options.folder);
  const storage = openStorageIn(found, options);
  // Another node may have been here since the folder was looked at: what it journaled is nobody's to take away.
  let made = storage.recovery.engine.seq === 0 ? found : undefined;
  return {
    storage,
    keep: () => (made = undefined),
    giveUp: async () => {
      await storage.close();
      made?.remove();
    },
  };
}

function openStorageIn(made: NewFolder | undefined, options: StorageOptions): Storage {
  try {
    return openStorage(options);
  } catch (error) {
    if (!(error instanceof FolderInUse)) made?.remove();
    throw error;
  }
}
