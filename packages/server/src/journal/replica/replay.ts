/** Applies journaled batches to an engine, comparing its state with the writer's. */
import { decodeCommands, type Command, type Engine, type Entry, type Event } from "@pricetime/engine";
import { type Batch, JournalDamaged } from "../port.ts";

/** Called after each entry, while the engine is in the state after it. */
export type EntryVisitor = (entry: Entry, events: readonly Event[], engine: Engine) => void;

/**
 * Applies the batch's entries that the engine has not seen. Throws `JournalDamaged` when the batch
 * cannot be decoded, or when what led up to it is not what the writer saw, by their event digests.
 */
export function replayBatch(engine: Engine, batch: Batch, visit?: EntryVisitor): void {
  const commands = decode(batch);
  if (engine.seq === batch.firstSeq - 1 && engine.eventDigest() !== batch.priorEventDigest) {
    throw new JournalDamaged(
      batch.firstSeq,
      "replaying the journal up to here gives another state than its writer had",
    );
  }
  for (let i = engine.seq + 1 - batch.firstSeq; i < commands.length; i++) {
    const entry = { seq: batch.firstSeq + i, timeMs: batch.timeMs, command: commands[i] as Command };
    const events = engine.apply(entry);
    visit?.(entry, events, engine);
  }
}

function decode(batch: Batch): Command[] {
  try {
    return decodeCommands(batch.bytes, batch.count);
  } catch (error) {
    throw new JournalDamaged(batch.firstSeq, (error as Error).message, { cause: error });
  }
}
