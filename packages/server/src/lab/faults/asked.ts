/** A request as faults see it: whose it is, what it is about, and whether a fault is meant for it. */
import type { EngineView } from "@pricetime/engine";
import { findEndpoint, findMethod, type KnownEndpoint, needsSignature, symbolsOf } from "@pricetime/protocol";
import { API_KEY_HEADER } from "../../api/edge/auth/authenticate.ts";
import type { GatewayRequest, MethodRequest } from "../../api/edge/request.ts";
import type { RequestFault } from "./fault.ts";
import { MAX_TOLD_CHARS } from "./limits.ts";
import { accountNamed, endpointsNamed, marketNamed } from "./names.ts";
import type { Struck } from "./rule.ts";

export interface Asked {
  readonly over: "rest" | "websocket";
  /** GET and the like, or the name in the WebSocket API. */
  readonly method: string;
  /** "" over a WebSocket. */
  readonly path: string;
  readonly endpoint: KnownEndpoint;
  /** The owner of the key that was sent, which nobody has checked yet; undefined: no known key was. */
  readonly accountId: number | undefined;
  /** The request's parameters, decoded. */
  readonly values: ReadonlyMap<string, string>;
}

const UNTOLD: ReadonlySet<string> = new Set(["signature", "apiKey", "code"]);

/** Null: it is no request to an endpoint. */
export function askedOverRest(request: GatewayRequest, view: EngineView): Asked | null {
  const { method, path, query, body, headers } = request;
  const endpoint = findEndpoint(method === "HEAD" ? "GET" : method, path);
  if (typeof endpoint === "string") return null;
  const values = new Map([...new URLSearchParams(query), ...new URLSearchParams(body)]);
  const accountId = ownerOf(headers[API_KEY_HEADER], view);
  return { over: "rest", method, path, endpoint, accountId, values };
}

export function askedOverSocket({ method, apiKey, values }: MethodRequest, view: EngineView): Asked | null {
  const endpoint = findMethod(method);
  if (endpoint === undefined) return null;
  return { over: "websocket", method, path: "", endpoint, accountId: ownerOf(apiKey, view), values };
}

function ownerOf(apiKey: unknown, view: EngineView): number | undefined {
  return typeof apiKey === "string" ? view.apiKey(apiKey)?.accountId : undefined;
}

export type IsMeant = (asked: Asked) => boolean;

/** Whether a fault is meant for a request. Throws `AdminRefusal` for names that do not exist. */
export function requestMatch(fault: RequestFault, view: EngineView): IsMeant {
  const { endpoint, account, symbol, method, over } = fault.where;
  const endpoints = endpoint === undefined ? undefined : endpointsNamed(endpoint);
  const accountId = account === undefined ? undefined : accountNamed(view, account).accountId;
  if (symbol !== undefined) marketNamed(view, symbol);
  return (asked) =>
    (endpoints === undefined || endpoints.has(asked.endpoint)) &&
    (accountId === undefined || asked.accountId === accountId) &&
    (symbol === undefined || isAbout(asked, symbol)) &&
    (method === undefined || asked.endpoint.method === method) &&
    (over === undefined || asked.over === over) &&
    canStrike(fault, asked);
}

function isAbout({ values }: Asked, symbol: string): boolean {
  if (values.get("symbol") === symbol) return true;
  const list = values.get("symbols");
  return list !== undefined && list.includes(symbol) && symbolsIn(list).includes(symbol);
}

function symbolsIn(list: string): readonly string[] {
  try {
    return symbolsOf(list);
  } catch {
    // The list is not one: the request will be refused.
    return [];
  }
}

/** A skewed clock shows only where time is judged or told, and a body that is no JSON only over HTTP. */
function canStrike(fault: RequestFault, { endpoint, over }: Asked): boolean {
  if (fault.fault === "skew") return needsSignature(endpoint) || endpoint.id === "time";
  return !(fault.fault === "reply" && fault.body !== undefined && over === "websocket");
}

/** The description of a struck request in the list of faults. */
export function toldOf({ over, method, path, endpoint, accountId, values }: Asked): Omit<Struck, "atMs"> {
  const sent = [...values].filter(([name]) => !UNTOLD.has(name)).map(([name, value]) => `${name}=${value}`);
  return {
    over,
    method,
    ...(path !== "" && { path }),
    endpoint: endpoint.id,
    ...(accountId !== undefined && { account: accountId }),
    sent: sent.join("&").slice(0, MAX_TOLD_CHARS),
  };
}
