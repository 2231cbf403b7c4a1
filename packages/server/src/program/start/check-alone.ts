/** Prevents a start as a single node on a cluster's data folder: the journals would diverge. */
import { existsSync } from "node:fs";
import { ConfigError } from "../../platform/config/config-error.ts";
import { JournalUnreadable } from "../../journal/port.ts";
import { dataPaths } from "../../journal/storage/data-paths.ts";
import { openReader } from "../../journal/storage/open-journal.ts";

/** Throws `ConfigError` when the journal is one of a cluster. A journal that cannot be read is told when it is opened. */
export function checkIsAlone(dataFolder: string): void {
  const { journal: path } = dataPaths(dataFolder);
  if (!existsSync(path) || !isOfCluster(path)) return;
  throw new ConfigError(
    `${dataFolder} is the data folder of a cluster node. Start the node with --cluster. If the cluster no longer ` +
      "exists, detach the folder with `pricetime cluster detach` first",
  );
}

function isOfCluster(path: string): boolean {
  try {
    const journal = openReader(path);
    try {
      return journal.place() !== null;
    } finally {
      journal.close();
    }
  } catch (error) {
    if (error instanceof JournalUnreadable) return false;
    throw error;
  }
}
