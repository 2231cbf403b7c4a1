/** Asks another node for rows of its journal, and for its newest snapshot. */
import type { JournalHead } from "../../journal/port.ts";
import type { Timers } from "../../platform/world/port.ts";
import { type Frame, readFrames, StreamBroken } from "./frames.ts";

/** Another node that has the journal. */
export interface Peer {
  readonly node: string;
  /** The base address of its admin port, without a slash at the end. */
  readonly url: string;
}

/** The other node gives nothing now, or nothing that can be used. The message says why, in a few words. */
export class PeerFailed extends Error {
  override readonly name = "PeerFailed";
}

/** The other node's journal and ours are not the same: its chain is another one after our last entry. */
export class PeerForeign extends Error {
  override readonly name = "PeerForeign";
}

export interface FetchOptions {
  /** What nodes show each other. */
  readonly token: string;
  readonly world: Pick<Timers, "after">;
  /** A node that sends nothing for this long is left. Default: `STALLED_PEER_MS`. */
  readonly stalledMs?: number;
  readonly fetch?: typeof fetch;
}

const STALLED_PEER_MS = 10_000;
/** A million open orders are 60 MB. */
const MAX_SNAPSHOT_BYTES = 4 * 2 ** 30;

/** Yields the frames of the rows after `head`. Throws `PeerFailed`, `PeerForeign`. */
export async function* fetchRows({ url }: Peer, head: JournalHead, options: FetchOptions): AsyncGenerator<Frame> {
  const path = `/v1/journal/rows?after=${head.lastSeq}&chainHash=${head.chainHash}`;
  try {
    yield* readFrames(bytesOf(url + path, options));
  } catch (error) {
    if (error instanceof StreamBroken) throw new PeerFailed(error.message, { cause: error });
    throw error;
  }
}

/** Resolves to the file of a snapshot of more than entry `beyond`, undefined when there is none. Throws `PeerFailed`. */
export async function fetchSnapshot({ url }: Peer, beyond: number, options: FetchOptions): Promise<Buffer | undefined> {
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

/** Yields the bytes of an answer; each piece must come in time. Ending the iteration ends the connection. */
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

/** Tells our own errors from those of the connection. */
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
