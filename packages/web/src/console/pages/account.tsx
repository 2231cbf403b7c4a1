/** The page of one account: restrictions, rates, lists, sessions, operators' notes and timeline. */
import { Select } from "../../panels/controls.tsx";
import type { ApiTrading, CustomerSession, Note, Timeline, TimelineRow, WholeAccount } from "@pricetime/server/answers";
import { consoleAccounts as words, consoleWords, pagesWords } from "../../words/words.ts";
import { type AdminPage, bySeq, type Context, SELDOM_MS, useFetched } from "../context.ts";
import { ActionButtons, expandable, FetchedList, Link, PagedList, toAccount } from "../elements.tsx";
import { Facts, moment, Pane, plain } from "../../pages/pane.tsx";
import { showMoment } from "../../pages/format.ts";
import { accountPath, Limits } from "./account-data.tsx";
import type { Column } from "../../panels/data-table.tsx";
import { leavesOf } from "../forms/differences.ts";
import { goTo } from "../place.ts";
import type { Json } from "../openapi.ts";
import { AddressList, AdjustmentList, BalanceList, KeyList, OrderList, SubAccountList } from "./account-lists.tsx";
import { AccountLimits } from "./withdrawal-limits.tsx";

// Operators' notes about an account, newest first. Customers never see them.

const readNotes = bySeq<Note>;

function NoteList({ context, account }: { context: Context; account: string }) {
  const columns: readonly Column<Note>[] = [
    moment(context, words.time, ({ timeMs }) => timeMs),
    plain(words.by, ({ by }) => by),
    expandable(words.note, ({ text }) => text),
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
    expandable(words.client, ({ client }) => client),
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
          onChoose={(value) => goTo({ page: "accounts", subject: account, params: { kind: value } })}
        />
      }
    />
  );
}

/** Fields of a row that are shown separately from its details. */
const HEAD = ["timeMs", "kind", "what", "id"];

function detailsOf(row: TimelineRow): string {
  const rest = Object.fromEntries(Object.entries(row).filter(([name]) => !HEAD.includes(name)));
  return leavesOf(rest as Json, "")
    .filter(([, text]) => text !== "")
    .map(([at, text]) => `${at.replace(/^details\./, "")} ${text}`)
    .join(" · ");
}

const eventOf = ({ what }: TimelineRow): string => words.eventNames[what] ?? words.actionName(what);

function columnsOf(context: Context): Column<TimelineRow>[] {
  return [
    moment(context, words.time, ({ timeMs }) => timeMs),
    {
      label: words.kind,
      text: ({ kind }) => kind,
      show: ({ kind }) => <span class={`tag kind-${kind}`}>{words.kindTags[kind] ?? kind}</span>,
    },
    plain(words.event, eventOf),
    plain(words.id, ({ id }) => String(id)),
    expandable(words.details, detailsOf),
  ];
}

export function AccountPage({ context }: { context: Context }) {
  const account = context.place.value.subject;
  const { value, denied } = useFetched<WholeAccount>(context, accountPath(account), { everyMs: SELDOM_MS });
  const found = value !== null;
  return (
    <div class="page">
      <h1>
        <Link to={{ page: "accounts" }}>{words.title}</Link> / {value?.email ?? account}{" "}
        {value !== null && <Limits account={value} />}
      </h1>
      <Pane title={words.account} denied={denied}>
        {value !== null && <AccountFacts context={context} account={value} />}
        {found && (
          <ActionButtons context={context} page="accounts" on="one" given={{ account }} now={bodiesOf(value)} />
        )}
      </Pane>
      {found && (
        <>
          <OrderList context={context} account={account} count={value.openOrders} />
          <div class="two">
            <BalanceList context={context} account={value} />
            <div class="column">
              <AddressList context={context} account={account} />
              <SubAccountList context={context} account={account} />
            </div>
          </div>
          <AccountLimits context={context} account={account} />
          <KeyList context={context} account={account} />
          <div class="two">
            <SessionList context={context} account={account} />
            <NoteList context={context} account={account} />
          </div>
          <AdjustmentList context={context} title={words.adjustments} query={{ account }} />
          <TimeLine context={context} account={account} />
        </>
      )}
    </div>
  );
}

/** The initial values of the account's forms. */
function bodiesOf(account: WholeAccount): Readonly<Record<string, unknown>> {
  const { makerBps, takerBps, isAddressListEnforced, statusMessage, statusObjs } = account;
  return {
    "PATCH /v1/accounts/{account}": account,
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
          [words.confirmsByEmail]: yesNo(account.confirmsByEmail),
        }}
      />
      <Facts
        rows={{
          [words.makerRate]: words.bps(account.makerBps),
          [words.takerRate]: words.bps(account.takerBps),
          [words.totp]: yesNo(account.hasTotp),
          [words.allowlist]: yesNo(account.isAddressListEnforced),
          [words.openOrders]: String(account.openOrders),
          [words.statusMessage]: account.statusMessage === "" ? pagesWords.noFigure : account.statusMessage,
        }}
      />
    </div>
  );
}
