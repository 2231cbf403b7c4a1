/** Approvals given and needed, with the approvers. */
import { consoleApprovals as words } from "../../words/words.ts";
import { type Proposal, shownName } from "../forms/proposal.ts";

export function Approvals({ proposal: { approvals, approvalsNeeded } }: { proposal: Proposal }) {
  return (
    <span class="tag" title={approvals.map(shownName).join(", ")}>
      {words.approvedBy(approvals.length, approvalsNeeded)}
      {approvals.length > 0 && `: ${approvals.map(shownName).join(", ")}`}
    </span>
  );
}
