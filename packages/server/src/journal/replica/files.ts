/** What snapshots need of a file system. A simulated disk implements it too, and fails on purpose. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { makePrivateFolder } from "../../platform/disk/private-file.ts";

/** A file that is written from its start. */
export interface NewFile {
  write(bytes: Uint8Array): void;
  /** Cuts off what an older file holds beyond the written part. */
  end(): void;
  /** Returns when everything written is on disk. */
  sync(): void;
  close(): void;
}

export interface Files {
  /** Returns the names in a folder; none when there is no such folder. */
  list(folder: string): string[];
  read(path: string): Buffer;
  /** Makes the folder, private to its owner, when it is missing. */
  makeFolder(folder: string): void;
  /** Creates a file, private to its owner. Throws when the name exists. */
  create(path: string): NewFile;
  /** Opens an existing file to overwrite it; its space on the disk is kept. */
  writeOver(path: string): NewFile;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Returns when the folder's names are on disk. */
  syncFolder(folder: string): void;
}

export const REAL_FILES: Files = {
  list: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
  read: (path) => readFileSync(path),
  makeFolder: makePrivateFolder,
  create: (path) => newFile(openSync(path, "wx", 0o600)),
  writeOver: (path) => newFile(openSync(path, "r+")),
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  syncFolder: (folder) => {
    // Windows cannot open a folder, and journals names itself.
    if (process.platform === "win32") return;
    const file = openSync(folder, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  },
};

function newFile(file: number): NewFile {
  let size = 0;
  return {
    write: (bytes) => {
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written, null, size + written);
      size += bytes.length;
    },
    end: () => ftruncateSync(file, size),
    sync: () => fsyncSync(file),
    close: () => closeSync(file),
  };
}
