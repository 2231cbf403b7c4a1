/** The prose of the OpenAPI document, as CommonMark. */
import { METHODS, WS_API_PATH } from "../endpoints.ts";
import { ACCOUNT } from "../endpoints/account.ts";
import { CAPITAL } from "../endpoints/capital.ts";
import { GENERAL } from "../endpoints/general.ts";
import { ORDERS } from "../endpoints/orders.ts";
import { ORDER_LISTS } from "../endpoints/order-lists.ts";
import { SESSION } from "../endpoints/session.ts";
import { SUB_ACCOUNTS } from "../endpoints/sub-accounts.ts";
import { TICKERS } from "../endpoints/tickers.ts";
import { WALLET } from "../endpoints/wallet.ts";
import { WAPI } from "../endpoints/wapi.ts";
import type { Endpoint } from "../endpoint.ts";

interface Group {
  readonly name: string;
  readonly description: string;
  readonly rows: readonly Endpoint[];
}

/** Endpoints by subject, in the order of the document. */
const GROUPS: readonly Group[] = [
  { name: "Market data", description: "The book, trades, candles. No key.", rows: GENERAL },
  { name: "Tickers", description: "Prices and the last 24 hours. No key.", rows: TICKERS },
  { name: "Orders", description: "Placing, canceling, replacing and reading orders.", rows: ORDERS },
  { name: "Order lists", description: "Two orders, one of which cancels the other (OCO).", rows: ORDER_LISTS },
  { name: "Account", description: "Balances, trades, and the listen keys of user streams.", rows: ACCOUNT },
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

/** The subject of an endpoint. */
export function tagOf(endpoint: Endpoint): string {
  const group = GROUPS.find(({ rows }) => rows.some(({ id }) => id === endpoint.id));
  if (group === undefined) throw new Error(`${endpoint.id} belongs to no group of the OpenAPI document`);
  return group.name;
}

export const TAGS: readonly object[] = GROUPS.map(({ name, description }) => ({ name, description }));

const row = ({ id, weight, summary }: Endpoint): string =>
  `| \`${id}\` | ${typeof weight === "number" ? weight : "as over REST"} | ${summary} |`;

/** The document's own description: rules of all endpoints, and what has no path: streams and the WebSocket API. */
export const OPENAPI_DESCRIPTION = `Spot trading, compatible with clients of Binance's public interface of 2019 and later.

## Parameters

Parameters are in the query or, except for GET, in a form body; if both contain one, the query wins. Times are milliseconds
since 1970. Prices and amounts are decimals and never rounded: values that are too fine are rejected.

## Signing

Signed endpoints take \`timestamp\`, \`recvWindow\` and \`signature\`, and the API key in the header \`X-MBX-APIKEY\`. The
signature is the HMAC SHA-256 of query and body, joined with nothing in between, in hexadecimal; for an Ed25519 key it is
its signature of the same text, in Base64 and percent-encoded.

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
| \`<symbol>@kline_<interval>\` | candles |
| \`<symbol>@depth\`, \`<symbol>@depth@100ms\` | changes of the book |
| \`<symbol>@depth5\`, \`10\`, \`20\` | its best levels |
| \`<symbol>@bookTicker\`, \`!bookTicker\` | the best prices |
| \`<symbol>@miniTicker\`, \`<symbol>@ticker\`, \`!miniTicker@arr\`, \`!ticker@arr\` | the last 24 hours |
| a listen key of \`POST /api/v3/userDataStream\` | orders, fills and balances of the account |

Symbols in stream names are in lower case.

## WebSocket API

\`${WS_API_PATH}\` offers over one connection what REST offers over many: \`{"id": 1, "method": "order.place", "params": {…}}\`.
Endpoints with an \`x-websocket-method\` can be called by that name; ${METHODS.length} methods in all. These belong to the connection itself:

| method | weight | |
|---|---|---|
${SESSION.map(row).join("\n")}
`;
