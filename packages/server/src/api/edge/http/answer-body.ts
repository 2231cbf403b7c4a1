/** The body of a response as it is sent: plain, compressed, streamed, or with a fault injected by a lab. */
import { gzipText, type LongBody, type Packer } from "../../answers/long-text.ts";
import type { HeaderList } from "../rate-limits.ts";
import type { ResponseLine, GatewayResponse, RequestHeaders } from "../request.ts";
import { acceptsGzip } from "./headers.ts";

// Encodes the body of a response: plain, compressed, or empty if the client has the current version. Long responses are
// compressed once, and all clients share the bytes.

export interface EncodedBody {
  readonly status: number;
  /** Headers to send in addition to those of the response. */
  readonly headers: HeaderList;
  readonly body: string | readonly Buffer[];
  readonly bodyBytes: number;
}

export interface Encoding {
  readonly packer: Packer;
  readonly gzipFromBytes: number;
  /** Tracks compressions on the thread pool, so that a lab's clock waits for them. */
  readonly during?: (<T>(work: Promise<T>) => Promise<T>) | undefined;
}

/** The status if the client has the current version. */
export const NOT_MODIFIED = 304;
const PACKED: readonly string[] = ["Content-Encoding", "gzip", "Vary", "Accept-Encoding"];

/** Returns the body immediately, or a promise if it is compressed on Node's thread pool. The promise never rejects. */
export function encodeBody(
  answer: GatewayResponse,
  asked: RequestHeaders,
  { packer, gzipFromBytes, during = (work) => work }: Encoding,
): EncodedBody | Promise<EncodedBody> {
  const { status, body } = answer;
  const etag = typeof body === "string" ? undefined : body.text.etag;
  const headers: HeaderList = etag === undefined ? [] : ["ETag", etag];
  if (etag !== undefined && hasIt(asked["if-none-match"], etag)) {
    return { status: NOT_MODIFIED, headers: [...headers, "Vary", "Accept-Encoding"], body: "", bodyBytes: 0 };
  }
  const length = typeof body === "string" ? body.length : body.head.length + body.text.length;
  const plain = (): EncodedBody => {
    // Without Vary, a cache could serve this body to clients that accept compression.
    const vary = etag === undefined ? [] : ["Vary", "Accept-Encoding"];
    return { status, headers: [...headers, ...vary], ...plainBody(body) };
  };
  if (length < gzipFromBytes || !acceptsGzip(asked["accept-encoding"])) return plain();
  return during(packedBody(body, packer)).then((packed) => {
    if (packed === null) return plain();
    return { status, headers: [...headers, ...PACKED], body: packed, bodyBytes: bytesIn(packed) };
  });
}

function plainBody(body: string | LongBody): Pick<EncodedBody, "body" | "bodyBytes"> {
  if (typeof body === "string") return { body, bodyBytes: Buffer.byteLength(body) };
  const { head, text } = body;
  const parts = head === "" ? text.pieces : [Buffer.from(head), ...text.pieces];
  return { body: parts, bodyBytes: head.length + text.length };
}

async function packedBody(body: string | LongBody, packer: Packer): Promise<readonly Buffer[] | null> {
  if (typeof body !== "string") return body.text.packed(packer, body.head);
  const packed = await packer.run(() => gzipText(body));
  return packed && [packed];
}

function bytesIn(parts: readonly Buffer[]): number {
  let bytes = 0;
  for (const part of parts) bytes += part.length;
  return bytes;
}

/** Whether If-None-Match contains the ETag, by the weak comparison that GET requires. RFC 9110, 13.1.2. */
function hasIt(sent: string | string[] | undefined, etag: string): boolean {
  if (typeof sent !== "string") return false;
  if (sent.trim() === "*") return true;
  const bare = etag.replace(/^W\//, "");
  return sent.split(",").some((one) => one.trim().replace(/^W\//, "") === bare);
}

// A response of unknown length, written as it is generated and no faster than the client reads.

/** The connection to the client. */
export interface StreamEnds {
  readonly isOpen: () => boolean;
  /** False if the client has not read everything written so far. */
  readonly write: (bytes: Uint8Array) => boolean;
  /** Resolves when the client has read everything or has disconnected. */
  readonly drained: () => Promise<void>;
  readonly finish: () => void;
  /** Resets the connection, so that the client notices the truncated response. */
  readonly breakOff: () => void;
}

/** Never rejects: the producer of the pieces reports its own errors. */
export async function writeStream(pieces: AsyncIterable<Uint8Array>, ends: StreamEnds): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (!ends.isOpen()) break;
      if (piece.length > 0 && !ends.write(piece)) await ends.drained();
    }
  } catch {
    ends.breakOff();
    return;
  }
  ends.finish();
}

/** Releases the resources of a stream that will not be sent. */
export function discardStream(pieces: AsyncIterable<Uint8Array> | undefined): void {
  void pieces?.[Symbol.asyncIterator]().return?.();
}

interface Emitter {
  once(event: "drain" | "close", listener: () => void): unknown;
  off(event: "drain" | "close", listener: () => void): unknown;
}

export function drainedOrClosed(socket: Emitter): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off("drain", done);
      socket.off("close", done);
      resolve();
    };
    socket.once("drain", done);
    socket.once("close", done);
  });
}

// An HTTP response into which a lab injects a fault.

/** The operations that differ between the two HTTP implementations. */
export interface LineEnds {
  readonly isOpen: () => boolean;
  sendHead(): void;
  write(bytes: Buffer): void;
  /** The response is complete, and the connection can receive the next request. */
  finish(): void;
  /** Sends nothing more. The request counts as answered. */
  giveUp(): void;
  /** Closes the connection once everything written has been sent. */
  destroySoon(): void;
  resetAndDestroy(): void;
}

export class FaultyResponse implements ResponseLine {
  readonly body: Buffer;
  readonly #ends: LineEnds;
  #isOver = false;

  constructor({ body }: EncodedBody, ends: LineEnds) {
    this.body = typeof body === "string" ? Buffer.from(body) : Buffer.concat(body);
    this.#ends = ends;
  }

  get isOpen(): boolean {
    return this.#ends.isOpen();
  }

  sendHead(): void {
    if (!this.#isOver) this.#ends.sendHead();
  }

  write(bytes: Buffer): void {
    if (!this.#isOver) this.#ends.write(bytes);
  }

  done(): void {
    if (this.#closes()) this.#ends.finish();
  }

  end(): void {
    if (!this.#closes()) return;
    this.#ends.giveUp();
    this.#ends.destroySoon();
  }

  reset(): void {
    if (!this.#closes()) return;
    this.#ends.giveUp();
    this.#ends.resetAndDestroy();
  }

  abandon(): void {
    if (this.#closes()) this.#ends.giveUp();
  }

  /** Marks the response as ended. Returns false if it already was. */
  #closes(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    return true;
  }
}
