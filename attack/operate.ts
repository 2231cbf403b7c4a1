/** An operator's calls to the node under attack. */
import type { Exchange } from "../test/exchange.ts";

/** JSON both ways; rejects with what the node said when it is a refusal. */
export async function operate<T = Record<string, unknown>>(
  exchange: Pick<Exchange, "admin" | "adminToken">,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const answer = await tryToOperate(exchange, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text) as T;
}

export interface Operated {
  readonly status: number;
  readonly text: string;
}

/** Whatever the answer is. */
export async function tryToOperate(
  { admin, adminToken }: Pick<Exchange, "admin" | "adminToken">,
  method: string,
  path: string,
  body?: object,
): Promise<Operated> {
  const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(admin + path, { method, headers, ...sent });
  return { status: response.status, text: await response.text() };
}
