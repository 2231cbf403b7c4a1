/**
 * Lines of a proof's files, their limits, and why one is refused: JSON in one spelling only, so that two checkers
 * cannot read two things in one file. docs/internals/proof-format.md.
 */
import { z } from "zod";
import { hash, type KeyObject, sign, verify } from "node:crypto";
import { publicKeyObject, publicKeyOf } from "./keys.ts";

/** The largest amount and sum: a checker refuses more, so that no sum of two wraps round its sixteen bytes. */
export const MAX_SUM = 2n ** 127n - 1n;
/** The smallest tree has 2^8 leaves, so that a few holders are not counted by its height. */
export const MIN_DEPTH = 8;
/** Leaves are numbered by 32 bits. */
export const MAX_DEPTH = 32;
/** There are five leaves for four holders at least: the others are padding. */
export const LEAVES_FOR_HOLDERS = [5, 4] as const;
/** The longest file that a checker reads, in characters: a customer of 500 assets in trees of 2^32 leaves has 2 MB. */
const MAX_PROOF_TEXT = 16 * 2 ** 20;
/** Addresses and assets of which reserves are shown: a public part with all of them has half a megabyte. */
export const MAX_RESERVES = 1000;

/** Why a proof does not hold, or a file is none, in one line for the person who checks. */
export class ProofRefused extends Error {
  override readonly name = "ProofRefused";
}

/** Throws `ProofRefused` unless the condition holds. */
export function demand(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new ProofRefused(otherwise);
}

export const hex32 = z.string().regex(/^[0-9a-f]{64}$/);
const wholeText = /^(0|[1-9][0-9]{0,38})$/;
/** An amount or sum in units: not below zero, and no more than `MAX_SUM`. */
export const sumText = z.string().refine((text) => wholeText.test(text) && BigInt(text) <= MAX_SUM);
/** An amount of the house, which may be below zero. */
export const signedText = z
  .string()
  .refine((text) => text !== "-0" && sumText.safeParse(text.replace(/^-/, "")).success);
export const count = z.int().min(0);
export const depthNumber = z.int().min(1).max(MAX_DEPTH);
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Returns what a line holds. Throws `ProofRefused`; `what` names the line. */
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

/** Splits a file into its lines, so many, each with its end. Throws `ProofRefused`. */
export function linesOf(text: string, lines: number, what: string): string[] {
  const parts = text.split("\n");
  demand(parts.length === lines + 1 && parts.at(-1) === "", `${what} has other than ${lines} lines`);
  return parts.slice(0, lines);
}

/** One line of ASCII: what is beyond it is written as \u and four digits. */
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
