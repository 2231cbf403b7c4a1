/**
 * Copies the content of a data folder to another folder, for `backup` and `restore`: the journal with its newest
 * snapshot, the chains of sandbox networks, and the master key on request. Each row is verified on the way, so damage
 * is never copied. Existing rows are not copied again, so an interrupted copy continues where it stopped, and the next
 * one adds what is new.
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

/** Bytes per transaction. At most this much is repeated after a kill. */
export const STEP_BYTES = 4 << 20;
export const STEP_ROWS = 4096;

export interface CopyOptions {
  readonly from: DataPaths;
  /** The paths to copy to. Their folder must exist. */
  readonly to: DataPaths;
  /** The copy ends with the last row that ends at or before this entry. Default: the head at the start. */
  readonly untilSeq?: number | undefined;
  /** Rows per transaction. Default: as many as fit a step. */
  readonly stepRows?: number | undefined;
  /** Called after each step with the position of the copy, and where it will end. */
  readonly onStep?: ((seq: number, untilSeq: number) => void) | undefined;
}

export interface Copied {
  /** The head of the copy. */
  readonly head: JournalHead;
  /** The entry after which this run began; 0: the copy was empty. */
  readonly fromSeq: number;
  /** The rows copied by this run. */
  readonly rows: number;
}

/**
 * Reads the journal while a node writes to it, a page at a time. Throws `CopyRefused` if the copy is of another
 * journal, and `JournalDamaged` for an invalid row, after copying the rows before it.
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
  // The position of a row that was written since is copied with that row.
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

/** Yields complete rows up to entry `until`, as many as are written in one transaction. */
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

/** Copies the newest valid snapshot of `from` that `to`'s journal reaches, if missing. Returns its entry, or 0. */
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

/** A snapshot; undefined if it is missing, damaged, or being overwritten by the node. */
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

// The chains of sandbox networks represent external networks and are not part of the state, but without them a demo
// would see its deposits leave the chain. They are copied after the journal, as if the chain had advanced a little.

const FOLDER = "sandbox";
const IS_WORLD = /\.sqlite$/;
/** Enough to copy all pages in one step, because a database that changes between steps makes the copy start over. */
const PAGES_A_STEP = 1 << 20;

/** Copies all sandboxes to another folder, each completely or not at all, while a node runs. Returns their number. */
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

/** Throws `CopyRefused` if the folder has no key, because it is configured elsewhere. */
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
