/** Requests as clients sign them: an implementation of the tests' own, so that it can tell whether the node's is right. */
import { createHmac, type KeyObject, sign as signWith } from "node:crypto";

export type Parameters = Readonly<Record<string, string | number>>;

/** What signs a client's requests. */
export interface Credentials {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** As in a query or a form. */
export function encode(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}

/** HMAC SHA256, in hexadecimal digits. */
export function sign(secretKey: string | Uint8Array, payload: string | Uint8Array): string {
  return createHmac("sha256", secretKey).update(payload).digest("hex");
}

/** The parameters, encoded, and their signature behind them. */
export function encodeSigned(parameters: Parameters, secretKey: string): string {
  const payload = encode(parameters);
  return `${payload}&signature=${sign(secretKey, payload)}`;
}

/** A key of either kind. */
export interface SigningKey {
  readonly apiKey: string;
  readonly sign: (payload: string) => string;
}

export function hmacKey({ apiKey, secretKey }: Credentials): SigningKey {
  return { apiKey, sign: (payload) => sign(secretKey, payload) };
}

export function ed25519Key(apiKey: string, privateKey: KeyObject): SigningKey {
  return { apiKey, sign: (payload) => signWith(null, Buffer.from(payload), privateKey).toString("base64") };
}

/** Values as a call of the WebSocket API has them. */
export type Params = Readonly<Record<string, unknown>>;

/** What is signed of a call of the WebSocket API: parameters by name, values as they are. */
export function payloadOf(params: Params): string {
  const names = Object.keys(params).sort();
  return names.map((name) => `${name}=${textOf(params[name])}`).join("&");
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
