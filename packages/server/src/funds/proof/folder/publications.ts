/** Which proofs of a data folder are to be published, so that each follows the one that was published last. */
import type { PublishedProof } from "@pricetime/engine";
import type { SignedStatement } from "../statement.ts";
import { keptProof, keptProofs } from "./kept-proofs.ts";
import { AuditRefused, type Publication } from "./port.ts";

/**
 * Returns the proof of entry `seq`, and before it those that it follows and that are not published yet. The first one
 * ever may be any. Throws `AuditRefused`.
 */
export function publicationsUpTo(dataFolder: string, seq: number, last: PublishedProof | null): Publication[] {
  const wanted = keptProof(dataFolder, seq);
  if (last === null) return [publicationOf(wanted)];
  if (wanted.statement.number <= last.number) {
    const isIt = wanted.digest === last.root;
    throw notPossible(isIt ? "it is published already" : `number ${last.number}, which is published, is not before it`);
  }
  const kept = new Map(keptProofs(dataFolder).map((each) => [each.digest, each]));
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
