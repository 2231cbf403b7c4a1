/** The whole table, and the lookup of a row by request line or method name. */
import type { Endpoint } from "./endpoint.ts";
import { ACCOUNT } from "./endpoints/account.ts";
import { CAPITAL } from "./endpoints/capital.ts";
import { GENERAL } from "./endpoints/general.ts";
import { ORDERS } from "./endpoints/orders.ts";
import { ORDER_LISTS } from "./endpoints/order-lists.ts";
import { SESSION } from "./endpoints/session.ts";
import { SUB_ACCOUNTS } from "./endpoints/sub-accounts.ts";
import { TICKERS } from "./endpoints/tickers.ts";
import { WALLET } from "./endpoints/wallet.ts";
import { WAPI } from "./endpoints/wapi.ts";

const ROWS = [
  ...GENERAL,
  ...TICKERS,
  ...ORDERS,
  ...ORDER_LISTS,
  ...ACCOUNT,
  ...WAPI,
  ...WALLET,
  ...CAPITAL,
  ...SUB_ACCOUNTS,
] as const;

/** Every id, so that the compiler finds an endpoint without a handler. */
export type EndpointId = (typeof ROWS | typeof SESSION)[number]["id"];

export interface KnownEndpoint extends Endpoint {
  readonly id: EndpointId;
}

export const ENDPOINTS: readonly KnownEndpoint[] = ROWS;

/** The path of the WebSocket API. */
export const WS_API_PATH = "/ws-api/v3";
/** The page behind the link of a mail that asks to confirm a withdrawal. */
export const CONFIRM_PATH = "/withdraw/confirm";
/** Endpoints below it are methods of the WebSocket API as well: not the aliases of v1, nor the wallet. */
const METHODS_BELOW = "/api/v3/";
/** An optional version prefix of method names. */
const VERSION_PREFIX = "v3/";

/** Methods of the WebSocket API. */
export const METHODS: readonly KnownEndpoint[] = [
  ...ENDPOINTS.filter(({ paths }) => paths[0]?.startsWith(METHODS_BELOW)),
  ...SESSION,
];
const BY_METHOD: ReadonlyMap<string, KnownEndpoint> = new Map(METHODS.map((row) => [row.id, row]));

export function findMethod(name: string): KnownEndpoint | undefined {
  return BY_METHOD.get(name.startsWith(VERSION_PREFIX) ? name.slice(VERSION_PREFIX.length) : name);
}

const BY_PATH: ReadonlyMap<string, ReadonlyMap<string, KnownEndpoint>> = byPath(ENDPOINTS);

/** `path` as received, without the query: no decoding, no trailing slash, case matters. */
export function findEndpoint(method: string, path: string): KnownEndpoint | "wrong method" | "unknown" {
  const methods = BY_PATH.get(path);
  if (methods === undefined) return "unknown";
  return methods.get(method) ?? "wrong method";
}

/** The methods of a path, in the form of a 405's `Allow` header. */
export function methodsOf(path: string): readonly string[] {
  return [...(BY_PATH.get(path)?.keys() ?? [])];
}

function byPath(endpoints: readonly KnownEndpoint[]): Map<string, Map<string, KnownEndpoint>> {
  const paths = new Map<string, Map<string, KnownEndpoint>>();
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths) {
      const methods = paths.get(path) ?? new Map<string, KnownEndpoint>();
      if (methods.has(endpoint.method)) throw new Error(`${endpoint.method} ${path} is in the table twice`);
      paths.set(path, methods.set(endpoint.method, endpoint));
    }
  }
  return paths;
}
