/** Answers and rejections of the account API and the admin API. */
import type { Keeping } from "../../api/edge/request.ts";

export interface Answer {
  readonly status: number;
  /** JSON, or a text with the content type `type`. */
  readonly body: unknown;
  /** Additional headers, as alternating names and values. */
  readonly headers?: readonly string[];
  /** Sent instead of the body, in chunks. */
  readonly stream?: AsyncIterable<Uint8Array>;
  /** The content type of a stream or a text. */
  readonly type?: string;
  /** The name under which a browser saves the answer: letters, digits, `-` and `.`. */
  readonly fileName?: string;
  /** How long a browser caches the answer; default: not at all. */
  readonly keeping?: Keeping;
}

export const BYTES_TYPE = "application/octet-stream";

export const ok = (body: unknown, headers: readonly string[] = []): Answer => ({ status: 200, body, headers });
export const created = (body: unknown): Answer => ({ status: 201, body });
/** The answer if a request is recorded but needs a further step. */
export const accepted = (body: unknown): Answer => ({ status: 202, body });
export const streamed = (stream: AsyncIterable<Uint8Array>, type = BYTES_TYPE): Answer => ({
  ...{ status: 200, body: "", stream, type },
});
export const asFile = (body: string, fileName: string, type: string): Answer => ({ status: 200, body, fileName, type });

/** The header that makes a browser save the answer under this name. */
export const namedFile = (fileName: string): readonly string[] => [
  "Content-Disposition",
  `attachment; filename="${fileName}"`,
];

/** A rejected request. `code` is for programs; the message is a sentence for people. */
export class Rejection extends Error {
  override readonly name: string = "Rejection";
  readonly status: number;
  readonly code: string;
  /** Additional fields of the response body. */
  readonly more: object;
  /** 0: no Retry-After header. */
  readonly retryAfterSeconds: number;

  constructor(status: number, code: string, message: string, more: object = {}, retryAfterSeconds = 0) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get answer(): Answer {
    const { status, code, message, more, retryAfterSeconds } = this;
    const wait = retryAfterSeconds > 0 && { retryAfterSeconds };
    return { status, body: { error: code, message, ...wait, ...more } };
  }
}

export const badRequest = (message: string): Rejection => new Rejection(400, "BAD_REQUEST", message);
