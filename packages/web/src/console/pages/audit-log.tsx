/** The audit log: every operator action, including rejected ones, of all accounts or of one. */
import type { Column } from "../../panels/data-table.tsx";
import { actionName, consoleAuditLog as words, consoleSays } from "../../words/words.ts";
import { bySeq, type Context, PAGE_ROWS, usePaged } from "../context.ts";
import { AccountLink, FilterField, Link, List, LongText } from "../elements.tsx";
import { MoreRows, plain } from "../../pages/pane.tsx";
import { showMoment, timeText } from "../../pages/format.ts";
import { leavesOf } from "../forms/differences.ts";
import type { Json } from "../openapi.ts";
import { useSignal } from "@preact/signals";
import { goTo } from "../place.ts";

interface OperatorAction {
  readonly seq: number;
  readonly timeMs: number;
  readonly type: string;
  readonly by: string;
  readonly accountId: number | null;
  readonly outcome: string;
  readonly details: Readonly<Record<string, Json>>;
}

const DONE = "done";

const read = bySeq<OperatorAction>;

export function ActionList({
  context,
  title,
  query,
}: {
  context: Context;
  title: string;
  query: Readonly<Record<string, string>>;
}) {
  const { rows, denied, next, more } = usePaged(context, {
    path: "/v1/audit-log",
    query: { ...query, limit: PAGE_ROWS },
    read,
  });
  return (
    <List
      {...{ context, title }}
      name="audit-log"
      rows={rows}
      denied={denied}
      columns={columnsOf(context)}
      keyOf={({ seq }) => seq}
      empty={words.none}
      whole={{ path: "/v1/audit-log", query }}
      more={<MoreRows next={next} more={more} />}
    />
  );
}

const detailsOf = ({ details }: OperatorAction): string =>
  leavesOf(details, "")
    .map(([at, text]) => `${at} ${text}`)
    .join(" · ");

function columnsOf(context: Context): Column<OperatorAction>[] {
  return [
    {
      label: words.entry,
      isNumber: true,
      text: ({ seq }) => String(seq),
      show: ({ seq }) => <Link to={{ page: "journal", params: { from: String(seq) } }}>{seq}</Link>,
    },
    { label: words.time, text: ({ timeMs }) => timeText(timeMs), show: ({ timeMs }) => showMoment(context, timeMs) },
    plain(words.by, ({ by }) => by),
    plain(words.type, ({ type }) => actionName(type)),
    {
      label: words.account,
      text: ({ accountId }) => (accountId === null ? "" : String(accountId)),
      show: ({ accountId }) => <AccountLink account={accountId} />,
    },
    {
      label: words.outcome,
      text: ({ outcome }) => outcome,
      show: ({ outcome }) => <span class={`tag ${outcome === DONE ? "good" : "bad"}`}>{outcome}</span>,
    },
    { label: words.details, text: detailsOf, show: (row) => <LongText text={detailsOf(row)} /> },
  ];
}

export function AuditLogPage({ context }: { context: Context }) {
  const { account = "" } = context.place.value.params;
  const typed = useSignal(account);
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <form
        class="by-name"
        onSubmit={(event) => {
          event.preventDefault();
          goTo({ page: "audit-log", params: { account: typed.value.trim() } });
        }}
      >
        <FilterField
          label={words.ofAccount}
          text={typed.value}
          onText={(text) => {
            typed.value = text;
          }}
        />
        <button type="submit" class="button">
          {words.show}
        </button>
        {account !== "" && (
          <Link class="button" to={{ page: "audit-log" }}>
            {consoleSays.all}
          </Link>
        )}
      </form>
      <ActionList
        context={context}
        title={account === "" ? words.title : words.titleOf(account)}
        query={account === "" ? {} : { account }}
      />
    </div>
  );
}
