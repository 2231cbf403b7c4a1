/** Runs the projection on the files of a data folder, in the caller's thread or in a separate one. */
import { Worker } from "node:worker_threads";
import { makePrivateFile } from "../../platform/disk.ts";
import { openHistoryFile } from "../../history/table/schema.ts";
import { checkHistory, Projection, Projector, type SnapshotTrouble, type Trouble } from "../replica/projection.ts";
import { SnapshotFolder } from "../replica/snapshots.ts";
import { MACHINE } from "../../platform/world/machine.ts";
import type { DataPaths } from "./data-folder.ts";
import { openReader } from "./open-journal.ts";

export interface ProjectionOptions {
  readonly paths: DataPaths;
  /** Number of entries between snapshots; 0 if none are taken. */
  readonly snapshotEveryEntries: number;
}

/** The data that the projector's thread receives. The thread opens its own reader. */
export interface ProjectorData extends ProjectionOptions {
  readonly memory: SharedArrayBuffer;
}

/** Opens a projection. Throws `HistoryForeign`, `HistoryUnreadable`, `JournalDamaged`. */
export function openProjection(
  { paths, snapshotEveryEntries }: ProjectionOptions,
  onSnapshotTrouble?: SnapshotTrouble,
): Projection {
  const journal = openReader(paths.journal);
  let database: ReturnType<typeof openHistoryFile> | undefined;
  try {
    database = openHistoryFile(paths.history);
    const snapshots = new SnapshotFolder(paths.snapshots);
    const files = { journal, database, snapshots, path: paths.history, world: MACHINE, onClose: () => journal.close() };
    return new Projection({ ...files, snapshotEveryEntries, onSnapshotTrouble });
  } catch (error) {
    database?.close();
    journal.close();
    throw error;
  }
}

export interface StartOptions extends ProjectionOptions {
  readonly onFatal: (error: Error) => void;
  readonly onTrouble?: ((trouble: Trouble) => void) | undefined;
}

/**
 * Starts the projector's thread. Throws `HistoryForeign` or `HistoryUnreadable` if projecting is not possible. The
 * journal's file must exist.
 */
export function startProjector({ onFatal, onTrouble, ...options }: StartOptions): Projector {
  return new Projector({
    historySeq: prepareHistory(options.paths),
    startThread: (memory) => {
      const workerData: ProjectorData = { ...options, memory };
      return new Worker(new URL("./projector-worker.ts", import.meta.url), { name: "projector", workerData });
    },
    onFatal,
    onTrouble,
  });
}

/**
 * Creates the history's tables, so that they can be read from now on, and detects problems before the thread starts.
 * Returns the last entry in history. Throws `HistoryForeign` or `HistoryUnreadable`.
 */
export function prepareHistory(paths: DataPaths): number {
  makePrivateFile(paths.history);
  const journal = openReader(paths.journal);
  const database = openHistoryFile(paths.history);
  try {
    return checkHistory(journal, database, paths.history).seq;
  } finally {
    database.close();
    journal.close();
  }
}
