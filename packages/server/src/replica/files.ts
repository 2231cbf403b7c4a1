/** What snapshots ask of a file system. A simulated disk does the same, and fails on purpose. */
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
import { makePrivateFolder } from "../disk/private-file.ts";

/** A file that is written from its start on. */
export interface NewFile {
  write(bytes: Uint8Array): void;
  /** Cuts off what an older file holds beyond what was written. */
  end(): void;
  /** Returns when what was written is on the disk. */
  sync(): void;
  close(): void;
}

export interface Files {
  /** Names in a folder; none when there is no such folder. */
  list(folder: string): string[];
  read(path: string): Buffer;
  /** Makes the folder, its owner's alone, when it is not there. */
  makeFolder(folder: string): void;
  /** A new file, its owner's alone. Throws when there is one of that name. */
  create(path: string): NewFile;
  /** A file that is there, to be written over; its place on the disk is kept. */
  writeOver(path: string): NewFile;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Returns when the folder's names are on the disk. */
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
    // Windows opens no folder, and keeps names in a journal of its own.
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
