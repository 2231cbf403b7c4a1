/** Operator actions, newest first. */
import type { Column } from "../../panels/data-table.tsx";
import { actionName, consoleAuditLog as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { AccountLink, Link } from "../draw/link.tsx";
import { Details } from "../draw/details.tsx";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { MoreRows } from "../../pages/more-rows.tsx";
import { showMoment, timeText } from "../../pages/shown.ts";
import { bySeq, PAGE_ROWS, usePaged } from "../paged.ts";
import { leavesOf } from "../forms/differences.ts";
import type { Json } from "../wire/document.ts";

interface Act {
  readonly seq: number;
  readonly timeMs: number;
  readonly type: string;
  readonly by: string;
  readonly accountId: number | null;
  readonly outcome: string;
  readonly details: Readonly<Record<string, Json>>;
}

const DONE = "done";

const read = bySeq<Act>;

export function ActList({
  desk,
  title,
  query,
}: {
  desk: Desk;
  title: string;
  query: Readonly<Record<string, string>>;
}) {
  const { rows, denied, next, more } = usePaged(desk, {
    path: "/v1/audit-log",
    query: { ...query, limit: PAGE_ROWS },
    read,
  });
  return (
    <List
      {...{ desk, title }}
      name="audit-log"
      rows={rows}
      denied={denied}
      columns={columnsOf(desk)}
      keyOf={({ seq }) => seq}
      empty={words.none}
      whole={{ path: "/v1/audit-log", query }}
      more={<MoreRows next={next} more={more} />}
    />
  );
}

const detailsOf = ({ details }: Act): string =>
  leavesOf(details, "")
    .map(([at, text]) => `${at} ${text}`)
    .join(" · ");

function columnsOf(desk: Desk): Column<Act>[] {
  return [
    {
      label: words.entry,
      isNumber: true,
      text: ({ seq }) => String(seq),
      show: ({ seq }) => <Link to={{ page: "journal", asked: { from: String(seq) } }}>{seq}</Link>,
    },
    { label: words.time, text: ({ timeMs }) => timeText(timeMs), show: ({ timeMs }) => showMoment(desk, timeMs) },
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
    { label: words.details, text: detailsOf, show: (row) => <Details text={detailsOf(row)} /> },
  ];
}
