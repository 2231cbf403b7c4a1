/** Journal, snapshots and history of a data folder with their checks, for auditors and simulators. */
export { takeBackup } from "../../journal/backup/backup.ts";
export { restoreBackup } from "../../journal/backup/restore.ts";
export { masterKeyCheck } from "../../platform/config/master-key.ts";
export { extract } from "../../research/extract/extract.ts";
export { HistoryWriter, readPosition } from "../../history/writing/history-writer.ts";
export type { History } from "../../history/port.ts";
export { Progress } from "../../history/threads/progress.ts";
export { openQueries, type Query } from "../../history/reading/queries.ts";
export { HistoryReader } from "../../history/threads/reader.ts";
export { openHistoryFile, openHistoryReadOnly } from "../../history/table/schema.ts";
export { chainOn, checkedAfter, checkFollows } from "../../journal/chain.ts";
export { HeadMark } from "../../journal/head-mark.ts";
export { JournalFile } from "../../journal/journal-file.ts";
export {
  type Batch,
  EMPTY_HEAD,
  headAfter,
  type Journal,
  type JournalHead,
  type JournalPlace,
  JournalRefused,
  type JournalRows,
  type LogPlace,
  type LogRow,
  LogTrimmed,
  type LooseBatch,
  type NewBatch,
} from "../../journal/port.ts";
export { type Files, type NewFile, REAL_FILES, SnapshotFolder } from "../../journal/replica/snapshots.ts";
export { Projection } from "../../journal/replica/projection.ts";
export { recover, replayBatch } from "../../journal/replica/recover.ts";
export { dataPaths, type DataPaths } from "../../journal/storage/data-folder.ts";
export { rebuildHistory, verifyHistory } from "../../journal/storage/rebuild-history.ts";
export { verifyJournalFile } from "../../journal/storage/open-journal.ts";
export { openProjection } from "../../journal/storage/projection.ts";
export { openStorage } from "../../journal/storage/storage.ts";
