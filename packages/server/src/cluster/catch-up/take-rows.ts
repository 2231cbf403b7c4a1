/** Takes the rows that a journal lacks from another node, in steps. */
import { STEP_BYTES, STEP_ROWS } from "../../journal/backup/copy.ts";
import { type Batch, type JournalCopy, JournalDamaged, type JournalHead } from "../../journal/port.ts";
import { type FetchOptions, fetchRows, type Peer, PeerFailed, PeerForeign } from "./fetch-rows.ts";
import type { NodePosition } from "../port.ts";
import type { Begin } from "./frames.ts";

export interface TakeRowsOptions extends FetchOptions {
  readonly journal: JournalCopy;
  /** Looks at what the other node says that it has. What it throws ends it before any row is written. */
  readonly onBegin?: (begin: Begin, own: JournalHead) => void | Promise<void>;
  /** Looks at rows before they are written. */
  readonly onRows?: (rows: readonly Batch[]) => void;
  /** Called after each step with the last entry of the own journal, and that of the other node's. */
  readonly onStep?: ((seq: number, untilSeq: number, peer: Peer) => void) | undefined;
  /** The rows written in one transaction. Default: as many as fit a step. */
  readonly stepRows?: number | undefined;
}

/**
 * Resolves to what the other node had, once the journal has all of it. Rejects with `PeerFailed`, when whole
 * steps before the failure have been written, and with `PeerForeign` and the disk's errors.
 */
export async function takeRows(peer: Peer, options: TakeRowsOptions): Promise<Begin> {
  const { journal, onBegin, stepRows = STEP_ROWS } = options;
  const own = journal.head();
  let begin: Begin | undefined;
  let step: Batch[] = [];
  let bytes = 0;
  for await (const frame of fetchRows(peer, own, options)) {
    if (frame.kind === "begin") {
      begin = frame.begin;
      checkSame(journal, begin.head, own);
      await onBegin?.(begin, own);
    } else if (frame.kind === "row") {
      step.push(frame.row);
      bytes += frame.row.bytes.length;
      if (bytes < STEP_BYTES && step.length < stepRows) continue;
    }
    if (begin === undefined || step.length === 0) continue;
    write(step, begin, peer, options);
    step = [];
    bytes = 0;
  }
  if (begin === undefined || (begin.head.lastSeq > own.lastSeq && journal.head().chainHash !== begin.head.chainHash)) {
    throw new PeerFailed("its rows do not end where it said");
  }
  return begin;
}

/** A journal that is shorter than ours must be the beginning of it. */
function checkSame(journal: JournalCopy, { lastSeq, chainHash }: JournalHead, own: JournalHead): void {
  if (lastSeq >= own.lastSeq || journal.headAt(lastSeq)?.chainHash === chainHash) return;
  throw new PeerForeign(`after entry ${lastSeq} it has another chain`);
}

function write(rows: readonly Batch[], begin: Begin, peer: Peer, { journal, onRows, onStep }: TakeRowsOptions): void {
  onRows?.(rows);
  try {
    journal.copy(rows);
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    throw new PeerFailed(`what it sends cannot be trusted: ${error.message}`, { cause: error });
  }
  onStep?.(journal.head().lastSeq, begin.head.lastSeq, peer);
}

/** Returns the nodes that tell where their journal can be fetched, except `own`, those that are furthest first. */
export function peersOf(positions: readonly NodePosition[], own: string): Peer[] {
  return positions
    .filter(({ node, admin }) => node !== own && admin !== "")
    .sort((a, b) => b.place.number - a.place.number)
    .map(({ node, admin }) => ({ node, url: admin.replace(/\/$/, "") }));
}
