/** A data folder with a journal. */
import { readFileSync, writeFileSync } from "node:fs";
import type { TestContext } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import type { NewBatch } from "../../../src/journal/port.ts";
import { JournalFile } from "../../../src/journal/journal-file.ts";
import { type DataPaths, dataPaths } from "../../../src/journal/storage/data-folder.ts";

/** Journal files made before, because each row waits for the disk. */
const made = new Map<readonly NewBatch[], Buffer>();

export function folderWith(t: TestContext, batches: readonly NewBatch[]): DataPaths {
  const paths = dataPaths(scratchFolder(t));
  const before = made.get(batches);
  if (before !== undefined) {
    writeFileSync(paths.journal, before, { mode: 0o600 });
    return paths;
  }
  append(paths, batches);
  made.set(batches, readFileSync(paths.journal));
  return paths;
}

export function append(paths: DataPaths, batches: readonly NewBatch[]): void {
  const file = JournalFile.open(paths.journal);
  for (const batch of batches) file.append(batch);
  file.close();
}
