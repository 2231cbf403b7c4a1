/** Limits on a lab's checkpoints and on the file of one. */
export const CHECKPOINT_LIMITS = {
  /** The checkpoints of a lab. */
  checkpoints: 100,
  /** Bytes of all checkpoints in memory and on the disk, without rows that the journal still has. */
  bytes: 16 * (1 << 30),
  /** The bytes of a file that is taken in, as it comes; */
  fileBytes: 256 << 20,
  /** and of what is in it, unpacked: a small file may be a large one, packed. */
  unpackedBytes: 1 << 30,
  /** The rows of the journal in one turn when a file is made. */
  rowsATurn: 10_000,
} as const;

export type CheckpointLimits = Readonly<Record<keyof typeof CHECKPOINT_LIMITS, number>>;
