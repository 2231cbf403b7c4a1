/** Data folders of a cluster that no longer exists: compares them, and converts one for use by a single node. */
import { CopyRefused } from "../../journal/backup/copy.ts";
import { dataPaths, FolderInUse, type FolderLock, lockFolder } from "../../journal/storage/data-folder.ts";
import { existsSync } from "node:fs";
import { headAfter, type JournalPlace, type JournalReader } from "../../journal/port.ts";
import { openCopy, openReader } from "../../journal/storage/open-journal.ts";

export async function whileLocked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  let lock: FolderLock;
  try {
    lock = lockFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new CopyRefused(error.message, { cause: error });
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

export interface ComparedFolder {
  readonly folder: string;
  /** The last entry of the folder's journal, and the chain hash after it. */
  readonly lastSeq: number;
  readonly chainHash: string;
  /** The epoch of the journal; "" if it was in none. */
  readonly epoch: string;
  /** The first entry that differs from the longest journal; null if the longest journal starts with this one. */
  readonly differsFrom: number | null;
}

/**
 * Compares the folders. The result has the given order. Nodes may be running on the folders. Throws `CopyRefused`,
 * `JournalUnreadable`, or `JournalDamaged` for a batch that it cannot read; it does not check all batches.
 */
export function compareFolders(folders: readonly string[]): readonly ComparedFolder[] {
  const journals: JournalReader[] = [];
  try {
    for (const folder of folders) journals.push(openFolderReader(folder));
    const longest = journals.reduce((best, each) => (each.head().lastSeq > best.head().lastSeq ? each : best));
    return journals.map((journal, at): ComparedFolder => {
      const { lastSeq, chainHash } = journal.head();
      const epoch = journal.place()?.epoch ?? "";
      return { folder: folders[at] ?? "", lastSeq, chainHash, epoch, differsFrom: differsFrom(journal, longest) };
    });
  } finally {
    for (const journal of journals) journal.close();
  }
}

function openFolderReader(folder: string): JournalReader {
  const { journal } = dataPaths(folder);
  if (!existsSync(journal)) throw new CopyRefused(`${journal} does not exist`);
  return openReader(journal);
}

/**
 * Finds the first difference by binary search, because journals that differ at a batch have different hashes from there
 * on.
 */
function differsFrom(journal: JournalReader, longest: JournalReader): number | null {
  const { lastSeq, chainHash } = journal.head();
  if (longest.headAt(lastSeq)?.chainHash === chainHash) return null;
  // The last entry up to which the journals are known to be equal, and an entry at which they differ.
  let [same, different] = [0, lastSeq];
  while (same < different) {
    const middle = same + Math.ceil((different - same) / 2);
    const [row] = journal.read(middle);
    if (row === undefined) break;
    const head = headAfter(row);
    if (longest.headAt(head.lastSeq)?.chainHash === head.chainHash) same = head.lastSeq;
    else different = row.firstSeq - 1;
  }
  return same + 1;
}

/**
 * Removes the journal's position in the shared log. Resolves to the position; null if the journal was in no cluster.
 * Rejects with `CopyRefused`, `JournalUnreadable`.
 */
export async function leaveCluster(dataFolder: string): Promise<JournalPlace | null> {
  const paths = dataPaths(dataFolder);
  if (!existsSync(paths.journal)) throw new CopyRefused(`${paths.journal} does not exist`);
  return whileLocked(dataFolder, async () => {
    const journal = openCopy(paths.journal);
    try {
      const place = journal.place();
      journal.forgetPlace();
      return place;
    } finally {
      journal.closeWhole();
    }
  });
}
