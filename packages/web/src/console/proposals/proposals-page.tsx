/** Pending approval requests, the approval rules and the emergency override. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleApprovals as words } from "../../words/words.ts";
import { OFTEN_MS, SELDOM_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Acts } from "../draw/acts.tsx";
import { Link } from "../draw/link.tsx";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { Facts, Pane } from "../../pages/pane.tsx";
import { showAge, showAmount, showMoment, timeText } from "../../pages/shown.ts";
import { leavesOf } from "../forms/differences.ts";
import { concerns } from "../forms/now-of.ts";
import { type ApprovalRules, type Glass, type Proposal, saidIn, shownName } from "../forms/proposal.ts";
import { Approvals } from "./approvals.tsx";

const SET_RULES = "PUT /v1/approval-rules";

export function ProposalsPage({ desk }: { desk: Desk }) {
  const { value, denied } = useAsked<readonly Proposal[]>(desk, "/v1/approval-requests", { everyMs: OFTEN_MS });
  const rules = useAsked<ApprovalRules>(desk, "/v1/approval-rules", { everyMs: SELDOM_MS });
  const glass = useAsked<Glass>(desk, "/v1/emergency-override", { everyMs: SELDOM_MS });
  const broken = glass.value?.emergencyOverride ?? null;
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <Acts
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
