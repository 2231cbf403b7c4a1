/** Rebuilds the history from nothing: the journal has everything. */
import { rmSync } from "node:fs";
import { makePrivateFile } from "../../platform/disk/private-file.ts";
import type { DataPaths } from "./data-paths.ts";
import { openProjection } from "./projection.ts";

/** Makes the history anew in this thread. No node may use the data folder. Returns the number of its entries. */
export function rebuildHistory(paths: DataPaths): number {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${paths.history}${suffix}`, { force: true });
  makePrivateFile(paths.history);
  const projection = openProjection({ paths, snapshotEveryEntries: 0 });
  try {
    while (projection.advance(Number.POSITIVE_INFINITY));
    return projection.seq;
  } finally {
    projection.close();
  }
}
