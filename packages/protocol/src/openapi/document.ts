/** An interface as an OpenAPI 3.1 document, generated from its endpoint table. Served at /openapi.json. */
import { type Examples, type KnownEndpoint, WS_API_PATH } from "../endpoints.ts";
import { VENUE_INTERFACES, type VenueInterface } from "../interfaces.ts";
import { ACCOUNT } from "../endpoints/account.ts";
import { CAPITAL, SUB_ACCOUNTS, WALLET } from "../endpoints/wallet.ts";
import { GENERAL, TICKERS } from "../endpoints/market.ts";
import { ORDER_LISTS, ORDERS } from "../endpoints/orders.ts";
import { WAPI } from "../endpoints/wapi.ts";
import { type Endpoint, needsSignature, type Parameter, type ParameterKind, type Security } from "../endpoint.ts";
import { SIGNED_PARAMETERS } from "../check-parameter.ts";
import {
  CLIENT_ORDER_ID_PATTERN,
  DECIMAL_PATTERN,
  ED25519_SIGNATURE_PATTERN,
  LISTEN_KEY_PATTERN,
  SIGNATURE_PATTERN,
  SYMBOL_PATTERN,
  SYMBOLS_PATTERN,
} from "../patterns.ts";
import { TIME_ZONE_PATTERN, WINDOW_SIZE_PATTERN } from "../shapes/kline-interval.ts";
import { MARKET_EXAMPLES } from "./market-examples.ts";
import { TRADING_EXAMPLES } from "./trading-examples.ts";
import { WALLET_EXAMPLES, WAPI_EXAMPLES } from "./wallet-examples.ts";

// The groups of endpoints and the description of the document, as CommonMark.

interface Group {
  readonly name: string;
  readonly description: string;
  readonly rows: readonly Endpoint[];
}

/** The endpoints by subject, in the order in which the document lists them. */
const GROUPS: readonly Group[] = [
  { name: "Market data", description: "The book, trades, candles, average prices. No key.", rows: GENERAL },
  { name: "Tickers", description: "Prices, the last 24 hours, trading days and other windows. No key.", rows: TICKERS },
  { name: "Orders", description: "Placing, canceling, replacing and reading orders.", rows: ORDERS },
  { name: "Order lists", description: "Lists of orders: OCO, OTO, OTOCO, OPO, OPOCO.", rows: ORDER_LISTS },
  { name: "Account", description: "Balances, trades, commission, limits and user streams.", rows: ACCOUNT },
  { name: "Deposits and withdrawals", description: "Deposit addresses, deposits and withdrawals.", rows: CAPITAL },
  { name: "Wallet", description: "Fees, dust, dividends, snapshots, permissions of the account.", rows: WALLET },
  {
    name: "Sub-accounts",
    description: "Sub-accounts of a master account, and transfers between them.",
    rows: SUB_ACCOUNTS,
  },
  {
    name: "Wallet of 2019",
    description: "Endpoints for older clients. Rejections have status 200 and `success: false`.",
    rows: WAPI,
  },
];

function tagOf(endpoint: Endpoint): string {
  const group = GROUPS.find(({ rows }) => rows.some(({ id }) => id === endpoint.id));
  if (group === undefined) throw new Error(`${endpoint.id} belongs to no group of the OpenAPI document`);
  return group.name;
}

const TAGS = GROUPS.map(({ name, description }) => ({ name, description }));

const row = ({ id, weight, summary }: Endpoint): string =>
  `| \`${id}\` | ${typeof weight === "number" ? weight : "as over REST"} | ${summary} |`;

/**
 * The description of the document: rules that apply to all endpoints, and the parts that have no path (streams and the
 * WebSocket API).
 */
export function openApiDescription({ name, endpoints, isRetiredStream }: VenueInterface): string {
  const { methods } = endpoints;
  const names = (...streams: string[]): string =>
    streams.flatMap((stream) => (isRetiredStream(stream) ? [] : `\`${stream}\``)).join(", ");
  const hasListenKeys = endpoints.findMethod("userDataStream.start") !== undefined;
  return `Spot trading, compatible with clients of Binance's public interface of ${name === "2019" ? "2019 and later" : name}.

## Parameters

Parameters are in the query or, except for GET, in a form body; if both contain one, the query wins. Times are milliseconds
since 1970, or microseconds; the header \`X-MBX-TIME-UNIT: MICROSECOND\` makes those of the answer microseconds. Prices and amounts are decimals and never rounded: values that are too fine are rejected.

## Signing

Signed endpoints take \`timestamp\`, \`recvWindow\` and \`signature\`, and the API key in the header \`X-MBX-APIKEY\`. The
signature is the HMAC SHA-256 of query and body, joined with nothing in between, in hexadecimal; for an Ed25519 or RSA key
it is its signature of the same text (RSA: PKCS#1 v1.5 with SHA-256), in Base64 and percent-encoded.

## Errors and limits

A rejection is \`{"code": -1121, "msg": "Invalid symbol."}\` with a status of 4XX. After a status of 5XX the
outcome is unknown. Each request has a weight (\`x-weight\`): the header \`X-MBX-USED-WEIGHT-1M\` counts it for the
address, and \`GET /api/v3/exchangeInfo\` lists the limits. Beyond them the response is 429 with \`Retry-After\`; an address
that continues is banned for a while (418).

## Streams

On the same port: \`/ws/NAME\` sends one stream, \`/stream?streams=NAME/NAME\` several, each message with its stream's name.
\`SUBSCRIBE\` and \`UNSUBSCRIBE\` change the subscriptions.

| stream | sends |
|---|---|
| \`<symbol>@trade\`, \`<symbol>@aggTrade\` | trades |
| \`<symbol>@kline_<interval>\`, \`<symbol>@kline_<interval>@+08:00\` | candles that open by UTC, or by UTC+8 |
| \`<symbol>@depth\`, \`<symbol>@depth@100ms\` | changes of the book |
| \`<symbol>@depth5\`, \`10\`, \`20\` | its best levels |
| ${names("<symbol>@bookTicker", "!bookTicker")} | the best prices |
| ${names("<symbol>@miniTicker", "<symbol>@ticker", "!miniTicker@arr", "!ticker@arr")} | the last 24 hours |
| \`<symbol>@ticker_1h\`, \`4h\`, \`1d\`, \`!ticker_1h@arr\`, \`4h\`, \`1d\` | a window of 1 hour, 4 hours or 1 day |
| \`<symbol>@avgPrice\` | the average price |
| \`<symbol>@referencePrice\` | the reference price of a symbol with a price range |
${hasListenKeys ? "| a listen key of `POST /api/v3/userDataStream` | orders, fills and balances of the account |\n" : ""}
Symbols in stream names are in lower case.

## WebSocket API

\`${WS_API_PATH}\` offers over one connection what REST offers over many: \`{"id": 1, "method": "order.place", "params": {…}}\`.
Endpoints with an \`x-websocket-method\` can be called by that name; ${methods.length} methods in all. After \`session.logon\` with
an Ed25519 key, \`userDataStream.subscribe\` sends the orders, fills and balances of the account;
\`userDataStream.subscribe.signature\` does so with any key. These belong to the connection itself:

| method | weight | |
|---|---|---|
${methods.flatMap((method) => (method.paths.length === 0 ? row(method) : [])).join("\n")}
`;
}

interface Schema {
  readonly [keyword: string]: unknown;
}

const SCHEMAS: Readonly<Record<ParameterKind, Schema>> = {
  symbol: { type: "string", pattern: SYMBOL_PATTERN },
  symbols: { type: "string", pattern: SYMBOLS_PATTERN },
  windowSize: { type: "string", pattern: WINDOW_SIZE_PATTERN },
  timeZone: { type: "string", pattern: TIME_ZONE_PATTERN },
  string: { type: "string", minLength: 1, maxLength: 256 },
  decimal: { type: "string", pattern: DECIMAL_PATTERN },
  integer: { type: "integer", format: "int64", minimum: 0 },
  time: { type: "integer", format: "int64", minimum: 0 },
  duration: { type: "number", minimum: 0 },
  limit: { type: "integer", minimum: 1 },
  enum: { type: "string" },
  clientOrderId: { type: "string", pattern: CLIENT_ORDER_ID_PATTERN },
  listenKey: { type: "string", pattern: LISTEN_KEY_PATTERN },
  boolean: { type: "boolean" },
  signature: { type: "string", pattern: `${SIGNATURE_PATTERN}|${ED25519_SIGNATURE_PATTERN}` },
};

/** Returns a new document on each call, which the caller may change. `version` is the version of the program. */
export function openApiDocument(version = "0", venueInterface = VENUE_INTERFACES["2019"]): object {
  const paths: Record<string, Record<string, object>> = {};
  const { endpoints } = venueInterface.endpoints;
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths) {
      const item = (paths[path] ??= {});
      item[endpoint.method.toLowerCase()] = operation(venueInterface, endpoint, path);
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Pricetime", version, description: openApiDescription(venueInterface) },
    servers: [{ url: "/" }],
    tags: TAGS.filter(({ name }) => endpoints.some((endpoint) => tagOf(endpoint) === name)),
    paths,
    components: { schemas: { Error: ERROR_SCHEMA }, securitySchemes: SECURITY_SCHEMES },
  };
}

export const EXAMPLES: Examples = { ...MARKET_EXAMPLES, ...TRADING_EXAMPLES, ...WALLET_EXAMPLES, ...WAPI_EXAMPLES };

const ERROR_SCHEMA: Schema = {
  type: "object",
  required: ["code", "msg"],
  properties: { code: { type: "integer" }, msg: { type: "string" } },
  examples: [{ code: -1121, msg: "Invalid symbol." }],
};

const SECURITY_SCHEMES: Schema = {
  apiKey: { type: "apiKey", in: "header", name: "X-MBX-APIKEY" },
};

function operation(venueInterface: VenueInterface, endpoint: KnownEndpoint, path: string): object {
  const parameters = needsSignature(endpoint) ? [...endpoint.parameters, ...SIGNED_PARAMETERS] : endpoint.parameters;
  const alias = endpoint.paths.indexOf(path);
  const example = exampleOf(venueInterface, endpoint);
  const { methods } = venueInterface.endpoints;
  return {
    operationId: alias === 0 ? endpoint.id : `${endpoint.id}.alias${alias}`,
    summary: endpoint.summary,
    description: descriptionOf(venueInterface, endpoint, path),
    tags: [tagOf(endpoint)],
    ...(alias === 0 ? {} : { "x-alias-of": endpoint.paths[0] }),
    "x-security-type": endpoint.security,
    ...(endpoint.permission === undefined ? {} : { "x-permission": endpoint.permission }),
    ...(methods.includes(endpoint) ? { "x-websocket-method": endpoint.id } : {}),
    ...(typeof endpoint.weight === "number" ? { "x-weight": endpoint.weight } : {}),
    ...securityOf(endpoint.security),
    parameters: parameters.map(parameterObject),
    responses: {
      "200": {
        description: endpoint.family === "wapi" ? "Done; or rejected, and then `success` is false." : "Done.",
        content: { "application/json": example === undefined ? {} : { example } },
      },
      "4XX": {
        description: "Rejected.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
      "5XX": {
        description: "The outcome is unknown.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

/** The example of an answer, with the rate limits of the interface. */
function exampleOf({ limits }: VenueInterface, { id }: KnownEndpoint): object | undefined {
  const { exchangeInfo, "account.rateLimits.orders": used } = EXAMPLES;
  if (id === "exchangeInfo") return { ...exchangeInfo, rateLimits: limits };
  if (id !== "account.rateLimits.orders") return EXAMPLES[id];
  return limits
    .filter(({ rateLimitType }) => rateLimitType === "ORDERS")
    .map((limit, i) => ({ ...used?.[i], ...limit }));
}

const KEYS: Readonly<Record<Security, string>> = {
  NONE: "No key.",
  MARKET_DATA: "No key required; a key that is sent is checked.",
  USER_STREAM: "Needs an API key.",
  TRADE: "Signed, by a key that is allowed to trade.",
  USER_DATA: "Signed, by a key that is allowed to read.",
};
const ALLOWED: Readonly<Record<string, string>> = {
  TRADE: "The key must be allowed to trade.",
  WITHDRAW: "The key must be allowed to withdraw.",
};

/** The introduction of an endpoint, before its parameters. */
function descriptionOf(venueInterface: VenueInterface, endpoint: KnownEndpoint, path: string): string {
  const { security, permission, weight, paths, either, exclusive = [] } = endpoint;
  const others = paths.filter((other) => other !== path).map((other) => `\`${other}\``);
  return [
    KEYS[security],
    ...(permission === undefined ? [] : [ALLOWED[permission]]),
    typeof weight === "number" ? `Weight ${weight}.` : "The weight depends on the parameters.",
    ...(venueInterface.isFree(endpoint) ? ["A request that succeeds weighs nothing."] : []),
    ...(either === undefined ? [] : [`One of ${either.map((name) => `\`${name}\``).join(", ")} must be sent.`]),
    ...exclusive.map(([one, other]) => `At most one of \`${one}\` and \`${other}\` can be sent.`),
    ...(venueInterface.endpoints.methods.includes(endpoint) ? [`Over the WebSocket API: \`${endpoint.id}\`.`] : []),
    ...(others.length === 0 ? [] : [`Also available at ${others.join(", ")}.`]),
  ].join(" ");
}

function securityOf(security: Security): object {
  if (security === "NONE") return {};
  return { security: security === "MARKET_DATA" ? [{}, { apiKey: [] }] : [{ apiKey: [] }] };
}

function parameterObject(parameter: Parameter): object {
  const { name, note, words, repeated, replacedBy } = parameter;
  const { type } = SCHEMAS[parameter.kind];
  const one = {
    ...SCHEMAS[parameter.kind],
    ...(words === undefined ? {} : { enum: type === "integer" ? words.map(Number) : words }),
    ...(parameter.kind === "limit" && parameter.max !== undefined ? { maximum: parameter.max } : {}),
    ...(parameter.default === undefined
      ? {}
      : { default: type === "string" ? parameter.default : (JSON.parse(parameter.default) as unknown) }),
  };
  return {
    name,
    in: "query",
    required: parameter.required && replacedBy === undefined,
    ...(note === undefined ? {} : { description: note }),
    schema: repeated === true ? { type: "array", items: one } : one,
  };
}
