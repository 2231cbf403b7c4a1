/**
 * The table that describes the interface: one row for each endpoint. Routing, security, weights, parameter checks,
 * OpenAPI and the operations of the WebSocket API are all derived from it. Interface 4.
 */

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The security types of endpoints. Interface 5.2. */
export type Security = "NONE" | "MARKET_DATA" | "USER_STREAM" | "TRADE" | "USER_DATA";

/**
 * The family of an endpoint, which determines the form of its errors and the envelope limits: Interface 7.2 and 7.3.
 */
export type Family = "api" | "wapi" | "sapi";

export type ParameterKind =
  | "symbol" // -1100 by pattern, then -1121 by the gateway
  | "string"
  | "decimal"
  | "integer"
  | "time" // milliseconds since 1970, or microseconds: see `microseconds.ts`
  | "duration" // milliseconds, with up to 3 decimals
  | "limit" // integer >= 1; page numbers too
  | "enum"
  | "clientOrderId"
  | "listenKey"
  | "symbols" // JSON array of symbols, as `["BTCUSDT","ETHUSDT"]`
  | "windowSize" // length of a window, as `15m`, `4h` or `7d`
  | "timeZone" // distance from UTC, as `8`, `-1:00` or `+05:45`
  | "boolean"
  | "signature";

export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly required: boolean;
  /** The allowed values of an enum or a limit. Any other value gets `wrongWord`, or -1130 if there is none. */
  readonly words?: readonly string[];
  readonly wrongWord?: number;
  /** For limit: greater values are reduced to this one. For symbols and integers: more are rejected. */
  readonly max?: number;
  /**
   * For an integer that is stored as sent: smaller values get `wrongWord`, and values that a number cannot represent
   * -1108.
   */
  readonly least?: number;
  readonly default?: string;
  /**
   * Whether other parameters determine if this one is required, and what an empty value means: see `order-request.ts`.
   */
  readonly conditional?: boolean;
  /** The parameter that a client may send in place of this one, which is otherwise required. */
  readonly replacedBy?: string;
  /** Whether the parameter may be sent several times (asset of sapi/v1/asset/dust). */
  readonly repeated?: boolean;
  readonly note?: string;
}

export interface Endpoint {
  /** The name in code, for example `order.place`; also the method of the WebSocket API if the endpoint has one. */
  readonly id: string;
  readonly method: Method;
  /**
   * The paths of the endpoint: the interface's own path first, then aliases. Empty for methods that only the WebSocket
   * API has.
   */
  readonly paths: readonly string[];
  readonly family: Family;
  readonly security: Security;
  /** The permission that the key needs in addition to the security type. Interface S.18, 5.4. */
  readonly permission?: "TRADE" | "WITHDRAW";
  /** Set if requests are signed although the security type does not require it. */
  readonly signed?: true;
  /** Request weight. A function calculates the weight from the parameters as sent, before they are checked. */
  readonly weight: number | ((sent: ReadonlyMap<string, string>) => number);
  readonly parameters: readonly Parameter[];
  /** At least one of these parameters must be sent; otherwise the answer is -1102, which names the first two. */
  readonly either?: readonly [string, string, ...string[]];
  /** At most one of each pair may be sent: -1128. */
  readonly exclusive?: readonly (readonly [string, string])[];
  /** Parameters of similar endpoints that this one rejects with -1225, in place of -1104. */
  readonly refuses?: readonly string[];
  readonly summary: string;
}

export function needsSignature({ security, signed }: Endpoint): boolean {
  return signed === true || isSigned(security);
}
export function needsKey({ security, signed }: Endpoint): boolean {
  return signed === true || (security !== "NONE" && security !== "MARKET_DATA");
}

/**
 * Market data needs no key, as clients have expected since 2023. A key that is sent anyway is checked (Interface 4.1,
 * 5.2).
 */
export function checksKey(endpoint: Endpoint): boolean {
  return endpoint.security === "MARKET_DATA" || needsKey(endpoint);
}

/**
 * Whether the security type requires signed requests. These take `timestamp`, `recvWindow` and `signature` besides the
 * endpoint's own parameters.
 */
export function isSigned(security: Security): boolean {
  return security === "TRADE" || security === "USER_DATA";
}
