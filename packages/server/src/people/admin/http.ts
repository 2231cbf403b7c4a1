/** HTTP of the admin port: Host and Origin checks, request bodies, and responses. */
import { hostName, isLoopbackName } from "../../platform/transport/http.ts";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { acceptsGzip } from "../../api/edge/http/headers.ts";
import { type Answer, badRequest, BYTES_TYPE, namedFile, Rejection } from "../http/answer.ts";
import type { Timers } from "../../platform/world/port.ts";
import type { WebFile } from "../../api/web/file.ts";

// Accepts only known host names. Otherwise a web page could make a browser send requests to this port under the page's
// host name (DNS rebinding), and read the answers.

export class OwnHosts {
  readonly #others: ReadonlySet<string>;

  /** `others`: host names and addresses allowed in addition to loopback, without a port. */
  constructor(others: readonly string[]) {
    this.#others = new Set(others.map((host) => host.toLowerCase()));
  }

  /** `host` is the Host header. Browsers always send it; HTTP/1.0 probes may omit it. */
  has(host: string | undefined): boolean {
    if (host === undefined) return true;
    const name = hostName(host);
    return name !== undefined && (isLoopbackName(name) || this.#others.has(name));
  }
}

// Browsers send the relation of a request's origin in `Sec-Fetch-Site`, and the origin in `Origin` if the request is a
// write or cross-origin. Other programs send neither. Pages of all other origins are rejected, including pages on
// another port of this host, such as the terminal (`same-site`).

/** Values of Sec-Fetch-Site for a page of this port, and for an address that the user typed. */
const OWN_RELATIONS: ReadonlySet<unknown> = new Set([undefined, "same-origin", "none"]);

/** Whether the request comes from a page of this port or from a program that is not a browser. */
export function isFromOwnPage({ origin, host, "sec-fetch-site": relation }: IncomingHttpHeaders): boolean {
  return OWN_RELATIONS.has(relation) && (origin === undefined || isOrigin(origin, host));
}

/**
 * Whether the request is a browser navigation, for example a click on a link of another page. Navigations are safe: the
 * other page cannot read the response, and frames are forbidden.
 */
export function isVisit({ origin, "sec-fetch-mode": mode, "sec-fetch-dest": target }: IncomingHttpHeaders): boolean {
  return mode === "navigate" && target === "document" && origin === undefined;
}

/** Whether the origin's host and port equal the Host header. */
function isOrigin(origin: string, host = ""): boolean {
  const [, named] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  return named !== undefined && named.toLowerCase() === host.toLowerCase();
}

const MAX_BODY_BYTES = 256 * 1024;

/** Returns the parsed body; undefined if it is empty. Throws `Rejection`: 413 if it is too long, 400 if it is not JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request, MAX_BODY_BYTES);
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw badRequest(`The request body is not valid JSON: ${(error as Error).message}`);
  }
}

/** Returns the raw body. Throws `Rejection` 413 if it is longer than `maxBytes`. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new Rejection(413, "TOO_LARGE", `The request body is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A connection is closed if its client reads nothing for this long. */
const STALLED_READER_MS = 30_000;

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
export const JSON_TYPE = "application/json;charset=UTF-8";

/**
 * Headers of every response: browsers must not guess the content type, and pages of other origins must not embed it.
 */
const SAFE = [
  ...["X-Content-Type-Options", "nosniff", "X-Frame-Options", "DENY"],
  ...["Cross-Origin-Resource-Policy", "same-origin"],
] as const;
/** Additional headers of API responses: not cached, and no referrer. */
const SAFE_ANSWER = [...SAFE, "Referrer-Policy", "no-referrer", "Cache-Control", "no-store"] as const;

const KEPT: Readonly<Record<WebFile["keeping"], string>> = {
  "until changed": "no-cache",
  "for good": "public, max-age=31536000, immutable",
  "not at all": "no-store",
};

/** Compressed files, each compressed once. */
const compressed = new WeakMap<WebFile, Buffer>();

function compressedBytes(file: WebFile): Buffer {
  const bytes = compressed.get(file) ?? gzipSync(file.bytes);
  compressed.set(file, bytes);
  return bytes;
}

/** Compresses text if the Accept-Encoding header accepts gzip. */
export function sendFile(response: ServerResponse, file: WebFile, acceptEncoding: string | string[] | undefined): void {
  const { status, contentType, headers, keeping } = file;
  const isCompressed = contentType.startsWith("text/") && acceptsGzip(acceptEncoding);
  const bytes = isCompressed ? compressedBytes(file) : file.bytes;
  const encoding = isCompressed ? ["Content-Encoding", "gzip"] : [];
  const own = ["Content-Type", contentType, "Content-Length", String(bytes.length), "Cache-Control", KEPT[keeping]];
  response.writeHead(status, [...SAFE, ...headers, ...own, ...encoding, "Vary", "Accept-Encoding"]);
  response.end(bytes);
}

export function sendJson(response: ServerResponse, { status, body, headers }: Answer): void {
  send(response, status, JSON_TYPE, `${JSON.stringify(body)}\n`, headers);
}

export function send(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: Answer["headers"] = [],
): void {
  const own = ["Content-Type", type, "Content-Length", String(Buffer.byteLength(text))];
  response.writeHead(status, [...own, ...SAFE_ANSWER, ...headers]);
  response.end(text);
}

/**
 * Sends a stream as fast as the client reads it, one chunk per turn of the event loop. Stops if the client disconnects
 * or stalls. Throws the stream's error; the caller must then destroy the connection, so that the client notices that
 * the response is incomplete.
 */
export async function sendStream(
  response: ServerResponse,
  {
    stream,
    type = BYTES_TYPE,
    fileName,
    headers = [],
  }: Pick<Answer, "type" | "fileName" | "headers"> & Required<Pick<Answer, "stream">>,
  timers: Pick<Timers, "after" | "soon">,
): Promise<void> {
  const source = stream[Symbol.asyncIterator]();
  const asFile = fileName === undefined ? [] : namedFile(fileName);
  try {
    response.writeHead(200, ["Content-Type", type, ...asFile, ...SAFE_ANSWER, ...headers]);
    for (;;) {
      const piece = await source.next();
      if (piece.done === true) break;
      if (response.destroyed || (!response.write(piece.value) && !(await isTaken(response, timers)))) {
        response.destroy();
        return;
      }
      await new Promise<void>((resolve) => timers.soon(resolve));
    }
    response.end();
  } finally {
    await source.return?.();
  }
}

/** Resolves to true when the client has read the written data, or to false if it disconnects or stalls. */
function isTaken(response: ServerResponse, timers: Pick<Timers, "after">): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isRead: boolean): void => {
      cancel();
      response.off("drain", onDrain).off("close", onClose);
      resolve(isRead);
    };
    const [onDrain, onClose] = [(): void => end(true), (): void => end(false)];
    const cancel = timers.after(STALLED_READER_MS, onClose);
    response.once("drain", onDrain).once("close", onClose);
  });
}
