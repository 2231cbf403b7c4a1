/** The frame of all console pages: search box, node status, pending counts, banners and the open form. */
import { theVenue } from "../../panels/brand.tsx";
import type {
  ApprovalRules,
  EmergencyOverride,
  Me,
  OverrideAnswer,
  Overview,
  Suspension,
} from "@pricetime/server/answers";
import {
  consoleDashboard,
  consoleApprovals,
  consolePages,
  consoleWords,
  consoleSuspensions,
  pagesWords,
} from "../../words/words.ts";
import { type Fetched, type Context, SELDOM_MS, useFetched } from "../context.ts";
import { FormButton, Link } from "../elements.tsx";
import { showMoment } from "../../pages/format.ts";
import type { ApprovalRequest } from "../forms/approval-request.ts";
import { showSpan } from "../../panels/show.ts";
import { OverviewPage } from "../pages/overview.tsx";
import { hashOf } from "../place.ts";
import { venueState } from "../venue-state.ts";
import { AccountsPage } from "../pages/accounts.tsx";
import { AuditLogPage } from "../pages/audit-log.tsx";
import { AssetPage, AssetsPage } from "../pages/assets.tsx";
import { type PageName, PAGES } from "../routes.ts";
import { ProfilePage } from "../pages/profile.tsx";
import { useEffect } from "preact/hooks";
import { PageFrame } from "../../pages/frame.tsx";
import { OpenWindow } from "../tasks/open-window.tsx";
import { InvitationPage, SignIn } from "./sign-in.tsx";
import { SearchBox } from "./search-box.tsx";
import { byNeed } from "../by-need.tsx";
import { filtersFor } from "../table-choices.ts";

// Banners on all pages: current suspensions and an announced emergency override.

function Banners({ context, stops }: { context: Context; stops: readonly Suspension[] }) {
  const { value } = useFetched<OverrideAnswer>(context, "/v1/emergency-override", { everyMs: SELDOM_MS });
  const override = value?.emergencyOverride ?? null;
  return (
    <>
      {stops.length > 0 && (
        <p class="banner bad" role="status">
          <b>{consoleSuspensions.suspended}</b>{" "}
          {stops.map(({ scope }) => consoleSuspensions.scopeName(scope)).join(", ")}.{" "}
          <Link to={{ page: "overview" }}>{consoleSuspensions.show}</Link>
        </p>
      )}
      {override !== null && <OverrideBanner context={context} override={override} />}
    </>
  );
}

function OverrideBanner({ context, override }: { context: Context; override: EmergencyOverride }) {
  const { by, why, fromMs } = override;
  const left = showSpan(Math.max(0, fromMs - context.nowMs.value));
  return (
    <p class="banner bad" role="alert">
      <span>
        <b>{consoleApprovals.overrideAt(showMoment(context, fromMs), left)}</b> {consoleApprovals.overrideBy(by, why)}
      </span>
      <FormButton context={context} form={{ key: "DELETE /v1/emergency-override", given: {} }} class="button">
        {consoleApprovals.stopOverride}
      </FormButton>
    </p>
  );
}

// The status of the node, shown on all pages, with a link to the overview.

/** The classes of the status by tone. */
const STATUS_CLASS = { good: "live", warn: "connecting", bad: "down" } as const;

function NodeStatus({ overview: { value, denied } }: { overview: Fetched<Overview> }) {
  const state = venueState(value, denied === null);
  const text = state === null ? pagesWords.loading : consoleDashboard.state[state.name][0];
  return (
    <a class={`state ${STATUS_CLASS[state?.tone ?? "warn"]}`} href={hashOf({ page: "overview" })} title={text}>
      <span class="unseen-narrow" role="status">
        {text}
      </span>
    </a>
  );
}

type Page = (props: { readonly context: Context }) => preact.JSX.Element | null;

// The code of larger pages is loaded when they are first opened.
const AccountPage = byNeed(() => import("../pages/account.tsx").then((module) => module.AccountPage));
const ApprovalPage = byNeed(() => import("../pages/approvals.tsx").then((module) => module.ApprovalPage));
const ApprovalsPage = byNeed(() => import("../pages/approvals.tsx").then((module) => module.ApprovalsPage));
const DepositsPage = byNeed(() => import("../pages/deposits.tsx").then((module) => module.DepositsPage));
const EmailPage = byNeed(() => import("../pages/emails.tsx").then((module) => module.EmailPage));
const EmailsPage = byNeed(() => import("../pages/emails.tsx").then((module) => module.EmailsPage));
const JournalPage = byNeed(() => import("../pages/journal.tsx").then((module) => module.JournalPage));
const MarketPage = byNeed(() => import("../pages/markets.tsx").then((module) => module.MarketPage));
const MarketsPage = byNeed(() => import("../pages/markets.tsx").then((module) => module.MarketsPage));
const NetworkPage = byNeed(() => import("../pages/networks.tsx").then((module) => module.NetworkPage));
const NetworksPage = byNeed(() => import("../pages/networks.tsx").then((module) => module.NetworksPage));
const OperatorPage = byNeed(() => import("../pages/operators.tsx").then((module) => module.OperatorPage));
const OperatorsPage = byNeed(() => import("../pages/operators.tsx").then((module) => module.OperatorsPage));
const SettingsPage = byNeed(() => import("../pages/settings.tsx").then((module) => module.SettingsPage));
const TreasuryPage = byNeed(() => import("../pages/treasury.tsx").then((module) => module.TreasuryPage));
const WithdrawalPage = byNeed(() => import("../pages/withdrawal.tsx").then((module) => module.WithdrawalPage));
const WithdrawalsPage = byNeed(() => import("../pages/withdrawals.tsx").then((module) => module.WithdrawalsPage));

/** The components of each page: its list and, if it has one, the page of a single object. */
const PAGES_DRAWN: Readonly<Record<PageName, readonly [list: Page, one?: Page]>> = {
  overview: [OverviewPage],
  markets: [MarketsPage, MarketPage],
  assets: [AssetsPage, AssetPage],
  accounts: [AccountsPage, AccountPage],
  deposits: [DepositsPage],
  withdrawals: [WithdrawalsPage, WithdrawalPage],
  networks: [NetworksPage, NetworkPage],
  treasury: [TreasuryPage],
  approvals: [ApprovalsPage, ApprovalPage],
  operators: [OperatorsPage, OperatorPage],
  emails: [EmailsPage, EmailPage],
  journal: [JournalPage],
  "audit-log": [AuditLogPage],
  settings: [SettingsPage],
  profile: [ProfilePage],
};

function PageOf({ context }: { context: Context }) {
  const { page, subject } = context.place.value;
  const [List, One = List] = PAGES_DRAWN[page];
  return subject === "" ? <List key={page} context={context} /> : <One key={`${page} ${subject}`} context={context} />;
}

export function Frame({ context }: { context: Context }) {
  const invitation = context.invitation.value;
  if (invitation !== null) return <InvitationPage context={context} invitation={invitation} />;
  return context.session.value === null ? <SignIn context={context} /> : <Inside context={context} />;
}

function Inside({ context }: { context: Context }) {
  const { page, subject } = context.place.value;
  const overview = useFetched<Overview>(context, "/v1/overview", { everyMs: SELDOM_MS });
  const approvalRequests = useFetched<readonly ApprovalRequest[]>(context, "/v1/approval-requests", {
    everyMs: SELDOM_MS,
  });
  const rules = useFetched<ApprovalRules>(context, "/v1/approval-rules", { everyMs: SELDOM_MS }).value;
  useEffect(() => {
    context.approvalRules.value = rules;
  }, [context, rules]);
  // Other operators, and each action, can change this operator's rights.
  const me = useFetched<Me>(context, "/v1/me", { everyMs: SELDOM_MS }).value;
  useEffect(() => {
    if (me !== null) context.me.value = me;
  }, [context, me]);
  const waiting: Partial<Readonly<Record<PageName, number>>> = {
    withdrawals: overview.value?.withdrawals["awaitingApproval"] ?? 0,
    approvals: approvalRequests.value?.length ?? 0,
  };
  useEffect(() => {
    const name = consolePages[page];
    document.title = `${subject === "" ? name : `${subject} · ${name}`} · ${consoleWords.console} · ${theVenue().name}`;
  }, [page, subject]);
  return (
    <PageFrame
      board={context}
      home={hashOf({ page: "overview" })}
      pages={PAGES.map((name) => ({
        // The number of what waits leads to it, which remembered filters could hide.
        href: hashOf({ page: name, params: (waiting[name] ?? 0) > 0 ? {} : filtersFor(context, name) }),
        label: consolePages[name],
        isHere: name === page,
        waiting: waitingOf(waiting[name] ?? 0),
      }))}
      who={{
        name: <Operator context={context} />,
        page: { href: hashOf({ page: "profile" }), title: consoleWords.recordedAs },
        onSignOut: () => void context.signOut(),
      }}
      bar={<SearchBox context={context} />}
      state={<NodeStatus overview={overview} />}
      over={<OpenWindow context={context} />}
    >
      <Banners context={context} stops={overview.value?.suspensions ?? []} />
      <PageOf context={context} />
      <p class="muted times">{consoleWords.times[context.preferences.timeZone.value]}</p>
    </PageFrame>
  );
}

const waitingOf = (count: number): { count: number; text: string } | undefined =>
  count === 0 ? undefined : { count, text: consoleWords.awaiting(count) };

function Operator({ context }: { context: Context }) {
  const role = context.me.value?.role ?? null;
  return (
    <>
      {context.session.value?.operator} {role !== null && <span class="tag">{role}</span>}
    </>
  );
}
