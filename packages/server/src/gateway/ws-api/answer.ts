/** From a response of the gateway to a frame of the WebSocket API. */
import type { HeaderList } from "../limits/headers.ts";
import type { GatewayResponse } from "../request.ts";

/** `id` and `rateLimits` are JSON; `rateLimits` "" leaves them out. */
export function answerFrame(id: string, response: GatewayResponse, rateLimits: string, nowMs: number): string {
  const { status, body } = response;
  const outcome = status === 200 ? `"result":${body}` : `"error":${withRetry(response, nowMs)}`;
  const limits = rateLimits === "" ? "" : `,"rateLimits":${rateLimits}`;
  return `{"id":${id},"status":${status},${outcome}${limits}}`;
}

/** Who is over a limit is told when to come back: milliseconds, of the server's clock. */
function withRetry({ status, body, headers }: GatewayResponse, nowMs: number): string {
  const seconds = retryAfterSeconds(headers);
  if ((status !== 429 && status !== 418) || seconds === 0) return body;
  const data = `{"serverTime":${nowMs},"retryAfter":${nowMs + seconds * 1000}}`;
  return `${body.slice(0, -1)},"data":${data}}`;
}

function retryAfterSeconds(headers: HeaderList): number {
  const at = headers.indexOf("Retry-After");
  return at === -1 ? 0 : Number(headers[at + 1]);
}
