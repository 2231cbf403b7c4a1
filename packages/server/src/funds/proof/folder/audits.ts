/** The audits of a node, and the messages with which the node requests them from its audit threads. */
import type { PublishedProof } from "@pricetime/engine";
import type { EntriesQuery } from "../../../journal/port.ts";
import type { DataPaths } from "../../../journal/storage/data-folder.ts";
import { journalEntries } from "../../../journal/storage/journal-entries.ts";
import type { World } from "../../../platform/world/port.ts";
import type { Place } from "../proof.ts";
import { addReserves, makeProof, shownReserves } from "./make-proof.ts";
import { newestMoment } from "./moments.ts";
import type { AuditFault, GivenReserve, ProofSummary } from "./port.ts";
import { customerFile, publicationsUpTo, storedProof, storedProofs, summaryOf, wholeProof } from "./stored-proofs.ts";
import { treasuryAt } from "./treasury.ts";

/** The parts of the node that its audits use. */
export interface AuditedNode {
  readonly dataFolder: string;
  readonly paths: DataPaths;
  readonly masterKey: string;
}

interface AuditContext extends AuditedNode {
  readonly world: World;
}

/** The audits by kind. They run only in the audit threads. */
export const AUDITS = {
  treasury: ({ paths, world }: AuditContext, { at, withFlows }: { readonly at: number; readonly withFlows: boolean }) =>
    treasuryAt({ paths, world, at }, withFlows),
  make: (node: AuditContext, at: number, place?: Place) => summaryOf(makeProof({ ...node, at, place })),
  find({ dataFolder }: AuditContext, seq: number): ProofSummary | null {
    const found = wholeProof(dataFolder, seq);
    return found === undefined ? null : summaryOf(found);
  },
  publications: ({ dataFolder }: AuditContext, seq: number, last: PublishedProof | null) =>
    publicationsUpTo(dataFolder, seq, last),
  moment: ({ paths }: AuditContext, nowMs: number) => newestMoment(paths, nowMs),
  list: ({ dataFolder }: AuditContext) => storedProofs(dataFolder).map(summaryOf),
  entries: ({ paths }: AuditContext, question: EntriesQuery) => journalEntries(paths, question),
  public: ({ dataFolder }: AuditContext, seq: number) => storedProof(dataFolder, seq).text,
  reserves: ({ dataFolder }: AuditContext, seq: number) => shownReserves(storedProof(dataFolder, seq)),
  addReserves: (node: AuditContext, seq: number, given: readonly GivenReserve[], isDraft: boolean) =>
    addReserves({ ...node, seq, given, isDraft }),
  customer: (
    { dataFolder, masterKey }: AuditContext,
    seq: number,
    account: { readonly accountId: number; readonly email: string },
  ) => customerFile(dataFolder, seq, account, masterKey),
};

export type AuditKind = keyof typeof AUDITS;
export type Given<K extends AuditKind> = Parameters<(typeof AUDITS)[K]> extends [AuditContext, ...infer G] ? G : never;
export type Result<K extends AuditKind> = Awaited<ReturnType<(typeof AUDITS)[K]>>;

export type AuditAnswer =
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "refused"; readonly fault: AuditFault; readonly message: string };

/** The answer to an audit request has the same id as the request. */
export interface AskedAudit {
  readonly id: number;
  readonly kind: AuditKind;
  readonly node: AuditedNode;
  readonly given: readonly unknown[];
}
export interface AnsweredAudit {
  readonly id: number;
  readonly answer: AuditAnswer;
}
