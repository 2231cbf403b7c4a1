/** What a lab's storage may take of the machine's memory, however long its market runs. */
export const LAB_STORAGE_LIMITS = {
  /** Rows of the journal that are kept in memory; older ones go into a file of the lab's folder. */
  freshJournalBytes: 64 << 20,
  /** The rows that go into the file in one transaction. */
  spilledRowsAtATime: 2_048,
  /** What checkpoints hold of ways that the journal has left, all together. */
  leftWaysBytes: 512 << 20,
  /** The pages of history that SQLite keeps in memory. */
  historyCacheKiB: 32 << 10,
  /** The entries that wait to be written into history when nobody asks. */
  unwrittenEntries: 4_000,
} as const;

export type LabStorageLimits = Readonly<Record<keyof typeof LAB_STORAGE_LIMITS, number>>;
