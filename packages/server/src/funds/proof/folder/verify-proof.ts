/**
 * Exports a proof's files, verifies a public part using only the journal, and compares published roots with the
 * journal.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../../platform/disk.ts";
import { owedIn, type SignedStatement, signStatement } from "../statement.ts";
import { customerFile } from "./stored-proofs.ts";
import { AuditRefused, PUBLIC_PART } from "./port.ts";
import { beforeTheFirstRow, positionOf, replayOn, stateAt, type StateAt, type StateAtOptions } from "./state-at.ts";
import type { Event, PublishedProof } from "@pricetime/engine";
import type { JournalReader } from "../../../journal/port.ts";
import { openReader } from "../../../journal/storage/open-journal.ts";
import { proofKeyOf, signingKeyOf } from "../keys.ts";
import { makeTrees, statementOf, sumsOf } from "../proof.ts";
import { demand } from "../lines.ts";
import { wasDrawn } from "./moments.ts";
import { depthFor } from "../sum-tree.ts";

export interface ExportOptions extends Pick<StateAtOptions, "paths" | "world"> {
  readonly dataFolder: string;
  readonly of: SignedStatement;
  readonly masterKey: string;
  /** The target folder; created if missing. */
  readonly to: string;
  /** The customers whose files are exported. Default: all. */
  readonly accountIds?: readonly number[] | undefined;
}

/** Exports a proof's files. Throws `AuditRefused` and the errors of `stateAt`. */
export function exportProof(options: ExportOptions): { readonly customers: number; readonly bytes: number } {
  const { dataFolder, of, masterKey, to, accountIds, paths, world } = options;
  const { seq } = of.statement;
  const { engine } = stateAt({ paths, world, at: seq });
  const wanted = accountIds?.map((accountId) => {
    const account = engine.account(accountId);
    if (account === undefined)
      throw new AuditRefused("NO_SUCH_POSITION", `There is no account ${accountId} at entry ${seq}.`);
    return account;
  });
  makePrivateFolder(to);
  let [customers, bytes] = [0, 0];
  for (const account of wanted ?? engine.accounts()) {
    const text = customerFile(dataFolder, seq, account, masterKey);
    writeFileSync(join(to, `customer-${account.accountId}.json`), text, { mode: 0o600 });
    customers++;
    bytes += text.length;
  }
  writeFileSync(join(to, PUBLIC_PART), of.text, { mode: 0o644 });
  return { customers, bytes };
}

/** Collects published roots from events. */
class PublishedRoots {
  readonly all: PublishedProof[] = [];

  readonly visit = (_: unknown, events: readonly Event[]): void => {
    for (const event of events) if (event.type === "proofPublished") this.all.push(event.proof);
  };

  /**
   * Whether the journal contains this public part. Throws `ProofRefused` if the journal has a different root for it.
   */
  has({ statement: { number, seq }, digest }: SignedStatement): boolean {
    const inPlace = this.all.filter((each) => each.number === number || each.seq === seq);
    for (const { root } of inPlace) {
      demand(root === digest, `TWO VIEWS: the journal has published ${root} as number ${number} or of entry ${seq}`);
    }
    return inPlace.length > 0;
  }
}

export interface VerifiedRoot extends PublishedProof {
  /** Whether the position was drawn from the journal and not chosen by the exchange. */
  readonly isDrawn: boolean;
}

export interface VerifyPublishedOptions extends Pick<StateAtOptions, "paths" | "world"> {
  readonly masterKey: string;
}

/**
 * Recomputes every published root using only the journal and the master key. Throws `ProofRefused` at the first
 * difference, and the errors of `stateAt`.
 */
export function verifyPublished({ paths, world, masterKey }: VerifyPublishedOptions): readonly VerifiedRoot[] {
  const journal = openReader(paths.journal);
  try {
    const { all, visit } = new PublishedRoots();
    replayOn(journal, beforeTheFirstRow(world), { world, visit });
    let state = beforeTheFirstRow(world);
    const drawn = new Map<PublishedProof, boolean>();
    for (const published of all.toSorted((a, b) => a.seq - b.seq)) {
      state = checkRoot(journal, state, published, { world, masterKey });
      drawn.set(published, wasDrawn(journal, state.head, published.publishedMs));
    }
    return all.map((each) => ({ ...each, isDrawn: drawn.get(each) === true }));
  } finally {
    journal.close();
  }
}

/** Recomputes one published root. Returns the state at the proof's position. */
function checkRoot(
  journal: JournalReader,
  before: StateAt,
  { number, previous, seq, root }: PublishedProof,
  { world, masterKey }: Omit<VerifyPublishedOptions, "paths">,
): StateAt {
  const state = replayOn(journal, before, { world, untilSeq: seq });
  const position = positionOf(state);
  demand(position.seq === seq, `number ${number} was published of entry ${seq}, with which no row of the journal ends`);
  const assets = makeTrees(state.engine, position, proofKeyOf(masterKey, position.chainHash));
  const { digest } = signStatement(statementOf({ number, previous }, position, assets), signingKeyOf(masterKey));
  demand(digest === root, `number ${number}: the root ${root} was published, and the journal leads to ${digest}`);
  return state;
}

export interface VerifyProofOptions extends Pick<StateAtOptions, "paths" | "world"> {
  /** The proof's key, on which the roots depend. Undefined: the roots are not recomputed. */
  readonly proofKey: Uint8Array | undefined;
}

/**
 * Returns whether the proof is published. Throws `ProofRefused` at the first difference, and the errors of `stateAt`.
 */
export function verifyProof(signed: SignedStatement, { paths, world, proofKey }: VerifyProofOptions): boolean {
  const { statement } = signed;
  const published = new PublishedRoots();
  const state = stateAt({ paths, world, at: statement.seq, visit: published.visit });
  const position = positionOf(state);
  demand(position.seq === statement.seq, `no row of the journal ends with entry ${statement.seq}`);
  for (const name of ["chainHash", "timeMs", "stateHash"] as const) {
    demand(position[name] === statement[name], `${name}: the journal has ${position[name]} at entry ${statement.seq}`);
  }
  const made =
    proofKey === undefined
      ? owedIn(state.engine).map((owed) => sumsOf(owed, depthFor(owed.holdings.accountIds.length)))
      : makeTrees(state.engine, position, proofKey);
  demand(made.length === statement.assets.length, `the journal has ${made.length} assets`);
  for (const [n, must] of made.entries()) {
    const told: Readonly<Record<string, unknown>> = statement.assets[n] ?? {};
    for (const [name, value] of Object.entries(must)) {
      demand(told[name] === value, `${must.asset}: ${name} is ${String(told[name])}, and by the journal ${value}`);
    }
  }
  // The publication comes after the proof's position in the journal.
  const journal = openReader(paths.journal);
  try {
    replayOn(journal, state, { world, visit: published.visit });
  } finally {
    journal.close();
  }
  return published.has(signed);
}
