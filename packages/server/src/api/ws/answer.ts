/** Turns a response of the gateway into a frame of the WebSocket API. */
import type { HeaderList } from "../edge/limits/headers.ts";
import type { TextResponse } from "../edge/request.ts";

/** `id` and `rateLimits` are JSON; `rateLimits` "" leaves them out. */
export function answerFrame(id: string, response: TextResponse, rateLimits: string, nowMs: number): string {
  const { status, body } = response;
  const outcome = status === 200 ? `"result":${body}` : `"error":${withRetry(response, nowMs)}`;
  return `{"id":${id},"status":${status},${outcome}${frameEnd(rateLimits)}`;
}

/** The text before and after a long result. */
export function aroundResult(id: string, rateLimits: string): [before: string, behind: string] {
  return [`{"id":${id},"status":200,"result":`, frameEnd(rateLimits)];
}

function frameEnd(rateLimits: string): string {
  return rateLimits === "" ? "}" : `,"rateLimits":${rateLimits}}`;
}

/** Adds the time of the next attempt to refusals by a limit: milliseconds, of the server's clock. */
function withRetry({ status, body, headers }: TextResponse, nowMs: number): string {
  const seconds = retryAfterSeconds(headers);
  if ((status !== 429 && status !== 418) || seconds === 0) return body;
  const data = `{"serverTime":${nowMs},"retryAfter":${nowMs + seconds * 1000}}`;
  return `${body.slice(0, -1)},"data":${data}}`;
}

function retryAfterSeconds(headers: HeaderList): number {
  const at = headers.indexOf("Retry-After");
  return at === -1 ? 0 : Number(headers[at + 1]);
}
