/** Takes another node's newest snapshot, where that spares a long replay. */
import type { JournalRows } from "../../journal/port.ts";
import { SnapshotDamaged, snapshotFrom } from "../../journal/replica/snapshot-file.ts";
import type { SnapshotFolder } from "../../journal/replica/snapshot-folder.ts";
import { fetchSnapshot, type FetchOptions, type Peer } from "./fetch-rows.ts";

export interface TakeSnapshotOptions extends FetchOptions {
  readonly journal: Pick<JournalRows, "headAt">;
  readonly snapshots: SnapshotFolder;
  /** A snapshot that is newer than the own newest one by fewer entries is not worth its way. */
  readonly leastEntries: number;
}

/**
 * Resolves to the entry of the snapshot that was taken; undefined when there is none, or none that fits the journal: a
 * start manages without. Rejects with `PeerFailed`.
 */
export async function takeSnapshot(peer: Peer, options: TakeSnapshotOptions): Promise<number | undefined> {
  const { journal, snapshots, leastEntries } = options;
  const beyond = (snapshots.list()[0]?.seq ?? 0) + leastEntries;
  const content = await fetchSnapshot(peer, beyond, options);
  if (content === undefined) return undefined;
  try {
    const snapshot = snapshotFrom(content);
    if (journal.headAt(snapshot.seq)?.chainHash !== snapshot.chainHash) return undefined;
    snapshots.write(snapshot, (sink) => sink(snapshot.bytes));
    return snapshot.seq;
  } catch (error) {
    if (error instanceof SnapshotDamaged) return undefined;
    throw error;
  }
}
