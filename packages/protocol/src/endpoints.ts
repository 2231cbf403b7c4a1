/** The whole table, and the way from a request line to its row. */
import type { Endpoint } from "./endpoint.ts";
import { ACCOUNT } from "./endpoints/account.ts";
import { GENERAL } from "./endpoints/general.ts";
import { ORDERS } from "./endpoints/orders.ts";
import { ORDER_LISTS } from "./endpoints/order-lists.ts";
import { TICKERS } from "./endpoints/tickers.ts";
import { WALLET } from "./endpoints/wallet.ts";

const ROWS = [...GENERAL, ...TICKERS, ...ORDERS, ...ORDER_LISTS, ...ACCOUNT, ...WALLET] as const;

/** Every id, so that the compiler finds an endpoint that nobody answers. */
export type EndpointId = (typeof ROWS)[number]["id"];

export interface KnownEndpoint extends Endpoint {
  readonly id: EndpointId;
}

export const ENDPOINTS: readonly KnownEndpoint[] = ROWS;

const BY_PATH: ReadonlyMap<string, ReadonlyMap<string, KnownEndpoint>> = byPath(ENDPOINTS);

/** `path` as received, without the query: no decoding, no trailing slash, case matters. */
export function findEndpoint(method: string, path: string): KnownEndpoint | "wrong method" | "unknown" {
  const methods = BY_PATH.get(path);
  if (methods === undefined) return "unknown";
  return methods.get(method) ?? "wrong method";
}

/** The methods of a path, as the `Allow` header of a 405 lists them. */
export function methodsOf(path: string): readonly string[] {
  return [...(BY_PATH.get(path)?.keys() ?? [])];
}

function byPath(endpoints: readonly KnownEndpoint[]): Map<string, Map<string, KnownEndpoint>> {
  const paths = new Map<string, Map<string, KnownEndpoint>>();
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths) {
      const methods = paths.get(path) ?? new Map<string, KnownEndpoint>();
      if (methods.has(endpoint.method)) throw new Error(`${endpoint.method} ${path} stands twice in the table`);
      paths.set(path, methods.set(endpoint.method, endpoint));
    }
  }
  return paths;
}
