/** The audit log: all operator actions, including rejected ones, for all accounts or one account. */
import type { OperatorAction } from "@pricetime/server/answers";
import { onSubmitOf } from "../../panels/controls.tsx";
import { shownName } from "../forms/approval-request.ts";
import type { Column } from "../../panels/data-table.tsx";
import { actionName, consoleAuditLog as words, consoleWords } from "../../words/words.ts";
import { bySeq, type Context } from "../context.ts";
import { expandable, FilterField, Link, ofAccount, PagedList } from "../elements.tsx";
import { moment, plain } from "../../pages/pane.tsx";
import { namedValues } from "../forms/confirmation.tsx";
import { useSignal } from "@preact/signals";
import { goTo } from "../place.ts";

const DONE = "done";

const read = bySeq<OperatorAction>;

interface Props {
  readonly context: Context;
  readonly title: string;
  readonly query: Readonly<Record<string, string>>;
}

export function ActionList(props: Props) {
  return (
    <PagedList
      {...props}
      {...{ read }}
      path="/v1/audit-log"
      name="audit-log"
      columns={columnsOf(props.context)}
      keyOf={({ seq }) => seq}
      empty={words.none}
    />
  );
}

const detailsOf = ({ details }: OperatorAction): string => namedValues(details);

function columnsOf(context: Context): Column<OperatorAction>[] {
  return [
    {
      label: words.entry,
      isNumber: true,
      text: ({ seq }) => String(seq),
      show: ({ seq }) => <Link to={{ page: "journal", params: { from: String(seq) } }}>{seq}</Link>,
    },
    moment(context, words.time, ({ timeMs }) => timeMs),
    plain(words.by, ({ by }) => shownName(by)),
    plain(words.type, ({ type }) => actionName(type)),
    ofAccount(words.account),
    {
      label: words.outcome,
      text: ({ outcome }) => outcome,
      show: ({ outcome }) => (
        <span class={`tag ${outcome === DONE ? "good" : "bad"}`}>{words.outcomeName(outcome)}</span>
      ),
    },
    expandable(words.details, detailsOf),
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
        onSubmit={onSubmitOf(() => goTo({ page: "audit-log", params: { account: typed.value.trim() } }))}
      >
        <FilterField label={words.ofAccount} text={typed.value} onText={(text) => (typed.value = text)} />
        <button type="submit" class="button">
          {words.show}
        </button>
        {account !== "" && (
          <Link class="button" to={{ page: "audit-log" }}>
            {consoleWords.all}
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
