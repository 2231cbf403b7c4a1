/** Keeps a node from going on alone where others still do: their journals would part. */
import { existsSync } from "node:fs";
import { ConfigError } from "../config/config-error.ts";
import { JournalUnreadable } from "../journal/port.ts";
import { dataPaths } from "../storage/data-paths.ts";
import { openReader } from "../storage/open-journal.ts";

/** Throws `ConfigError` when the journal is one of a cluster. A journal that cannot be read is told when it is opened. */
export function checkIsAlone(dataFolder: string): void {
  const { journal: path } = dataPaths(dataFolder);
  if (!existsSync(path) || !isOfCluster(path)) return;
  throw new ConfigError(
    `${dataFolder}: is the data folder of a node of a cluster: start it with --cluster; ` +
      "when the cluster is no more, `pricetime cluster detach` lets it go on alone",
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
