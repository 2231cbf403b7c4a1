/**
 * Brings a node's journal to a place from which the log can be followed: rows that the log no longer has come from
 * another node. Nothing else may write to the journal meanwhile, and the node does not serve yet. What has been copied
 * stays, so a node that is killed goes on from there. docs/decisions/0044.
 */
import { STEP_BYTES, STEP_ROWS } from "../../backup/copy.ts";
import type { Batch, JournalCopy, JournalHead, JournalPlace, LogPlace } from "../../journal/port.ts";
import { headAfter, JournalDamaged } from "../../journal/port.ts";
import type { Timers } from "../../world/port.ts";
import type { ClusterStore } from "../port.ts";
import { checkPlace, reaches } from "./check-place.ts";
import { fetchRows, type FetchOptions, type Peer, PeerFailed, PeerForeign } from "./fetch-rows.ts";
import type { Begin } from "./frames.ts";
import { JournalForeign, longerThan, START_EMPTY, standingOf } from "./standing.ts";

export interface CatchUpOptions extends Omit<FetchOptions, "world"> {
  readonly journal: JournalCopy;
  readonly store: Pick<ClusterStore, "epoch" | "follow" | "lastNumber" | "positions">;
  /** The name of this node, which does not ask itself. */
  readonly node: string;
  readonly world: Timers;
  /** The rows written in one transaction. Default: as many as fit a step. */
  readonly stepRows?: number;
  /** Called after each step with the last entry of the own journal, and that of the other node's. */
  readonly onStep?: (seq: number, untilSeq: number, peer: Peer) => void;
  /** Called when no node gives rows, or the store does not answer: it is tried again. Null: it works again. */
  readonly onTrouble?: (why: string | null) => void;
  /** The node is to stop. */
  readonly signal?: AbortSignal;
}

export interface CaughtUp {
  /** Where the log goes on; null: with its first row. */
  readonly place: LogPlace | null;
  readonly rows: number;
  /** The nodes that gave rows, in that order. */
  readonly from: readonly Peer[];
}

const RETRY_PAUSE_MS = 1000;

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
    if (error instanceof PeerFailed) throw error;
    throw new StoreFailed(`the store: ${(error as Error).message}`, { cause: error });
  }
}

class CatchUp {
  readonly #options: CatchUpOptions;
  readonly #from: Peer[] = [];
  #rows = 0;

  constructor(options: CatchUpOptions) {
    this.#options = options;
  }

  async run(): Promise<CaughtUp> {
    const { world, onTrouble, signal } = this.#options;
    for (let isTroubled = false; ; ) {
      signal?.throwIfAborted();
      const trouble = await this.#attempt();
      if (trouble !== null && typeof trouble === "object") return { ...trouble, rows: this.#rows, from: this.#from };
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
      if (standing !== "behind" && (await answered(reaches(store, standing.place, world)))) return standing;
      return await this.#askPeers();
    } catch (error) {
      if (error instanceof StoreFailed) return error.message;
      throw error;
    }
  }

  /** Takes what is missing from the first node that has it. */
  async #askPeers(): Promise<string | null> {
    const { journal, store, signal } = this.#options;
    const [head, { baseSeq }] = [journal.head(), store.epoch];
    if (head.lastSeq > baseSeq && (await answered(store.lastNumber())) === 0) throw longerThan(head, baseSeq);
    const failures: string[] = [];
    let foreign: string | undefined;
    for (const peer of await this.#peers()) {
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
      throw new JournalForeign(`this node's journal is not the cluster's (${foreign}); ${START_EMPTY}`);
    return failures.length === 0
      ? "no other node has told the store where its journal can be fetched"
      : failures.join("; ");
  }

  /** Returns the other nodes, those that are furthest first. */
  async #peers(): Promise<Peer[]> {
    const { store, node } = this.#options;
    const positions = (await answered(store.positions())).filter((other) => other.node !== node && other.admin !== "");
    return positions
      .sort((a, b) => b.place.number - a.place.number)
      .map((position) => ({ node: position.node, url: position.admin.replace(/\/$/, "") }));
  }

  async #copyFrom(peer: Peer): Promise<void> {
    const { journal, world, stepRows = STEP_ROWS } = this.#options;
    const [start, placeBefore] = [journal.head(), journal.place()];
    let begin: Begin | undefined;
    let step: Batch[] = [];
    let bytes = 0;
    for await (const frame of fetchRows(peer, start, { ...this.#options, world })) {
      if (frame.kind === "begin") {
        begin = frame.begin;
        await this.#checkBegin(begin, start);
      } else if (frame.kind === "row") {
        step.push(frame.row);
        bytes += frame.row.bytes.length;
        if (bytes < STEP_BYTES && step.length < stepRows) continue;
      }
      this.#write(step, begin, peer);
      step = [];
      bytes = 0;
    }
    if (begin === undefined || journal.head().chainHash !== begin.head.chainHash) {
      throw new PeerFailed("its rows do not end where it said");
    }
    const place = await this.#takePlace(begin);
    if (journal.head().lastSeq === start.lastSeq && place?.number === placeBefore?.number) {
      throw new PeerFailed("it has no rows that this node has not, and the log does not go on from them");
    }
  }

  /** Throws unless the other node is in this epoch, and not behind this one. */
  async #checkBegin({ head, place }: Begin, own: JournalHead): Promise<void> {
    const { journal, store } = this.#options;
    const { epoch, baseSeq, baseChainHash } = store.epoch;
    const isAtBase = head.lastSeq === baseSeq && head.chainHash === baseChainHash;
    if (!isAtBase && (place?.epoch !== epoch || place.seq !== head.lastSeq)) {
      throw new PeerFailed("its journal is at no place of this cluster's log");
    }
    if (head.lastSeq >= own.lastSeq) return;
    if (journal.headAt(head.lastSeq)?.chainHash !== head.chainHash) {
      throw new PeerForeign(`after entry ${head.lastSeq} it has another chain`);
    }
    const number = place?.epoch === epoch ? place.number : 0;
    if ((await answered(store.lastNumber())) === number) throw longerThan(own, head.lastSeq);
    throw new PeerFailed(`its journal ends with entry ${head.lastSeq}, and this node's with entry ${own.lastSeq}`);
  }

  #write(rows: readonly Batch[], begin: Begin | undefined, peer: Peer): void {
    const { journal, store, onStep } = this.#options;
    if (rows.length === 0 || begin === undefined) return;
    const { baseSeq, baseChainHash } = store.epoch;
    const base = rows.find((row) => headAfter(row).lastSeq >= baseSeq && row.firstSeq <= baseSeq);
    if (base !== undefined && base.chainHash !== baseChainHash) {
      throw new PeerFailed(`its journal is not the one that the cluster was begun from`);
    }
    try {
      journal.copy(rows);
    } catch (error) {
      if (!(error instanceof JournalDamaged)) throw error;
      throw new PeerFailed(`what it sends cannot be trusted: ${error.message}`, { cause: error });
    }
    this.#rows += rows.length;
    if (this.#from.at(-1) !== peer) this.#from.push(peer);
    onStep?.(journal.head().lastSeq, begin.head.lastSeq, peer);
  }

  /** Keeps the place of the last row, once the log confirms it. Returns null when the log goes on with its first row. */
  async #takePlace({ place }: Begin): Promise<JournalPlace | null> {
    const { journal, store, world } = this.#options;
    if (place?.epoch !== store.epoch.epoch) return null;
    const [row] = journal.read(place.seq);
    if (row === undefined) throw new PeerFailed("it tells a place of no row");
    await answered(checkPlace(store, place, row, world));
    journal.copy([], place);
    return place;
  }
}
