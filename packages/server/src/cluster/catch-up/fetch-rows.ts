/** Fetches batches of another node's journal and its newest snapshot, and writes them to this node's data folder. */
import {
  type Batch,
  type JournalCopy,
  JournalDamaged,
  type JournalHead,
  type JournalRows,
} from "../../journal/port.ts";
import type { Timers } from "../../platform/world/port.ts";
import { type Begin, type Frame, readFrames, StreamBroken } from "./frames.ts";
import { STEP_BYTES, STEP_ROWS } from "../../journal/backup/copy.ts";
import type { NodePosition } from "../port.ts";
import { SnapshotDamaged, type SnapshotFolder, snapshotFrom } from "../../journal/replica/snapshots.ts";

/** Another node from which to fetch the journal. */
export interface Peer {
  readonly node: string;
  /** The base URL of the node's admin port, without a trailing slash. */
  readonly url: string;
}

/** The other node sends nothing, or invalid data. The message contains the reason in a few words. */
export class PeerFailed extends Error {
  override readonly name = "PeerFailed";
}

/** The other node's journal differs from ours: it has a different chain hash after our last entry. */
export class PeerForeign extends Error {
  override readonly name = "PeerForeign";
}

export interface FetchOptions {
  /** The token with which nodes authenticate to each other. */
  readonly token: string;
  readonly world: Pick<Timers, "after">;
  /** The transfer is aborted if the other node sends nothing for this long. Default: `STALLED_PEER_MS`. */
  readonly stalledMs?: number;
  readonly fetch?: typeof fetch;
}

const STALLED_PEER_MS = 10_000;
/** A snapshot with a million open orders has 60 MB. */
const MAX_SNAPSHOT_BYTES = 4 * 2 ** 30;

/** Yields the frames of the batches after `head`. Throws `PeerFailed`, `PeerForeign`. */
export async function* fetchRows({ url }: Peer, head: JournalHead, options: FetchOptions): AsyncGenerator<Frame> {
  const path = `/v1/journal/rows?after=${head.lastSeq}&chainHash=${head.chainHash}`;
  try {
    yield* readFrames(bytesOf(url + path, options));
  } catch (error) {
    if (error instanceof StreamBroken) throw new PeerFailed(error.message, { cause: error });
    throw error;
  }
}

/**
 * Resolves to the newest snapshot file if it includes entries after `beyond`, otherwise to undefined. Throws
 * `PeerFailed`.
 */
async function fetchSnapshot({ url }: Peer, beyond: number, options: FetchOptions): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of bytesOf(`${url}/v1/journal/snapshot?beyond=${beyond}`, options)) {
      bytes += piece.length;
      if (bytes > MAX_SNAPSHOT_BYTES) throw new PeerFailed(`its snapshot has more than ${MAX_SNAPSHOT_BYTES} bytes`);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof NothingThere) return undefined;
    throw error;
  }
  return Buffer.concat(pieces);
}

class NothingThere extends Error {}

/** Yields the bytes of a response. Each piece must arrive in time. Ending the iteration closes the connection. */
async function* bytesOf(url: string, options: FetchOptions): AsyncGenerator<Uint8Array> {
  const { token, world, stalledMs = STALLED_PEER_MS, fetch: ask = fetch } = options;
  const stalled = new PeerFailed(`it has sent nothing for ${stalledMs} ms`);
  const end = new AbortController();
  let cancel = world.after(stalledMs, () => end.abort(stalled));
  try {
    const headers = { authorization: `Bearer ${token}` };
    const response = await ask(url, { headers, signal: end.signal, redirect: "error" });
    if (!response.ok) throw await refusalOf(response);
    for await (const piece of response.body ?? []) {
      cancel();
      yield piece as Uint8Array;
      cancel = world.after(stalledMs, () => end.abort(stalled));
    }
  } catch (error) {
    throw failureOf(error);
  } finally {
    cancel();
    end.abort(stalled);
  }
}

/** Returns our own errors unchanged, and converts all others to `PeerFailed`. */
function failureOf(error: unknown): Error {
  if ([PeerFailed, PeerForeign, NothingThere].some((kind) => error instanceof kind)) return error as Error;
  const { cause, message } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return new PeerFailed(`it does not answer (${code ?? message})`, { cause: error });
}

async function refusalOf(response: Response): Promise<Error> {
  const { error, message } = (await response.json().catch(() => ({}))) as { error?: string; message?: string };
  if (response.status === 409 && error === "OTHER_JOURNAL") return new PeerForeign(message ?? "");
  if (response.status === 404 && error === "NO_SNAPSHOT") return new NothingThere();
  if (response.status === 401) return new PeerFailed("it refuses the token: all nodes need the same");
  return new PeerFailed(`it answered ${response.status}${message === undefined ? "" : `: ${message}`}`);
}

export interface TakeRowsOptions extends FetchOptions {
  readonly journal: JournalCopy;
  /** Checks the head of the other node's journal. An error ends the transfer before any batch is written. */
  readonly onBegin?: (begin: Begin, own: JournalHead) => void | Promise<void>;
  /** Checks batches before they are written. */
  readonly onRows?: (rows: readonly Batch[]) => void;
  /** Called after each step with the last entry of this node's journal and that of the other node's. */
  readonly onStep?: ((seq: number, untilSeq: number, peer: Peer) => void) | undefined;
  /** Number of batches per transaction. Default: as many as fit a step. */
  readonly stepRows?: number | undefined;
}

/**
 * Copies the missing batches. Resolves to the other node's head once this node's journal has all of its batches.
 * Rejects with `PeerFailed`, after which complete steps have been written, and with `PeerForeign` and disk errors.
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

/** Checks that another journal that is shorter than ours is the beginning of ours. */
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

/**
 * The nodes, except `own`, that have published an address from which to fetch their journal, starting with the most
 * advanced.
 */
export function peersOf(positions: readonly NodePosition[], own: string): Peer[] {
  return positions
    .filter(({ node, admin }) => node !== own && admin !== "")
    .sort((a, b) => b.place.number - a.place.number)
    .map(({ node, admin }) => ({ node, url: admin.replace(/\/$/, "") }));
}

export interface TakeSnapshotOptions extends FetchOptions {
  readonly journal: Pick<JournalRows, "headAt">;
  readonly snapshots: SnapshotFolder;
  /** A snapshot is fetched only if it is newer than this node's newest one by more than this number of entries. */
  readonly leastEntries: number;
}

/**
 * Fetches a snapshot. Resolves to its entry; undefined if no snapshot fits the journal, since a node can start without
 * one. Rejects with `PeerFailed`.
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
