/** HTTP of the admin port: the host and the page that a request names, its body, and how answers are sent. */
import { hostName, isLoopbackName } from "../../platform/transport/http.ts";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type Answer, BYTES_TYPE, namedFile, Rejection } from "../http/answer.ts";
import type { Timers } from "../../platform/world/port.ts";
import type { WebFile } from "../../api/web/file.ts";

// The names under which the admin port may be asked. A web page can make a browser call any port of its own machine
// under the page's name (DNS rebinding), and then read the answer, so only our own names are accepted.

export class OwnHosts {
  readonly #others: ReadonlySet<string>;

  /** `others` are names and addresses besides those of loopback, without a port. */
  constructor(others: readonly string[]) {
    this.#others = new Set(others.map((host) => host.toLowerCase()));
  }

  /** `host` is the Host header. Browsers always send it; an HTTP/1.0 probe may leave it out. */
  has(host: string | undefined): boolean {
    if (host === undefined) return true;
    const name = hostName(host);
    return name !== undefined && (isLoopbackName(name) || this.#others.has(name));
  }
}

// The page that sends a request. A browser names it: in `Origin` when it sends something or reads from elsewhere, in
// `Sec-Fetch-Site` always. Other programs name none. Every other page is foreign, also one of another port of this
// host, which the browser calls `same-site`: the terminal is one.

/** The relations that a browser states: of the page itself, and of an address that somebody typed. */
const OWN_RELATIONS: ReadonlySet<unknown> = new Set([undefined, "same-origin", "none"]);

/** Whether the request comes from a page of this port, or from no page. */
export function isFromOwnPage({ origin, host, "sec-fetch-site": relation }: IncomingHttpHeaders): boolean {
  return OWN_RELATIONS.has(relation) && (origin === undefined || isOrigin(origin, host));
}

/**
 * Whether a browser goes to this address and shows what it gets, following a link of whatever page. That page can read
 * nothing of it, and frames are forbidden.
 */
export function isVisit({ origin, "sec-fetch-mode": mode, "sec-fetch-dest": target }: IncomingHttpHeaders): boolean {
  return mode === "navigate" && target === "document" && origin === undefined;
}

/** Whether the origin is that of the pages which are asked for under this name and port. */
function isOrigin(origin: string, host = ""): boolean {
  const [, named] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  return named !== undefined && named.toLowerCase() === host.toLowerCase();
}

// Reads the JSON body of an admin request, within limits.

const MAX_BODY_BYTES = 256 * 1024;

/** Returns the parsed body, undefined without one. Throws `Rejection`: 413 when too long, 400 when not JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request, MAX_BODY_BYTES);
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw new Rejection(400, "BAD_REQUEST", `The request body is not valid JSON: ${(error as Error).message}`);
  }
}

/** Throws `Rejection` 413 when there are more. */
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

// Writes the answers of the admin port.

/** A reader that takes nothing for this long holds a place that others wait for. */
const STALLED_READER_MS = 30_000;

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
export const JSON_TYPE = "application/json;charset=UTF-8";

/** What every answer tells browsers: it is what it says, and no page of another origin embeds it. */
const SAFE = [
  ...["X-Content-Type-Options", "nosniff", "X-Frame-Options", "DENY"],
  ...["Cross-Origin-Resource-Policy", "same-origin"],
] as const;
/** Answers of the API, too, tell nobody where they were asked for, and are kept by nobody. */
const SAFE_ANSWER = [...SAFE, "Referrer-Policy", "no-referrer", "Cache-Control", "no-store"] as const;

const KEPT: Readonly<Record<WebFile["keeping"], string>> = {
  "until changed": "no-cache",
  "for good": "public, max-age=31536000, immutable",
  "not at all": "no-store",
};

export function sendFile(response: ServerResponse, { status, contentType, headers, bytes, keeping }: WebFile): void {
  const own = ["Content-Type", contentType, "Content-Length", String(bytes.length), "Cache-Control", KEPT[keeping]];
  response.writeHead(status, [...SAFE, ...headers, ...own]);
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
 * Sends a stream as fast as it is read, a piece in each turn of the event loop. A reader that has gone, or takes nothing for long, ends it. Throws the error of
 * the bytes: the connection is then to be broken off, so that the reader sees that they are not whole.
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

/** Resolves to whether the reader has taken what was written. */
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
