/** Signed requests to the exchange itself, for a test that trades on the other side of the market. */
import { createHmac } from "node:crypto";
import { checksKey, ENDPOINTS, MAX_RECV_WINDOW_MS, needsSignature } from "@pricetime/protocol";
import type { LabAccount, RequestParameters } from "../types.ts";
import { type Connections, LabError, type Origin } from "./admin.ts";

const METHOD_AND_PATH = /^(?<method>GET|POST|PUT|DELETE) (?<path>\/\S+)$/;

export interface TradeOptions {
  readonly rest: string;
  readonly connections: Connections;
  readonly origin: Origin;
  /** The time of the exchange, in milliseconds. */
  readonly now: () => Promise<number>;
}

/** Sends a request. If `account` is null, it is sent without a key. Rejects with `LabError`. */
export async function send<Answer>(
  { rest, connections, origin, now }: TradeOptions,
  account: LabAccount | null,
  what: string,
  parameters: RequestParameters = {},
): Promise<Answer> {
  const { method, path } = METHOD_AND_PATH.exec(what)?.groups ?? {};
  if (method === undefined || path === undefined)
    throw new TypeError(`"${what}" is not a request. Use the form "POST /api/v3/order".`);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  const endpoint = ENDPOINTS.find((each) => each.method === method && each.paths.includes(path));
  if (account !== null && (endpoint === undefined || needsSignature(endpoint))) {
    if (!query.has("recvWindow")) query.set("recvWindow", String(MAX_RECV_WINDOW_MS));
    if (!query.has("timestamp")) query.set("timestamp", String(await now()));
    query.set("signature", createHmac("sha256", account.secretKey).update(query.toString()).digest("hex"));
  }
  const isKeyed = endpoint === undefined || checksKey(endpoint);
  const headers: Record<string, string> = account === null || !isKeyed ? {} : { "x-mbx-apikey": account.apiKey };
  const url = query.size === 0 ? rest + path : `${rest}${path}?${query.toString()}`;
  const answer = await connections.sendAlone(url, { method, headers }).catch((error: Error) => {
    throw new LabError({ status: 0, code: "NO_ANSWER", message: `${what}: ${error.message}`, cause: error }, origin);
  });
  const text = new TextDecoder().decode(answer.body);
  if (answer.status < 300) return JSON.parse(text) as Answer;
  const { code = `HTTP_${answer.status}`, msg = text.slice(0, 500) } = refusal(text);
  throw new LabError({ status: answer.status, code: String(code), message: `${what}: ${msg}` }, origin);
}

function refusal(text: string): { readonly code?: number; readonly msg?: string } {
  try {
    return JSON.parse(text) as { readonly code?: number; readonly msg?: string };
  } catch {
    return {};
  }
}
