/**
 * The public part of a proof: what the venue says it owes, signed. All customers must see the same, so it goes where all
 * see it. Two lines of JSON: the statement; key and signature. Two more where reserves are shown beside it.
 * docs/internals/proof-format.md.
 */
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import type { TreeContext } from "./hashing.ts";
import { HOUSE_NAMES } from "./liabilities.ts";
import { count, depthNumber, hex32, lineOf, linesOf, readLine, signedText, sumText } from "./read-text.ts";
import { demand } from "./refused.ts";
import { readReserves, type Reserve, type Reserves, signReserves } from "./reserves.ts";
import { readSealed, type Sealed, sealLine } from "./seal.ts";

export const FORMAT = "pricetime-proof-1";
/** Stands for the digest of the statement before the first. */
export const NO_PREVIOUS = "0".repeat(64);
const SIGNED_AS = "pricetime proof 1 statement\n";
/** A line and its seal. */
const LINES = 2;

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

export type AssetStatement = z.output<typeof assetSchema>;
export type Statement = z.output<typeof statementSchema>;

/** `digest` is what people compare; `text` is the whole file. */
export interface SignedStatement extends Sealed {
  readonly statement: Statement;
  /** Null: none are shown. */
  readonly reserves: Reserves | null;
}

export function signStatement(statement: Statement, key: KeyObject): SignedStatement {
  return { ...sealLine(lineOf(statement), SIGNED_AS, key), statement, reserves: null };
}

/** Puts reserves behind a statement that has none. Throws `ProofRefused` for reserves that a checker would refuse. */
export function withReserves(signed: SignedStatement, given: Reserve[], key: KeyObject): SignedStatement {
  const reserves = signReserves(signed.digest, assetsOf(signed.statement), given, key);
  return { ...signed, reserves, text: signed.text + reserves.text };
}

/**
 * Reads and checks a public part by itself: format, signatures of the venue, sums. Signatures of addresses are for
 * `checkAddresses`. Throws `ProofRefused`.
 */
export function readStatement(text: string): SignedStatement {
  const hasReserves = text.split("\n").length > LINES + 1;
  const lines = linesOf(text, hasReserves ? 2 * LINES : LINES, "the public part");
  const [line = "", seal = "", reservesLine = "", reservesSeal = ""] = lines;
  const sealed = readSealed(line, seal, SIGNED_AS, "the public part");
  const statement = readLine(line, statementSchema, "the public part");
  checkAssets(statement);
  if (!hasReserves) return { ...sealed, statement, reserves: null };
  const reserves = readReserves(reservesLine, reservesSeal, sealed.digest, assetsOf(statement));
  demand(reserves.publicKey === sealed.publicKey, "the reserves are signed with another key than the public part");
  return { ...sealed, statement, reserves, text };
}

const assetsOf = ({ assets }: Statement): string[] => assets.map(({ asset }) => asset);

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
  if (earlier.digest === later.digest) return hasTwoReserves(earlier, later) ? "twoViews" : "same";
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

/** Reserves may come later than the statement, and stay as they were shown. */
function hasTwoReserves(one: SignedStatement, other: SignedStatement): boolean {
  return one.reserves !== null && other.reserves !== null && one.reserves.digest !== other.reserves.digest;
}
