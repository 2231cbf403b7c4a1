/**
 * The replica that writes the history, and the main thread's interface to it. The projection applies the journal to its
 * own engine, writes the results to SQL, and takes snapshots. It is synchronous and runs on a separate thread.
 * docs/decisions/0002.
 */
import type { DatabaseSync } from "node:sqlite";
import { type Engine, parseDecimal, WITHDRAWAL_WINDOWS, type WithdrawalWindow } from "@pricetime/engine";
import { HistoryWriter, readPosition, WriteAheadLog } from "../../history/writing/history-writer.ts";
import { isFileTrouble, rollBack } from "../../platform/disk.ts";
import { headAfter, type JournalHead, type JournalRows } from "../port.ts";
import { recover, replayBatch } from "./recover.ts";
import type { Clock, Dice } from "../../platform/world/port.ts";
import type { SnapshotFolder } from "./snapshots.ts";
import type { Worker } from "node:worker_threads";
import { Progress } from "../../history/threads/progress.ts";
import type { Sample } from "../../platform/observe/histogram.ts";
import type { Metrics } from "../../platform/observe/metrics.ts";

/** Maximum number of entries per transaction of the history. */
const MAX_ENTRIES_A_TRANSACTION = 4_000;

/** Pause before a failed snapshot is retried. It doubles with each failure. */
const FIRST_SNAPSHOT_PAUSE_MS = 1_000;
const LONGEST_SNAPSHOT_PAUSE_MS = 5 * 60_000;

/** The history was created from another journal, or from entries that this journal has lost. */
export class HistoryForeign extends Error {
  override readonly name = "HistoryForeign";
}

/** Called with the error if a snapshot could not be written, and with null after one was written. */
export type SnapshotTrouble = (error: Error | null) => void;

/** The parts of a projection. */
export interface ProjectionParts {
  readonly journal: JournalRows;
  /** The database of the history. Its tables already exist. */
  readonly database: DatabaseSync;
  readonly snapshots: SnapshotFolder;
  /** Number of entries between snapshots; 0 if none are taken. */
  readonly snapshotEveryEntries: number;
  /** The path of the history, for error messages. */
  readonly path: string;
  readonly onSnapshotTrouble?: SnapshotTrouble | undefined;
  readonly world: Clock & Dice;
  /** Called after the history is closed. */
  readonly onClose?: () => void;
}

export class Projection {
  readonly #journal: JournalRows;
  readonly #database: DatabaseSync;
  readonly #writer: HistoryWriter;
  readonly #log: WriteAheadLog;
  readonly #snapshots: SnapshotFolder;
  readonly #snapshotEveryEntries: number;
  readonly #engine: Engine;
  #head: JournalHead;
  #snapshotSeq: number;
  readonly #onSnapshotTrouble: SnapshotTrouble;
  readonly #steadyMs: () => number;
  readonly #onClose: () => void;
  #snapshotPauseMs = 0;
  #nextSnapshotMs = 0;

  /** Starts at the last entry in history. Throws `HistoryForeign`, `JournalDamaged`. */
  constructor(parts: ProjectionParts) {
    const { journal, database, snapshots, path, world } = parts;
    this.#onSnapshotTrouble = parts.onSnapshotTrouble ?? (() => {});
    this.#steadyMs = world.steadyMs;
    this.#onClose = parts.onClose ?? (() => {});
    this.#journal = journal;
    this.#database = database;
    this.#snapshots = snapshots;
    this.#snapshotEveryEntries = parts.snapshotEveryEntries;
    const { seq } = checkHistory(journal, database, path);
    const until = { notBeyondSeq: seq, untilSeq: seq };
    const recovery = recover(journal, snapshots, { world, recordPostings: true, isBesideAnother: true, ...until });
    this.#engine = recovery.engine;
    this.#head = recovery.head;
    this.#snapshotSeq = recovery.snapshotSeq;
    this.#writer = new HistoryWriter(database);
    this.#log = new WriteAheadLog(database, { steadyMs: world.steadyMs });
  }

  /** The last entry in history. */
  get seq(): number {
    return this.#head.lastSeq;
  }

  /**
   * Advances the history by one transaction, at most to entry `untilSeq`. Returns false if there was nothing to do.
   * After an error, discard this projection and open a new one.
   */
  advance(untilSeq: number): boolean {
    try {
      return this.#take(untilSeq);
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
  }

  #take(untilSeq: number): boolean {
    const engine = this.#engine;
    const writer = this.#writer;
    const startSeq = engine.seq;
    for (const batch of this.#journal.after(this.#head)) {
      if (batch.firstSeq > untilSeq) break;
      this.#head = headAfter(batch);
      replayBatch(engine, batch, (entry, events) => writer.record(engine, entry, events, engine.postings));
      if (engine.seq >= untilSeq || engine.seq - startSeq >= MAX_ENTRIES_A_TRANSACTION || writer.isFull) break;
    }
    if (engine.seq === startSeq) return false;
    writer.commit(engine, this.#head.chainHash);
    const isDue = this.#snapshotEveryEntries > 0 && engine.seq - this.#snapshotSeq >= this.#snapshotEveryEntries;
    if (isDue && this.#steadyMs() >= this.#nextSnapshotMs) this.snapshot();
    return true;
  }

  /**
   * Truncates the write-ahead log of the history if it is large. This may take a while, so call it after progress was
   * reported.
   */
  keepLogSmall(): void {
    this.#log.keepSmall();
  }

  /** Takes a snapshot unless there already is one for this entry. Disk and system errors are reported, not thrown. */
  snapshot(): void {
    if (this.#engine.seq === this.#snapshotSeq) return;
    try {
      this.#snapshots.take(this.#engine, this.#head.chainHash);
    } catch (error) {
      if (!isFileTrouble(error)) throw error;
      this.#snapshotPauseMs = Math.min(
        Math.max(FIRST_SNAPSHOT_PAUSE_MS, 2 * this.#snapshotPauseMs),
        LONGEST_SNAPSHOT_PAUSE_MS,
      );
      this.#nextSnapshotMs = this.#steadyMs() + this.#snapshotPauseMs;
      this.#onSnapshotTrouble(error as Error);
      return;
    }
    this.#snapshotSeq = this.#engine.seq;
    this.#onSnapshotTrouble(null);
    this.#snapshotPauseMs = 0;
  }

  close(): void {
    this.#database.close();
    this.#onClose();
  }
}

/** The last entry in history. Throws `HistoryForeign` unless the history was created from this journal. */
export function checkHistory(journal: JournalRows, database: DatabaseSync, path: string): { readonly seq: number } {
  const position = readPosition(database);
  if (position.seq === 0) return position;
  const head = journal.headAt(position.seq);
  if (head === undefined) {
    throw new HistoryForeign(
      `${path} has entry ${position.seq}, which the journal does not have. Rebuild it with \`pricetime history rebuild\``,
    );
  }
  if (head.chainHash !== position.chainHash)
    throw new HistoryForeign(`${path} was built from another journal. Rebuild it with \`pricetime history rebuild\``);
  return position;
}

/** A part of the data folder that currently cannot be written. Writing is retried, and the journal is complete. */
export interface Trouble {
  readonly part: "history" | "snapshots";
  /** The error; null if writing works again. */
  readonly message: string | null;
}

// The main thread's interface: reports up to which entry the journal is applied, and reads up to which entry the
// history is written.

/** A message from the projector's thread; null if the history has advanced. */
export type ProjectorMessage = Trouble | null;

export interface ProjectorOptions {
  /** The last entry in history at the start. */
  readonly historySeq: number;
  /** Starts the projector's thread. `memory` is the memory of the shared `Progress`. */
  readonly startThread: (memory: SharedArrayBuffer) => Worker;
  /** Called if the thread has died, so that the history no longer advances. */
  readonly onFatal: (error: Error) => void;
  /** Called if something cannot be written, and again when it can be. Writing is retried automatically. */
  readonly onTrouble?: ((trouble: Trouble) => void) | undefined;
}

export class Projector {
  readonly progress = new Progress();
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #listeners: (() => void)[] = [];
  /** Resolves when the thread has tried to open the history, or has died (see `onFatal`). */
  readonly started: Promise<void>;
  #stopping = false;

  constructor({ historySeq, startThread, onFatal, onTrouble }: ProjectorOptions) {
    this.progress.project(historySeq);
    this.#worker = startThread(this.progress.memory);
    this.#worker.on("message", (message: ProjectorMessage) => {
      if (message !== null) onTrouble?.(message);
      else for (const listener of this.#listeners) listener();
    });
    this.started = new Promise((resolve) => {
      this.#worker.once("message", () => {
        if (!this.#stopping) this.#worker.unref();
        resolve();
      });
      this.#worker.once("exit", () => resolve());
    });
    this.#ended = new Promise((resolve, reject) => {
      const end = (error: Error): void => {
        reject(error);
        if (!this.#stopping) onFatal(error);
        this.#stopping = true;
      };
      this.#worker.on("error", (error) => end(error as Error));
      this.#worker.on("exit", () => (this.#stopping ? resolve() : end(new Error("the projector's thread has ended"))));
    });
    // The caller of `stop` handles the rejection.
    this.#ended.catch(() => {});
  }

  /** The last entry in history. */
  get seq(): number {
    return this.progress.projectedSeq;
  }

  /** Reports that entries up to `seq` are durable and applied, so that the history may include them. */
  publish(seq: number): void {
    this.progress.publish(seq);
  }

  /** Registers a listener that is called when the history advances while a query waits for it. */
  onMoved(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Waits until the history includes the published entries, takes a snapshot, and ends the thread. Disk errors are only
   * reported. Rejects if the thread died for any other reason.
   */
  stop(): Promise<void> {
    this.#stopping = true;
    this.#worker.ref();
    this.progress.stop();
    return this.#ended;
  }
}

type Watched = Pick<Engine, "assets" | "seq" | "openOrderCount" | "funds" | "venue">;

export function watchReplica(
  metrics: Pick<Metrics, "gauge" | "gauges">,
  engine: Watched,
  projector: { readonly seq: number },
  clock: { nowMs(): number },
): void {
  const behind = (): number => Math.max(0, engine.seq - projector.seq);
  metrics.gauge("pricetime_open_orders", "Open orders on all symbols", () => engine.openOrderCount);
  const withdrawals = (): number => engine.funds.openWithdrawals().length;
  metrics.gauge("pricetime_withdrawals_open", "Pending withdrawals", withdrawals);
  metrics.gauges("pricetime_withdrawal_budget_used_ratio", "Used share of the withdrawal limit of all customers", () =>
    budgetsUsed(engine, clock.nowMs()),
  );
  metrics.gauge("pricetime_suspensions", "Suspensions in force", () => countOf(engine.venue.stops()));
  const unknown = (): number => countOf(engine.venue.unknownDeposits());
  metrics.gauge("pricetime_unattributed_deposits", "Unresolved unattributed deposits", unknown);
  metrics.gauge("pricetime_journal_seq", "Sequence number of the last journaled command", () => engine.seq);
  metrics.gauge("pricetime_history_seq", "Sequence number of the last command in history", () => projector.seq);
  metrics.gauge("pricetime_history_lag_commands", "Commands by which history is behind", behind);
}

/** The share of each limit for all customers that is used, by asset and window. Limits of zero are omitted. */
function budgetsUsed(engine: Watched, nowMs: number): Sample[] {
  const withdrawn = engine.funds.withdrawn(null, nowMs);
  const windows = Object.keys(WITHDRAWAL_WINDOWS) as WithdrawalWindow[];
  return engine.assets().flatMap(({ assetId, spec }) =>
    windows.flatMap((window): Sample[] => {
      const limit = parseDecimal(spec.withdrawalLimits?.allCustomers?.[window] ?? "0", spec.precision) ?? 0n;
      if (limit === 0n) return [];
      const value = Number(withdrawn.get(assetId)?.[window] ?? 0n) / Number(limit);
      return [{ labels: { asset: spec.asset, hours: WITHDRAWAL_WINDOWS[window] }, value }];
    }),
  );
}

function countOf(things: Iterable<unknown>): number {
  let count = 0;
  for (const _ of things) count++;
  return count;
}
