/**
 * A proof of liabilities: a signed statement, a tree per asset, and a part per customer that can be verified against
 * the statement. Pure functions of a state.
 */
import { z } from "zod";
import {
  contextHash,
  customerHash,
  depthFor,
  DIGEST_BYTES,
  ENTRY_BYTES,
  pathOf,
  type ReadEntry,
  sumBytes,
  sumOf,
  SumTree,
  TreeHasher,
} from "./sum-tree.ts";
import { count, demand, hex32, lineOf, linesOf, MAX_DEPTH, MAX_SUM, readLine, sumText } from "./lines.ts";
import {
  type AssetStatement,
  contextOf,
  FORMAT,
  type Owed,
  owedIn,
  type SignedStatement,
  type Statement,
} from "./statement.ts";
import assert from "node:assert/strict";
import type { EngineView } from "@pricetime/engine";
import { customerSecretOf } from "./keys.ts";

// A customer's part is one line of JSON. Verifying it proves that every amount in it is included in the published
// total. docs/internals/proof-format.md.

export const CUSTOMER_FORMAT = "pricetime-proof-customer-1";

const holdingSchema = z.strictObject({
  asset: z.string(),
  amount: sumText,
  /** The index of the customer's leaf. */
  index: count.max(2 ** MAX_DEPTH - 1),
  /** Sum and hash of each sibling on the path from the leaf to the root. */
  path: z.array(z.tuple([sumText, hex32])).max(MAX_DEPTH),
});
const customerSchema = z.strictObject({
  format: z.literal(CUSTOMER_FORMAT),
  /** The digest of the proof's public part. */
  statement: hex32,
  accountId: count,
  email: z.string().refine((text) => text.isWellFormed()),
  /** The account's secret, different in each proof. */
  secret: hex32,
  /** If an asset is missing here, the exchange claims that it owes the customer none of it. */
  holdings: z.array(holdingSchema),
});

export type CustomerPart = z.output<typeof customerSchema>;
export type HoldingPart = CustomerPart["holdings"][number];

export function customerText(part: CustomerPart): string {
  return `${lineOf(part)}\n`;
}

/** Parses a customer's part and checks its format only. Throws `ProofRefused`. */
export function readCustomer(text: string): CustomerPart {
  const [line = ""] = linesOf(text, 1, "the customer's part");
  return readLine(line, customerSchema, "the customer's part");
}

/** Verifies a customer's part against the public part. Throws `ProofRefused` at the first error. */
export function checkCustomer(part: CustomerPart, { statement, digest }: SignedStatement): void {
  demand(part.statement === digest, "the two files are not of one proof");
  const customer = customerHash(Buffer.from(part.secret, "hex"), part.accountId, part.email);
  const seen = new Set<string>();
  for (const holding of part.holdings) {
    const told = statement.assets.find(({ asset }) => asset === holding.asset);
    demand(told !== undefined, `${holding.asset}: the public part has no such asset`);
    demand(!seen.has(holding.asset), `${holding.asset} stands twice`);
    seen.add(holding.asset);
    checkHolding(holding, told, statement, customer);
  }
}

function checkHolding(
  { asset, amount, index, path }: HoldingPart,
  told: AssetStatement,
  of: Statement,
  customer: Buffer,
): void {
  demand(path.length === told.depth && index < 2 ** told.depth, `${asset}: the way is not as long as the tree is high`);
  const hasher = new TreeHasher(contextHash(contextOf(of, told)));
  const children = Buffer.alloc(2 * ENTRY_BYTES);
  let sum = BigInt(amount);
  let digest = hasher.leaf(index, customer, sumBytes(sum));
  let at = index;
  for (const [step, [besideSum, besideHash]] of path.entries()) {
    const isRight = at % 2 === 1;
    const [own, beside] = isRight ? [ENTRY_BYTES, 0] : [0, ENTRY_BYTES];
    children.write(digest, own, DIGEST_BYTES, "latin1");
    sumBytes(sum).copy(children, own + DIGEST_BYTES);
    children.write(besideHash, beside, DIGEST_BYTES, "hex");
    sumBytes(BigInt(besideSum)).copy(children, beside + DIGEST_BYTES);
    sum += BigInt(besideSum);
    demand(sum <= MAX_SUM, `${asset}: a sum on the way is beyond all bounds`);
    at = Math.floor(at / 2);
    digest = hasher.node(step + 1, at, children);
  }
  const root = Buffer.from(digest, "latin1").toString("hex");
  demand(root === told.root, `${asset}: the amount is not in the venue's total`);
  demand(sum === BigInt(told.total), `${asset}: the sums lead to another total`);
}

/** The journal position of a state. */
export interface Position {
  readonly seq: number;
  readonly timeMs: number;
  /** 64 hex digits. */
  readonly chainHash: string;
  /** 16 hex digits. */
  readonly stateHash: string;
}

/**
 * The tree of an asset, with the balances that it was built from. Only one exists at a time, because all trees together
 * may not fit into memory.
 */
export interface AssetTree {
  readonly told: AssetStatement;
  readonly owed: Owed;
  readonly tree: SumTree;
}

/**
 * Creates the tree of each asset in turn and passes it to `each`. Returns the part of the statement that describes the
 * assets.
 */
export function makeTrees(
  view: EngineView,
  position: Position,
  proofKey: Uint8Array,
  each: (made: AssetTree) => void = () => {},
): AssetStatement[] {
  const customers = new Map<number, Buffer>();
  for (const { accountId, email } of view.accounts()) {
    customers.set(accountId, customerHash(customerSecretOf(proofKey, accountId), accountId, email));
  }
  const customerOf = (accountId: number): Buffer => {
    const customer = customers.get(accountId);
    assert(customer !== undefined, "a holder has an account");
    return customer;
  };
  return owedIn(view).map((owed) => {
    const { asset, assetId, decimals, holdings, total } = owed;
    const depth = depthFor(holdings.accountIds.length);
    const tree = new SumTree({ ...position, asset, assetId, decimals, depth }, holdings, proofKey, customerOf);
    assert(tree.total === total, "a tree adds up to what customers have");
    const told = { ...sumsOf(owed, depth), root: tree.root };
    each({ told, owed, tree });
    return told;
  });
}

/** The fields of an asset's statement that require no key. */
export function sumsOf(owed: Owed, depth: number): Omit<AssetStatement, "root"> {
  const { asset, assetId, decimals, total, leaving, house, net } = owed;
  const { fees, treasury, dust, arriving } = house;
  const houseTold = { fees: `${fees}`, treasury: `${treasury}`, dust: `${dust}`, arriving: `${arriving}` };
  return { asset, assetId, decimals, depth, total: `${total}`, leaving: `${leaving}`, ...houseTold, net: `${net}` };
}

/** A statement's number and predecessor in the chain of proofs. */
export type Place = Pick<Statement, "number" | "previous">;

export function statementOf(
  place: Place,
  { seq, timeMs, chainHash, stateHash }: Position,
  assets: AssetStatement[],
): Statement {
  const { number, previous } = place;
  return { format: FORMAT, number, previous, seq, timeMs, chainHash, stateHash, assets };
}

/** A customer's leaf in the tree of one asset. */
export interface FoundLeaf {
  readonly told: Pick<AssetStatement, "asset" | "depth">;
  readonly leaf: number;
  readonly read: ReadEntry;
}

export function holdingPart({ told: { asset, depth }, leaf, read }: FoundLeaf): HoldingPart {
  const amount = String(sumOf(read(2 ** depth + leaf).subarray(DIGEST_BYTES, ENTRY_BYTES)));
  return { asset, amount, index: leaf, path: pathOf(leaf, depth, read).map(([sum, hash]) => [sum, hash]) };
}

export function customerPart(
  digest: string,
  { accountId, email }: { readonly accountId: number; readonly email: string },
  proofKey: Uint8Array,
  holdings: readonly HoldingPart[],
): CustomerPart {
  const secret = customerSecretOf(proofKey, accountId).toString("hex");
  return { format: CUSTOMER_FORMAT, statement: digest, accountId, email, secret, holdings: [...holdings] };
}
