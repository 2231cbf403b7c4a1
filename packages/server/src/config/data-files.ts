/** What stands in a data folder, by name. */
export const JOURNAL_FILE = "journal.db";
export const HISTORY_FILE = "history.db";
export const SNAPSHOT_FOLDER = "snapshots";
