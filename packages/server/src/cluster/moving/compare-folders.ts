/** Tells which of several data folders holds the longest journal, and whether the others hold the beginning of it. */
import { existsSync } from "node:fs";
import { CopyRefused } from "../../journal/backup/refused.ts";
import type { JournalReader } from "../../journal/port.ts";
import { headAfter } from "../../journal/port.ts";
import { dataPaths } from "../../journal/storage/data-paths.ts";
import { openReader } from "../../journal/storage/open-journal.ts";

export interface ComparedFolder {
  readonly folder: string;
  /** The last entry of its journal, and the chain hash just after it. */
  readonly lastSeq: number;
  readonly chainHash: string;
  /** The epoch that it was in; "" when it was in none. */
  readonly epoch: string;
  /** Null: the longest journal begins with this one. Else the first entry from which on the two differ. */
  readonly differsFrom: number | null;
}

/**
 * Returns the folders in the order given. Nodes may run on them. Throws `CopyRefused`, `JournalUnreadable`,
 * `JournalDamaged` for a row that it cannot read; it does not check all rows.
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

/** The chain makes it a search: journals that differ at a row differ in all that follow. */
function differsFrom(journal: JournalReader, longest: JournalReader): number | null {
  const { lastSeq, chainHash } = journal.head();
  if (longest.headAt(lastSeq)?.chainHash === chainHash) return null;
  // The last entry up to which they are known to be the same, and one at which they differ.
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
