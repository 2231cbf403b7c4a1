/**
 * Compact records of responses and messages: files of fixed-size records with a 64-bit digest of each text, so that
 * tens of millions use little memory and disk.
 */
import { hash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";

const PAGE_BYTES = 1 << 16;
export const ANSWER_BYTES = 16;
export const DIGEST_BYTES = 8;

/** The first 64 bits of SHA-1. */
export function digestOf(text: string): Buffer {
  return hash("sha1", text, "buffer").subarray(0, DIGEST_BYTES);
}

/** Appends records of one size. */
class RecordWriter {
  readonly #file: number;
  readonly #page = Buffer.alloc(PAGE_BYTES);
  #used = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  /** Reserves the bytes of one more record, which the caller fills at once. */
  protected room(bytes: number): Buffer {
    if (this.#used + bytes > PAGE_BYTES) this.flush();
    const at = this.#used;
    this.#used += bytes;
    return this.#page.subarray(at, this.#used);
  }

  flush(): void {
    writeSync(this.#file, this.#page, 0, this.#used);
    this.#used = 0;
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}

/** `id` (4 bytes), status (2), the index of the kind (1), unused (1), digest of status and body (8). */
export class AnswerWriter extends RecordWriter {
  write(id: number, kind: number, status: number, body: string): void {
    const room = this.room(ANSWER_BYTES);
    room.writeUInt32LE(id, 0);
    room.writeUInt16LE(status, 4);
    room.writeUInt8(kind, 6);
    room.writeUInt8(0, 7);
    digestOf(`${status} ${body}`).copy(room, 8);
  }
}

export class DigestWriter extends RecordWriter {
  write(text: string): void {
    digestOf(text).copy(this.room(DIGEST_BYTES));
  }
}

/** Responses by request ID; 0 in `statuses` if there is none. Uses about 16 bytes of memory per request. */
export interface Answers {
  readonly statuses: Uint16Array;
  readonly kinds: Uint8Array;
  /** Two words per digest. */
  readonly digests: Uint32Array;
  /** IDs of further responses to a request that has one, or of responses to requests that were not sent. */
  readonly surplus: readonly number[];
}

/** IDs go from 1 to `sent`. */
export function readAnswers(path: string, sent: number): Answers {
  const statuses = new Uint16Array(sent + 1);
  const kinds = new Uint8Array(sent + 1);
  const digests = new Uint32Array(2 * (sent + 1));
  const surplus: number[] = [];
  for (const page of pages(path)) {
    for (let at = 0; at < page.length; at += ANSWER_BYTES) {
      const id = page.readUInt32LE(at);
      if (id === 0 || id > sent || statuses[id] !== 0) {
        surplus.push(id);
        continue;
      }
      statuses[id] = page.readUInt16LE(at + 4);
      kinds[id] = page.readUInt8(at + 6);
      digests[2 * id] = page.readUInt32LE(at + 8);
      digests[2 * id + 1] = page.readUInt32LE(at + 12);
    }
  }
  return { statuses, kinds, digests, surplus };
}

function* pages(path: string): Generator<Buffer> {
  const file = openSync(path, "r");
  try {
    const page = Buffer.alloc(PAGE_BYTES);
    for (;;) {
      const bytes = readSync(file, page, 0, PAGE_BYTES, null);
      if (bytes === 0) return;
      yield page.subarray(0, bytes - (bytes % ANSWER_BYTES));
    }
  } finally {
    closeSync(file);
  }
}

/** Reads digests in the order in which the messages arrived, and compares them one by one. */
export class DigestReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(path: string) {
    this.#bytes = readFileSync(path);
  }

  get length(): number {
    return this.#bytes.length / DIGEST_BYTES;
  }

  get read(): number {
    return this.#at / DIGEST_BYTES;
  }

  /** Whether the next digest is that of `text`. */
  matches(text: string): boolean {
    const expected = digestOf(text);
    const isSame = this.#bytes.subarray(this.#at, this.#at + DIGEST_BYTES).equals(expected);
    this.#at += DIGEST_BYTES;
    return isSame;
  }
}
