/**
 * The decision on a withdrawal that awaits approval. An approval carries the amount, fee and address that are shown. A
 * withdrawal that needs two operators is not approved here: its approval is requested.
 */
import type { AnyWithdrawal } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { consoleApprovals, consoleButtons, consoleForms, consoleWithdrawals as words } from "../../words/words.ts";
import { useFetched, useNetworkKind } from "../context.ts";
import { hashOf } from "../place.ts";
import { DeniedText } from "../../pages/pane.tsx";
import { Field } from "../../pages/form.tsx";
import { type ApprovalRequest, CREATE, requestedText, requestsByWithdrawal } from "../forms/approval-request.ts";
import { WithdrawalShown } from "../forms/withdrawal-shown.tsx";
import { type TaskProps, TaskWindow } from "./task-window.tsx";
import { AWAITS, isPending, payByHand, shownOf } from "../forms/withdrawal-approval.ts";

export function ApproveWithdrawal(props: TaskProps) {
  const { context } = props;
  const { withdrawal, denied, waiting } = useDecided(props);
  const requests = useFetched<readonly ApprovalRequest[]>(context, "/v1/approval-requests").value;
  const request = requestsByWithdrawal(requests).get(props.openForm.given["withdrawal"] ?? "");
  const isManual = useNetworkKind(context, withdrawal?.network) === "manual";
  const why = useSignal("");
  const isForTwo = waiting?.needsDualApproval === true;
  const isToken = context.me.value?.isToken === true;
  const title = consoleButtons[props.openForm.key] ?? "";
  const shown = <Decided {...{ ...props, withdrawal, denied }} />;
  if (request !== undefined) {
    const to = hashOf({ page: "approvals", subject: request.requestId });
    return (
      <TaskWindow {...{ ...props, title }} instead={{ label: consoleApprovals.openRequest, to }} request={() => ({})}>
        <p class="warned">{requestedText(context, request)}</p>
        {shown}
      </TaskWindow>
    );
  }
  if (isForTwo && !isToken) {
    const action = { type: "approveWithdrawal", withdrawalId: waiting.withdrawalId, ...shownOf(waiting) };
    return (
      <TaskWindow
        {...{ ...props, title }}
        button={consoleApprovals.requestApproval}
        check={() => (why.value.trim() === "" ? words.enterReason : "")}
        request={() => ({ key: CREATE, body: { action, why: why.value.trim() } })}
        then={(answer) => Promise.resolve({ request: answer })}
      >
        <p class="warned">{consoleApprovals.needsTwo}</p>
        {shown}
        <Field id="task-why" label={consoleApprovals.reasonForApprover} value={why} isFirst />
      </TaskWindow>
    );
  }
  return (
    <TaskWindow
      {...{ ...props, title }}
      isOff={waiting === undefined || requests === null || isForTwo}
      {...(waiting !== undefined &&
        isManual && {
          outcome: { text: payByHand(waiting), to: hashOf({ page: "withdrawals", subject: waiting.withdrawalId }) },
        })}
      request={() => (waiting === undefined ? {} : { body: shownOf(waiting) })}
    >
      {isForTwo && <p class="warned">{consoleApprovals.tokenCannot}</p>}
      {shown}
    </TaskWindow>
  );
}

export function RejectWithdrawal(props: TaskProps) {
  const { withdrawal, denied, waiting } = useDecided(props);
  const why = useSignal("");
  return (
    <TaskWindow
      {...props}
      isOff={waiting === undefined}
      check={() => (why.value.trim() === "" ? words.enterReason : "")}
      request={() => ({ body: { why: why.value.trim() } })}
    >
      <Decided {...{ ...props, withdrawal, denied }} />
      <Field id="task-why" label={words.reason} value={why} isFirst />
    </TaskWindow>
  );
}

/** The withdrawal; `waiting` if it awaits approval. */
function useDecided({ context, openForm }: TaskProps) {
  const id = openForm.given["withdrawal"] ?? "";
  const { value, denied } = useFetched<AnyWithdrawal>(context, `/v1/withdrawals/${encodeURIComponent(id)}`);
  const waiting = value !== null && isPending(value) && value.status === AWAITS ? value : undefined;
  return { withdrawal: value, denied, waiting };
}

function Decided({ context, withdrawal, denied }: TaskProps & Omit<ReturnType<typeof useDecided>, "waiting">) {
  if (denied !== null) return <DeniedText denied={denied} />;
  if (withdrawal === null) return <p class="muted">{consoleForms.loading}</p>;
  return (
    <>
      {withdrawal.status !== AWAITS && (
        <p class="warned">{words.decidedMeanwhile(words.statuses[withdrawal.status] ?? withdrawal.status)}</p>
      )}
      <WithdrawalShown context={context} withdrawal={withdrawal} />
    </>
  );
}
