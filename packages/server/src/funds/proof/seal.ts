/** A line that the venue has signed, and the line behind it with key and signature. docs/internals/proof-format.md. */
import { hash, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";
import { publicKeyObject, publicKeyOf } from "./keys.ts";
import { hex32, lineOf, readLine } from "./read-text.ts";
import { demand } from "./refused.ts";

const sealSchema = z.strictObject({ publicKey: hex32, signature: z.string().regex(/^[0-9a-f]{128}$/) });

export interface Sealed {
  /** 64 hex digits. */
  readonly publicKey: string;
  /** SHA-256 of the line, 64 hex digits. */
  readonly digest: string;
  /** Both lines, each with its end. */
  readonly text: string;
}

/** `signedAs` goes before the line in what is signed: no line passes for one of another kind. */
export function sealLine(line: string, signedAs: string, key: KeyObject): Sealed {
  const publicKey = publicKeyOf(key);
  const signature = sign(null, Buffer.from(signedAs + line), key).toString("hex");
  return { publicKey, digest: hash("sha256", line, "hex"), text: `${line}\n${lineOf({ publicKey, signature })}\n` };
}

/** Throws `ProofRefused`; `what` names the line. */
export function readSealed(line: string, seal: string, signedAs: string, what: string): Sealed {
  const { publicKey, signature } = readLine(seal, sealSchema, `the line behind ${what}`);
  demand(isSigned(signedAs + line, publicKey, signature), `the signature of ${what} is not of its key`);
  return { publicKey, digest: hash("sha256", line, "hex"), text: `${line}\n${seal}\n` };
}

function isSigned(text: string, publicKey: string, signature: string): boolean {
  try {
    return verify(null, Buffer.from(text), publicKeyObject(publicKey), Buffer.from(signature, "hex"));
  } catch {
    return false;
  }
}
