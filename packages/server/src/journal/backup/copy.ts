/**
 * Copies the content of a data folder to another folder, for `backup` and `restore`: the journal with its newest
 * snapshot, the chains of sandbox networks, and the master key on request. Each row is verified on the way, so damage
 * is never copied. Existing rows are not copied again: an interrupted copy continues where it stopped, and the next one
 * adds what is new.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import type { Batch, JournalCopy, JournalHead, JournalReader } from "../port.ts";
import { type Snapshot, SnapshotFolder } from "../replica/snapshots.ts";
import type { DataPaths } from "../storage/data-folder.ts";
import { openCopy, openReader } from "../storage/open-journal.ts";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { makePrivateFile, makePrivateFolder } from "../../platform/disk.ts";
import { masterKeyPath } from "../../platform/config/master-key.ts";
import { writePrivateFile } from "../../platform/config/private-file.ts";

/** A backup or restore is not possible. The message is one line for the operator. */
export class CopyRefused extends Error {
  override readonly name = "CopyRefused";
}

/** Size of a transaction in bytes. If the process is killed, at most this much is copied again. */
export const STEP_BYTES = 4 << 20;
export const STEP_ROWS = 4096;

export interface CopyOptions {
  readonly from: DataPaths;
  /** The paths to which to copy. Their folder must exist. */
  readonly to: DataPaths;
  /**
   * The copy ends with the last row that ends at or before this entry. Default: the journal's head when the copy
   * starts.
   */
  readonly untilSeq?: number | undefined;
  /** Number of rows per transaction. Default: as many as fit a step. */
  readonly stepRows?: number | undefined;
  /** Called after each step with the last copied entry and the last entry to copy. */
  readonly onStep?: ((seq: number, untilSeq: number) => void) | undefined;
}

export interface Copied {
  /** The head of the copy. */
  readonly head: JournalHead;
  /** The entry after which this run began; 0 if the copy was empty. */
  readonly fromSeq: number;
  /** Number of rows that this run has copied. */
  readonly rows: number;
}

/**
 * Copies the journal a page at a time, while a node may be writing to it. Throws `CopyRefused` if the copy is of
 * another journal, and `JournalDamaged` for an invalid row, after copying the rows before it.
 */
export function copyJournal(options: CopyOptions): Copied {
  const { from, to } = options;
  if (!existsSync(from.journal)) throw new CopyRefused(`${from.journal} does not exist`);
  const source = openReader(from.journal);
  try {
    const target = openCopy(to.journal);
    try {
      const start = target.head();
      checkSame(source, start, to.journal);
      return { fromSeq: start.lastSeq, ...copyRows(source, target, start, options) };
    } finally {
      target.closeWhole();
    }
  } finally {
    source.close();
  }
}

function copyRows(
  source: JournalReader,
  target: JournalCopy,
  start: JournalHead,
  { untilSeq, stepRows = STEP_ROWS, onStep }: CopyOptions,
): Omit<Copied, "fromSeq"> {
  const { lastSeq } = source.head();
  // If the row at the position was written after the copy started, it is copied as well.
  const place = source.place();
  const until = Math.min(untilSeq ?? Number.POSITIVE_INFINITY, Math.max(lastSeq, place?.seq ?? 0));
  let head = start;
  let rows = 0;
  for (const step of stepsOf(source.read(start.lastSeq + 1), until, stepRows)) {
    head = target.copy(step);
    rows += step.length;
    onStep?.(head.lastSeq, until);
  }
  if (place !== null && place.seq <= head.lastSeq) target.copy([], place);
  return { head, rows };
}

function checkSame(source: JournalReader, { lastSeq, chainHash }: JournalHead, path: string): void {
  const there = source.headAt(lastSeq);
  if (there?.chainHash === chainHash) return;
  if (there !== undefined || source.head().lastSeq >= lastSeq) {
    throw new CopyRefused(`${path} is a copy of another journal. Choose another folder`);
  }
  throw new CopyRefused(
    `${path} has entry ${lastSeq}, but the journal to copy ends with entry ${source.head().lastSeq}. Choose another folder`,
  );
}

/** Yields complete rows up to entry `until`, in steps that are each written in one transaction. */
function* stepsOf(rows: Iterable<Batch>, until: number, stepRows: number): Generator<Batch[]> {
  let step: Batch[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (row.firstSeq + row.count - 1 > until) break;
    step.push(row);
    bytes += row.bytes.length;
    if (bytes < STEP_BYTES && step.length < stepRows) continue;
    yield step;
    step = [];
    bytes = 0;
  }
  if (step.length > 0) yield step;
}

/**
 * Copies the newest valid snapshot of `from` whose entry is in `to`'s journal, if it is missing there. Returns its
 * entry; 0 if there is none.
 */
export function copySnapshot(from: DataPaths, to: DataPaths): number {
  const target = new SnapshotFolder(to.snapshots);
  const journal = openReader(to.journal);
  try {
    const source = new SnapshotFolder(from.snapshots);
    for (const name of source.list()) {
      const fits = (snapshot: Snapshot): boolean => journal.headAt(snapshot.seq)?.chainHash === snapshot.chainHash;
      if (soundOne(target, name.seq, fits) !== undefined) return name.seq;
      const snapshot = soundOne(source, name.seq, fits);
      if (snapshot === undefined) continue;
      target.write(snapshot, (sink) => sink(snapshot.bytes));
      return snapshot.seq;
    }
    return 0;
  } finally {
    journal.close();
  }
}

/** Reads a snapshot. Returns undefined if it is missing, damaged, or being overwritten by the node. */
function soundOne(folder: SnapshotFolder, seq: number, fits: (snapshot: Snapshot) => boolean): Snapshot | undefined {
  const name = folder.list().find((each) => each.seq === seq);
  if (name === undefined) return undefined;
  try {
    const snapshot = folder.read(name);
    return fits(snapshot) ? snapshot : undefined;
  } catch {
    return undefined;
  }
}

// The chains of sandbox networks represent external networks and are not part of the state. But without them, the
// deposits of a demo would disappear from the chain. They are copied after the journal, as if the chain had advanced a
// little.

const FOLDER = "sandbox";
const IS_WORLD = /\.sqlite$/;
/** Enough to copy all pages in one step, because the copy starts over if the database changes between steps. */
const PAGES_A_STEP = 1 << 20;

/**
 * Copies all sandboxes to another folder while a node may be running. Each is copied completely or not at all. Returns
 * their number.
 */
export async function copyWorlds(fromFolder: string, toFolder: string): Promise<number> {
  const from = join(fromFolder, FOLDER);
  const names = existsSync(from) ? readdirSync(from).filter((name) => IS_WORLD.test(name)) : [];
  if (names.length === 0) return 0;
  const to = join(toFolder, FOLDER);
  makePrivateFolder(to);
  for (const name of names) await copyWorld(join(from, name), join(to, name));
  return names.length;
}

async function copyWorld(from: string, to: string): Promise<void> {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  makePrivateFile(partial);
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, partial, { rate: PAGES_A_STEP });
  } finally {
    source.close();
  }
  asOneFile(partial);
  for (const side of ["-wal", "-shm"]) rmSync(to + side, { force: true });
  renameSync(partial, to);
}

function asOneFile(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = DELETE");
  database.close();
}

// The master key is copied only on request, because it decrypts all secrets of the backup.

/** Copies the master key. Throws `CopyRefused` if the folder has none, because it is configured elsewhere. */
export function copyKey(fromFolder: string, toFolder: string): true {
  const path = masterKeyPath(fromFolder);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === "ENOENT"
        ? "does not exist. The key is configured elsewhere: back it up from there, without --with-key"
        : "cannot be read";
    throw new CopyRefused(`${path} ${why}`, { cause: error });
  }
  writePrivateFile(masterKeyPath(toFolder), text);
  return true;
}
