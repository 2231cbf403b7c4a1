/**
 * The public part of a proof: what the venue says it owes, signed. All customers must see the same, so it goes where all
 * see it. Two lines of JSON: the statement; key and signature. docs/internals/proof-format.md.
 */
import { hash, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";
import type { TreeContext } from "./hashing.ts";
import { publicKeyObject, publicKeyOf } from "./keys.ts";
import { HOUSE_NAMES } from "./liabilities.ts";
import { count, depthNumber, hex32, lineOf, linesOf, readLine, signedText, sumText } from "./read-text.ts";
import { demand } from "./refused.ts";

export const FORMAT = "pricetime-proof-1";
/** Stands for the digest of the statement before the first. */
export const NO_PREVIOUS = "0".repeat(64);
const SIGNED_AS = "pricetime proof 1 statement\n";

const assetSchema = z.strictObject({
  asset: z.string().regex(/^[A-Z0-9]{1,20}$/),
  assetId: count,
  decimals: count,
  depth: depthNumber,
  /** All leaves together: what customers have, free and locked. */
  total: sumText,
  root: hex32,
  /** The part of the total that open withdrawals will take out. */
  leaving: sumText,
  fees: signedText,
  treasury: signedText,
  dust: signedText,
  arriving: signedText,
  /** What came in less what went out. */
  net: signedText,
});
const statementSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** Counts the proofs of a venue, from 1. */
  number: count.min(1),
  /** The digest of the statement before it. */
  previous: hex32,
  /** The journal's position: its last entry, the entry's time, the chain's hash, and that of the state as `journal verify` prints it. */
  seq: count,
  timeMs: count,
  chainHash: hex32,
  stateHash: z.string().regex(/^[0-9a-f]{16}$/),
  assets: z.array(assetSchema),
});
const sealSchema = z.strictObject({ publicKey: hex32, signature: z.string().regex(/^[0-9a-f]{128}$/) });

export type AssetStatement = z.output<typeof assetSchema>;
export type Statement = z.output<typeof statementSchema>;

export interface SignedStatement {
  readonly statement: Statement;
  /** SHA-256 of the first line, 64 hex digits: what people compare. */
  readonly digest: string;
  /** 64 hex digits. */
  readonly publicKey: string;
  /** The whole file. */
  readonly text: string;
}

export function signStatement(statement: Statement, key: KeyObject): SignedStatement {
  const line = lineOf(statement);
  const publicKey = publicKeyOf(key);
  const signature = sign(null, Buffer.from(SIGNED_AS + line), key).toString("hex");
  return { statement, digest: digestOf(line), publicKey, text: `${line}\n${lineOf({ publicKey, signature })}\n` };
}

/** Reads and checks a public part by itself: format, signature, sums. Throws `ProofRefused`. */
export function readStatement(text: string): SignedStatement {
  const [line = "", seal = ""] = linesOf(text, 2, "the public part");
  const { publicKey, signature } = readLine(seal, sealSchema, "the second line of the public part");
  demand(isSigned(line, publicKey, signature), "the signature of the public part is not of its key");
  const statement = readLine(line, statementSchema, "the public part");
  checkAssets(statement);
  return { statement, digest: digestOf(line), publicKey, text };
}

export function contextOf(
  { seq, chainHash }: Statement,
  { asset, assetId, decimals, depth }: AssetStatement,
): TreeContext {
  return { seq, chainHash, asset, assetId, decimals, depth };
}

/** How two public parts of a venue stand to each other. `twoViews`: it has told two things of what can be but one. */
export type Relation = "same" | "next" | "apart" | "twoViews" | "otherKey";

/** `later` may be the earlier one; `next`: it names the other one as the one before it. */
export function compareStatements(earlier: SignedStatement, later: SignedStatement): Relation {
  if (earlier.publicKey !== later.publicKey) return "otherKey";
  if (earlier.digest === later.digest) return "same";
  const [a, b] = [earlier.statement, later.statement];
  if (a.number === b.number || a.seq === b.seq) return "twoViews";
  const [first, second] = a.number < b.number ? [earlier, later] : [later, earlier];
  if (second.statement.number !== first.statement.number + 1) return "apart";
  return second.statement.previous === first.digest ? "next" : "twoViews";
}

function checkAssets({ number, previous, assets }: Statement): void {
  demand((number === 1) === (previous === NO_PREVIOUS), "the first proof alone has none before it");
  let lastId = -1;
  const names = new Set<string>();
  for (const each of assets) {
    demand(each.assetId > lastId && !names.has(each.asset), `${each.asset} stands twice, or out of turn`);
    lastId = each.assetId;
    names.add(each.asset);
    demand(BigInt(each.leaving) <= BigInt(each.total), `${each.asset}: more is leaving than customers have`);
    for (const name of HOUSE_NAMES) {
      demand(name === "treasury" || !each[name].startsWith("-"), `${each.asset}: ${name} is below zero`);
    }
    const held = HOUSE_NAMES.reduce((sum, name) => sum + BigInt(each[name]), BigInt(each.total));
    demand(held === BigInt(each.net), `${each.asset}: what is held is not what came in less what went out`);
  }
}

function isSigned(line: string, publicKey: string, signature: string): boolean {
  try {
    return verify(null, Buffer.from(SIGNED_AS + line), publicKeyObject(publicKey), Buffer.from(signature, "hex"));
  } catch {
    return false;
  }
}

function digestOf(line: string): string {
  return hash("sha256", line, "hex");
}
