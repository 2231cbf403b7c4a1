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
  { name: "Orders", description: "Placing, cancelling, replacing, looking up.", rows: ORDERS },
  { name: "Order lists", description: "Two orders, of which one cancels the other (OCO).", rows: ORDER_LISTS },
  { name: "Account", description: "Balances, trades, and the listen keys of user streams.", rows: ACCOUNT },
  { name: "Deposits and withdrawals", description: "Coins that come and go.", rows: CAPITAL },
  { name: "Wallet", description: "Fees, dust, dividends, snapshots, what the account may do.", rows: WALLET },
  { name: "Sub-accounts", description: "Accounts of a master account, and transfers among them.", rows: SUB_ACCOUNTS },
  {
    name: "Wallet of 2019",
    description: "What older clients call. Refusals come with 200 and `success: false`.",
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
export const OPENAPI_DESCRIPTION = `Spot trading, as clients of Binance's public interface of 2019 and later speak it.

## Parameters

They stand in the query or, but for GET, in a form body; where both have one, the query wins. Times are milliseconds
since 1970. Prices and amounts are decimals, never rounded: what is too fine is refused.

## Signing

Signed endpoints take \`timestamp\`, \`recvWindow\` and \`signature\`, and the API key in the header \`X-MBX-APIKEY\`. The
signature is the HMAC SHA-256 of query and body, joined with nothing between, in hexadecimal; of an Ed25519 key it is
its signature of the same text, in Base64 and percent-encoded.

## Errors and limits

A refusal is \`{"code": -1121, "msg": "Invalid symbol."}\` with a status of 4XX. A status of 5XX leaves open whether the
request was carried out. Each request weighs something (\`x-weight\`): the header \`X-MBX-USED-WEIGHT-1M\` counts it for the
address, and \`GET /api/v3/exchangeInfo\` lists the limits. Beyond them the answer is 429 with \`Retry-After\`; who goes on
is banned for a while (418).

## Streams

On the same port: \`/ws/NAME\` sends one stream, \`/stream?streams=NAME/NAME\` several, each message with its stream's name.
\`SUBSCRIBE\` and \`UNSUBSCRIBE\` change what is sent.

| stream | sends |
|---|---|
| \`<symbol>@trade\`, \`<symbol>@aggTrade\` | trades |
| \`<symbol>@kline_<interval>\` | candles |
| \`<symbol>@depth\`, \`<symbol>@depth@100ms\` | changes of the book |
| \`<symbol>@depth5\`, \`10\`, \`20\` | its best levels |
| \`<symbol>@bookTicker\`, \`!bookTicker\` | the best prices |
| \`<symbol>@miniTicker\`, \`<symbol>@ticker\`, \`!miniTicker@arr\`, \`!ticker@arr\` | the last 24 hours |
| a listen key of \`POST /api/v3/userDataStream\` | orders, fills and balances of the account |

Symbols are in lower case there.

## WebSocket API

\`${WS_API_PATH}\` answers over one connection what REST answers over many: \`{"id": 1, "method": "order.place", "params": {…}}\`.
What has an \`x-websocket-method\` here can be called by that name; ${METHODS.length} methods in all. These are asked of the connection itself:

| method | weight | |
|---|---|---|
${SESSION.map(row).join("\n")}
`;
