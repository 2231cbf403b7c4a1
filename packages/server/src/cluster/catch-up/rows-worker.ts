/** The thread that reads a journal for another node, one piece at a time, so that the reading does not delay orders. */
import assert from "node:assert/strict";
import { parentPort, workerData } from "node:worker_threads";
import type { JournalReader } from "../../journal/port.ts";
import { openReader } from "../../journal/storage/open-journal.ts";
import { beginFrame, endFrame, rowFrame } from "./frames.ts";
import type { RowsMessage, RowsRequest } from "./serve-rows.ts";

/**
 * Minimum size of the pieces into which batches are collected. It limits the bytes that are buffered for a slow reader.
 */
const PIECE_BYTES = 256 << 10;

const port = parentPort;
assert(port !== null, "this is the entry point of a worker thread");
const { path, after, chainHash, arePaymentsHeld } = workerData as RowsRequest;
const journal = openReader(path);
const tell = (message: RowsMessage): void => {
  port.postMessage(message, message.type === "piece" ? [message.bytes.buffer] : []);
};

const there = journal.headAt(after);
const isOther = there === undefined ? journal.head().lastSeq > after : there.chainHash !== chainHash;
const pieces = piecesOf(journal, after);
tell({ type: isOther ? "other" : "open" });

port.on("message", () => {
  try {
    const next = pieces.next();
    if (next.done !== true) return tell({ type: "piece", bytes: next.value });
    tell({ type: "end" });
  } catch (error) {
    tell({ type: "failed", message: (error as Error).message });
  }
});

function* piecesOf(reader: JournalReader, afterSeq: number): Generator<Uint8Array<ArrayBuffer>> {
  // The position is read first. If a batch is written in between, its position is later and is not sent.
  const place = reader.place();
  const head = (place !== null && place.seq >= afterSeq ? reader.headAt(place.seq) : undefined) ?? reader.head();
  let frames: Uint8Array[] = [beginFrame({ head, place, arePaymentsHeld })];
  let bytes = 0;
  for (const row of head.lastSeq > afterSeq ? reader.read(afterSeq + 1) : []) {
    if (row.firstSeq > head.lastSeq) break;
    const frame = rowFrame(row);
    frames.push(frame);
    bytes += frame.length;
    if (bytes < PIECE_BYTES) continue;
    yield joined(frames);
    frames = [];
    bytes = 0;
  }
  yield joined([...frames, endFrame()]);
}

/** Joins the frames in a new buffer, which can be transferred to the other thread. */
function joined(frames: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(frames.reduce((bytes, frame) => bytes + frame.length, 0));
  let at = 0;
  for (const frame of frames) {
    all.set(frame, at);
    at += frame.length;
  }
  return all;
}
