/** History as rebuilt from a journal, open until the file's tests are over. */
import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { after } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { openQueries, type Query } from "../../src/history/reading/queries.ts";
import { openHistoryReadOnly } from "../../src/history/table/schema.ts";
import type { NewBatch } from "../../src/journal/port.ts";
import { dataPaths } from "../../src/journal/storage/data-folder.ts";
import { rebuildHistory } from "../../src/journal/storage/rebuild-history.ts";
import { append } from "../journal/replica/data-folder.ts";

interface RebuiltHistory {
  /** Its file. */
  readonly path: string;
  readonly database: DatabaseSync;
  readonly query: Query;
}

export function rebuiltHistory(batches: readonly NewBatch[]): RebuiltHistory {
  const folder = temporaryFolder();
  const paths = dataPaths(folder);
  append(paths, batches);
  rebuildHistory(paths);
  const database = openHistoryReadOnly(paths.history);
  after(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  return { path: paths.history, database, query: openQueries(database) };
}
