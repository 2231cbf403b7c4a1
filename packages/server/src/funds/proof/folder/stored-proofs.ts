/**
 * Stores proofs in a data folder. Each proof has a folder `proofs/<entry>` with its public part and one tree per asset.
 * The next proof needs only the public part; trees can be recreated.
 */
import assert from "node:assert/strict";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { ENTRY_BYTES, type ReadEntry } from "../sum-tree.ts";
import {
  type AssetTree,
  customerPart,
  customerText,
  holdingPart,
  makeTrees,
  type Place,
  statementOf,
} from "../proof.ts";
import { join } from "node:path";
import type { PublishedProof } from "@pricetime/engine";
import { makePrivateFolder } from "../../../platform/disk.ts";
import { proofKeyOf, signingKeyOf } from "../keys.ts";
import { NO_PREVIOUS, readStatement, type SignedStatement, signStatement } from "../statement.ts";
import { AuditRefused, type ProofSummary, PUBLIC_PART, type Publication } from "./port.ts";
import { positionOf, type StateAt } from "./state-at.ts";

// A tree file contains the tree's entries, followed by one record per holder: account id (8 bytes) and leaf (4 bytes),
// ordered by id, so that a customer's part is found quickly.

const HOLDER_BYTES = 12;

function writeTree(path: string, { owed, tree }: AssetTree): void {
  const { accountIds } = owed.holdings;
  const holders = Buffer.alloc(accountIds.length * HOLDER_BYTES);
  for (const [n, accountId] of accountIds.entries()) {
    assert(n === 0 || accountId > (accountIds[n - 1] as number), "holders are in ascending order");
    holders.writeBigUInt64BE(BigInt(accountId), n * HOLDER_BYTES);
    holders.writeUInt32BE(tree.leaves[n] as number, n * HOLDER_BYTES + 8);
  }
  const file = openSync(path, "wx", 0o600);
  try {
    for (const bytes of [tree.entries, holders]) writeAll(file, bytes);
  } finally {
    closeSync(file);
  }
}

/** Calls `use` with the account's leaf and a reader of tree entries. Returns undefined if the account holds nothing. */
function withLeaf<T>(
  path: string,
  depth: number,
  accountId: number,
  use: (leaf: number, read: ReadEntry) => T,
): T | undefined {
  const file = openSync(path, "r");
  try {
    const read: ReadEntry = (node) => readAt(file, node * ENTRY_BYTES, ENTRY_BYTES) ?? assert.fail("a tree is whole");
    const leaf = findLeaf(file, 2 ** (depth + 1) * ENTRY_BYTES, accountId);
    return leaf === undefined ? undefined : use(leaf, read);
  } finally {
    closeSync(file);
  }
}

/**
 * Finds an account's leaf by binary search. Positions beyond the end of the file compare as greater than the last
 * holder.
 */
function findLeaf(file: number, from: number, accountId: number): number | undefined {
  const holder = (n: number): Buffer | undefined => readAt(file, from + n * HOLDER_BYTES, HOLDER_BYTES);
  let [low, high] = [0, 1];
  while ((holder(high)?.readBigUInt64BE() ?? Infinity) < accountId) high *= 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((holder(middle)?.readBigUInt64BE() ?? Infinity) < accountId) low = middle + 1;
    else high = middle;
  }
  const found = holder(low);
  return found !== undefined && found.readBigUInt64BE() === BigInt(accountId) ? found.readUInt32BE(8) : undefined;
}

function readAt(file: number, at: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  return readSync(file, bytes, 0, length, at) === length ? bytes : undefined;
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

/** Name suffix of an unfinished proof's folder. */
const PARTIAL = ".partial";

const treeFile = (assetId: number): string => `tree-${assetId}`;

export function proofsFolder(dataFolder: string): string {
  return join(dataFolder, "proofs");
}

/** Returns all public parts, highest number first. Throws `ProofRefused` if one is invalid. */
export function storedProofs(dataFolder: string): SignedStatement[] {
  const folder = proofsFolder(dataFolder);
  if (!existsSync(folder)) return [];
  const seqs = readdirSync(folder).filter((name) => /^\d+$/.test(name) && existsSync(join(folder, name, PUBLIC_PART)));
  const parts = seqs.map((name) => readStatement(readFileSync(join(folder, name, PUBLIC_PART), "utf8")));
  return parts.toSorted((a, b) => b.statement.number - a.statement.number);
}

/** Reads the public part of a stored proof. Throws `AuditRefused`. */
export function storedProof(dataFolder: string, seq: number): SignedStatement {
  const path = join(proofsFolder(dataFolder), String(seq), PUBLIC_PART);
  if (!existsSync(path)) throw new AuditRefused("NO_SUCH_PROOF", `There is no proof of entry ${seq}.`);
  return readStatement(readFileSync(path, "utf8"));
}

/** Atomically replaces the public part of a stored proof. */
export function replacePublicPart(dataFolder: string, { statement: { seq }, text }: SignedStatement): void {
  const path = join(proofsFolder(dataFolder), String(seq), PUBLIC_PART);
  writeFileSync(`${path}.partial`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.partial`, path);
}

/** Returns the proof of a position if all its trees are stored; undefined if the proof is missing or incomplete. */
export function wholeProof(dataFolder: string, seq: number): SignedStatement | undefined {
  const folder = join(proofsFolder(dataFolder), String(seq));
  const there = existsSync(join(folder, PUBLIC_PART)) ? storedProof(dataFolder, seq) : undefined;
  return there !== undefined && isWhole(folder, there) ? there : undefined;
}

function isWhole(folder: string, { statement }: SignedStatement): boolean {
  return statement.assets.every(({ assetId }) => existsSync(join(folder, treeFile(assetId))));
}

export function summaryOf({ statement: { number, seq, timeMs }, digest, publicKey }: SignedStatement): ProofSummary {
  return { number, seq, timeMs, digest, publicKey };
}

/**
 * Creates and stores the proof of a state. A position has at most one proof, so an existing one is returned instead.
 * Not reentrant. `place`: number and predecessor if the proof was published; by default it follows the newest one.
 */
export function storeProof(dataFolder: string, state: StateAt, masterKey: string, place?: Place): SignedStatement {
  const { lastSeq } = state.head;
  // Removes what a killed process may have left.
  removePartial(dataFolder);
  const kept = storedProofs(dataFolder);
  const there = kept.find(({ statement }) => statement.seq === lastSeq);
  const folder = join(proofsFolder(dataFolder), String(lastSeq));
  const isInPlace = place === undefined || there?.statement.number === place.number;
  if (there !== undefined && isInPlace && isWhole(folder, there)) return there;
  const partial = `${folder}${PARTIAL}`;
  makePrivateFolder(partial);
  try {
    const at = place ?? there?.statement ?? placeAfter(kept[0], state.engine.venue.lastProof);
    const made = writeTrees(partial, state, masterKey, at);
    if (there !== undefined && there.digest !== made.digest) {
      throw new AuditRefused("NOT_POSSIBLE", `The public part in ${folder} does not match the journal and this key.`);
    }
    // Keeps the reserves that were added to an existing public part.
    const whole = there ?? made;
    writeFileSync(join(partial, PUBLIC_PART), whole.text, { mode: 0o600, flush: true });
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
    return whole;
  } catch (error) {
    removePartial(dataFolder);
    throw error;
  }
}

function writeTrees(folder: string, state: StateAt, masterKey: string, place: Place): SignedStatement {
  const position = positionOf(state);
  const assets = makeTrees(state.engine, position, proofKeyOf(masterKey, state.head.chainHash), (made) =>
    writeTree(join(folder, treeFile(made.told.assetId)), made),
  );
  return signStatement(statementOf(place, position, assets), signingKeyOf(masterKey));
}

/** Removes unfinished proofs, which may be large and are never resumed. */
function removePartial(dataFolder: string): void {
  const folder = proofsFolder(dataFolder);
  if (!existsSync(folder)) return;
  const names = readdirSync(folder).filter((name) => name.endsWith(PARTIAL));
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
}

/**
 * Determines a new proof's number and predecessor. A restored folder may lack proofs, so the newest published proof in
 * the journal counts, too.
 */
function placeAfter(newest: SignedStatement | undefined, published: PublishedProof | null): Place {
  const number = newest?.statement.number ?? 0;
  if (published !== null && published.number >= number) return placeNext(published.number, published.root);
  return newest === undefined ? { number: 1, previous: NO_PREVIOUS } : placeNext(number, newest.digest);
}

const placeNext = (number: number, root: string): Place => ({ number: number + 1, previous: root });

/** Returns a customer's proof file. Throws `AuditRefused` if the proof or one of its trees is missing. */
export function customerFile(
  dataFolder: string,
  seq: number,
  account: { readonly accountId: number; readonly email: string },
  masterKey: string,
): string {
  const { statement, digest } = storedProof(dataFolder, seq);
  const folder = join(proofsFolder(dataFolder), String(seq));
  const holdings = statement.assets.flatMap((told) => {
    const path = join(folder, treeFile(told.assetId));
    if (!existsSync(path))
      throw new AuditRefused(
        "NO_SUCH_PROOF",
        `The trees of proof ${seq} are missing. Recreate them with \`pricetime proof make --at ${seq}\`.`,
      );
    return withLeaf(path, told.depth, account.accountId, (leaf, read) => holdingPart({ told, leaf, read })) ?? [];
  });
  return customerText(customerPart(digest, account, proofKeyOf(masterKey, statement.chainHash), holdings));
}

/**
 * Returns the proof of entry `seq`, preceded by the earlier proofs that are not published yet. The first publication
 * may have any number. Throws `AuditRefused`.
 */
export function publicationsUpTo(dataFolder: string, seq: number, last: PublishedProof | null): Publication[] {
  const wanted = storedProof(dataFolder, seq);
  if (last === null) return [publicationOf(wanted)];
  if (wanted.statement.number <= last.number) {
    const isIt = wanted.digest === last.root;
    throw notPossible(isIt ? "it is published already" : `number ${last.number}, which is published, is not before it`);
  }
  const kept = new Map(storedProofs(dataFolder).map((each) => [each.digest, each]));
  const chain = [wanted];
  for (let first = wanted; first.statement.previous !== last.root; chain.unshift(first)) {
    const { number, previous } = first.statement;
    const before = kept.get(previous);
    if (before === undefined) throw notPossible(`number ${number} follows one that is not kept here`);
    if (before.statement.number <= last.number)
      throw notPossible(`it does not follow number ${last.number}, published`);
    first = before;
  }
  return chain.map(publicationOf);
}

function publicationOf({ statement: { number, seq, previous }, digest }: SignedStatement): Publication {
  return { number, seq, root: digest, previous };
}

const notPossible = (why: string): AuditRefused =>
  new AuditRefused("NOT_POSSIBLE", `The proof cannot be published: ${why}`);
