/**
 * Reads entirely ordinary requests, which nearly all are: alone in the bytes that arrived, the head complete, and no
 * header about how to read the bytes except a plain Content-Length. It declines everything else, right or wrong, and
 * leaves it to node's parser. It must read a request exactly as node does;
 * `packages/server/test/api/edge/ordinary-request.test.ts` compares the two.
 */
import type { HttpLimits } from "../limits.ts";
import type { RequestHeaders } from "../request.ts";
import { FORWARDING_HEADERS } from "./own-page.ts";

export interface OrdinaryRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  /** Only the headers in `KEPT`. */
  readonly headers: RequestHeaders;
  /** One character a byte. */
  readonly body: string;
}

/** Clients of a cluster send another value each time. */
const VARYING = "x-pricetime-seq";
/** The headers that matter to us. */
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
  VARYING,
  ...FORWARDING_HEADERS,
]);
/** Headers that ask for more than an answer on this connection, or frame the body in another way. */
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
/** No space about the name, one or none before the value, none after it; visible ASCII, and spaces between. */
const LINE = /^([A-Za-z0-9-]+): ?([!-~](?:[ -~]*[!-~])?)$/;
const LENGTH = /^(?:0|[1-9][0-9]{0,6})$/;
const HASH = 35;
const DEL = 127;
const SPACE = 32;

/** Number and longest length of the remembered blocks of headers: 8 MiB in all. */
export const MAX_BLOCKS = 4096;
export const MAX_BLOCK_LENGTH = 2048;

export type OrdinaryLimits = Pick<HttpLimits, "maxHeaderCount" | "maxBodyBytes">;

interface HeaderBlock {
  readonly headers: RequestHeaders;
  readonly contentLength: number;
}

const NO_HEADERS: HeaderBlock = { headers: {}, contentLength: 0 };

/** Clients repeat their headers: a block that came before is not parsed again. */
export class OrdinaryRequests {
  readonly #limits: OrdinaryLimits;
  /** Blocks of headers by their text, in which each line includes its end. */
  readonly #blocks = new Map<string, HeaderBlock>([["", NO_HEADERS]]);

  constructor(limits: OrdinaryLimits) {
    this.#limits = limits;
  }

  get remembered(): number {
    return this.#blocks.size;
  }

  /**
   * `text` is everything that arrived, one character a byte. Returns the request; the number of missing bytes when it
   * ends within the body; or null when it is not one ordinary request.
   */
  read(text: string): OrdinaryRequest | number | null {
    const method = METHODS.find((each) => text.startsWith(each) && text.charCodeAt(each.length) === SPACE);
    if (method === undefined) return null;
    const start = method.length + 1;
    const end = urlEnd(text, start);
    if (end === -1 || !text.startsWith(VERSION, end + 1)) return null;
    // The end of the request line is the beginning of an empty block of headers.
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
    if (this.#blocks.size >= MAX_BLOCKS) this.#forgetOldest();
    this.#blocks.set(copyOf(text), block);
    return block;
  }

  #forgetOldest(): void {
    for (const text of this.#blocks.keys()) {
      this.#blocks.delete(text);
      return;
    }
  }
}

/** A copy, so that a kept text does not keep the bytes of its whole request alive. */
function copyOf(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

/** Index of the space after the address; -1 when there is none, or a character that node treats specially. */
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
    // A repeated name: node joins some, drops some and refuses some.
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
