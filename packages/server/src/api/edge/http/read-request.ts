/** Reads the parts of an HTTP request: target, content type, cookies and body. */
import { hostName } from "../../../platform/transport/http.ts";
import type { RequestHeaders } from "../request.ts";
import type { IncomingMessage } from "node:http";
import type { HttpLimits } from "../limits.ts";

// Request targets in absolute form (`GET http://host/path`), which a server must accept (RFC 9112, 3.2.2). The target's
// host then replaces the Host header. Otherwise, host checks would check a different host than the requested one, and
// DNS rebinding would pass them.

interface Target {
  /** Path and query. */
  readonly url: string;
  readonly headers: RequestHeaders;
}

/** Matches a target without user or fragment. The path may be empty. */
const ABSOLUTE = /^https?:\/\/([^/?#@]+)([^#]*)$/i;

/**
 * Converts the target to origin form. Returns it unchanged if it is not in absolute form, or `accepts` rejects its
 * path.
 */
export function inOriginForm(target: Target, accepts: (path: string) => boolean): Target {
  if (target.url.startsWith("/")) return target;
  const [, authority = "", rest = ""] = ABSOLUTE.exec(target.url) ?? [];
  const isAccepted = hostName(authority) !== undefined && accepts(rest.split("?", 1)[0] ?? "");
  return isAccepted ? { url: rest, headers: { ...target.headers, host: authority } } : target;
}

// Content types of bodies, which must be forms: Interface 1.5.

const FORM = "application/x-www-form-urlencoded";

/** A body without a content type counts as a form, as on the original exchange. */
export function isForm(contentType: string | string[] | undefined): boolean {
  if (contentType === undefined || contentType === "") return true;
  if (typeof contentType !== "string") return false;
  const end = contentType.indexOf(";");
  const type = end === -1 ? contentType : contentType.slice(0, end);
  return type === FORM || type.trim().toLowerCase() === FORM;
}

// Cookies as sent by browsers. RFC 6265, 5.4.

/** The value of a cookie; undefined if it was not sent or sent twice. Names with `__Host-` are unique. */
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

/** Collects chunks in one buffer, because many small buffers would each have an overhead. */
export class Pieces {
  #held: Buffer = NOTHING;
  #bytes = 0;

  /** Adds a chunk, which may be retained without copying. */
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

  /** All bytes so far. The buffer is valid until the next chunk is added. */
  whole(): Buffer {
    return this.#held.subarray(0, this.#bytes);
  }
}

const NOTHING = Buffer.alloc(0);

// Reads a request's body within the limits.

export type BodyEnd =
  /** The body is complete and within the limit, one character per byte. */
  | { readonly kind: "whole"; readonly body: string }
  /** The body exceeds the limit. `drained`: it was read to its end, so the connection can be reused. */
  | { readonly kind: "tooLarge"; readonly drained: boolean };

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return (length !== undefined && length !== "0") || request.headers["transfer-encoding"] !== undefined;
}

/** Reads the body and calls `done` once, or never if the connection breaks first. */
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
  // A truncated body emits an error that Node also reports as `clientError`.
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
