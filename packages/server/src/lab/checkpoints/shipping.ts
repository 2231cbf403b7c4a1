/** Checkpoints leave a lab as files, and come into one. */
import { type Batch, JournalDamaged } from "../../journal/port.ts";
import type { StorageImage } from "../storage/images.ts";
import { LeftWaysFull } from "../storage/lab-journal.ts";
import { CheckpointFileUnreadable, readCheckpointFile, versionIn, writeCheckpointFile } from "./checkpoint-file.ts";
import { type Checkpoint, CheckpointRefused, type Checkpoints, type Held } from "./checkpoints.ts";
import { madeByAnother } from "./made-by.ts";
import type { HeldLab } from "./port.ts";

/** Yields the bytes of its file. */
export function exportCheckpoint({ shown, image, kept }: Held, lab: HeldLab): AsyncIterable<Uint8Array> {
  const { version, seq, hash } = shown;
  const { chainHash } = image.head;
  return writeCheckpointFile({ version, seq, chainHash, hash }, kept, lab.storage.rowsTo(image));
}

/** Rejects with `CheckpointFileUnreadable` and `CheckpointRefused`; then nothing has changed. */
export async function importCheckpoint(
  name: string,
  file: Buffer,
  checkpoints: Checkpoints,
  lab: HeldLab,
): Promise<Checkpoint> {
  checkpoints.checkName(name);
  try {
    return await takenIn(name, file, checkpoints, lab);
  } catch (error) {
    throw withVersion(error, madeByAnother(versionIn(file), lab.version));
  }
}

/** A file that is refused may be one that another version could read. */
function withVersion(error: unknown, madeBy: string): unknown {
  if (madeBy === "") return error;
  if (error instanceof CheckpointFileUnreadable) return new CheckpointFileUnreadable(`${error.message}${madeBy}`);
  if (!(error instanceof CheckpointRefused) || error.code !== "CHECKPOINT_UNFIT") return error;
  return new CheckpointRefused(error.code, `${error.message}${madeBy}`);
}

async function takenIn(name: string, file: Buffer, checkpoints: Checkpoints, lab: HeldLab): Promise<Checkpoint> {
  const { header, kept, rows } = readCheckpointFile(file);
  const image = await takeIn(rows, lab);
  try {
    const held = checkpoints.foreign(name, image, kept, header.version);
    if (held.shown.hash !== header.hash) throw new CheckpointFileUnreadable("Its journal leads to another state.");
    checkMasterKey(image, lab);
    checkpoints.checkName(name);
    return checkpoints.add(held);
  } catch (error) {
    lab.storage.drop(image);
    throw error;
  }
}

async function takeIn(rows: readonly Batch[], lab: HeldLab): Promise<StorageImage> {
  try {
    return await lab.storage.takeIn(rows, () => lab.rest());
  } catch (error) {
    if (error instanceof JournalDamaged) throw new CheckpointFileUnreadable(`In it, ${error.message}.`);
    if (!(error instanceof LeftWaysFull)) throw error;
    throw new CheckpointRefused("CHECKPOINTS_FULL", `${error.message}: delete one that you do not need.`);
  }
}

/** Keys are sealed: under another master key nobody could use one. */
function checkMasterKey({ facts }: StorageImage, lab: HeldLab): void {
  if (facts.masterKeyCheck === lab.storage.recovery.engine.masterKeyCheck) return;
  throw new CheckpointRefused(
    "CHECKPOINT_UNFIT",
    "It was created with another master key: start this lab with the seed, or the key, of the lab that created it.",
  );
}
