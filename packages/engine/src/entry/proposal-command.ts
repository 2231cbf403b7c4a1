/** Commands on proposals: `by` is an operator who signed in. */
import type { ProposedAct } from "./proposal-record.ts";

/** `by` names the operator and is kept in the journal. */
interface Act {
  readonly by: string;
}

/** `act.by` is the author, as `by`. */
export interface Propose extends Act {
  readonly type: "propose";
  readonly proposalId: string;
  readonly act: ProposedAct;
  readonly why: string;
}
/** Another act or reason: all approvals are void. */
export interface ChangeProposal extends Act {
  readonly type: "changeProposal";
  readonly proposalId: string;
  readonly version: number;
  readonly act: ProposedAct;
  readonly why: string;
}
/** The last approval that is needed carries out the act; when that is refused, so is the approval. */
export interface ApproveProposal extends Act {
  readonly type: "approveProposal";
  readonly proposalId: string;
  readonly version: number;
}
/** Anybody who may approve, and the authors, may reject. */
export interface RejectProposal extends Act {
  readonly type: "rejectProposal";
  readonly proposalId: string;
  readonly why: string;
}
export type ProposalCommand = Propose | ChangeProposal | ApproveProposal | RejectProposal;
