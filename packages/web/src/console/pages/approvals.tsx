/**
 * The pages of approval requests: pending requests with the approval rules and the emergency override, and a single
 * request.
 */
import type { AnyWithdrawal, ApprovalRules, OpenWithdrawal, OverrideAnswer } from "@pricetime/server/answers";
import { consoleApprovals as words, consoleWithdrawals } from "../../words/words.ts";
import {
  APPROVE,
  CHANGE,
  concerns,
  type ApprovalRequest,
  approvalRequestPath,
  REJECT,
  valuesIn,
  shownName,
  withdrawalIn,
} from "../forms/approval-request.ts";
import { AWAITS, payByHand } from "../forms/withdrawal-approval.ts";
import { hashOf } from "../place.ts";
import type { Column } from "../../panels/data-table.tsx";
import { type Context, hasRight, OFTEN_MS, SELDOM_MS, useFetched, useNetworkKind } from "../context.ts";
import { ActionButtons, details, FetchedList, Link } from "../elements.tsx";
import { Facts, moment, Pane, plain } from "../../pages/pane.tsx";
import { showAge, showAmount, showMoment, timeText } from "../../pages/format.ts";
import { ActionShown, namedValues } from "../forms/confirmation.tsx";

function Approvals({ approvalRequest: { approvals, approvalsNeeded } }: { approvalRequest: ApprovalRequest }) {
  return (
    <span class="tag" title={approvals.map(shownName).join(", ")}>
      {words.approvedBy(approvals.length, approvalsNeeded)}
      {approvals.length > 0 && `: ${approvals.map(shownName).join(", ")}`}
    </span>
  );
}

const SET_RULES = "PUT /v1/approval-rules";

export function ApprovalsPage({ context }: { context: Context }) {
  const rules = useFetched<ApprovalRules>(context, "/v1/approval-rules", { everyMs: SELDOM_MS });
  const overrideAnswer = useFetched<OverrideAnswer>(context, "/v1/emergency-override", { everyMs: SELDOM_MS });
  const override = overrideAnswer.value?.emergencyOverride ?? null;
  const withdrawals = useFetched<readonly OpenWithdrawal[]>(context, "/v1/withdrawals", { everyMs: SELDOM_MS }).value;
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <ActionButtons
        context={context}
        page="approvals"
        on="list"
        now={{ [SET_RULES]: rules.value ?? undefined }}
        hidden={override === null ? ["DELETE /v1/emergency-override"] : ["POST /v1/emergency-override"]}
      />
      <FetchedList
        context={context}
        path="/v1/approval-requests"
        everyMs={OFTEN_MS}
        title={words.queue}
        name="approval-requests"
        columns={columnsOf(context, withdrawals ?? [])}
        keyOf={({ requestId }) => requestId}
        empty={words.none}
      />
      <Pane title={words.rules} denied={rules.denied}>
        {rules.value !== null && <Rules rules={rules.value} />}
      </Pane>
      <Pane title={words.override} denied={overrideAnswer.denied}>
        <p class={`headline ${override === null ? "good" : "bad"}`}>
          {override === null ? words.overrideOff : words.overrideAt(showMoment(context, override.fromMs), "")}
        </p>
        <p class="muted padded">{words.overrideHelp}</p>
      </Pane>
    </div>
  );
}

function Rules({ rules: { approvals, withdrawalsAbove, actions } }: { rules: ApprovalRules }) {
  const above = withdrawalsAbove.map(({ asset, amount }) => words.above(showAmount(amount), asset));
  return (
    <Facts
      rows={{
        [words.approvalsNeeded]: words.approvers(approvals),
        [words.withdrawalsAbove]: above.length === 0 ? words.noLimit : above.join(", "),
        [words.ruledActions]: actions.length === 0 ? words.noActions : actions.map(words.actionName).join(", "),
        [words.always]: words.alwaysNeed,
      }}
    />
  );
}

const valuesOf = (row: ApprovalRequest): string => namedValues(valuesIn(row.action));

function columnsOf(context: Context, withdrawals: readonly OpenWithdrawal[]): Column<ApprovalRequest>[] {
  const actionText = ({ action }: ApprovalRequest): string => {
    const name = words.actionName(action.type);
    const paid = withdrawals.find(({ withdrawalId }) => withdrawalId === withdrawalIn(action));
    return paid === undefined
      ? `${name} ${concerns(action)}`
      : words.ofAmount(name, showAmount(paid.amount), paid.asset);
  };
  return [
    {
      label: words.age,
      text: ({ createdMs }) => timeText(createdMs),
      show: ({ createdMs }) => showAge(context, createdMs),
    },
    {
      label: words.action,
      text: actionText,
      show: (row) => <Link to={{ page: "approvals", subject: row.requestId }}>{actionText(row)}</Link>,
    },
    plain(words.author, ({ authors }) => authors.map(shownName).join(", ")),
    {
      label: words.approvals,
      text: ({ approvals }) => approvals.map(shownName).join(", "),
      show: (row) => <Approvals approvalRequest={row} />,
    },
    plain(words.reason, ({ why }) => why),
    details(words.details, valuesOf),
    moment(context, words.until, ({ untilMs }) => untilMs),
  ];
}

// One approval request: its effect, author and approvals, and the operator's possible decisions.

export function ApprovalPage({ context }: { context: Context }) {
  const approvalRequest = context.place.value.subject;
  const { value, denied } = useFetched<ApprovalRequest>(context, approvalRequestPath(approvalRequest), {
    everyMs: OFTEN_MS,
  });
  const id = value === null ? undefined : withdrawalIn(value.action);
  const path = id === undefined ? null : `/v1/withdrawals/${encodeURIComponent(id)}`;
  const withdrawal = useFetched<AnyWithdrawal>(context, path, { everyMs: OFTEN_MS }).value;
  const isManual = useNetworkKind(context, withdrawal?.network) === "manual";
  const status = withdrawal?.status ?? AWAITS;
  const isDecided = status !== AWAITS;
  const isOwn = value !== null && value.authors.map(shownName).includes(context.session.value?.operator ?? "");
  return (
    <div class="page">
      <h1>
        <Link to={{ page: "approvals" }}>{words.title}</Link> /{" "}
        {value === null ? approvalRequest : words.actionName(value.action.type)}
      </h1>
      {value !== null && (
        <ActionButtons
          context={context}
          page="approvals"
          on="one"
          given={{ request: approvalRequest }}
          now={{ [CHANGE]: { action: value.action, why: value.why } }}
          fixed={{ [CHANGE]: { version: value.version }, [APPROVE]: { version: value.version } }}
          next={APPROVE}
          actions={{ [APPROVE]: value.action, [REJECT]: value.action }}
          hidden={isDecided ? [APPROVE, CHANGE] : isOwn || !hasRight(context, value.needs) ? [APPROVE] : []}
          {...(withdrawal !== null &&
            isManual && {
              outcomes: {
                [APPROVE]: {
                  text: payByHand(withdrawal),
                  to: hashOf({ page: "withdrawals", subject: withdrawal.withdrawalId }),
                },
              },
            })}
        />
      )}
      {isDecided && <p class="warned">{words.decided(consoleWithdrawals.statuses[status] ?? status)}</p>}
      {isOwn && !isDecided && <p class="muted">{words.ownRequest}</p>}
      {value !== null && !isOwn && !isDecided && !hasRight(context, value.needs) && (
        <p class="muted">{words.otherRole(value.needs)}</p>
      )}
      <Pane title={words.request} denied={denied}>
        {value !== null && (
          <Facts
            rows={{
              [words.reason]: value.why,
              [words.author]: value.authors.map(shownName).join(", "),
              [words.version]: String(value.version),
              [words.approvals]: <Approvals approvalRequest={value} />,
              [words.created]: `${showMoment(context, value.createdMs)} (${showAge(context, value.createdMs)})`,
              [words.changed]: showMoment(context, value.changedMs),
              [words.until]: showMoment(context, value.untilMs),
            }}
          />
        )}
      </Pane>
      {value !== null && (
        <Pane title={words.effect}>
          <div class="padded">
            <ActionShown context={context} action={value.action} />
          </div>
        </Pane>
      )}
    </div>
  );
}
