/**
 * Bounds SQLite's log of a history (the file `-wal`). By itself SQLite begins the log anew only after a commit at which no
 * read stands at an older state, and never makes the file smaller. While reads overlap there always is one.
 */
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { isDiskTrouble } from "../platform/disk/disk-trouble.ts";

/** A log beyond this is emptied. Without overlapping reads it stays at a few MiB. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024;
/** How often the size is looked at. */
const SIZE_LOOK_MS = 1_000;
/** How long reads that are under way are waited for: meanwhile the history stands still. */
const PATIENCE_MS = 1_000;
/** A read that takes longer, as that of `history verify` does, is not waited for again before this. */
const RETRY_MS = 30_000;

export interface WriteAheadLogOptions {
  readonly steadyMs: () => number;
  /** Default: `MAX_LOG_BYTES`. */
  readonly maxBytes?: number;
  /** Default: `PATIENCE_MS`. */
  readonly patienceMs?: number;
}

export class WriteAheadLog {
  readonly #database: DatabaseSync;
  /** Undefined for a database in memory. SQLite's own name of the file: it has followed links. */
  readonly #path: string | undefined;
  readonly #steadyMs: () => number;
  readonly #maxBytes: number;
  readonly #patienceMs: number;
  #nextLookMs = 0;

  /** `database` is the only one that writes the file. */
  constructor(database: DatabaseSync, { steadyMs, maxBytes, patienceMs }: WriteAheadLogOptions) {
    const path = database.location();
    this.#database = database;
    this.#path = path === null ? undefined : `${path}-wal`;
    this.#steadyMs = steadyMs;
    this.#maxBytes = maxBytes ?? MAX_LOG_BYTES;
    this.#patienceMs = patienceMs ?? PATIENCE_MS;
  }

  /** Call it after each commit. Disk trouble is left to the next commit, which has it too. */
  keepSmall(): void {
    if (this.#path === undefined || this.#steadyMs() < this.#nextLookMs) return;
    const bytes = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    const isSmall = bytes <= this.#maxBytes || this.#empty();
    this.#nextLookMs = this.#steadyMs() + (isSmall ? SIZE_LOOK_MS : RETRY_MS);
  }

  /**
   * Writes the log back and empties it, once the reads under way have ended; returns whether they have. Reads that begin
   * meanwhile are not waited for: as nobody writes, they see the newest state, and soon that of the main file alone.
   */
  #empty(): boolean {
    try {
      this.#database.exec(`PRAGMA busy_timeout = ${this.#patienceMs};`);
      return this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] === 0;
    } catch (error) {
      if (!isDiskTrouble(error)) throw error;
      return false;
    } finally {
      this.#database.exec("PRAGMA busy_timeout = 0;");
    }
  }
}
