/**
 * Reads and writes the lines of a proof's files: limits, validation errors, and a canonical form of JSON, so that two
 * verifiers cannot interpret one file differently. docs/internals/proof-format.md.
 */
import { z } from "zod";
import { hash, type KeyObject, sign, verify } from "node:crypto";
import { publicKeyObject, publicKeyOf } from "./keys.ts";

/** Maximum amount and sum. Verifiers reject larger ones, so that adding two of them never overflows 16 bytes. */
export const MAX_SUM = 2n ** 127n - 1n;
/** Minimum depth: a tree has at least 2^8 leaves, so that its height does not reveal a small number of holders. */
export const MIN_DEPTH = 8;
/** Maximum depth, because leaves have 32-bit indices. */
export const MAX_DEPTH = 32;
/** A tree has at least five leaves for every four holders; the others are padding. */
export const LEAVES_FOR_HOLDERS = [5, 4] as const;
/**
 * Maximum length of a file that a verifier reads, in characters. The file of a customer with 500 assets in trees of
 * 2^32 leaves has 2 MB.
 */
const MAX_PROOF_TEXT = 16 * 2 ** 20;
/** Maximum number of reserves of a proof, by address and asset. A public part with this many has 0.5 MB. */
export const MAX_RESERVES = 1000;

/** A proof or one of its files is invalid; the message is the reason in one line, for the person who verifies it. */
export class ProofRefused extends Error {
  override readonly name = "ProofRefused";
}

/** Throws `ProofRefused` with the message `otherwise` unless the condition is true. */
export function demand(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new ProofRefused(otherwise);
}

export const hex32 = z.string().regex(/^[0-9a-f]{64}$/);
const wholeText = /^(0|[1-9][0-9]{0,38})$/;
/** An amount or sum in the asset's smallest units, from 0 to `MAX_SUM`. */
export const sumText = z.string().refine((text) => wholeText.test(text) && BigInt(text) <= MAX_SUM);
/** The balance of a house account, which may be negative. */
export const signedText = z
  .string()
  .refine((text) => text !== "-0" && sumText.safeParse(text.replace(/^-/, "")).success);
export const count = z.int().min(0);
export const depthNumber = z.int().min(1).max(MAX_DEPTH);
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Parses a line. Throws `ProofRefused`; `what` names the line. */
export function readLine<T extends z.ZodType>(line: string, schema: T, what: string): z.output<T> {
  demand(line.length <= MAX_PROOF_TEXT, `${what} is too long`);
  demand(PRINTABLE.test(line), `${what} has characters that it cannot have`);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  demand(value !== undefined && lineOf(value) === line, `${what} is not JSON as it is written here`);
  const read = schema.safeParse(value);
  demand(read.success, `${what} is not of the format: ${read.error?.issues[0]?.path.join(".") ?? ""}`);
  return read.data;
}

/** Splits a file into exactly this many lines. Throws `ProofRefused`. */
export function linesOf(text: string, lines: number, what: string): string[] {
  const parts = text.split("\n");
  demand(parts.length === lines + 1 && parts.at(-1) === "", `${what} has other than ${lines} lines`);
  return parts.slice(0, lines);
}

/** Encodes a value as one line of ASCII JSON; other characters become \u escapes. */
export function lineOf(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const sealSchema = z.strictObject({ publicKey: hex32, signature: z.string().regex(/^[0-9a-f]{128}$/) });

export interface Sealed {
  /** 64 hex digits. */
  readonly publicKey: string;
  /** SHA-256 of the line, 64 hex digits. */
  readonly digest: string;
  /** Both lines, each with its line end. */
  readonly text: string;
}

/**
 * Signs a line. `signedAs` is prepended to the signed bytes, so that the signature is not valid for another kind of
 * line.
 */
export function sealLine(line: string, signedAs: string, key: KeyObject): Sealed {
  const publicKey = publicKeyOf(key);
  const signature = sign(null, Buffer.from(signedAs + line), key).toString("hex");
  return { publicKey, digest: hash("sha256", line, "hex"), text: `${line}\n${lineOf({ publicKey, signature })}\n` };
}

/** Verifies the signature of a line. Throws `ProofRefused`; `what` names the line. */
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
