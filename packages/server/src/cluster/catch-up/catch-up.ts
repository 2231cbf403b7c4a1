/**
 * Brings a node's journal to a position from which it can follow the log. Batches that the log no longer has are
 * fetched from another node. Nothing else may write to the journal meanwhile, and the node does not serve yet. Copied
 * batches are kept, so a node that is killed continues where it stopped. docs/decisions/0044.
 */
import {
  type Batch,
  headAfter,
  type JournalCopy,
  type JournalHead,
  type JournalPlace,
  type LogPlace,
  LogTrimmed,
} from "../../journal/port.ts";
import { type ClusterStore, type Epoch, StoreUnfit } from "../port.ts";
import { decodeCommands } from "@pricetime/engine";
import { batchIdOf } from "../../journal/sequencer/batch.ts";
import { atMost, type Timers } from "../../platform/world/port.ts";
import {
  type FetchOptions,
  type Peer,
  PeerFailed,
  PeerForeign,
  peersOf,
  takeRows,
  type TakeRowsOptions,
} from "./fetch-rows.ts";
import type { Begin } from "./frames.ts";

// Determines whether the log continues this node's journal, the journal is behind the log, or it is a different
// journal.

/**
 * The journal differs from the cluster's or is longer. The message is one line for the operator and contains the
 * remedy.
 */
export class JournalForeign extends Error {
  override readonly name = "JournalForeign";
}

/**
 * `place` is the position after which the log continues; null if it continues at its first batch. "behind": batches are
 * missing that the log may no longer have.
 */
export type Standing = { readonly place: LogPlace | null } | "behind";

type OwnJournal = Pick<JournalCopy, "head" | "headAt" | "place">;

const START_EMPTY =
  "Move its data folder away and start with an empty one: the node fetches the journal from another node";

/**
 * Compares the journal with the epoch. Throws `JournalForeign` if it does not contain the journal from which the epoch
 * started.
 */
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

/** The error for a journal that is longer than the cluster's. `ends` is the last entry of the cluster. */
function longerThan({ lastSeq }: JournalHead, ends: number): JournalForeign {
  return new JournalForeign(
    `The journal of this node has entries ${ends + 1} to ${lastSeq}, which the cluster does not have. Bootstrap the ` +
      `cluster from this node's data folder (pricetime cluster bootstrap). Or give up these entries: ${START_EMPTY}`,
  );
}

interface LogToCheck extends Pick<ClusterStore, "follow" | "lastNumber" | "positions"> {
  /**
   * Whether the batch is at this position of the current epoch. Resolves to undefined if the store has compacted it.
   */
  isAt(place: LogPlace, batchId: string): Promise<boolean | undefined>;
}

/** How long to wait for a batch that must be in the log. */
const ROW_PATIENCE_MS = 5000;

/** Whether the log still has every batch after the position. Rejects if the log cannot be reached. */
export async function reaches(log: LogToCheck, place: LogPlace | null, timers: Timers): Promise<boolean> {
  if ((await log.lastNumber()) <= (place?.number ?? 0)) return true;
  const following = log.follow(place);
  let comes = false;
  try {
    const looked = following.next().then((row) => void (comes = row !== undefined));
    await atMost(timers, ROW_PATIENCE_MS, looked);
  } catch (error) {
    if (error instanceof LogTrimmed) return false;
    throw error;
  } finally {
    following.close();
  }
  if (!comes) throw new Error(`no row has come within ${ROW_PATIENCE_MS} ms`);
  return true;
}

/**
 * Checks that the batch is the one at the position: the log has it there or, if it was compacted, a published position
 * confirms it. Otherwise, a node that follows from there would skip batches. Rejects with `PeerFailed`.
 */
export async function checkPlace(log: LogToCheck, place: JournalPlace, row: Batch): Promise<void> {
  const isThere = await isRow(log, place, row);
  if (isThere === true) return;
  if (isThere === false)
    throw new PeerFailed("its last row is not the one that the log has at the place that it tells");
  const isSame = (at: LogPlace): boolean =>
    at.epoch === place.epoch && at.number === place.number && at.revision === place.revision;
  const positions = await log.positions();
  if (positions.some((position) => isSame(position.place) && position.seq === place.seq)) return;
  throw new PeerFailed("the place that it tells cannot be compared with anything yet");
}

/** Whether the log has the batch at the position. Resolves to undefined if it was compacted. */
async function isRow(log: Pick<LogToCheck, "isAt">, place: LogPlace, row: Batch): Promise<boolean | undefined> {
  return log.isAt(place, idOf(row));
}

function idOf({ bytes, count }: Batch): string {
  const [header] = decodeCommands(bytes, count);
  if (header?.type === "nodeBatch") return batchIdOf(header);
  throw new PeerFailed("its last row is not one of a log that nodes share");
}

export interface CatchUpOptions extends Omit<FetchOptions, "world">, Pick<TakeRowsOptions, "onStep" | "stepRows"> {
  readonly journal: JournalCopy;
  readonly store: Pick<ClusterStore, "epoch"> & LogToCheck;
  /** The name of this node. It does not fetch from itself. */
  readonly node: string;
  readonly world: Timers;
  /** Called with batches from another node before they are written. */
  readonly onFetched?: (rows: readonly Batch[], peer: Peer) => void;
  /** Called before the journal continues a restored one, whose pending payments may already have been made. */
  readonly holdPayments: () => void;
  /**
   * Called with the reason when no node sends batches, or the store does not answer; both are retried. Called with null
   * when it works again.
   */
  readonly onTrouble?: (why: string | null) => void;
  /** Aborted when the node stops. */
  readonly signal?: AbortSignal | undefined;
}

export interface CaughtUp {
  /** The position after which the log continues; null if it continues at its first batch. */
  readonly place: LogPlace | null;
  /** Number of entries fetched from other nodes. */
  readonly entries: number;
  /** The nodes that sent batches, in order. */
  readonly from: readonly Peer[];
}

export const RETRY_PAUSE_MS = 1000;

/**
 * Resolves when the log continues the journal. Rejects with `JournalForeign` if the journal is not the cluster's, and
 * with disk errors. All other errors are retried until catching up succeeds or `signal` is aborted.
 */
export async function catchUp(options: CatchUpOptions): Promise<CaughtUp> {
  return new CatchUp(options).run();
}

/** The store does not answer. */
class StoreFailed extends Error {}

async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PeerFailed || error instanceof StoreUnfit) throw error;
    throw new StoreFailed(`the store: ${(error as Error).message}`, { cause: error });
  }
}

class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #from: Peer[] = [];

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  async run(): Promise<CaughtUp> {
    const { journal, world, onTrouble, signal } = this.#options;
    const startSeq = journal.head().lastSeq;
    for (let isTroubled = false; ; ) {
      signal?.throwIfAborted();
      const trouble = await this.#attempt();
      if (trouble !== null && typeof trouble === "object") {
        return { ...trouble, entries: journal.head().lastSeq - startSeq, from: this.#from };
      }
      if (trouble !== null || isTroubled) onTrouble?.(trouble);
      isTroubled = trouble !== null;
      if (isTroubled) await world.pause(RETRY_PAUSE_MS);
    }
  }

  /**
   * Makes one attempt. Resolves to the position once the log continues there, to the reason why it failed, or to null
   * if progress was made.
   */
  async #attempt(): Promise<Pick<CaughtUp, "place"> | string | null> {
    const { journal, store, world } = this.#options;
    const standing = standingOf(journal, store.epoch);
    try {
      if (standing !== "behind") {
        if (standing.place === null && store.epoch.arePaymentsHeld === true) this.#options.holdPayments();
        await this.#checkOwn(standing.place);
        if (await answered(reaches(store, standing.place, world))) return standing;
      }
      return await this.#askPeers();
    } catch (error) {
      if (error instanceof StoreFailed) return error.message;
      throw error;
    }
  }

  /** After a restore of the store, another batch may be at the journal's position. If so, rejects with `StoreUnfit`. */
  async #checkOwn(place: LogPlace | null): Promise<void> {
    const { journal, store } = this.#options;
    const [row] = place === null ? [] : journal.read(journal.head().lastSeq);
    if (place === null || row === undefined) return;
    if ((await answered(isRow(store, place, row))) === false)
      throw new StoreUnfit(
        `etcd was restored or replaced: its batch ${place.number} is not the last batch of this journal`,
      );
  }

  /** Fetches the missing batches from the first node that has them. */
  async #askPeers(): Promise<string | null> {
    const { journal, store, node, signal } = this.#options;
    const [head, { baseSeq }] = [journal.head(), store.epoch];
    if (head.lastSeq > baseSeq && (await answered(store.lastNumber())) === 0) throw longerThan(head, baseSeq);
    const failures: string[] = [];
    let foreign: string | undefined;
    for (const peer of peersOf(await answered(store.positions()), node)) {
      signal?.throwIfAborted();
      try {
        await this.#copyFrom(peer);
        return null;
      } catch (error) {
        if (!(error instanceof PeerFailed || error instanceof PeerForeign)) throw error;
        failures.push(`${peer.node} at ${peer.url}: ${error.message}`);
        if (error instanceof PeerForeign) foreign ??= failures.at(-1);
      }
    }
    if (foreign !== undefined)
      throw new JournalForeign(`The journal of this node is not the cluster's (${foreign}). ${START_EMPTY}`);
    return failures.length === 0
      ? "no other node has published an address to fetch the journal from"
      : failures.join("; ");
  }

  async #copyFrom(peer: Peer): Promise<void> {
    const { journal } = this.#options;
    const [start, placeBefore] = [journal.head(), journal.place()];
    const onStep = (seq: number, untilSeq: number): void => {
      if (this.#from.at(-1) !== peer) this.#from.push(peer);
      this.#options.onStep?.(seq, untilSeq, peer);
    };
    const onBegin = async (begin: Begin, own: JournalHead): Promise<void> => {
      await this.#checkBegin(begin, own);
      if (begin.arePaymentsHeld) this.#options.holdPayments();
    };
    const onRows = (rows: readonly Batch[]): void => {
      this.#options.onFetched?.(rows, peer);
      this.#checkBase(rows);
    };
    const begin = await takeRows(peer, { ...this.#options, onBegin, onRows, onStep });
    const place = await this.#takePlace(begin);
    if (journal.head().lastSeq === start.lastSeq && place?.number === placeBefore?.number) {
      throw new PeerFailed("it has no rows that this node has not, and the log does not go on from them");
    }
  }

  /** Throws unless the other node is in this epoch and its journal is not behind this one. */
  async #checkBegin({ head, place }: Begin, own: JournalHead): Promise<void> {
    const { store } = this.#options;
    const { epoch, baseSeq, baseChainHash } = store.epoch;
    const isAtBase = head.lastSeq === baseSeq && head.chainHash === baseChainHash;
    if (!isAtBase && (place?.epoch !== epoch || place.seq !== head.lastSeq)) {
      throw new PeerFailed("its journal is at no place of this cluster's log");
    }
    if (head.lastSeq >= own.lastSeq) return;
    const number = place?.epoch === epoch ? place.number : 0;
    if ((await answered(store.lastNumber())) === number) throw longerThan(own, head.lastSeq);
    throw new PeerFailed(`its journal ends with entry ${head.lastSeq}, and this node's with entry ${own.lastSeq}`);
  }

  /**
   * Checks that the batches belong to the journal that the epoch continues: its batch that contains the epoch's base
   * entry has the base's chain hash.
   */
  #checkBase(rows: readonly Batch[]): void {
    const { baseSeq, baseChainHash } = this.#options.store.epoch;
    const base = rows.find((row) => headAfter(row).lastSeq >= baseSeq && row.firstSeq <= baseSeq);
    if (base === undefined || base.chainHash === baseChainHash) return;
    throw new PeerFailed("its journal is not the one that the cluster was begun from");
  }

  /**
   * Stores the position of the last batch once the log confirms it. Resolves to null if the log continues at its first
   * batch.
   */
  async #takePlace({ place }: Begin): Promise<JournalPlace | null> {
    const { journal, store } = this.#options;
    if (place?.epoch !== store.epoch.epoch) return null;
    const [row] = journal.read(place.seq);
    if (row === undefined) throw new PeerFailed("it tells a place of no row");
    await answered(checkPlace(store, place, row));
    journal.copy([], place);
    return place;
  }
}
