/** Answers of the account API, and its errors: an error word for programs, and a message for people. */
import type { Keeping } from "../../api/edge/request.ts";

export interface CustomerAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** JSON, or a text of the type that is named. */
  readonly body: unknown;
  readonly contentType?: string;
  /** Sent in place of the body, piece by piece. */
  readonly stream?: AsyncIterable<Uint8Array>;
  /** Absent: nobody keeps it. */
  readonly keeping?: Keeping;
}

export const ok = (body: object, headers: readonly string[] = []): CustomerAnswer => ({ status: 200, headers, body });
/** The same for everybody: whether anything follows is told by letter. */
export const ACCEPTED: CustomerAnswer = { status: 202, headers: [], body: {} };

/** A text that a browser keeps under this name. */
export function asFile(body: string, fileName: string, contentType: string): CustomerAnswer {
  return { status: 200, headers: namedFile(fileName), body, contentType };
}

export const namedFile = (fileName: string): readonly string[] => [
  "Content-Disposition",
  `attachment; filename="${fileName}"`,
];
