/** Sends the batches of this node's journal and its newest snapshot to other nodes. */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { Worker } from "node:worker_threads";
import { SnapshotFolder } from "../../journal/replica/snapshots.ts";
import type { DataPaths } from "../../journal/storage/data-folder.ts";
import { type JournalSource, OtherJournal, type SnapshotBytes, TooManyStreams } from "./port.ts";

export interface RowsRequest {
  /** The path of the journal. */
  readonly path: string;
  readonly after: number;
  readonly chainHash: string;
  readonly arePaymentsHeld: boolean;
}

export type RowsMessage =
  | { readonly type: "open" | "other" | "end" }
  | { readonly type: "piece"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: "failed"; readonly message: string };

/**
 * Maximum number of concurrent streams. Each has a thread and a connection. Nodes that are rejected retry, or ask
 * another node.
 */
const MAX_STREAMS = 2;

/** The id of a thread that has exited. */
const GONE = -1;
const ENDED = "the thread that reads the journal has ended";

export class FolderSource implements JournalSource {
  readonly #paths: DataPaths;
  readonly #arePaymentsHeld: () => boolean;
  readonly #threads = new Set<Worker>();

  /** `arePaymentsHeld` returns whether this node makes no payments on networks because its folder was restored. */
  constructor(paths: DataPaths, arePaymentsHeld: () => boolean) {
    this.#paths = paths;
    this.#arePaymentsHeld = arePaymentsHeld;
  }

  async rows(after: number, chainHash: string): Promise<AsyncIterable<Uint8Array>> {
    if (this.#threads.size >= MAX_STREAMS) throw new TooManyStreams(`${MAX_STREAMS} nodes are being served`);
    const arePaymentsHeld = this.#arePaymentsHeld();
    const workerData: RowsRequest = { path: this.#paths.journal, after, chainHash, arePaymentsHeld };
    const thread = new Worker(new URL("./rows-worker.ts", import.meta.url), { name: "rows", workerData });
    this.#threads.add(thread);
    thread.once("exit", () => this.#threads.delete(thread));
    // Callers that wait for a message already receive the error.
    thread.on("error", () => {});
    const opened = await messageOf(thread);
    if (opened.type === "open") return pieces(thread);
    await thread.terminate();
    throw new OtherJournal(`after entry ${after} this node's journal has another chain`);
  }

  async snapshot(beyond: number): Promise<SnapshotBytes | undefined> {
    const [newest] = new SnapshotFolder(this.#paths.snapshots).list();
    if (newest === undefined || newest.seq <= beyond) return undefined;
    // The node may be overwriting the file; the reader then detects this by the checksum.
    return { seq: newest.seq, bytes: createReadStream(newest.path) };
  }

  /** Ends all streams. Must be called before the journal is closed. */
  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }
}

/** Not a generator, because ending the iteration before its first step must also end the thread. */
function pieces(thread: Worker): AsyncIterable<Uint8Array> {
  const over = async (): Promise<IteratorResult<Uint8Array>> => {
    await thread.terminate();
    return { done: true, value: undefined };
  };
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const answer = messageOf(thread);
    thread.postMessage("next");
    const message = await answer;
    return message.type === "piece" ? { done: false, value: message.bytes } : over();
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: over }) };
}

/** Resolves to the thread's next message. Rejects if the thread fails or exits. */
async function messageOf(thread: Worker): Promise<RowsMessage> {
  if (thread.threadId === GONE) throw new Error(ENDED);
  const ended = new AbortController();
  const { signal } = ended;
  try {
    const exit = once(thread, "exit", { signal }).then(() => {
      throw new Error(ENDED);
    });
    const [message] = (await Promise.race([once(thread, "message", { signal }), exit])) as [RowsMessage];
    if (message.type === "failed") throw new Error(message.message);
    return message;
  } finally {
    ended.abort();
  }
}
