/**
 * The table that describes the interface: one row for each endpoint. Routing, security, weights, parameter checks,
 * OpenAPI and the operations of the WebSocket API are all derived from it. Interface 4.
 */

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Interface 5.2. */
export type Security = "NONE" | "MARKET_DATA" | "USER_STREAM" | "TRADE" | "USER_DATA";

/** Decides the form of errors and the envelope limits: Interface 7.2 and 7.3. */
export type Family = "api" | "wapi" | "sapi";

export type ParameterKind =
  | "symbol" // -1100 by pattern, then -1121 by the gateway
  | "string"
  | "decimal"
  | "integer"
  | "limit" // integer >= 1; page numbers too
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
  /** For enum: the words; for limit: the values allowed. Any other gets `wrongWord` (-1130 when there is none). */
  readonly words?: readonly string[];
  readonly wrongWord?: number;
  /** For limit: a greater value is reduced to it. */
  readonly max?: number;
  readonly default?: string;
  /** Other parameters decide whether it is required, and what an empty value means: see `order-request.ts`. */
  readonly conditional?: boolean;
  /** May be repeated (asset of sapi/v1/asset/dust). */
  readonly repeated?: boolean;
  readonly note?: string;
}

export interface Endpoint {
  /** Name in code, as in `order.place`; also the method of the WebSocket API where there is one. */
  readonly id: string;
  readonly method: Method;
  /** The paths of the endpoint, the interface's own first, then aliases. None: only a method of the WebSocket API. */
  readonly paths: readonly string[];
  readonly family: Family;
  readonly security: Security;
  /** The permission that the key needs besides its security type. Interface S.18, 5.4. */
  readonly permission?: "TRADE" | "WITHDRAW";
  /** Signed although its security type is not a signed one. */
  readonly signed?: true;
  /** Request weight, from the parameters as sent (before they are checked). */
  readonly weight: number | ((sent: ReadonlyMap<string, string>) => number);
  readonly parameters: readonly Parameter[];
  /** One of them must be sent: otherwise -1102, which names the first two. */
  readonly either?: readonly [string, string, ...string[]];
  /** At most one of each pair may be sent: -1128. */
  readonly exclusive?: readonly (readonly [string, string])[];
  readonly summary: string;
}

/** Whether a call needs a signature. */
export function needsSignature({ security, signed }: Endpoint): boolean {
  return signed === true || isSigned(security);
}
export function needsKey({ security, signed }: Endpoint): boolean {
  return signed === true || (security !== "NONE" && security !== "MARKET_DATA");
}

/** Market data needs no key, as clients have expected since 2023; one that is sent is checked (Interface 4.1, 5.2). */
export function checksKey(endpoint: Endpoint): boolean {
  return endpoint.security === "MARKET_DATA" || needsKey(endpoint);
}

/** Signed endpoints take `timestamp`, `recvWindow` and `signature` besides their own parameters. */
export function isSigned(security: Security): boolean {
  return security === "TRADE" || security === "USER_DATA";
}
