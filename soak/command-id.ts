/** Each request for an order or a cancel has a number, which its command stores in the journal. */

const PREFIX = "soak-";

/** The `newClientOrderId` of request `id`. */
export function clientIdOf(id: number): string {
  return PREFIX + id.toString(36);
}

/** 0 for a client order ID that the soak test did not create. */
export function idOf(clientOrderId: string): number {
  if (!clientOrderId.startsWith(PREFIX)) return 0;
  const id = Number.parseInt(clientOrderId.slice(PREFIX.length), 36);
  return Number.isSafeInteger(id) ? id : 0;
}

const RESPONSE_TYPES = ["FULL", "RESULT", "FULL", "ACK"] as const;
export type ResponseType = (typeof RESPONSE_TYPES)[number];

/** The response type that request `id` asks for. */
export function responseTypeOf(id: number): ResponseType {
  return RESPONSE_TYPES[id % RESPONSE_TYPES.length] as ResponseType;
}

/** The client order IDs of a list's orders begin with that of their request. */
export function legIdOf(id: number, leg: "working" | "pending"): string {
  return `${clientIdOf(id)}-${leg}`;
}

/**
 * Kinds of requests; precision, missing and signature are rejected before there is a command. Append only: records
 * store the index.
 */
export const KINDS = ["place", "cancel", "precision", "missing", "signature", "list", "amend"] as const;
export type Kind = (typeof KINDS)[number];

const refusal = (code: number, msg: string): string => `400 ${JSON.stringify({ code, msg })}`;

/** The expected status and body of requests that never become a command. */
export const GATE_ANSWERS: Readonly<Partial<Record<Kind, string>>> = {
  precision: refusal(-1111, "Precision is over the maximum defined for this asset."),
  missing: refusal(-1102, "Mandatory parameter 'quantity' was not sent, was empty/null, or malformed."),
  signature: refusal(-1022, "Signature for this request is not valid."),
};
