/** Signs requests as clients do. The implementation is the tests' own, so that it can check the node's. */
import { createHmac, type KeyObject, sign as signWith } from "node:crypto";

export type Parameters = Readonly<Record<string, string | number>>;

/** The keys that sign a client's requests. */
export interface Credentials {
  readonly apiKey: string;
  readonly secretKey: string;
}

/** Encodes parameters as in a query or a form. */
export function encode(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}

/** Returns the HMAC SHA256 in hexadecimal digits. */
export function sign(secretKey: string | Uint8Array, payload: string | Uint8Array): string {
  return createHmac("sha256", secretKey).update(payload).digest("hex");
}

/** Returns the encoded parameters, followed by their signature. */
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

/** Values as in a call of the WebSocket API. */
export type Params = Readonly<Record<string, unknown>>;

/** Returns the signed text of a WebSocket API call: parameters sorted by name, values as they are. */
export function payloadOf(params: Params): string {
  const names = Object.keys(params).sort();
  return names.map((name) => `${name}=${textOf(params[name])}`).join("&");
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
