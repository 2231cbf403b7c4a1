/**
 * Brings a node's journal to a place from which the log can be followed: rows that the log no longer has come from
 * another node. Nothing else may write to the journal meanwhile, and the node does not serve yet. What has been copied
 * stays, so a node that is killed goes on from there. docs/decisions/0044.
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

// The log goes on from a node's own journal, or the journal is behind it, or it is another journal.

/** The journal is not that of the cluster, or holds more. The message says what to do, in one line for the operator. */
export class JournalForeign extends Error {
  override readonly name = "JournalForeign";
}

/** `place`: where the log goes on; null: with its first row. `"behind"`: rows are missing that the log may not have. */
export type Standing = { readonly place: LogPlace | null } | "behind";

type OwnJournal = Pick<JournalCopy, "head" | "headAt" | "place">;

const START_EMPTY =
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
function longerThan({ lastSeq }: JournalHead, ends: number): JournalForeign {
  return new JournalForeign(
    `The journal of this node has entries ${ends + 1} to ${lastSeq}, which the cluster does not have. Bootstrap the ` +
      `cluster from this node's data folder (pricetime cluster bootstrap). Or give up these entries: ${START_EMPTY}`,
  );
}

interface LogToCheck extends Pick<ClusterStore, "follow" | "lastNumber" | "positions"> {
  /** Whether the batch is at the place, which is of this epoch; undefined when the store does not remember that. */
  isAt(place: LogPlace, batchId: string): Promise<boolean | undefined>;
}

/** The longest wait for a row that the log must have. */
const ROW_PATIENCE_MS = 5000;

/** Whether the log still has every row after the place. Rejects when the log cannot be reached. */
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
 * Resolves when the row is certainly the one at the place: the log knows it there, or, where the log has forgotten, a
 * position that was told to the store says the same. Else a node that follows from there would leave rows out. Rejects
 * with `PeerFailed`.
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

/** Whether the log has the row there; undefined when it has forgotten. */
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
  /** The name of this node, which does not ask itself. */
  readonly node: string;
  readonly world: Timers;
  /** Called with rows that came from another node, before they are written. */
  readonly onFetched?: (rows: readonly Batch[], peer: Peer) => void;
  /** Called before the journal goes on from one that was restored: what it wants to pay may have been paid. */
  readonly holdPayments: () => void;
  /** Called when no node gives rows, or the store does not answer: it is tried again. Null: it works again. */
  readonly onTrouble?: (why: string | null) => void;
  /** The node is to stop. */
  readonly signal?: AbortSignal | undefined;
}

export interface CaughtUp {
  /** Where the log goes on; null: with its first row. */
  readonly place: LogPlace | null;
  /** How many entries came from other nodes. */
  readonly entries: number;
  /** The nodes that gave rows, in that order. */
  readonly from: readonly Peer[];
}

export const RETRY_PAUSE_MS = 1000;

/**
 * Resolves when the log goes on from the journal. Rejects with `JournalForeign` when the journal is not the cluster's,
 * and with the disk's errors; everything else is tried again until it succeeds, or until `signal`.
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

  /** Returns the place when it is reached, or what is in the way; null: it has moved on. */
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

  /** A store that went back may have filled the journal's place with another row since. Rejects with `StoreUnfit` then. */
  async #checkOwn(place: LogPlace | null): Promise<void> {
    const { journal, store } = this.#options;
    const [row] = place === null ? [] : journal.read(journal.head().lastSeq);
    if (place === null || row === undefined) return;
    if ((await answered(isRow(store, place, row))) === false)
      throw new StoreUnfit(
        `etcd was restored or replaced: its batch ${place.number} is not the last batch of this journal`,
      );
  }

  /** Takes what is missing from the first node that has it. */
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

  /** Throws unless the other node is in this epoch, and not behind this one. */
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

  /** The journal of the epoch has a row that ends where the epoch begins. */
  #checkBase(rows: readonly Batch[]): void {
    const { baseSeq, baseChainHash } = this.#options.store.epoch;
    const base = rows.find((row) => headAfter(row).lastSeq >= baseSeq && row.firstSeq <= baseSeq);
    if (base === undefined || base.chainHash === baseChainHash) return;
    throw new PeerFailed("its journal is not the one that the cluster was begun from");
  }

  /** Keeps the place of the last row, once the log confirms it. Returns null when the log goes on with its first row. */
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
