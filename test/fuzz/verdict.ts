/** What every answer must be, whatever was asked: of a known status, JSON, and an error with a code that is declared. */
import assert from "node:assert/strict";
import { ERROR_KINDS } from "@pricetime/protocol";

const CODES: ReadonlySet<unknown> = new Set(ERROR_KINDS.map(({ code }) => code));
const STATUSES: ReadonlySet<number> = new Set([
  ...[200, 204, 400, 401, 403, 404, 405, 408, 409, 413, 415, 418, 429, 431],
]);
/** History may be behind on a slow machine; what is not asked of history has an answer at once. */
const BUSY = -1008;

/** `mayBeBusy`: it is asked of history, perhaps. */
export interface Asked {
  readonly told: string;
  readonly mayBeBusy: boolean;
}

interface Body {
  readonly code?: unknown;
  readonly msg?: unknown;
  readonly success?: unknown;
}

export function judge({ told, mayBeBusy }: Asked, status: number, text: string): void {
  const said = `${told}\nanswered ${status} ${text.slice(0, 500)}`;
  if (status === 204) return assert.equal(text, "", said);
  const body = parsed(text, said);
  if (status === 503 && mayBeBusy) return assert.equal(body.code, BUSY, said);
  assert.ok(STATUSES.has(status), said);
  if (status < 400 && body.success !== false) return;
  assert.ok(CODES.has(body.code), `a code that is not declared: ${said}`);
  assert.ok(typeof body.msg === "string" && body.msg !== "", said);
}

function parsed(text: string, said: string): Body {
  try {
    return (JSON.parse(text) ?? {}) as Body;
  } catch {
    return assert.fail(`not JSON: ${said}`);
  }
}
