/** What a node's own journal is to the log of the cluster: the log goes on from it, it is behind, or it is another. */
import type { JournalCopy, JournalHead, LogPlace } from "../../journal/port.ts";
import type { Epoch } from "../port.ts";

/** The journal is not that of the cluster, or holds more. The message says what to do, in one line for the operator. */
export class JournalForeign extends Error {
  override readonly name = "JournalForeign";
}

/** `place`: where the log goes on; null: with its first row. `"behind"`: rows are missing that the log may not have. */
export type Standing = { readonly place: LogPlace | null } | "behind";

type OwnJournal = Pick<JournalCopy, "head" | "headAt" | "place">;

export const START_EMPTY =
  "Move its data folder away and start with an empty one: the node fetches the journal from another node";

/** Throws `JournalForeign` when the journal does not contain the one that the epoch was begun from. */
export function standingOf(journal: OwnJournal, epoch: Epoch): Standing {
  const [head, place] = [journal.head(), journal.place()];
  checkBase(journal, head, epoch);
  if (place?.epoch === epoch.epoch && place.seq === head.lastSeq) {
    const { epoch: of, number, revision } = place;
    return { place: { epoch: of, number, revision } };
  }
  return head.lastSeq === epoch.baseSeq ? { place: null } : "behind";
}

function checkBase(journal: OwnJournal, { lastSeq }: JournalHead, { baseSeq, baseChainHash }: Epoch): void {
  if (lastSeq < baseSeq || journal.headAt(baseSeq)?.chainHash === baseChainHash) return;
  throw new JournalForeign(
    `The cluster was bootstrapped from another journal than this node's: they differ up to entry ${baseSeq}. ` +
      START_EMPTY,
  );
}

/** The error for a journal that goes on where those of the cluster end. `ends`: the last entry that they have. */
export function longerThan({ lastSeq }: JournalHead, ends: number): JournalForeign {
  return new JournalForeign(
    `The journal of this node has entries ${ends + 1} to ${lastSeq}, which the cluster does not have. Bootstrap the ` +
      `cluster from this node's data folder (pricetime cluster bootstrap). Or give up these entries: ${START_EMPTY}`,
  );
}
