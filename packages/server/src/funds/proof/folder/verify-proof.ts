/** Verifies a public part against the journal alone: every row is replayed from the first, and everything made again. */
import { openReader } from "../../../journal/storage/open-journal.ts";
import { owedIn } from "../liabilities.ts";
import { makeTrees, sumsOf } from "../proof.ts";
import { demand } from "../refused.ts";
import type { SignedStatement } from "../statement.ts";
import { depthFor } from "../sum-tree.ts";
import { PublishedRoots } from "./published.ts";
import { positionOf, replayOn, stateAt, type StateAtOptions } from "./state-at.ts";

export interface VerifyProofOptions extends Pick<StateAtOptions, "paths" | "world"> {
  /** The key of this proof; undefined: the roots, which only it leads to, are not made again. */
  readonly proofKey: Uint8Array | undefined;
}

/** Returns whether it is published. Throws `ProofRefused` with the first difference, and as `stateAt` does. */
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
  // It was published later than it was made.
  const journal = openReader(paths.journal);
  try {
    replayOn(journal, state, { world, visit: published.visit });
  } finally {
    journal.close();
  }
  return published.has(signed);
}
