/** Withdrawals above the dual approval limit: who requested approval and who approved. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleApprovals, consoleWithdrawals } from "../../words/words.ts";
import { OFTEN_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Link } from "../draw/link.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import { showAge } from "../../pages/shown.ts";
import { type Proposal, shownName } from "../forms/proposal.ts";
import type { OpenWithdrawal } from "./withdrawal.ts";

/** Approval requests by the ID of their withdrawal. */
export function proposalsByWithdrawal(proposals: readonly Proposal[] | null): ReadonlyMap<string, Proposal> {
  const found = new Map<string, Proposal>();
  for (const proposal of proposals ?? []) {
    const { type, withdrawalId } = proposal.action;
    if (type === "approveWithdrawal" && typeof withdrawalId === "string") found.set(withdrawalId, proposal);
  }
  return found;
}

const namesOf = (names: readonly string[]): string => names.map(shownName).join(", ");

const said = (proposal: Proposal | undefined): string =>
  proposal === undefined ? "" : consoleApprovals.requestedBy(namesOf(proposal.authors), namesOf(proposal.approvals));

/** The status, with the approval request if there is one. */
export function statusColumn(proposals: ReadonlyMap<string, Proposal>): Column<OpenWithdrawal> {
  const textOf = ({ status, isSuspended }: OpenWithdrawal): string =>
    `${consoleWithdrawals.statuses[status] ?? status}${isSuspended ? consoleWithdrawals.suspended : ""}`;
  return {
    label: consoleWithdrawals.status,
    text: (row) => [textOf(row), said(proposals.get(row.withdrawalId))].filter((text) => text !== "").join(", "),
    show: (row) => {
      const proposal = proposals.get(row.withdrawalId);
      if (proposal === undefined) return <span class={row.isSuspended ? "bad-text" : ""}>{textOf(row)}</span>;
      return <Link to={{ page: "approvals", subject: proposal.requestId }}>{said(proposal)}</Link>;
    },
  };
}

export function Proposed({ desk, withdrawal }: { desk: Desk; withdrawal: string }) {
  const { value } = useAsked<readonly Proposal[]>(desk, "/v1/approval-requests", { everyMs: OFTEN_MS });
  const proposal = proposalsByWithdrawal(value).get(withdrawal);
  if (proposal === undefined) return null;
  const { requestId, authors, approvals, createdMs, why } = proposal;
  return (
    <Pane
      title={consoleApprovals.request}
      tools={<Link to={{ page: "approvals", subject: requestId }}>{consoleApprovals.openRequest}</Link>}
    >
      <Facts
        rows={{
          [consoleApprovals.author]: namesOf(authors),
          [consoleApprovals.reason]: why,
          [consoleApprovals.approvals]: approvals.length === 0 ? consoleApprovals.noneYet : namesOf(approvals),
          [consoleApprovals.age]: showAge(desk, createdMs),
        }}
      />
    </Pane>
  );
}
