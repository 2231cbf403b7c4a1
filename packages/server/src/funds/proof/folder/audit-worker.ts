/** The audit thread: runs tasks on the journal on disk that take too long for the node's own threads. */
import type { PublishedProof } from "@pricetime/engine";
import assert from "node:assert/strict";
import { parentPort } from "node:worker_threads";
import { type EntriesQuery, JournalDamaged, JournalUnreadable } from "../../../journal/port.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { ProofRefused } from "../lines.ts";
import type { Place } from "../proof.ts";
import type { AnsweredAudit, AskedAudit, AuditAnswer, AuditedNode } from "./auditor.ts";
import { journalEntries } from "../../../journal/storage/journal-entries.ts";
import { customerFile, storedProof, storedProofs, publicationsUpTo, summaryOf, wholeProof } from "./stored-proofs.ts";
import { addReserves, makeProof, shownReserves } from "./make-proof.ts";
import { newestMoment } from "./moments.ts";
import { AuditRefused, type GivenReserve, type ProofSummary } from "./port.ts";
import { treasuryAt } from "./treasury.ts";

/** The audits by kind: what the thread carries out for `Auditor`. */
export const AUDITS = {
  treasury: ({ paths }: AuditedNode, { at, withFlows }: { readonly at: number; readonly withFlows: boolean }) =>
    treasuryAt({ paths, world: MACHINE, at }, withFlows),
  make: (node: AuditedNode, at: number, place?: Place) => summaryOf(makeProof({ ...node, world: MACHINE, at, place })),
  find({ dataFolder }: AuditedNode, seq: number): ProofSummary | null {
    const found = wholeProof(dataFolder, seq);
    return found === undefined ? null : summaryOf(found);
  },
  publications: ({ dataFolder }: AuditedNode, seq: number, last: PublishedProof | null) =>
    publicationsUpTo(dataFolder, seq, last),
  moment: ({ paths }: AuditedNode, nowMs: number) => newestMoment(paths, nowMs),
  list: ({ dataFolder }: AuditedNode) => storedProofs(dataFolder).map(summaryOf),
  entries: ({ paths }: AuditedNode, question: EntriesQuery) => journalEntries(paths, question),
  public: ({ dataFolder }: AuditedNode, seq: number) => storedProof(dataFolder, seq).text,
  reserves: ({ dataFolder }: AuditedNode, seq: number) => shownReserves(storedProof(dataFolder, seq)),
  addReserves: (node: AuditedNode, seq: number, given: readonly GivenReserve[], isDraft: boolean) =>
    addReserves({ ...node, seq, given, isDraft }),
  customer: (
    { dataFolder, masterKey }: AuditedNode,
    seq: number,
    account: { readonly accountId: number; readonly email: string },
  ) => customerFile(dataFolder, seq, account, masterKey),
};

const port = parentPort;
assert(port !== null, "this is the entry point of a worker thread");
/** Tasks run one after another, in the order of the requests. */
let last: Promise<void> = Promise.resolve();
port.on("message", (asked: AskedAudit) => {
  // An unexpected error ends the thread.
  last = last.then(async () => {
    port.postMessage({ id: asked.id, answer: await answerOf(asked) } satisfies AnsweredAudit);
  });
});

async function answerOf({ kind, node, given }: AskedAudit): Promise<AuditAnswer> {
  const audit = AUDITS[kind] as (node: AuditedNode, ...given: readonly unknown[]) => unknown;
  try {
    return { type: "done", result: await audit(node, ...given) };
  } catch (error) {
    if (error instanceof AuditRefused) return { type: "refused", fault: error.fault, message: error.message };
    const isTold = [ProofRefused, JournalDamaged, JournalUnreadable].some((kind) => error instanceof kind);
    if (!isTold) throw error;
    return { type: "refused", fault: "NOT_POSSIBLE", message: (error as Error).message };
  }
}
