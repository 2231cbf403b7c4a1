/**
 * The encoding of journal batches sent to another node. A stream consists of a magic number and frames: the source's
 * head, its batches, and an end frame, without which the stream is incomplete. A frame is a length (4 bytes,
 * big-endian), a kind (1 byte) and the content. Batches contain their chain hash, so they need no checksum.
 */
import type { Batch, JournalHead, JournalPlace } from "../../journal/port.ts";

/** The source's head when the stream began. The batches up to this head follow. */
export interface Begin {
  readonly head: JournalHead;
  /** The position of the source's last batch in a shared log; null if no batch came from one. */
  readonly place: JournalPlace | null;
  /** Whether the source makes no payments on networks because its journal was restored. */
  readonly arePaymentsHeld: boolean;
}

export type Frame =
  | { readonly kind: "begin"; readonly begin: Begin }
  | { readonly kind: "row"; readonly row: Batch }
  | { readonly kind: "end" };

/** The stream is invalid or ends too early. */
export class StreamBroken extends Error {
  override readonly name = "StreamBroken";
}

const MAGIC = Buffer.from("PTROWS\n\u0001", "latin1");
/** Maximum size of a frame: far more than a batch may contain. */
export const MAX_FRAME_BYTES = 16 << 20;
const KINDS = { begin: 1, row: 2, end: 3 } as const;
/** Size of a frame's length and kind in bytes. */
const HEAD_BYTES = 5;
const HASH_BYTES = 32;
const SAYS_NOTHING = "it does not say what it has";
/**
 * Size of the fixed part of a batch in bytes: first seq, count and time (8 each), the chain hash, and the lengths of
 * two texts.
 */
const ROW_BYTES = 3 * 8 + HASH_BYTES + 2 * 2;

export function beginFrame(begin: Begin): Buffer {
  return Buffer.concat([MAGIC, frameOf(KINDS.begin, Buffer.from(JSON.stringify(begin)))]);
}

export function rowFrame({ firstSeq, count, timeMs, node, bytes, priorEventDigest, chainHash }: Batch): Buffer {
  const texts = [Buffer.from(node), Buffer.from(priorEventDigest)] as const;
  const fixed = Buffer.alloc(ROW_BYTES);
  for (const [at, number] of [firstSeq, count, timeMs].entries()) fixed.writeBigUInt64BE(BigInt(number), 8 * at);
  fixed.write(chainHash, 24, "hex");
  for (const [at, text] of texts.entries()) fixed.writeUInt16BE(text.length, 56 + 2 * at);
  return frameOf(KINDS.row, fixed, ...texts, bytes);
}

export function endFrame(): Buffer {
  return frameOf(KINDS.end);
}

function frameOf(kind: number, ...content: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(1 + content.reduce((bytes, part) => bytes + part.length, 0));
  head.writeUInt8(kind, 4);
  return Buffer.concat([head, ...content]);
}

/**
 * Yields the frames of a stream up to its end. The stream is closed when the iteration ends. Throws `StreamBroken`;
 * errors of the stream itself are passed on.
 */
export async function* readFrames(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const pieces = new Pieces(stream);
  try {
    if (!(await pieces.take(MAGIC.length)).equals(MAGIC)) throw new StreamBroken("it sends no rows of a journal");
    for (let isOver = false; !isOver; ) {
      const head = await pieces.take(HEAD_BYTES);
      const length = head.readUInt32BE();
      if (length < 1 || length > MAX_FRAME_BYTES) throw new StreamBroken(`it sends a frame of ${length} bytes`);
      const frame = frameFrom(head.readUInt8(4), await pieces.take(length - 1));
      isOver = frame.kind === "end";
      yield frame;
    }
  } finally {
    await pieces.close();
  }
}

/** Collects bytes that arrive in chunks of any size. */
class Pieces {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#source = stream[Symbol.asyncIterator]();
  }

  /** Resolves to the next `count` bytes. Throws `StreamBroken` if the stream ends before. */
  async take(count: number): Promise<Buffer> {
    while (this.#heldBytes < count) {
      const next = await this.#source.next();
      if (next.done === true) throw new StreamBroken("it ended before its end");
      this.#held.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
      this.#heldBytes += next.value.byteLength;
    }
    const all = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    this.#held = [all.subarray(count)];
    this.#heldBytes = all.length - count;
    return all.subarray(0, count);
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

function frameFrom(kind: number, content: Buffer): Frame {
  if (kind === KINDS.begin) return { kind: "begin", begin: beginFrom(content) };
  if (kind === KINDS.row) return { kind: "row", row: rowFrom(content) };
  if (kind === KINDS.end) return { kind: "end" };
  throw new StreamBroken(`it sends frames of kind ${kind}, which this release does not know`);
}

function beginFrom(content: Buffer): Begin {
  let begin: Partial<Begin> | null;
  try {
    begin = JSON.parse(content.toString()) as Partial<Begin> | null;
  } catch (error) {
    throw new StreamBroken(SAYS_NOTHING, { cause: error });
  }
  // Nodes of release 0.2.0 do not send `arePaymentsHeld`.
  const { head, place, arePaymentsHeld = false } = begin ?? {};
  const isWhole = isHead(head) && (place === null || isPlace(place)) && typeof arePaymentsHeld === "boolean";
  if (!isWhole) throw new StreamBroken(SAYS_NOTHING);
  return { head, place, arePaymentsHeld };
}

function isHead(head: JournalHead | undefined): head is JournalHead {
  return [head?.lastSeq, head?.lastTimeMs].every(isCount) && typeof head?.chainHash === "string";
}

function isPlace(place: JournalPlace | undefined): place is JournalPlace {
  return [place?.number, place?.revision, place?.seq].every(isCount) && typeof place?.epoch === "string";
}

const isCount = (value: number | undefined): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

function rowFrom(content: Buffer): Batch {
  if (content.length < ROW_BYTES) throw new StreamBroken("it sends a row that is cut off");
  const [nodeEnd, digestEnd] = textEnds(content);
  if (digestEnd > content.length) throw new StreamBroken("it sends a row that is cut off");
  const number = (at: number): number => Number(content.readBigUInt64BE(8 * at));
  return {
    firstSeq: number(0),
    count: number(1),
    timeMs: number(2),
    chainHash: content.toString("hex", 24, 24 + HASH_BYTES),
    node: content.toString("utf8", ROW_BYTES, nodeEnd),
    priorEventDigest: content.toString("utf8", nodeEnd, digestEnd),
    bytes: content.subarray(digestEnd),
  };
}

function textEnds(content: Buffer): [nodeEnd: number, digestEnd: number] {
  const nodeEnd = ROW_BYTES + content.readUInt16BE(56);
  return [nodeEnd, nodeEnd + content.readUInt16BE(58)];
}
