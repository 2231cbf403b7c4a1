/** The page of one withdrawal: data, risk indicators, approval request, history, and possible actions. */
import type { OpenWithdrawal } from "@pricetime/server/answers";
import { consoleApprovals, consoleWords, consoleWithdrawals, pagesWords } from "../../words/words.ts";
import type { Column } from "../../panels/data-table.tsx";
import { type Context, OFTEN_MS, useFetched, useNetworkKind } from "../context.ts";
import { ActionButtons, Heading, Link, toAccount } from "../elements.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import { showAge, showAmount, showMoment } from "../../pages/format.ts";
import { type ApprovalRequest, shownName } from "../forms/approval-request.ts";
import { AWAITS } from "../forms/withdrawal-approval.ts";
import { WithdrawalChecks } from "../forms/withdrawal-shown.tsx";
import { ActionList } from "./audit-log.tsx";
import { waitsForText } from "../forms/subjects.ts";

// Risk indicators, each with its evidence.

export function Marks({ marks }: { marks: readonly string[] }) {
  return (
    <>
      {marks.map((mark) => (
        <span key={mark} class="tag warn" title={consoleWithdrawals.markHelp[mark] ?? ""}>
          {consoleWithdrawals.marks[mark] ?? mark}
        </span>
      ))}
    </>
  );
}

// Approval requests of withdrawals above the dual approval limit: the operators who requested and approved.

/** Approval requests by withdrawal ID. */
export function requestsByWithdrawal(
  approvalRequests: readonly ApprovalRequest[] | null,
): ReadonlyMap<string, ApprovalRequest> {
  const found = new Map<string, ApprovalRequest>();
  for (const approvalRequest of approvalRequests ?? []) {
    const { type, withdrawalId } = approvalRequest.action;
    if (type === "approveWithdrawal" && typeof withdrawalId === "string") found.set(withdrawalId, approvalRequest);
  }
  return found;
}

const namesOf = (names: readonly string[]): string => names.map(shownName).join(", ");

const said = (approvalRequest: ApprovalRequest | undefined): string =>
  approvalRequest === undefined
    ? ""
    : consoleApprovals.requestedBy(namesOf(approvalRequest.authors), namesOf(approvalRequest.approvals));

/** The column of the status, with the approval request if there is one. */
export function statusColumn(approvalRequests: ReadonlyMap<string, ApprovalRequest>): Column<OpenWithdrawal> {
  const textOf = ({ status, isSuspended }: OpenWithdrawal): string =>
    `${consoleWithdrawals.statuses[status] ?? status}${isSuspended ? consoleWithdrawals.suspended : ""}`;
  return {
    label: consoleWithdrawals.status,
    text: (row) => [textOf(row), said(approvalRequests.get(row.withdrawalId))].filter((text) => text !== "").join(", "),
    show: (row) => {
      const approvalRequest = approvalRequests.get(row.withdrawalId);
      if (approvalRequest === undefined) return <span class={row.isSuspended ? "bad-text" : ""}>{textOf(row)}</span>;
      return <Link to={{ page: "approvals", subject: approvalRequest.requestId }}>{said(approvalRequest)}</Link>;
    },
  };
}

function Proposed({ context, withdrawal }: { context: Context; withdrawal: string }) {
  const { value } = useFetched<readonly ApprovalRequest[]>(context, "/v1/approval-requests", { everyMs: OFTEN_MS });
  const approvalRequest = requestsByWithdrawal(value).get(withdrawal);
  if (approvalRequest === undefined) return null;
  const { requestId, authors, approvals, createdMs, why } = approvalRequest;
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
          [consoleApprovals.age]: showAge(context, createdMs),
        }}
      />
    </Pane>
  );
}

export function WithdrawalPage({ context }: { context: Context }) {
  const withdrawal = context.place.value.subject;
  const path = `/v1/withdrawals/${encodeURIComponent(withdrawal)}`;
  const { value, denied } = useFetched<OpenWithdrawal>(context, path, { everyMs: OFTEN_MS });
  const kind = useNetworkKind(context, value?.network);
  return (
    <div class="page">
      <Heading page="withdrawals" title={consoleWithdrawals.title} of={withdrawal} />
      {value !== null && (
        <ActionButtons
          context={context}
          page="withdrawals"
          on="one"
          given={{ withdrawal }}
          hidden={hiddenFor(value, kind)}
        />
      )}
      <div class="two">
        <Pane title={consoleWithdrawals.withdrawal} denied={denied}>
          {value !== null && <WithdrawalFacts context={context} withdrawal={value} />}
        </Pane>
        <Pane title={consoleWithdrawals.checks}>
          {value !== null && (
            <div class="withdrawal-shown padded">
              <WithdrawalChecks context={context} withdrawal={value} />
            </div>
          )}
        </Pane>
      </div>
      <Proposed context={context} withdrawal={withdrawal} />
      <ActionList context={context} title={consoleWithdrawals.history} query={{ withdrawal }} />
    </div>
  );
}

/** Route keys of actions that are not possible with the withdrawal's status or network. */
function hiddenFor({ status }: OpenWithdrawal, kind: string | undefined): string[] {
  const key = (step: string): string => `POST /v1/withdrawals/{withdrawal}/${step}`;
  const isProcessing = status === "processing";
  return [
    ...(status === AWAITS ? [] : [key("approve"), key("reject")]),
    ...(isProcessing ? [key("cancel")] : [key("fail")]),
    ...(isProcessing && kind === "manual" ? [] : [key("complete")]),
    ...(isProcessing && kind === "evm" ? [] : [key("raise-fee")]),
  ];
}

function WithdrawalFacts({ context, withdrawal }: { context: Context; withdrawal: OpenWithdrawal }) {
  const { accountId, asset, amount, fee, arrives, network, address, tag, name, status, applyTimeMs, txId } = withdrawal;
  const { by = "" } = withdrawal;
  return (
    <Facts
      rows={{
        [consoleWithdrawals.status]: consoleWithdrawals.statuses[status] ?? status,
        [consoleWithdrawals.waitsFor]: waitsForText(withdrawal),
        [consoleWithdrawals.account]: <Link to={toAccount(accountId)}>{accountId}</Link>,
        [consoleWithdrawals.amount]: `${showAmount(amount)} ${asset}`,
        [consoleWithdrawals.fee]: `${showAmount(fee)} ${asset}`,
        [consoleWithdrawals.arrives]: `${showAmount(arrives)} ${asset}`,
        [consoleWithdrawals.network]: <Link to={{ page: "networks", subject: network }}>{network}</Link>,
        [consoleWithdrawals.address]: <code>{address}</code>,
        [consoleWithdrawals.tag]: tag === "" ? pagesWords.noFigure : tag,
        [consoleWithdrawals.name]: name === "" ? pagesWords.noFigure : name,
        [consoleWithdrawals.clientId]:
          withdrawal.withdrawOrderId === "" ? pagesWords.noFigure : withdrawal.withdrawOrderId,
        [consoleWithdrawals.requested]: `${showMoment(context, applyTimeMs)} (${showAge(context, applyTimeMs)})`,
        [consoleWithdrawals.needsApproval]: withdrawal.needsApproval ? consoleWords.yes : consoleWords.no,
        [consoleWithdrawals.by]: by === "" ? pagesWords.noFigure : by,
        [consoleWithdrawals.txId]: txId === "" ? pagesWords.noFigure : <code>{txId}</code>,
      }}
    />
  );
}
