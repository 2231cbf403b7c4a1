/** An answer of HTTP as its value, or as what it refuses (Interface 7.2, 7.4). */
import { WIRE } from "../words/words.ts";
import { Refused } from "./refused.ts";

interface Told {
  readonly code?: unknown;
  readonly msg?: unknown;
  readonly data?: unknown;
}

const SECOND = 1000;
/** The node did nothing of the request, so it can be sent again later. After any other 5XX it may have done it. */
const NOT_TAKEN = 503;

/** Rejects with `Refused`. */
export async function readAnswer<Value>(response: Response): Promise<Value> {
  const { status, ok } = response;
  let value: unknown;
  try {
    value = JSON.parse(await response.text());
  } catch {
    // Cut off in the middle, or a page of something between here and the node.
    const isUnknown = status < 400 || (status >= 500 && status !== NOT_TAKEN);
    throw new Refused(WIRE.noJson(status), { code: null, isUnknown, status, ...waitOf(response) });
  }
  if (ok) return value as Value;
  const { code, msg, data } = (typeof value === "object" && value !== null ? value : {}) as Told;
  throw new Refused(typeof msg === "string" ? msg : WIRE.noJson(status), {
    code: typeof code === "number" ? code : null,
    isUnknown: status >= 500 && status !== NOT_TAKEN,
    status,
    data,
    ...waitOf(response),
  });
}

function waitOf(response: Response): { readonly retryAfterMs?: number } {
  const seconds = Number(response.headers.get("retry-after") ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: seconds * SECOND } : {};
}
