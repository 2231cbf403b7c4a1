/**
 * The table that describes the interface: one row an endpoint. Routing, security, weights, parameter
 * checks, OpenAPI and the operations of the WebSocket API are all read from it. Interface 4.
 */

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Interface 5.2. */
export type Security = "NONE" | "MARKET_DATA" | "USER_STREAM" | "TRADE" | "USER_DATA";

/** How errors look and which envelope limits apply: Interface 7.2 and 7.3. */
export type Family = "api" | "wapi" | "sapi";

export type ParameterKind =
  | "symbol" // -1100 by pattern, then -1121 by the gateway
  | "string"
  | "decimal"
  | "integer"
  | "limit" // integer >= 1; also of pages
  | "enum"
  | "clientOrderId"
  | "listenKey"
  | "symbols" // JSON array of symbols, as `["BTCUSDT","ETHUSDT"]`
  | "boolean"
  | "signature";

export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly required: boolean;
  /** For enum: the words; for limit: the values allowed. A foreign one gets `wrongWord` (-1130 when none is named). */
  readonly words?: readonly string[];
  readonly wrongWord?: number;
  /** For limit: a greater one is cut to it. */
  readonly max?: number;
  readonly default?: string;
  /** Other parameters decide whether it is required, and so what it means that it is empty: see `order-request.ts`. */
  readonly conditional?: boolean;
  /** May be repeated (asset of sapi/v1/asset/dust). */
  readonly repeated?: boolean;
  readonly note?: string;
}

export interface Endpoint {
  /** Name in code, as in `order.place`; also the method of the WebSocket API where there is one. */
  readonly id: string;
  readonly method: Method;
  /** The paths that lead here, the interface's own first, then aliases. None: a method of the WebSocket API alone. */
  readonly paths: readonly string[];
  readonly family: Family;
  readonly security: Security;
  /** What the key must be allowed besides its security type. Interface S.18, 5.4. */
  readonly permission?: "TRADE" | "WITHDRAW";
  /** Signed although its security type is not. */
  readonly signed?: true;
  /** Request weight, from the parameters as sent (before they are checked). */
  readonly weight: number | ((sent: ReadonlyMap<string, string>) => number);
  readonly parameters: readonly Parameter[];
  /** One of them must be sent: -1102, which names the first two. */
  readonly either?: readonly [string, string, ...string[]];
  /** Of each two at most one may be sent: -1128. */
  readonly exclusive?: readonly (readonly [string, string])[];
  readonly summary: string;
}

/** Where a call needs a key, a signature, or neither. */
export function needsSignature({ security, signed }: Endpoint): boolean {
  return signed === true || isSigned(security);
}
export function needsKey({ security, signed }: Endpoint): boolean {
  return signed === true || (security !== "NONE" && security !== "MARKET_DATA");
}

/** Market data is answered without a key, as clients ask since 2023; one that is sent is checked (Interface 4.1, 5.2). */
export function checksKey(endpoint: Endpoint): boolean {
  return endpoint.security === "MARKET_DATA" || needsKey(endpoint);
}

/** Signed endpoints take `timestamp`, `recvWindow` and `signature` besides their own parameters. */
export function isSigned(security: Security): boolean {
  return security === "TRADE" || security === "USER_DATA";
}
