/**
 * Turns an answer into the bytes of its body: plain, compressed, or none if the client has them. Long answers are
 * compressed once for all clients, which share the bytes in memory.
 */
import type { LongBody } from "../../answers/long-text.ts";
import { gzipText, type Packer } from "../../answers/packer.ts";
import type { HeaderList } from "../limits/headers.ts";
import type { GatewayResponse, RequestHeaders } from "../request.ts";
import { acceptsGzip } from "./headers.ts";

export interface EncodedBody {
  readonly status: number;
  /** Headers besides those of the answer. */
  readonly headers: HeaderList;
  readonly body: string | readonly Buffer[];
  readonly bodyBytes: number;
}

export interface Encoding {
  readonly packer: Packer;
  readonly gzipFromBytes: number;
  /** Told of each compression, which goes on in another thread: a lab's moment is not over before it. */
  readonly during?: (<T>(work: Promise<T>) => Promise<T>) | undefined;
}

/** The client has the current version. */
export const NOT_MODIFIED = 304;
const PACKED: readonly string[] = ["Content-Encoding", "gzip", "Vary", "Accept-Encoding"];

/** Calls back at once, or after compression on node's thread pool while other requests are served. Never rejects. */
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
    // A client that learns of compression may ask for it separately the next time.
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

/** If-None-Match with the weak comparison that GET requires. RFC 9110, 13.1.2. */
function hasIt(sent: string | string[] | undefined, etag: string): boolean {
  if (typeof sent !== "string") return false;
  if (sent.trim() === "*") return true;
  const bare = etag.replace(/^W\//, "");
  return sent.split(",").some((one) => one.trim().replace(/^W\//, "") === bare);
}
