/** The pages of approval requests: the pending ones with the approval rules and the emergency override, and one with its decisions. */
import { consoleApprovals as words } from "../../words/words.ts";
import {
  type ApprovalRules,
  APPROVE,
  CHANGE,
  concerns,
  type OverrideAnswer,
  type Proposal,
  proposalPath,
  REJECT,
  saidIn,
  shownName,
} from "../forms/approval-request.ts";
import type { Column } from "../../panels/data-table.tsx";
import { type Desk, hasRight, OFTEN_MS, SELDOM_MS, useAsked } from "../context.ts";
import { ActionButtons, Link, List } from "../elements.tsx";
import { Facts, Pane, plain } from "../../pages/pane.tsx";
import { showAge, showAmount, showMoment, timeText } from "../../pages/format.ts";
import { leavesOf } from "../forms/differences.ts";
import { ActionShown } from "../forms/confirmation.tsx";

function Approvals({ proposal: { approvals, approvalsNeeded } }: { proposal: Proposal }) {
  return (
    <span class="tag" title={approvals.map(shownName).join(", ")}>
      {words.approvedBy(approvals.length, approvalsNeeded)}
      {approvals.length > 0 && `: ${approvals.map(shownName).join(", ")}`}
    </span>
  );
}

const SET_RULES = "PUT /v1/approval-rules";

export function ApprovalsPage({ desk }: { desk: Desk }) {
  const { value, denied } = useAsked<readonly Proposal[]>(desk, "/v1/approval-requests", { everyMs: OFTEN_MS });
  const rules = useAsked<ApprovalRules>(desk, "/v1/approval-rules", { everyMs: SELDOM_MS });
  const glass = useAsked<OverrideAnswer>(desk, "/v1/emergency-override", { everyMs: SELDOM_MS });
  const broken = glass.value?.emergencyOverride ?? null;
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <ActionButtons
        desk={desk}
        page="approvals"
        on="list"
        now={{ [SET_RULES]: rules.value ?? undefined }}
        hidden={broken === null ? ["DELETE /v1/emergency-override"] : ["POST /v1/emergency-override"]}
      />
      <List
        {...{ desk, denied }}
        title={words.queue}
        name="approval-requests"
        rows={value}
        columns={columnsOf(desk)}
        keyOf={({ requestId }) => requestId}
        empty={words.none}
        whole={{ path: "/v1/approval-requests" }}
      />
      <Pane title={words.rules} denied={rules.denied}>
        {rules.value !== null && <Rules rules={rules.value} />}
      </Pane>
      <Pane title={words.override} denied={glass.denied}>
        <p class={`headline ${broken === null ? "good" : "bad"}`}>
          {broken === null ? words.overrideOff : words.overrideAt(showMoment(desk, broken.fromMs), "")}
        </p>
        <p class="muted padded">{words.overrideHelp}</p>
      </Pane>
    </div>
  );
}

function Rules({ rules: { approvals, withdrawalsAbove, actions: acts } }: { rules: ApprovalRules }) {
  const above = withdrawalsAbove.map(({ asset, amount }) => `${showAmount(amount)} ${asset}`);
  return (
    <Facts
      rows={{
        [words.approvalsNeeded]: String(approvals),
        [words.withdrawalsAbove]: above.length === 0 ? words.noLimit : above.join(", "),
        [words.ruledActions]: acts.length === 0 ? words.noActions : acts.map(words.actionName).join(", "),
        [words.always]: words.alwaysNeed,
      }}
    />
  );
}

const saidBy = (row: Proposal): string =>
  leavesOf(saidIn(row.action), "")
    .map(([at, text]) => `${at} ${text}`)
    .join(" · ");

function columnsOf(desk: Desk): Column<Proposal>[] {
  return [
    {
      label: words.age,
      text: ({ createdMs }) => timeText(createdMs),
      show: ({ createdMs, requestId }) => (
        <Link to={{ page: "approvals", subject: requestId }}>{showAge(desk, createdMs)}</Link>
      ),
    },
    plain(words.action, ({ action }) => `${words.actionName(action.type)} ${concerns(action)}`),
    {
      label: words.details,
      text: saidBy,
      show: (row) => <span class="details">{saidBy(row)}</span>,
    },
    plain(words.reason, ({ why }) => why),
    plain(words.author, ({ authors }) => authors.map(shownName).join(", ")),
    plain(words.version, ({ version }) => String(version), true),
    {
      label: words.approvals,
      text: ({ approvals }) => approvals.map(shownName).join(", "),
      show: (row) => <Approvals proposal={row} />,
    },
    {
      label: words.until,
      text: ({ untilMs }) => timeText(untilMs),
      show: ({ untilMs }) => showMoment(desk, untilMs),
    },
  ];
}

// One approval request: its effect, author and approvals, and the decisions that the operator may take.

export function ApprovalPage({ desk }: { desk: Desk }) {
  const proposal = desk.place.value.subject;
  const { value, denied } = useAsked<Proposal>(desk, proposalPath(proposal), { everyMs: OFTEN_MS });
  const isOwn = value !== null && value.authors.map(shownName).includes(desk.session.value?.operator ?? "");
  return (
    <div class="page">
      <h1>
        <Link to={{ page: "approvals" }}>{words.title}</Link> /{" "}
        {value === null ? proposal : words.actionName(value.action.type)}
      </h1>
      {value !== null && (
        <ActionButtons
          desk={desk}
          page="approvals"
          on="one"
          given={{ request: proposal }}
          now={{ [CHANGE]: { action: value.action, why: value.why } }}
          fixed={{ [CHANGE]: { version: value.version }, [APPROVE]: { version: value.version } }}
          acts={{ [APPROVE]: value.action, [REJECT]: value.action }}
          hidden={isOwn || !hasRight(desk, value.needs) ? [APPROVE] : []}
        />
      )}
      {isOwn && <p class="muted">{words.ownRequest}</p>}
      {value !== null && !isOwn && !hasRight(desk, value.needs) && <p class="muted">{words.otherRole(value.needs)}</p>}
      <Pane title={words.request} denied={denied}>
        {value !== null && (
          <Facts
            rows={{
              [words.reason]: value.why,
              [words.author]: value.authors.map(shownName).join(", "),
              [words.version]: String(value.version),
              [words.approvals]: <Approvals proposal={value} />,
              [words.created]: `${showMoment(desk, value.createdMs)} (${showAge(desk, value.createdMs)})`,
              [words.changed]: showMoment(desk, value.changedMs),
              [words.until]: showMoment(desk, value.untilMs),
            }}
          />
        )}
      </Pane>
      {value !== null && (
        <Pane title={words.effect}>
          <div class="padded">
            <ActionShown desk={desk} act={value.action} />
          </div>
        </Pane>
      )}
    </div>
  );
}
