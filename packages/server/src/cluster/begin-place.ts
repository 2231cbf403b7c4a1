/** From where a node that starts follows the shared log, by where its own journal ends. */
import type { JournalHead, JournalPlace, LogPlace } from "../journal/port.ts";
import type { Epoch } from "./port.ts";

export type BeginPlace =
  /** The journal ends where the log goes on: after this row, or (null) before the first of the epoch. */
  | { readonly type: "follow"; readonly place: LogPlace | null }
  /** Entries are missing that only another node has. */
  | { readonly type: "behind" }
  /** The journal goes on after its place: a catch-up was cut short, or the node ran without the log. */
  | { readonly type: "beyond"; readonly place: JournalPlace }
  /** The journal is not one that the log goes on with. `why`: a line for the operator. */
  | { readonly type: "foreign"; readonly why: string };

/** `head`, `place`: of the node's own journal. */
export function beginPlace(head: JournalHead, place: JournalPlace | null, epoch: Epoch): BeginPlace {
  const { lastSeq, chainHash } = head;
  if (place?.epoch === epoch.epoch)
    return place.seq === lastSeq ? { type: "follow", place } : { type: "beyond", place };
  const { baseSeq, baseChainHash } = epoch;
  if (lastSeq < baseSeq) return { type: "behind" };
  if (lastSeq === baseSeq && chainHash === baseChainHash) return { type: "follow", place: null };
  const what = lastSeq === baseSeq ? "is another journal" : `goes on to entry ${lastSeq}`;
  return { type: "foreign", why: `the cluster's epoch begins after entry ${baseSeq}, and this node's journal ${what}` };
}
