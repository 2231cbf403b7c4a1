/** The paths of everything in a data folder. */
import { join } from "node:path";

export interface DataPaths {
  readonly journal: string;
  readonly history: string;
  /** The path of a folder. */
  readonly snapshots: string;
}

export function dataPaths(folder: string): DataPaths {
  return {
    journal: join(folder, "journal.sqlite"),
    history: join(folder, "history.sqlite"),
    snapshots: join(folder, "snapshots"),
  };
}
