/** Checkpoints leave a lab as files, and come into one. */
import { type Batch, JournalDamaged } from "../../journal/port.ts";
import type { StorageImage } from "../storage/images.ts";
import { LeftWaysFull } from "../storage/lab-journal.ts";
import { CheckpointFileUnreadable, readCheckpointFile, writeCheckpointFile } from "./checkpoint-file.ts";
import { type Checkpoint, CheckpointRefused, type Checkpoints, type Held } from "./checkpoints.ts";
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
  const { header, kept, rows } = readCheckpointFile(file);
  const image = await takeIn(rows, lab);
  const held = checkpoints.foreign(name, image, kept, header.version);
  try {
    if (held.shown.hash !== header.hash) throw new CheckpointFileUnreadable("Its journal leads to another state.");
    checkMasterKey(image, lab);
    checkpoints.checkName(name);
  } catch (error) {
    lab.storage.drop(image);
    throw error;
  }
  return checkpoints.add(held);
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
    "It was made under another master key: start this lab with the seed, or the key, of the lab that made it.",
  );
}
