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
    summary: "Makes an Ed25519 key the one that requests of this connection are made with.",
  },
  {
    ...OF_A_CONNECTION,
    id: "session.status",
    security: "NONE",
    weight: 2,
    parameters: [],
    summary: "Which key, if any, is logged on.",
  },
  {
    ...OF_A_CONNECTION,
    id: "session.logout",
    security: "NONE",
    weight: 2,
    parameters: [],
    summary: "Forgets the key that is logged on.",
  },
  {
    ...OF_A_CONNECTION,
    id: "session.subscriptions",
    security: "NONE",
    weight: 2,
    parameters: [],
    summary: "The subscriptions to events of accounts.",
  },
  {
    ...OF_A_CONNECTION,
    id: "userDataStream.subscribe",
    security: "USER_STREAM",
    weight: 2,
    parameters: [],
    summary: "Sends the events of the account that is logged on.",
  },
  {
    ...OF_A_CONNECTION,
    id: "userDataStream.subscribe.signature",
    security: "USER_STREAM",
    signed: true,
    weight: 2,
    parameters: [],
    summary: "Sends the events of the account whose key signs this.",
  },
  {
    ...OF_A_CONNECTION,
    id: "userDataStream.unsubscribe",
    security: "NONE",
    weight: 2,
    parameters: [optional("subscriptionId", "integer", { note: "All subscriptions when absent." })],
    summary: "Ends one subscription or all.",
  },
] as const satisfies readonly Endpoint[];
