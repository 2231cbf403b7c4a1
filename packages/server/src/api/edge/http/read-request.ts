/** Reads the parts of an HTTP request: its target, content type, cookies and body. */
import { hostName } from "../../../platform/transport/http.ts";
import type { RequestHeaders } from "../request.ts";
import type { IncomingMessage } from "node:http";
import type { HttpLimits } from "../limits.ts";

// Request targets in absolute form (`GET http://host/path`), which a server must accept (RFC 9112, 3.2.2). The host is
// then that of the target, and the Host header does not count: every check of a host would otherwise see another host
// than the one that was asked for, and DNS rebinding would pass it.

interface Target {
  /** Path and query. */
  readonly url: string;
  readonly headers: RequestHeaders;
}

/** No user, no fragment; the path may be empty. */
const ABSOLUTE = /^https?:\/\/([^/?#@]+)([^#]*)$/i;

/** The target in origin form; as it came where it is in no other, or its path is none of those that `accepts` allows. */
export function inOriginForm(target: Target, accepts: (path: string) => boolean): Target {
  if (target.url.startsWith("/")) return target;
  const [, authority = "", rest = ""] = ABSOLUTE.exec(target.url) ?? [];
  const isAccepted = hostName(authority) !== undefined && accepts(rest.split("?", 1)[0] ?? "");
  return isAccepted ? { url: rest, headers: { ...target.headers, host: authority } } : target;
}

// Content types of bodies, which are forms: Interface 1.5.

const FORM = "application/x-www-form-urlencoded";

/** Treats a body without a type as a form, as the parent does. */
export function isForm(contentType: string | string[] | undefined): boolean {
  if (contentType === undefined || contentType === "") return true;
  if (typeof contentType !== "string") return false;
  const end = contentType.indexOf(";");
  const type = end === -1 ? contentType : contentType.slice(0, end);
  return type === FORM || type.trim().toLowerCase() === FORM;
}

// Cookies as browsers send them. RFC 6265, 5.4.

/** The value of a cookie; undefined when it was not sent, or sent twice: a name with `__Host-` is there once. */
export function cookieOf(headers: RequestHeaders, name: string): string | undefined {
  const sent = headers["cookie"];
  if (typeof sent !== "string") return undefined;
  const start = `${name}=`;
  const values = sent.split(";").flatMap((pair) => {
    const text = pair.trim();
    return text.startsWith(start) ? [text.slice(start.length)] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

/** Bytes that arrive in pieces, kept as one: each of a thousand small buffers would have its own overhead. */
export class Pieces {
  #held: Buffer = NOTHING;
  #bytes = 0;

  /** Adds a piece, which may be kept without copying. */
  add(piece: Buffer): void {
    const bytes = this.#bytes + piece.length;
    if (this.#bytes === 0) this.#held = piece;
    else {
      if (bytes > this.#held.length) this.#held = Buffer.concat([this.#held], Math.max(bytes, 2 * this.#held.length));
      piece.copy(this.#held, this.#bytes);
    }
    this.#bytes = bytes;
  }

  clear(): void {
    this.#held = NOTHING;
    this.#bytes = 0;
  }

  /** All bytes; valid until the next piece is added. */
  whole(): Buffer {
    return this.#held.subarray(0, this.#bytes);
  }
}

const NOTHING = Buffer.alloc(0);

// Reads a body within bounds.

export type BodyEnd =
  /** Complete and small enough; one character a byte. */
  | { readonly kind: "whole"; readonly body: string }
  /** `drained`: it was still read to its end, so the connection can go on. */
  | { readonly kind: "tooLarge"; readonly drained: boolean };

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return (length !== undefined && length !== "0") || request.headers["transfer-encoding"] !== undefined;
}

/** `done` is called once, or never if the connection breaks first. */
export function readBody(request: IncomingMessage, limits: HttpLimits, done: (end: BodyEnd) => void): void {
  const pieces = new Pieces();
  let bytes = 0;
  let isDone = false;
  const finish = (end: BodyEnd) => {
    if (isDone) return;
    isDone = true;
    pieces.clear();
    done(end);
  };
  if (Number(request.headers["content-length"] ?? 0) > limits.maxDiscardedBytes) {
    finish({ kind: "tooLarge", drained: false });
    return;
  }
  // A truncated body ends in an error, which node reports as clientError as well.
  request.on("error", () => undefined);
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limits.maxBodyBytes) pieces.add(chunk);
    else pieces.clear();
    if (bytes > limits.maxDiscardedBytes) finish({ kind: "tooLarge", drained: false });
  });
  request.on("end", () => {
    if (bytes > limits.maxBodyBytes) finish({ kind: "tooLarge", drained: true });
    else finish({ kind: "whole", body: pieces.whole().toString("latin1") });
  });
}
