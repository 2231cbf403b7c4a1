/** Proposals: acts that wait for a second person. */
import type { Invite, RevokeInvitation } from "./access-command.ts";
import type { OperatorCommand } from "./operator-command.ts";
import type { VenueCommand } from "./venue-command.ts";

/** An act with the name of its author: whatever operators do, but about sessions and about proposals themselves. */
export type ProposedAct =
  | OperatorCommand
  | Invite
  | RevokeInvitation
  | Exclude<VenueCommand, { readonly type: "noteUnknownDeposit" }>;

/** An act that waits for others to approve it. */
export interface ProposalRecord {
  /** 32 hex digits. */
  readonly proposalId: string;
  /** Rises with every change of the act or of its reason, from 1. */
  readonly version: number;
  readonly act: ProposedAct;
  readonly why: string;
  /** Whoever proposed or changed it: none of them may approve. The last one is the author of this version. */
  readonly authors: readonly string[];
  readonly approvals: readonly string[];
  readonly createdMs: number;
  readonly changedMs: number;
  readonly untilMs: number;
}

/** cancelled: its author may propose nothing any more. */
export const PROPOSAL_STATUSES = ["waiting", "done", "rejected", "expired", "cancelled"] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];
