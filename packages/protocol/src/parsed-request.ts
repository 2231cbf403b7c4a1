/** What is left of a request's parameters once they are read. */
import type { ApiError } from "./errors.ts";

export interface ParsedRequest {
  /** Known and unknown parameters by name, percent-decoded; query before body. Values of one that may repeat are joined by commas. */
  readonly values: ReadonlyMap<string, string>;
  /** Of signed endpoints; 0 of others. */
  readonly timestampMs: number;
  /** Of signed endpoints; 5000 unless sent, and always of others. */
  readonly recvWindowMs: number;
  /** Hex, as sent; "" on endpoints that are not signed. */
  readonly signature: string;
  /** What was signed: query then body as received (latin1), each without its signature. Interface 5.5. */
  readonly payload: string;
  /** -1104, to be reported only after key, timing and signature. */
  readonly unread: ApiError | null;
}
