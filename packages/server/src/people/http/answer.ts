/** Answers of the APIs for persons, and rejections: an error word for programs and a message for people. */
import type { Keeping } from "../../api/edge/request.ts";

export interface Answer {
  readonly status: number;
  /** JSON, or a text of the content type `type`. */
  readonly body: unknown;
  /** Besides those of every answer: names and values in turn. */
  readonly headers?: readonly string[];
  /** Sent instead of the body, piece by piece. */
  readonly stream?: AsyncIterable<Uint8Array>;
  /** The content type of a stream or a text. */
  readonly type?: string;
  /** The name under which a browser stores the answer: letters, digits, `-` and `.`. */
  readonly fileName?: string;
  /** How long a browser stores it; not at all when absent. */
  readonly keeping?: Keeping;
}

export const BYTES_TYPE = "application/octet-stream";

export const ok = (body: unknown, headers: readonly string[] = []): Answer => ({ status: 200, body, headers });
export const created = (body: unknown): Answer => ({ status: 201, body });
/** The request is recorded, and something else is awaited. */
export const accepted = (body: unknown): Answer => ({ status: 202, body });
export const streamed = (stream: AsyncIterable<Uint8Array>, type = BYTES_TYPE): Answer => ({
  ...{ status: 200, body: "", stream, type },
});
export const asFile = (body: string, fileName: string, type: string): Answer => ({ status: 200, body, fileName, type });

/** The header by which a browser stores an answer under this name. */
export const namedFile = (fileName: string): readonly string[] => [
  "Content-Disposition",
  `attachment; filename="${fileName}"`,
];

/** A rejected request. `code` is a word for programs, the message a sentence for people. */
export class Rejection extends Error {
  override readonly name: string = "Rejection";
  readonly status: number;
  readonly code: string;
  /** Further fields of the response. */
  readonly more: object;
  /** 0: unknown, or the client need not wait. */
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
