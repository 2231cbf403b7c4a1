/** The stored data of a node, opened in this order: the folder's lock, the journal, the replica, the history. */
import type { Entry, Event } from "@pricetime/engine";
import type { History } from "../../history/port.ts";
import { type HistoryLimits, HistoryReader } from "../../history/threads/reader.ts";
import { checkIsNoLab, type DataPaths, dataPaths, type FolderLock, lockFolder } from "./data-folder.ts";
import type { Journal } from "../port.ts";
import { goOn, recover, type Recovery, replayShared } from "../replica/recover.ts";
import { SnapshotFolder } from "../replica/snapshots.ts";
import type { Trouble } from "../replica/projection.ts";
import { openJournal, openReader, prepareJournal } from "./open-journal.ts";
import { prepareHistory, startProjector } from "./projection.ts";
import type { World } from "../../platform/world/port.ts";

export interface StorageOptions {
  readonly world: World;
  /** The data folder. It is created if missing. */
  readonly folder: string;
  readonly snapshotEveryEntries: number;
  /** Called if a thread has died. The node must stop. May be called more than once. */
  readonly onFatal: (error: Error) => void;
  /** Called if the history or a snapshot cannot be written, and again when it can be written. */
  readonly onTrouble?: (trouble: Trouble) => void;
  /** The number of threads that query the history. Default: the default of `HistoryReader`. */
  readonly readerThreads?: number;
  readonly historyLimits?: Partial<HistoryLimits>;
}

/** The interface of the projector for the thread that serves requests. */
export interface HistoryFollower {
  /** The last entry in history. */
  readonly seq: number;
  /** Reports that entries up to `seq` are durable and applied, so that history may include them. */
  publish(seq: number): void;
}

export interface Storage {
  readonly journal: Journal;
  /** The replica that serves requests, at the journal's head, and how it was recovered. */
  readonly recovery: Recovery;
  readonly projector: HistoryFollower;
  readonly history: History;
  /**
   * Must be called after each entry, with the engine in the state after it, before anything is sent. Defined only in a
   * lab; otherwise the projector has its own replica.
   */
  readonly record?: ((entry: Entry, events: readonly Event[]) => void) | undefined;
  /** Resolves when all threads are running. From then on, the node opens no further files of the program. */
  started(): Promise<void>;
  /**
   * Must be called after the sequencer has stopped. Waits until the history has caught up, takes a snapshot, and closes
   * all files.
   */
  close(): Promise<void>;
}

/**
 * Opens the storage of a node. Throws one of these errors with one line for the operator: `FolderInUse`,
 * `JournalUnreadable`, `JournalDamaged`, `HistoryUnreadable`, `HistoryForeign`, `FolderOfOtherKind`.
 */
export function openStorage(options: StorageOptions): Storage {
  checkIsNoLab(options.folder);
  const lock = lockFolder(options.folder);
  try {
    return open(options, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function open(options: StorageOptions, lock: FolderLock): Storage {
  const { onFatal } = options;
  const paths = dataPaths(options.folder);
  prepareJournal(paths.journal);
  const { projector, recovery } = startReplicas(options, paths);
  projector.publish(recovery.engine.seq);
  const journal = openJournal(paths.journal, onFatal);
  const history = new HistoryReader({
    path: paths.history,
    progress: projector.progress,
    world: options.world,
    onFatal,
    ...(options.readerThreads !== undefined && { threads: options.readerThreads }),
    ...(options.historyLimits !== undefined && { limits: options.historyLimits }),
  });
  projector.onMoved(() => history.wake());
  const close = async (): Promise<void> => {
    try {
      await Promise.all([projector.stop(), history.close()]);
      // Closed last, because the last connection to close merges the write-ahead log into the file, which leaves a
      // single file to back up.
      await journal.close();
    } finally {
      lock.release();
    }
  };
  const started = async (): Promise<void> => {
    await Promise.all([projector.started, history.started(), journal.head()]);
  };
  return { journal, recovery, projector, history, started, close };
}

function startReplicas(
  { world, snapshotEveryEntries, onFatal, onTrouble }: StorageOptions,
  paths: DataPaths,
): { readonly projector: ReturnType<typeof startProjector>; readonly recovery: Recovery } {
  const historySeq = prepareHistory(paths);
  const snapshots = new SnapshotFolder(paths.snapshots);
  const journal = openReader(paths.journal);
  try {
    const shared = replayShared(journal, snapshots, { world, historySeq, snapshotEveryEntries });
    const projector = startProjector({ paths, snapshotEveryEntries, onFatal, onTrouble });
    const recovery = shared === undefined ? recover(journal, snapshots, { world }) : goOn(journal, shared, { world });
    return { projector, recovery };
  } finally {
    journal.close();
  }
}
