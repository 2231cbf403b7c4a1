/** The page of one withdrawal: data, risk indicators, approval request, history, and possible actions. */
import type { AnyWithdrawal, Configuration, Email, OpenWithdrawal } from "@pricetime/server/answers";
import { consoleApprovals, consoleWithdrawals } from "../../words/words.ts";
import type { Column } from "../../panels/data-table.tsx";
import { type Context, OFTEN_MS, useFetched, useNetworkKind } from "../context.ts";
import { ActionButtons, Heading, Link, toAccount } from "../elements.tsx";
import { Facts, Pane } from "../../pages/pane.tsx";
import { showAge, showAmount, showMoment } from "../../pages/format.ts";
import { type ApprovalRequest, requestedText, requestsByWithdrawal, shownName } from "../forms/approval-request.ts";
import { AWAITS, isPending, payByHand } from "../forms/withdrawal-approval.ts";
import { WithdrawalChecks } from "../forms/withdrawal-shown.tsx";
import { ActionList } from "./audit-log.tsx";
import { waitsForText } from "../forms/subjects.ts";

// Risk indicators, each with its evidence.

export function Marks({ marks }: { marks: readonly string[] }) {
  return (
    <span class="marks">
      {marks.map((mark) => (
        <span key={mark} class="tag warn" title={consoleWithdrawals.markHelp[mark] ?? ""}>
          {consoleWithdrawals.marks[mark] ?? mark}
        </span>
      ))}
    </span>
  );
}

const MOST_EMAILS = 1000;

// Approval requests of withdrawals above the dual approval limit: the operators who requested and approved.

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
      return (
        <>
          {textOf(row)} <br />
          <Link to={{ page: "approvals", subject: approvalRequest.requestId }}>{said(approvalRequest)}</Link>
        </>
      );
    },
  };
}

const key = (step: string): string => `POST /v1/withdrawals/{withdrawal}/${step}`;

export function WithdrawalPage({ context }: { context: Context }) {
  const withdrawal = context.place.value.subject;
  const path = `/v1/withdrawals/${encodeURIComponent(withdrawal)}`;
  const { value, denied } = useFetched<AnyWithdrawal>(context, path, { everyMs: OFTEN_MS });
  const requests = useFetched<readonly ApprovalRequest[]>(context, "/v1/approval-requests", { everyMs: OFTEN_MS });
  const kind = useNetworkKind(context, value?.network);
  const open = value !== null && isPending(value) ? value : null;
  const request = requestsByWithdrawal(requests.value).get(withdrawal);
  const isForTwo = open?.needsDualApproval === true;
  const toPay = open?.status === "processing" && kind === "manual";
  return (
    <div class="page">
      <Heading
        page="withdrawals"
        title={consoleWithdrawals.title}
        of={value === null ? withdrawal : `${showAmount(value.amount)} ${value.asset}`}
      />
      {open !== null && toPay && <p class="warned">{payByHand(open)}</p>}
      {open?.status === "emailSent" && <Unconfirmed context={context} withdrawal={withdrawal} />}
      {open?.status === AWAITS && request !== undefined && <Requested context={context} request={request} />}
      {open !== null && (
        <ActionButtons
          context={context}
          page="withdrawals"
          on="one"
          given={{ withdrawal }}
          labels={isForTwo ? { [key("approve")]: consoleApprovals.requestApproval } : {}}
          forOperators={isForTwo ? [key("approve")] : []}
          {...(toPay && { next: key("complete") })}
          hidden={[...hiddenFor(open, kind), ...(request === undefined ? [] : [key("approve")])]}
        />
      )}
      <div class="two">
        <Pane title={consoleWithdrawals.withdrawal} denied={denied}>
          {value !== null && <WithdrawalFacts context={context} withdrawal={value} />}
        </Pane>
        {open !== null && (
          <Pane title={consoleWithdrawals.checks}>
            <div class="withdrawal-shown padded">
              <WithdrawalChecks context={context} withdrawal={open} />
            </div>
          </Pane>
        )}
      </div>
      <ActionList context={context} title={consoleWithdrawals.history} query={{ withdrawal }} />
    </div>
  );
}

function Requested({ context, request }: { context: Context; request: ApprovalRequest }) {
  return (
    <p class="warned">
      {requestedText(context, request)} {consoleApprovals.quoted(request.why)}{" "}
      <Link to={{ page: "approvals", subject: request.requestId }}>{consoleApprovals.openRequest}</Link>
    </p>
  );
}

/** What a withdrawal that its customer has not confirmed waits for: the email with the link, and whether it was sent. */
function Unconfirmed({ context, withdrawal }: { context: Context; withdrawal: string }) {
  const venue = useFetched<Configuration>(context, "/v1/configuration").value;
  const emails = useFetched<readonly Email[]>(context, "/v1/emails", { query: { limit: MOST_EMAILS } }).value;
  const email = emails?.find((one) => one.withdrawalId === withdrawal);
  return (
    <p class="warned">
      {venue?.hasMailServer === false ? consoleWithdrawals.emailNotSent : consoleWithdrawals.unconfirmed}{" "}
      {email !== undefined && (
        <Link to={{ page: "emails", subject: email.emailId }}>{consoleWithdrawals.openEmail}</Link>
      )}
    </p>
  );
}

/** Route keys of actions that are not possible with the withdrawal's status or network. */
function hiddenFor({ status }: OpenWithdrawal, kind: string | undefined): string[] {
  const isProcessing = status === "processing";
  return [
    ...(status === AWAITS ? [] : [key("approve"), key("reject")]),
    ...(isProcessing ? [key("cancel")] : [key("fail")]),
    ...(isProcessing && kind === "manual" ? [] : [key("complete")]),
    ...(isProcessing && kind === "evm" ? [] : [key("raise-fee")]),
  ];
}

function WithdrawalFacts({ context, withdrawal }: { context: Context; withdrawal: AnyWithdrawal }) {
  const { accountId, asset, amount, fee, arrives, network, address, tag, name, status, applyTimeMs, txId } = withdrawal;
  const filled = (rows: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(rows).filter(([, text]) => text !== ""));
  return (
    <Facts
      rows={{
        [consoleWithdrawals.status]: consoleWithdrawals.statuses[status] ?? status,
        ...(isPending(withdrawal)
          ? { [consoleWithdrawals.waitsFor]: waitsForText(withdrawal) }
          : filled({ [consoleWithdrawals.why]: withdrawal.why })),
        [consoleWithdrawals.account]: <Link to={toAccount(accountId)}>{accountId}</Link>,
        [consoleWithdrawals.amount]: `${showAmount(amount)} ${asset}`,
        [consoleWithdrawals.fee]: `${showAmount(fee)} ${asset}`,
        [consoleWithdrawals.arrives]: <b>{`${showAmount(arrives)} ${asset}`}</b>,
        [consoleWithdrawals.network]: <Link to={{ page: "networks", subject: network }}>{network}</Link>,
        [consoleWithdrawals.address]: <code>{address}</code>,
        ...filled({
          [consoleWithdrawals.tag]: tag,
          [consoleWithdrawals.name]: name,
          [consoleWithdrawals.clientId]: withdrawal.withdrawOrderId,
        }),
        [consoleWithdrawals.requested]: `${showMoment(context, applyTimeMs)} (${showAge(context, applyTimeMs)})`,
        ...(isPending(withdrawal) && filled({ [consoleWithdrawals.by]: shownName(withdrawal.by ?? "") })),
        [consoleWithdrawals.id]: <code>{withdrawal.withdrawalId}</code>,
        ...(txId !== "" && { [consoleWithdrawals.txId]: <code>{txId}</code> }),
      }}
    />
  );
}
