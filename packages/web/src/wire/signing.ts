/** Requests signed by HMAC-SHA-256, as any client of the interface signs them (Interface 5.5). */
import { WIRE } from "../words/words.ts";
import { Refused } from "./refused.ts";

export interface SigningKey {
  readonly apiKey: string;
  /** The signature of the text, in hexadecimal digits. */
  sign(text: string): Promise<string>;
}

const HMAC = { name: "HMAC", hash: "SHA-256" };

/**
 * Rejects with `Refused` where the browser offers no signing: it does so on pages of `https` and of this machine alone.
 * The secret is handed to the browser at once; nothing here can read it again.
 */
export async function signingKey(apiKey: string, secretKey: string): Promise<SigningKey> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) throw new Refused(WIRE.noSigning, { code: null, isUnknown: false });
  if (secretKey === "") throw new Refused(WIRE.noSecret, { code: null, isUnknown: false });
  const bytes = new TextEncoder();
  const key = await subtle.importKey("raw", bytes.encode(secretKey), HMAC, false, ["sign"]);
  return {
    apiKey,
    sign: async (text) => hexadecimal(new Uint8Array(await subtle.sign(HMAC.name, key, bytes.encode(text)))),
  };
}

function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
