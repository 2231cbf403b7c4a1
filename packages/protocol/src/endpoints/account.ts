/** The account, its trades and its user stream (Interface 4.2, 4.4), and connections to the WebSocket API. */
import type { Endpoint } from "../endpoint.ts";
import { END_TIME, FROM_ID, LIMIT, LISTEN_KEY, optional, ORDER_ID, START_TIME, SYMBOL } from "./parameters.ts";

const USER_DATA_STREAM = ["/api/v3/userDataStream", "/api/v1/userDataStream"] as const;

export const ACCOUNT = [
  {
    id: "account.status",
    method: "GET",
    paths: ["/api/v3/account"],
    family: "api",
    security: "USER_DATA",
    weight: 5,
    parameters: [optional("omitZeroBalances", "boolean", { note: "true: only assets with a balance." })],
    summary: "Returns the balances, commissions and permissions of the account.",
  },
  {
    id: "myTrades",
    method: "GET",
    paths: ["/api/v3/myTrades"],
    family: "api",
    security: "USER_DATA",
    weight: 5,
    parameters: [SYMBOL, ORDER_ID, START_TIME, END_TIME, FROM_ID, LIMIT],
    summary: "Returns the account's trades on a symbol.",
  },
  {
    id: "userDataStream.start",
    method: "POST",
    paths: USER_DATA_STREAM,
    family: "api",
    security: "USER_STREAM",
    weight: 1,
    parameters: [],
    summary: "Opens the user stream, or extends the open one.",
  },
  {
    id: "userDataStream.ping",
    method: "PUT",
    paths: USER_DATA_STREAM,
    family: "api",
    security: "USER_STREAM",
    weight: 1,
    parameters: [LISTEN_KEY],
    summary: "Extends a user stream by 60 minutes.",
  },
  {
    id: "userDataStream.stop",
    method: "DELETE",
    paths: USER_DATA_STREAM,
    family: "api",
    security: "USER_STREAM",
    weight: 1,
    parameters: [LISTEN_KEY],
    summary: "Closes a user stream.",
  },
] as const satisfies readonly Endpoint[];

// Methods that concern a connection to the WebSocket API itself: its logon, and its subscriptions to account events.
// Interface 11; names, weights and parameters are those of later versions of the original interface.

const OF_A_CONNECTION = { method: "POST", paths: [], family: "api" } as const;

export const SESSION = [
  {
    ...OF_A_CONNECTION,
    id: "session.logon",
    security: "NONE",
    signed: true,
    weight: 2,
    parameters: [],
    summary: "Authenticates the connection with an Ed25519 key, which its later requests use.",
  },
  {
    ...OF_A_CONNECTION,
    id: "session.status",
    security: "NONE",
    weight: 2,
    parameters: [],
    summary: "Returns the key that is logged on, if any.",
  },
  {
    ...OF_A_CONNECTION,
    id: "session.logout",
    security: "NONE",
    weight: 2,
    parameters: [],
    summary: "Logs the connection out.",
  },
  {
    ...OF_A_CONNECTION,
    id: "session.subscriptions",
    security: "NONE",
    weight: 2,
    parameters: [],
    summary: "Returns the subscriptions to events of accounts.",
  },
  {
    ...OF_A_CONNECTION,
    id: "userDataStream.subscribe",
    security: "USER_STREAM",
    weight: 2,
    parameters: [],
    summary: "Subscribes to the events of the account that is logged on.",
  },
  {
    ...OF_A_CONNECTION,
    id: "userDataStream.subscribe.signature",
    security: "USER_STREAM",
    signed: true,
    weight: 2,
    parameters: [],
    summary: "Subscribes to the events of the account whose key signs the request.",
  },
  {
    ...OF_A_CONNECTION,
    id: "userDataStream.unsubscribe",
    security: "NONE",
    weight: 2,
    parameters: [optional("subscriptionId", "integer", { note: "Default: all subscriptions." })],
    summary: "Ends one or all subscriptions.",
  },
] as const satisfies readonly Endpoint[];
