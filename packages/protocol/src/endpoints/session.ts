/**
 * Methods that concern a connection to the WebSocket API itself: its logon, and the events of accounts. Interface 11;
 * names, weights and parameters as later parents have them.
 */
import type { Endpoint } from "../endpoint.ts";
import { optional } from "./parameters.ts";

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
