/**
 * Parses ordinary requests, which nearly all requests are: alone in the received bytes, with a complete head, and no
 * header about the framing except a plain Content-Length. Node's parser handles all other requests, valid or not. The
 * result must equal that of Node's parser; `packages/server/test/api/edge/ordinary-request.test.ts` compares the two.
 */
import { dropOldest, type HttpLimits } from "../limits.ts";
import type { RequestHeaders } from "../request.ts";
import { FORWARDING_HEADERS } from "./own-page.ts";

export interface OrdinaryRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  /** Only the headers in `KEPT`. */
  readonly headers: RequestHeaders;
  /** The body, one character per byte. */
  readonly body: string;
}

/** A header whose value differs in each request of a cluster's clients. */
const VARYING = "x-pricetime-seq";
/** Headers that the server uses. */
const KEPT: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "content-type",
  "cookie",
  "host",
  "if-none-match",
  "origin",
  "sec-fetch-site",
  "user-agent",
  "x-mbx-apikey",
  "x-mbx-time-unit",
  "x-pricetime-lab",
  "x-pricetime-page",
  "x-pricetime-session",
  VARYING,
  ...FORWARDING_HEADERS,
]);
/** Headers that require more than a response on this connection, or change the framing of the body. */
const DECLINED: ReadonlySet<string> = new Set([
  "expect",
  "http2-settings",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const METHODS: readonly string[] = ["GET", "POST", "DELETE", "PUT"];
const VERSION = "HTTP/1.1\r\n";
/**
 * A header line: no space around the name, at most one before the value, none after it; the value is visible ASCII and
 * spaces.
 */
const LINE = /^([A-Za-z0-9-]+): ?([!-~](?:[ -~]*[!-~])?)$/;
const LENGTH = /^(?:0|[1-9][0-9]{0,6})$/;
const HASH = 35;
const DEL = 127;
const SPACE = 32;

/** Maximum number and length of cached header blocks: 8 MiB in total. */
export const MAX_BLOCKS = 4096;
export const MAX_BLOCK_LENGTH = 2048;

export type OrdinaryLimits = Pick<HttpLimits, "maxHeaderCount" | "maxBodyBytes">;

interface HeaderBlock {
  readonly headers: RequestHeaders;
  readonly contentLength: number;
}

const NO_HEADERS: HeaderBlock = { headers: {}, contentLength: 0 };

/** Parses requests and caches parsed header blocks, because clients repeat their headers. */
export class OrdinaryRequests {
  readonly #limits: OrdinaryLimits;
  /** Parsed header blocks by their text. Each line of the text includes its line end. */
  readonly #blocks = new Map<string, HeaderBlock>([["", NO_HEADERS]]);

  constructor(limits: OrdinaryLimits) {
    this.#limits = limits;
  }

  get remembered(): number {
    return this.#blocks.size;
  }

  /**
   * `text` is everything received, one character per byte. Returns the request; the number of missing bytes if the body
   * is incomplete; or null if `text` is not exactly one ordinary request.
   */
  read(text: string): OrdinaryRequest | number | null {
    const method = METHODS.find((each) => text.startsWith(each) && text.charCodeAt(each.length) === SPACE);
    if (method === undefined) return null;
    const start = method.length + 1;
    const end = urlEnd(text, start);
    if (end === -1 || !text.startsWith(VERSION, end + 1)) return null;
    // Search from the line end of the request line, because the header block may be empty.
    const linesStart = end + 1 + VERSION.length;
    const linesEnd = text.indexOf("\r\n\r\n", linesStart - 2) + 2;
    if (linesEnd === 1) return null;
    const block = this.#block(text.slice(linesStart, linesEnd));
    if (block === null) return null;
    const missing = linesEnd + 2 + block.contentLength - text.length;
    if (missing !== 0) return missing > 0 ? missing : null;
    return { method, url: text.slice(start, end), headers: block.headers, body: text.slice(linesEnd + 2) };
  }

  #block(text: string): HeaderBlock | null {
    const known = this.#blocks.get(text);
    if (known !== undefined) return known;
    const block = readBlock(text, this.#limits);
    if (block === null || text.length > MAX_BLOCK_LENGTH || block.headers[VARYING] !== undefined) return block;
    if (this.#blocks.size >= MAX_BLOCKS) dropOldest(this.#blocks);
    this.#blocks.set(copyOf(text), block);
    return block;
  }
}

/** Copies a text, so that it does not retain the bytes of the whole request. */
function copyOf(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

/**
 * The index of the space after the URL; -1 if there is none, or if the URL contains a character that Node treats
 * specially.
 */
function urlEnd(text: string, start: number): number {
  if (text[start] !== "/") return -1;
  for (let at = start; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === SPACE) return at;
    if (c < SPACE || c >= DEL || c === HASH) return -1;
  }
  return -1;
}

function readBlock(text: string, { maxHeaderCount, maxBodyBytes }: OrdinaryLimits): HeaderBlock | null {
  const lines = text.slice(0, -2).split("\r\n");
  if (lines.length > maxHeaderCount) return null;
  const headers: Record<string, string> = {};
  const seen = new Set<string>();
  let contentLength = 0;
  for (const line of lines) {
    const [, sentName = "", value = ""] = LINE.exec(line) ?? [];
    const name = sentName.toLowerCase();
    // Node's parser joins some repeated headers, drops others and rejects the rest.
    if (name === "" || DECLINED.has(name) || seen.has(name)) return null;
    seen.add(name);
    if (name === "content-length") {
      if (!LENGTH.test(value)) return null;
      contentLength = Number(value);
      if (contentLength > maxBodyBytes) return null;
    } else if (name === "connection") {
      if (value.toLowerCase() !== "keep-alive") return null;
    } else if (KEPT.has(name)) {
      headers[name] = copyOf(value);
    }
  }
  return { headers, contentLength };
}
