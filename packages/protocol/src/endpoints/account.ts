/** The account, its trades and its user stream. Interface 4.2, 4.4. */
import type { Endpoint } from "../endpoint.ts";
import { END_TIME, FROM_ID, LIMIT, LISTEN_KEY, ORDER_ID, optional, START_TIME, SYMBOL } from "./parameters.ts";

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
