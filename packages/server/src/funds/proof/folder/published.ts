/** Published roots, as the journal has them: read by replaying it, held against a public part, and made again. */
import type { Event, PublishedProof } from "@pricetime/engine";
import type { JournalReader } from "../../../journal/port.ts";
import { openReader } from "../../../journal/storage/open-journal.ts";
import { proofKeyOf, signingKeyOf } from "../keys.ts";
import { makeTrees, statementOf } from "../proof.ts";
import { demand } from "../refused.ts";
import { type SignedStatement, signStatement } from "../statement.ts";
import { wasDrawn } from "./moments.ts";
import { beforeTheFirstRow, positionOf, replayOn, type StateAt, type StateAtOptions } from "./state-at.ts";

/** Collects what entries publish. */
export class PublishedRoots {
  readonly all: PublishedProof[] = [];

  readonly visit = (_: unknown, events: readonly Event[]): void => {
    for (const event of events) if (event.type === "proofPublished") this.all.push(event.proof);
  };

  /** Whether a public part is published. Throws `ProofRefused` where the journal has another root in its place. */
  has({ statement: { number, seq }, digest }: SignedStatement): boolean {
    const inPlace = this.all.filter((each) => each.number === number || each.seq === seq);
    for (const { root } of inPlace) {
      demand(root === digest, `TWO VIEWS: the journal has published ${root} as number ${number} or of entry ${seq}`);
    }
    return inPlace.length > 0;
  }
}

export interface VerifiedRoot extends PublishedProof {
  /** The journal drew its moment; otherwise somebody chose it. */
  readonly isDrawn: boolean;
}

export interface VerifyPublishedOptions extends Pick<StateAtOptions, "paths" | "world"> {
  readonly masterKey: string;
}

/**
 * Makes every published root again, from the journal and the master key alone. Throws `ProofRefused` with the first
 * that differs, and as `stateAt` does.
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

/** Returns the state as of the proof. */
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
