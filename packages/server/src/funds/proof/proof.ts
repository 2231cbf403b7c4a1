/** A proof of liabilities: a signed statement, and a tree for each asset. Pure: it reads a state, and keeps nothing. */
import assert from "node:assert/strict";
import type { EngineView } from "@pricetime/engine";
import { CUSTOMER_FORMAT, type CustomerPart, type HoldingPart } from "./customer-file.ts";
import { customerHash, ENTRY_BYTES, DIGEST_BYTES, sumOf } from "./hashing.ts";
import { customerSecretOf } from "./keys.ts";
import { owedIn, type Owed } from "./liabilities.ts";
import { type AssetStatement, FORMAT, type Statement } from "./statement.ts";
import { depthFor, pathOf, type ReadEntry, SumTree } from "./sum-tree.ts";

/** The position of the state. */
export interface Position {
  readonly seq: number;
  readonly timeMs: number;
  /** 64 hex digits. */
  readonly chainHash: string;
  /** 16 hex digits. */
  readonly stateHash: string;
}

/** A tree with what it is made of: one at a time, since all of them together may be too much for the memory. */
export interface AssetTree {
  readonly told: AssetStatement;
  readonly owed: Owed;
  readonly tree: SumTree;
}

/** Makes the tree of each asset in turn, and hands it on. Returns what the statement tells of them. */
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

/** What a statement tells of an asset that takes no key. */
export function sumsOf(owed: Owed, depth: number): Omit<AssetStatement, "root"> {
  const { asset, assetId, decimals, total, leaving, house, net } = owed;
  const { fees, treasury, dust, arriving } = house;
  const houseTold = { fees: `${fees}`, treasury: `${treasury}`, dust: `${dust}`, arriving: `${arriving}` };
  return { asset, assetId, decimals, depth, total: `${total}`, leaving: `${leaving}`, ...houseTold, net: `${net}` };
}

/** The place of a statement in the chain of a venue's proofs. */
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
