/** The decision on a withdrawal that awaits approval. An approval carries the amount, fee and address that are shown. */
import type { OpenWithdrawal } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { consoleForms, consoleWithdrawals as words } from "../../words/words.ts";
import { useFetched, useNetworkKind } from "../context.ts";
import { hashOf } from "../place.ts";
import { DeniedText } from "../../pages/pane.tsx";
import { Field } from "../../pages/form.tsx";
import { WithdrawalShown } from "../forms/withdrawal-shown.tsx";
import { type TaskProps, TaskWindow } from "./task-window.tsx";
import { AWAITS, shownOf } from "../forms/withdrawal-approval.ts";

export function ApproveWithdrawal(props: TaskProps) {
  const { withdrawal, ...shown } = useDecided(props);
  const isManual = useNetworkKind(props.context, withdrawal?.network) === "manual";
  return (
    <TaskWindow
      {...props}
      isOff={withdrawal?.status !== AWAITS}
      {...(withdrawal !== null &&
        isManual && {
          outcome: {
            text: words.payByHand(withdrawal.network),
            to: hashOf({ page: "withdrawals", subject: withdrawal.withdrawalId }),
          },
        })}
      request={() => (withdrawal === null ? {} : { body: shownOf(withdrawal) })}
    >
      <Decided {...props} {...shown} withdrawal={withdrawal} />
    </TaskWindow>
  );
}

export function RejectWithdrawal(props: TaskProps) {
  const { withdrawal, ...shown } = useDecided(props);
  const why = useSignal("");
  return (
    <TaskWindow
      {...props}
      isOff={withdrawal?.status !== AWAITS}
      check={() => (why.value.trim() === "" ? words.enterReason : "")}
      request={() => ({ body: { why: why.value.trim() } })}
    >
      <Decided {...props} {...shown} withdrawal={withdrawal} />
      <Field id="task-why" label={words.reason} value={why} isFirst />
    </TaskWindow>
  );
}

function useDecided({ context, openForm }: TaskProps) {
  const id = openForm.given["withdrawal"] ?? "";
  const { value, denied } = useFetched<OpenWithdrawal>(context, `/v1/withdrawals/${encodeURIComponent(id)}`);
  return { withdrawal: value, denied };
}

function Decided({ context, withdrawal, denied }: TaskProps & ReturnType<typeof useDecided>) {
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
