/**
 * Starts an epoch in an empty store, so that the nodes continue the journal of a data folder. Used when a single node
 * becomes the first of several, and after the members of etcd have lost their quorum or their data.
 * docs/decisions/0044.
 */
import { existsSync } from "node:fs";
import { checkedState, type CheckedState } from "../../journal/backup/backup.ts";
import { CopyRefused } from "../../journal/backup/copy.ts";
import { holdPayments, whyPaymentsAreHeld } from "../../platform/config/held-payments.ts";
import { beginStore, epochAfter, type StoreAccess } from "../etcd/epoch.ts";
import { EMPTY_HEAD, headAfter, type JournalCopy, type JournalHead, type JournalPlace } from "../../journal/port.ts";
import { dataPaths, isOfLab } from "../../journal/storage/data-folder.ts";
import { openCopy } from "../../journal/storage/open-journal.ts";
import type { World } from "../../platform/world/port.ts";
import type { Epoch } from "../port.ts";
import { whileLocked } from "./leave.ts";

export interface BeginOptions {
  readonly dataFolder: string;
  readonly store: StoreAccess;
  /** Replay every batch from the first one, instead of starting at a snapshot. */
  readonly isFull: boolean;
  /** Hold all payments on networks until operators have checked them. A restored folder implies this. */
  readonly holdsPayments: boolean;
  readonly world: World;
  /** Called after each checked batch with its last entry and the last entry of the journal. */
  readonly onStep?: (seq: number, untilSeq: number) => void;
}

export interface Begun extends Epoch, CheckedState {}

/**
 * Resolves when the store has the epoch. Rejects with `CopyRefused`, `JournalDamaged`, `JournalUnreadable`, and with
 * `StoreUnfit` if the store is not empty; nothing was changed then. If the outcome is unknown, it can be repeated,
 * because a store that has an epoch is rejected.
 */
export async function beginFrom(options: BeginOptions): Promise<Begun> {
  const { dataFolder, store, isFull, world, onStep } = options;
  const paths = dataPaths(dataFolder);
  if (!existsSync(paths.journal)) throw new CopyRefused(`${paths.journal} does not exist`);
  if (isOfLab(dataFolder))
    throw new CopyRefused(`${dataFolder} is the data folder of a lab, which cannot be part of a cluster`);
  return whileLocked(dataFolder, async () => {
    const { head, place } = wholeJournal(paths.journal, onStep);
    if (head.lastSeq === 0) throw new CopyRefused(`${paths.journal} is empty. Start a node on the empty etcd instead`);
    const state = checkedState(paths, isFull);
    if (options.holdsPayments) holdPayments(dataFolder);
    const arePaymentsHeld = whyPaymentsAreHeld(dataFolder) !== "";
    const record = { ...epochAfter(head, place?.epoch ?? "", world), arePaymentsHeld };
    await beginStore(store, record, world);
    return { ...record, ...state };
  });
}

/** Reads and checks every batch, so that no epoch starts from a damaged journal. */
function wholeJournal(
  path: string,
  onStep: BeginOptions["onStep"],
): { readonly head: JournalHead; readonly place: JournalPlace | null } {
  const journal: JournalCopy = openCopy(path);
  try {
    const head = journal.head();
    for (const row of journal.after(EMPTY_HEAD)) onStep?.(headAfter(row).lastSeq, head.lastSeq);
    return { head, place: journal.place() };
  } finally {
    journal.closeWhole();
  }
}
