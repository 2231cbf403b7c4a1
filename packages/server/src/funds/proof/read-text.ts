/** Reads the lines of proofs: JSON in one spelling only, so that two checkers cannot read two things in one file. */
import { z } from "zod";
import { MAX_DEPTH, MAX_PROOF_TEXT, MAX_SUM } from "./limits.ts";
import { demand } from "./refused.ts";

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
