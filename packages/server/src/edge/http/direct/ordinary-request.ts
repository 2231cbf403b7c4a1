/**
 * Reads requests that are entirely ordinary, which is to say nearly all: alone in what arrived, the head
 * whole, with headers that say nothing about how the bytes are to be read but a plain Content-Length. It
 * declines everything else, right or wrong: that is for node's parser to judge. What it does read it
 * must read as node does; `test/edge/ordinary-request.test.ts` holds the two side by side.
 */
import type { HttpLimits } from "../limits.ts";
import type { RequestHeaders } from "../../request.ts";

export interface OrdinaryRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  /** Those of `KEPT` alone. */
  readonly headers: RequestHeaders;
  /** One character a byte. */
  readonly body: string;
}

/** What a line of headers may mean to us. */
const KEPT: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "content-type",
  "if-none-match",
  "origin",
  "x-forwarded-for",
  "x-mbx-apikey",
  "x-mbx-time-unit",
]);
/** They ask for more than an answer on this connection, or frame the body in another way. */
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
/** No space about the name, one or none before the value, none behind it; ASCII that can be seen, and spaces between. */
const LINE = /^([A-Za-z0-9-]+): ?([!-~](?:[ -~]*[!-~])?)$/;
const LENGTH = /^(?:0|[1-9][0-9]{0,6})$/;
const HASH = 35;
const DEL = 127;
const SPACE = 32;

/** Blocks of headers that are remembered, and how long one may be: 8 MiB in all. */
export const MAX_BLOCKS = 4096;
export const MAX_BLOCK_LENGTH = 2048;

export type OrdinaryLimits = Pick<HttpLimits, "maxHeaderCount" | "maxBodyBytes">;

interface HeaderBlock {
  readonly headers: RequestHeaders;
  readonly contentLength: number;
}

const NO_HEADERS: HeaderBlock = { headers: {}, contentLength: 0 };

/** Clients repeat their headers: a block that came before is not read again. */
export class OrdinaryRequests {
  readonly #limits: OrdinaryLimits;
  /** By their text, each line with its end. */
  readonly #blocks = new Map<string, HeaderBlock>([["", NO_HEADERS]]);

  constructor(limits: OrdinaryLimits) {
    this.#limits = limits;
  }

  get remembered(): number {
    return this.#blocks.size;
  }

  /**
   * `text` is all that arrived, one character a byte. Gives the request; or, when it ends within its body, how many
   * bytes are still to come; or null when it is not one ordinary request.
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
    if (block === null || text.length > MAX_BLOCK_LENGTH) return block;
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

/** What is kept must not hold on to the bytes of the request that it came in. */
function copyOf(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

/** Where the space behind the address is; -1 when there is none, or a character that node looks at twice. */
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
    // A name twice: node joins some, drops some and refuses some.
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
