/** The page of one account: a menu of actions, and tabs for an overview, funds, activity and security. */
import { Select, Tabs } from "../../panels/controls.tsx";
import type {
  AccountLimitRow,
  Addresses,
  ApiTrading,
  CustomerSession,
  Note,
  Timeline,
  TimelineRow,
  WholeAccount,
} from "@pricetime/server/answers";
import { consoleAccounts as words, consoleWords, pagesWords } from "../../words/words.ts";
import { type AdminPage, bySeq, type Context, SELDOM_MS, useFetched } from "../context.ts";
import { ActionMenu } from "../action-menu.tsx";
import { expandable, FetchedList, Link, PagedList, toAccount } from "../elements.tsx";
import { Facts, moment, Pane, plain } from "../../pages/pane.tsx";
import { showBrowser, showMoment } from "../../pages/format.ts";
import { accountPath, Limits } from "../account-data.tsx";
import { shownName } from "../forms/approval-request.ts";
import type { Column } from "../../panels/data-table.tsx";
import { namedValues } from "../forms/confirmation.tsx";
import { goTo } from "../place.ts";
import { AddressList, AdjustmentList, BalanceList, KeyList, OrderList, SubAccountList } from "./account-lists.tsx";
import { AccountLimits } from "./withdrawal-limits.tsx";

// Operators' notes about an account, newest first. Customers never see them.

const readNotes = bySeq<Note>;

function NoteList({ context, account }: { context: Context; account: string }) {
  const columns: readonly Column<Note>[] = [
    moment(context, words.time, ({ timeMs }) => timeMs),
    plain(words.by, ({ by }) => shownName(by)),
    { label: words.note, text: ({ text }) => text, show: ({ text }) => <p class="note">{text}</p> },
  ];
  return (
    <PagedList
      {...{ context, columns }}
      path={`${accountPath(account)}/notes`}
      read={readNotes}
      title={words.notes}
      name={`notes-${account}`}
      keyOf={({ seq }) => seq}
      empty={words.noNotes}
    />
  );
}

function SessionList({ context, account }: { context: Context; account: string }) {
  const columns: readonly Column<CustomerSession>[] = [
    moment(context, words.opened, ({ openedMs }) => openedMs),
    plain(words.ip, ({ ip }) => ip),
    {
      label: words.client,
      text: ({ client }) => client,
      show: ({ client }) => <span title={client}>{showBrowser(client)}</span>,
    },
    moment(context, words.lastUsed, ({ renewedMs }) => renewedMs),
    moment(context, words.until, ({ untilMs }) => untilMs),
  ];
  return (
    <FetchedList
      {...{ context, columns }}
      path={`${accountPath(account)}/sessions`}
      everyMs={SELDOM_MS}
      title={words.sessions}
      name={`sessions-${account}`}
      keyOf={({ sessionId }) => sessionId}
      empty={words.noSessions}
    />
  );
}

// The timeline of an account, newest first: orders, trades, funds, keys, access and operator actions.

const KINDS = ["", "order", "trade", "money", "key", "access", "action"] as const;
const readTimeline = ({ rows, before }: Timeline): AdminPage<TimelineRow> => ({ rows, next: before });

function TimeLine({ context, account }: { context: Context; account: string }) {
  const params = context.place.value.params["kind"] ?? "";
  const kind = KINDS.find((one) => one === params) ?? "";
  return (
    <PagedList
      context={context}
      path={`${accountPath(account)}/timeline`}
      query={kind === "" ? {} : { kind }}
      read={readTimeline}
      title={words.timeline}
      name={`timeline-${account}`}
      columns={columnsOf(context)}
      keyOf={(row) => `${row.kind} ${row.what} ${row.id} ${row.timeMs} ${String(row["symbol"] ?? "")}`}
      empty={words.emptyTimeline}
      tools={
        <Select
          class="find"
          aria-label={words.kind}
          value={kind}
          options={KINDS.map((one) => [one, words.kinds[one]])}
          onChoose={(value) => goTo({ page: "accounts", subject: account, params: { tab: "activity", kind: value } })}
        />
      }
    />
  );
}

/** Fields of a row that are shown separately from its details. */
const HEAD = ["timeMs", "kind", "what", "id"];

function detailsOf(row: TimelineRow): string {
  const {
    details = {},
    outcome,
    ...rest
  } = Object.fromEntries(Object.entries(row).filter(([name]) => !HEAD.includes(name)));
  return namedValues({ ...rest, ...(isRejected(row) && { outcome }), ...(details as object) });
}

/** Whether the exchange rejected the action, so that it had no effect. */
const isRejected = ({ kind, ...row }: TimelineRow): boolean =>
  typeof row["outcome"] === "string" &&
  (kind === "action" || kind === "access" || kind === "key") &&
  row["outcome"] !== "done";

const eventOf = ({ what }: TimelineRow): string => words.eventNames[what] ?? words.actionName(what);

function columnsOf(context: Context): Column<TimelineRow>[] {
  return [
    moment(context, words.time, ({ timeMs }) => timeMs),
    {
      label: words.kind,
      text: ({ kind }) => kind,
      show: ({ kind }) => <span class={`tag kind-${kind}`}>{words.kindTags[kind] ?? kind}</span>,
    },
    {
      label: words.event,
      text: eventOf,
      show: (row) => (
        <>
          {eventOf(row)} {isRejected(row) && <span class="tag bad">{words.rejected}</span>}
        </>
      ),
    },
    plain(words.id, ({ id }) => String(id)),
    expandable(words.details, detailsOf),
  ];
}

const TABS = ["overview", "funds", "activity", "security"] as const;
type TabName = (typeof TABS)[number];

/** The tab in the page's address. Links to a part of the timeline name only its kind. */
function tabOf({ tab, kind }: Readonly<Record<string, string>>): TabName {
  return TABS.find((one) => one === tab) ?? (kind === undefined ? "overview" : "activity");
}

export function AccountPage({ context }: { context: Context }) {
  const { subject: account, params } = context.place.value;
  const { value, denied } = useFetched<WholeAccount>(context, accountPath(account), { everyMs: SELDOM_MS });
  const tab = tabOf(params);
  return (
    <div class="page">
      <div class="title-row">
        <h1>
          <Link to={{ page: "accounts" }}>{words.title}</Link> / {value?.email ?? account}{" "}
          {value !== null && <Limits account={value} />}
        </h1>
        {value !== null && <AccountActions context={context} account={value} />}
      </div>
      {value === null ? (
        <Pane title={words.account} denied={denied}>
          {null}
        </Pane>
      ) : (
        <>
          <Tabs
            class="page-tabs"
            label={words.account}
            tabs={TABS.map((name) => ({ name, label: words.tabs[name] }))}
            chosen={tab}
            controls="account-tab"
            onChoose={(name) => goTo({ page: "accounts", subject: account, params: { tab: name } })}
          />
          <div id="account-tab" role="tabpanel" aria-label={words.tabs[tab]} class="column">
            <TabShown {...{ context, tab }} account={value} />
          </div>
        </>
      )}
    </div>
  );
}

function TabShown({ context, tab, account: whole }: { context: Context; tab: TabName; account: WholeAccount }) {
  const account = String(whole.accountId);
  const of = { context, account };
  switch (tab) {
    case "overview":
      return (
        <>
          <Pane title={words.account}>
            <AccountFacts context={context} account={whole} />
          </Pane>
          <div class="two">
            <BalanceList context={context} account={whole} />
            <NoteList {...of} />
          </div>
          <SubAccountList {...of} />
        </>
      );
    case "funds":
      return (
        <>
          <BalanceList context={context} account={whole} />
          <AccountLimits {...of} />
          <AddressList {...of} />
          <AdjustmentList context={context} title={words.adjustments} query={{ account }} />
        </>
      );
    case "activity":
      return (
        <>
          <OrderList {...of} count={whole.openOrders} />
          <TimeLine {...of} />
        </>
      );
    case "security":
      return (
        <>
          <SessionList {...of} />
          <KeyList {...of} />
        </>
      );
  }
}

/** Actions on a single key or order, which have a button in its row. */
const IN_ROWS = ["DELETE /v1/keys/{apiKey}", "POST /v1/orders/{order}/end"];

function AccountActions({ context, account }: { context: Context; account: WholeAccount }) {
  const given = { account: context.place.value.subject };
  return (
    <ActionMenu
      {...{ context, given }}
      page="accounts"
      on="one"
      now={bodiesOf(account)}
      hidden={IN_ROWS}
      without={{ [CHANGE_ACCOUNT]: account.masterId === null ? ["isEnabled"] : ["isTradeGroup"] }}
      reasons={useReasons(context, account)}
    />
  );
}

const CHANGE_ACCOUNT = "PATCH /v1/accounts/{account}";

/** Why actions on the account are not possible now, by route key. */
function useReasons(context: Context, account: WholeAccount): Readonly<Record<string, string>> {
  const path = accountPath(String(account.accountId));
  const sessions = useFetched<readonly CustomerSession[]>(context, `${path}/sessions`).value;
  const trading = useFetched<ApiTrading>(context, `${path}/api-trading`).value;
  const limits = useFetched<readonly AccountLimitRow[]>(context, `${path}/withdrawal-limits`).value;
  const saved = useFetched<Addresses>(context, `${path}/addresses`).value;
  const { reasons } = words;
  const isSub = account.masterId !== null;
  const rows: readonly (readonly [key: string, isOff: boolean | undefined, reason: string])[] = [
    ["POST /v1/accounts/{account}/totp", account.hasTotp, reasons.totpOn],
    ["DELETE /v1/accounts/{account}/totp", !account.hasTotp, reasons.totpOff],
    ["POST /v1/accounts/{account}/lock", !account.canTrade && !account.canWithdraw, reasons.alreadyLocked],
    ["POST /v1/accounts/{account}/open-orders/end", account.openOrders === 0, reasons.noOrders],
    ["DELETE /v1/accounts/{account}/sessions", sessions?.length === 0, reasons.noSessions],
    ["DELETE /v1/accounts/{account}/api-trading/lock", trading?.isLocked === false, reasons.notLocked],
    ["DELETE /v1/accounts/{account}/addresses", saved?.addresses.length === 0, reasons.noAddresses],
    [
      "DELETE /v1/accounts/{account}/withdrawal-limits/{asset}",
      limits?.every(({ isOwn }) => !isOwn),
      reasons.noOwnLimits,
    ],
    ["PUT /v1/accounts/{account}/withdrawal-limits/{asset}", isSub, reasons.ofMaster],
    ["DELETE /v1/accounts/{account}/withdrawal-limits/{asset}", isSub, reasons.ofMaster],
  ];
  return Object.fromEntries(rows.flatMap(([key, isOff, reason]) => (isOff === true ? [[key, reason]] : [])));
}

/** The initial values of the account's forms. */
function bodiesOf(account: WholeAccount): Readonly<Record<string, unknown>> {
  const { makerBps, takerBps, isAddressListEnforced, statusMessage, statusObjs } = account;
  return {
    [CHANGE_ACCOUNT]: account,
    "PUT /v1/accounts/{account}/status": { message: statusMessage, objs: statusObjs },
    "PUT /v1/accounts/{account}/addresses": { isEnforced: isAddressListEnforced },
    "PUT /v1/accounts/{account}/fees/{symbol}": { makerBps, takerBps },
  };
}

function AccountFacts({ context, account }: { context: Context; account: WholeAccount }) {
  const yesNo = (value: boolean): string => (value ? consoleWords.yes : consoleWords.no);
  const right = (value: boolean) => <span class={value ? "" : "bad-text"}>{yesNo(value)}</span>;
  const trading = useFetched<ApiTrading>(context, `${accountPath(String(account.accountId))}/api-trading`);
  const lock = trading.value;
  return (
    <div class="three">
      <Facts
        rows={{
          [words.number]: String(account.accountId),
          [words.email]: account.email,
          [words.name]: account.name,
          [words.opened]: showMoment(context, account.createdMs),
          [words.changed]: showMoment(context, account.updateTimeMs),
          [words.master]:
            account.masterId === null ? (
              words.isMaster
            ) : (
              <Link to={toAccount(account.masterId)}>{account.masterId}</Link>
            ),
        }}
      />
      <Facts
        rows={{
          [words.isEnabled]: right(account.isEnabled),
          [words.canTrade]: right(account.canTrade),
          [words.canWithdraw]: right(account.canWithdraw),
          [words.canDeposit]: right(account.canDeposit),
          [words.apiTrading]:
            lock === null ? (
              pagesWords.noFigure
            ) : lock.isLocked ? (
              <span class="bad-text">
                {words.lockedUntil(lock.untilMs === undefined ? "" : showMoment(context, lock.untilMs))}
              </span>
            ) : (
              words.notLocked
            ),
          [words.confirmsByEmail]: words.confirms(account.confirmsByEmail),
        }}
      />
      <Facts
        rows={{
          [words.makerRate]: words.percent(account.makerBps),
          [words.takerRate]: words.percent(account.takerBps),
          [words.paysInDiscountAsset]: yesNo(account.paysInDiscountAsset === true),
          [words.totp]: yesNo(account.hasTotp),
          [words.allowlist]: yesNo(account.isAddressListEnforced),
          [words.openOrders]: String(account.openOrders),
          [words.statusMessage]: account.statusMessage === "" ? pagesWords.noFigure : account.statusMessage,
        }}
      />
    </div>
  );
}
