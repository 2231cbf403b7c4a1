/** The parameters of a request after parsing. */
import type { ApiError } from "./errors.ts";
import { withoutEscapes } from "./scan.ts";

export interface ParsedRequest {
  /** Known and unknown parameters by name, percent-decoded; query before body. Repeated values are joined by commas. */
  readonly values: ReadonlyMap<string, string>;
  /** 0 for endpoints that are not signed. */
  readonly timestampMs: number;
  /** 5000 unless sent, and always on endpoints that are not signed. */
  readonly recvWindowMs: number;
  /** Hex, as sent; "" on endpoints that are not signed. */
  readonly signature: string;
  /** The signed text: query then body as received (latin1), each without its signature. Interface 5.5. */
  readonly payload: string;
  /** The parts that `payload` joins, if they are percent-encoded; none for the WebSocket API, which encodes nothing. */
  readonly encodedParts: readonly string[];
  /** Another text that a client of the WebSocket API may have signed: with its parameters that are null. */
  readonly payloadWithNulls?: string;
  /** -1104, to be reported only after key, timing and signature. */
  readonly unread: ApiError | null;
}

/**
 * The other text that a client may have signed: `payload` without its escapes, or with its nulls. Undefined when there
 * are none, or when the text would parse as other parameters.
 */
export function otherPayload({ payload, payloadWithNulls, encodedParts }: ParsedRequest): string | undefined {
  if (payloadWithNulls !== undefined) return payloadWithNulls;
  if (encodedParts.length === 0 || !/[%+]/.test(payload)) return undefined;
  const parts = encodedParts.map(withoutEscapes);
  return parts.includes(null) ? undefined : parts.join("");
}
