/** What is left of a request's parameters once they are read. */
import type { ApiError } from "./errors.ts";
import { withoutEscapes } from "./scan.ts";

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
  /** What `payload` is joined of, where that is percent-encoded; none of the WebSocket API, which encodes nothing. */
  readonly encodedParts: readonly string[];
  /** -1104, to be reported only after key, timing and signature. */
  readonly unread: ApiError | null;
}

/**
 * The other text that may have been signed: `payload` without its escapes. Undefined when there are
 * none, or when that text would be read as other parameters.
 */
export function decodedPayload({ payload, encodedParts }: ParsedRequest): string | undefined {
  if (encodedParts.length === 0 || !/[%+]/.test(payload)) return undefined;
  const parts = encodedParts.map(withoutEscapes);
  return parts.includes(null) ? undefined : parts.join("");
}
