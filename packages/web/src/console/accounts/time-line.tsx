/** The timeline of an account, newest first: orders, trades, money, keys, access and operator actions. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleAccounts as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { Details } from "../draw/details.tsx";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { MoreRows } from "../../pages/more-rows.tsx";
import { showMoment, timeText } from "../../pages/shown.ts";
import { type AdminPage, PAGE_ROWS, usePaged } from "../paged.ts";
import { leavesOf } from "../forms/differences.ts";
import { goTo } from "../place.ts";
import type { Json } from "../wire/document.ts";
import { accountPath } from "./account.ts";

export interface TimeRow {
  readonly timeMs: number;
  readonly kind: string;
  readonly what: string;
  readonly id: string | number;
  readonly [field: string]: Json | undefined;
}

interface Told {
  readonly rows: readonly TimeRow[];
  readonly before: string | null;
}

const KINDS = ["", "order", "trade", "money", "key", "access", "action"] as const;
const read = ({ rows, before }: Told): AdminPage<TimeRow> => ({ rows, next: before });

export function TimeLine({ desk, account }: { desk: Desk; account: string }) {
  const asked = desk.place.value.asked["kind"] ?? "";
  const kind = KINDS.find((one) => one === asked) ?? "";
  const path = `${accountPath(account)}/timeline`;
  const query = kind === "" ? {} : { kind };
  const { rows, denied, next, more } = usePaged(desk, { path, query: { ...query, limit: PAGE_ROWS }, read });
  return (
    <List
      desk={desk}
      title={words.timeline}
      name={`timeline-${account}`}
      rows={rows}
      denied={denied}
      columns={columnsOf(desk)}
      keyOf={(row) => `${row.kind} ${row.what} ${row.id} ${row.timeMs} ${String(row["symbol"] ?? "")}`}
      empty={words.emptyTimeline}
      whole={{ path, query }}
      tools={
        <select
          class="find"
          aria-label={words.kind}
          value={kind}
          onChange={({ currentTarget: { value } }) =>
            goTo({ page: "accounts", subject: account, asked: { kind: value } })
          }
        >
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {words.kinds[one]}
            </option>
          ))}
        </select>
      }
      more={<MoreRows next={next} more={more} />}
    />
  );
}

/** What a row tells beside its time, kind and name. */
const HEAD = ["timeMs", "kind", "what", "id"];

function detailsOf(row: TimeRow): string {
  const rest = Object.fromEntries(Object.entries(row).filter(([name]) => !HEAD.includes(name)));
  return leavesOf(rest as Json, "")
    .filter(([, text]) => text !== "")
    .map(([at, text]) => `${at.replace(/^details\./, "")} ${text}`)
    .join(" · ");
}

const eventOf = ({ what }: TimeRow): string => words.eventNames[what] ?? words.actionName(what);

function columnsOf(desk: Desk): Column<TimeRow>[] {
  return [
    { label: words.time, text: ({ timeMs }) => timeText(timeMs), show: ({ timeMs }) => showMoment(desk, timeMs) },
    {
      label: words.kind,
      text: ({ kind }) => kind,
      show: ({ kind }) => <span class={`tag kind-${kind}`}>{words.kindTags[kind] ?? kind}</span>,
    },
    plain(words.event, eventOf),
    plain(words.id, ({ id }) => String(id)),
    { label: words.details, text: detailsOf, show: (row) => <Details text={detailsOf(row)} /> },
  ];
}
