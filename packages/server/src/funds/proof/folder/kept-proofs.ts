/**
 * The proofs of a data folder, each in `proofs/<entry>`: its public part, and a tree for each asset. A public part alone
 * is enough for the next proof to follow it; the trees can be made again.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PublishedProof } from "@pricetime/engine";
import { makePrivateFolder } from "../../../platform/disk/private-file.ts";
import { customerText } from "../customer-file.ts";
import { proofKeyOf, signingKeyOf } from "../keys.ts";
import { customerPart, holdingPart, makeTrees, type Place, statementOf } from "../proof.ts";
import { NO_PREVIOUS, readStatement, type SignedStatement, signStatement } from "../statement.ts";
import { withLeaf, writeTree } from "./kept-tree.ts";
import { AuditRefused, PUBLIC_PART, type ProofSummary } from "./port.ts";
import { positionOf, type StateAt } from "./state-at.ts";

/** The end of the name of a proof in the making. */
const PARTIAL = ".partial";

const treeFile = (assetId: number): string => `tree-${assetId}`;

export function proofsFolder(dataFolder: string): string {
  return join(dataFolder, "proofs");
}

/** All public parts, by their numbers, the newest first. Throws `ProofRefused` for one that does not hold. */
export function keptProofs(dataFolder: string): SignedStatement[] {
  const folder = proofsFolder(dataFolder);
  if (!existsSync(folder)) return [];
  const seqs = readdirSync(folder).filter((name) => /^\d+$/.test(name) && existsSync(join(folder, name, PUBLIC_PART)));
  const parts = seqs.map((name) => readStatement(readFileSync(join(folder, name, PUBLIC_PART), "utf8")));
  return parts.toSorted((a, b) => b.statement.number - a.statement.number);
}

/** Throws `AuditRefused`. */
export function keptProof(dataFolder: string, seq: number): SignedStatement {
  const path = join(proofsFolder(dataFolder), String(seq), PUBLIC_PART);
  if (!existsSync(path)) throw new AuditRefused("NO_SUCH_PROOF", `There is no proof of entry ${seq}.`);
  return readStatement(readFileSync(path, "utf8"));
}

/** Writes the public part of a kept proof anew: all of it, or nothing. */
export function replacePublicPart(dataFolder: string, { statement: { seq }, text }: SignedStatement): void {
  const path = join(proofsFolder(dataFolder), String(seq), PUBLIC_PART);
  writeFileSync(`${path}.partial`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.partial`, path);
}

/** The proof of a position with all its trees; undefined where it is not kept, or not whole. */
export function wholeProof(dataFolder: string, seq: number): SignedStatement | undefined {
  const folder = join(proofsFolder(dataFolder), String(seq));
  const there = existsSync(join(folder, PUBLIC_PART)) ? keptProof(dataFolder, seq) : undefined;
  return there !== undefined && isWhole(folder, there) ? there : undefined;
}

function isWhole(folder: string, { statement }: SignedStatement): boolean {
  return statement.assets.every(({ assetId }) => existsSync(join(folder, treeFile(assetId))));
}

export function summaryOf({ statement: { number, seq, timeMs }, digest, publicKey }: SignedStatement): ProofSummary {
  return { number, seq, timeMs, digest, publicKey };
}

/**
 * Makes the proof of a state and keeps it, unless it is there: of one position there is one. Call it one at a time.
 * `place`: where the journal says that it was published; by default it follows the newest one.
 */
export function keepProof(dataFolder: string, state: StateAt, masterKey: string, place?: Place): SignedStatement {
  const { lastSeq } = state.head;
  // Those of a process that was killed.
  removePartial(dataFolder);
  const kept = keptProofs(dataFolder);
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
    // Reserves that are shown beside it stay.
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

/** Removes proofs that were not finished: they may be large, and none is gone on with. */
function removePartial(dataFolder: string): void {
  const folder = proofsFolder(dataFolder);
  if (!existsSync(folder)) return;
  const names = readdirSync(folder).filter((name) => name.endsWith(PARTIAL));
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
}

/** A folder that was restored lacks proofs, and the journal still names the newest that was published. */
function placeAfter(newest: SignedStatement | undefined, published: PublishedProof | null): Place {
  const number = newest?.statement.number ?? 0;
  if (published !== null && published.number >= number) return placeNext(published.number, published.root);
  return newest === undefined ? { number: 1, previous: NO_PREVIOUS } : placeNext(number, newest.digest);
}

const placeNext = (number: number, root: string): Place => ({ number: number + 1, previous: root });

/** Returns the file of a customer. Throws `AuditRefused` when the proof or its trees are not there. */
export function customerFile(
  dataFolder: string,
  seq: number,
  account: { readonly accountId: number; readonly email: string },
  masterKey: string,
): string {
  const { statement, digest } = keptProof(dataFolder, seq);
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
