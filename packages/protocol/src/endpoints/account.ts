/** The account, its trades and its user stream (Interface 4.2, 4.4), and connections to the WebSocket API. */
import type { Endpoint } from "../endpoint.ts";
import {
  END_TIME,
  FROM_ID,
  LIMIT,
  LISTEN_KEY,
  optional,
  ORDER_ID,
  preventedMatchesWeight,
  START_TIME,
  SYMBOL,
} from "./parameters.ts";

const READ = { method: "GET", family: "api", security: "USER_DATA", weight: 5 } as const;
const USER_STREAM = {
  paths: ["/api/v3/userDataStream", "/api/v1/userDataStream"],
  family: "api",
  security: "USER_STREAM",
  weight: 1,
} as const;

export const ACCOUNT = [
  {
    ...READ,
    id: "account.status",
    paths: ["/api/v3/account"],
    parameters: [optional("omitZeroBalances", "boolean", { note: "true: only assets with a balance." })],
    summary: "Returns the balances, commissions and permissions of the account.",
  },
  {
    ...READ,
    id: "account.commission",
    paths: ["/api/v3/account/commission"],
    parameters: [SYMBOL],
    summary: "Returns the commission rates of the account on a symbol.",
  },
  {
    ...READ,
    id: "account.rateLimits.orders",
    paths: ["/api/v3/rateLimit/order"],
    parameters: [],
    summary: "Returns the limits on the account's orders, and how many of them are used.",
  },
  {
    ...READ,
    id: "myFilters",
    paths: ["/api/v3/myFilters"],
    parameters: [SYMBOL],
    summary: "Returns the filters that apply to the account's orders on a symbol.",
  },
  {
    ...READ,
    id: "myTrades",
    paths: ["/api/v3/myTrades"],
    parameters: [SYMBOL, ORDER_ID, START_TIME, END_TIME, FROM_ID, LIMIT],
    summary: "Returns the account's trades on a symbol.",
  },
  {
    ...READ,
    id: "myPreventedMatches",
    paths: ["/api/v3/myPreventedMatches"],
    weight: preventedMatchesWeight,
    parameters: [
      SYMBOL,
      optional("preventedMatchId", "integer", { note: "One match. Not with other parameters than symbol." }),
      optional("orderId", "integer", { note: "The matches of one order of the account." }),
      optional("fromPreventedMatchId", "integer", { note: "Inclusive. Only with orderId." }),
      LIMIT,
    ],
    exclusive: [
      ["preventedMatchId", "orderId"],
      ["preventedMatchId", "fromPreventedMatchId"],
      ["preventedMatchId", "limit"],
    ],
    summary: "Returns the trades of the account with itself that self-trade prevention prevented.",
  },
  {
    ...USER_STREAM,
    id: "userDataStream.start",
    method: "POST",
    parameters: [],
    summary: "Opens the user stream, or extends the open one.",
  },
  {
    ...USER_STREAM,
    id: "userDataStream.ping",
    method: "PUT",
    parameters: [LISTEN_KEY],
    summary: "Extends a user stream by 60 minutes.",
  },
  {
    ...USER_STREAM,
    id: "userDataStream.stop",
    method: "DELETE",
    parameters: [LISTEN_KEY],
    summary: "Closes a user stream.",
  },
] as const satisfies readonly Endpoint[];

// Methods that concern a connection to the WebSocket API itself: its logon, and its subscriptions to account events.
// Interface 11; names, weights and parameters are those of later versions of the original interface.

const OF_A_CONNECTION = { method: "POST", paths: [], family: "api", security: "NONE", weight: 2 } as const;

export const SESSION = [
  {
    ...OF_A_CONNECTION,
    id: "session.logon",
    signed: true,
    parameters: [],
    summary: "Authenticates the connection with an Ed25519 key, which its later requests use.",
  },
  {
    ...OF_A_CONNECTION,
    id: "session.status",
    parameters: [],
    summary: "Returns the key that is logged on, if any.",
  },
  {
    ...OF_A_CONNECTION,
    id: "session.logout",
    parameters: [],
    summary: "Logs the connection out.",
  },
  {
    ...OF_A_CONNECTION,
    id: "session.subscriptions",
    parameters: [],
    summary: "Returns the subscriptions to events of accounts.",
  },
  {
    ...OF_A_CONNECTION,
    id: "userDataStream.subscribe",
    security: "USER_STREAM",
    parameters: [],
    summary: "Subscribes to the events of the account that is logged on.",
  },
  {
    ...OF_A_CONNECTION,
    id: "userDataStream.subscribe.signature",
    security: "USER_STREAM",
    signed: true,
    parameters: [],
    summary: "Subscribes to the events of the account whose key signs the request.",
  },
  {
    ...OF_A_CONNECTION,
    id: "userDataStream.unsubscribe",
    parameters: [optional("subscriptionId", "integer", { note: "Default: all subscriptions." })],
    summary: "Ends one or all subscriptions.",
  },
] as const satisfies readonly Endpoint[];
