/** In a quiet cluster: checks that all nodes have the same log, and that it results in the same state on each. */
import { dataPaths, verifyJournalFile } from "@pricetime/server/data-folder";
import type { Findings } from "./findings.ts";
import { isChained, type LoggedRow, readRows } from "./log.ts";

export interface JournalHolder {
  readonly name: string;
  readonly dataFolder: string;
}

const KIND = "journals";

export interface CheckedJournals {
  readonly rows: readonly LoggedRow[];
  /** Indexes (from 0) of rows that nodes executed differently from the product's own verification. */
  readonly departures: ReadonlySet<number>;
}

/**
 * Returns the rows of the first journal. The others are compared with it by this campaign's own hash chains. The state
 * is verified by the product itself, which replays each journal and compares the snapshots that the node took.
 */
export function checkJournals(holders: readonly JournalHolder[], findings: Findings): CheckedJournals {
  const [one, ...others] = holders as readonly [JournalHolder, ...JournalHolder[]];
  const rows = readRows(dataPaths(one.dataFolder).journal);
  for (const other of others) {
    const theirs = readRows(dataPaths(other.dataFolder).journal);
    const at = theirs.findIndex((row, i) => row.chainHash !== rows[i]?.chainHash || !isChained(theirs, i));
    const differs = at < 0 && theirs.length < rows.length ? theirs.length : at;
    if (differs >= 0) findings.add(KIND, `${one.name} and ${other.name} differ at row ${differs + 1}`);
  }
  return { rows, departures: checkStates(holders, findings) };
}

function checkStates(holders: readonly JournalHolder[], findings: Findings): Set<number> {
  const departures = new Set<number>();
  let first: string | undefined;
  for (const { name, dataFolder } of holders) {
    const { journal, snapshots } = dataPaths(dataFolder);
    const { fault, foreignSnapshots, stateHash } = verifyJournalFile(journal, snapshots);
    if (fault !== null) {
      findings.add(KIND, `${name}: row ${fault.row + 1}: ${fault.what}`);
      // A row contains a hash of the events before it, so the previous row was executed differently.
      if (fault.row > 0) departures.add(fault.row - 1);
    }
    for (const { path, parts } of foreignSnapshots)
      findings.add(KIND, `${name}: ${path} is not the journal's state in ${parts.join(", ")}`);
    first ??= stateHash.hash;
    if (stateHash.hash !== first)
      findings.add(KIND, `the state hash of ${holders[0]?.name} is ${first}, of ${name} ${stateHash.hash}`);
  }
  return departures;
}
