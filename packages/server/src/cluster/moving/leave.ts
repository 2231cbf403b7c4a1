/** Turns a node's data folder, whose cluster no longer exists, into one on which a node can go on alone. */
import { existsSync } from "node:fs";
import { CopyRefused } from "../../journal/backup/refused.ts";
import type { JournalPlace } from "../../journal/port.ts";
import { dataPaths } from "../../journal/storage/data-paths.ts";
import { openCopy } from "../../journal/storage/open-journal.ts";
import { whileLocked } from "./while-locked.ts";

/** Resolves to the place that the journal had; null: it was in no cluster. Rejects with `CopyRefused`, `JournalUnreadable`. */
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
