/** Balance adjustments between customers and house accounts, newest first: of one account or of all. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleAdjustments as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { AccountLink } from "../draw/link.tsx";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { MoreRows } from "../../pages/more-rows.tsx";
import { showAmount, showMoment, timeText } from "../../pages/shown.ts";
import { bySeq, PAGE_ROWS, usePaged } from "../paged.ts";

interface Adjustment {
  readonly seq: number;
  readonly timeMs: number;
  readonly accountId: number;
  readonly asset: string;
  /** Below zero when the account paid. */
  readonly amount: string;
  readonly house: string;
  readonly category: string;
  readonly why: string;
  readonly reference: string;
  readonly by: string;
}

const PATH = "/v1/adjustments";
const read = bySeq<Adjustment>;

interface Props {
  readonly desk: Desk;
  readonly title: string;
  readonly query: Readonly<Record<string, string>>;
}

export function AdjustmentList({ desk, title, query }: Props) {
  const asked = { ...query, limit: PAGE_ROWS };
  const { rows, denied, next, more } = usePaged(desk, { path: PATH, query: asked, read });
  return (
    <List
      {...{ desk, title, rows, denied }}
      name="adjustments"
      columns={columnsOf(desk)}
      keyOf={({ seq }) => seq}
      empty={words.none}
      whole={{ path: PATH, query }}
      more={<MoreRows next={next} more={more} />}
    />
  );
}

function columnsOf(desk: Desk): Column<Adjustment>[] {
  return [
    { label: words.time, text: ({ timeMs }) => timeText(timeMs), show: ({ timeMs }) => showMoment(desk, timeMs) },
    {
      label: words.account,
      text: ({ accountId }) => String(accountId),
      show: ({ accountId }) => <AccountLink account={accountId} />,
    },
    {
      label: words.amount,
      isNumber: true,
      text: ({ amount }) => amount,
      show: ({ amount, asset }) => `${showAmount(amount)} ${asset}`,
    },
    // In the file alone: the page has it beside the amount.
    { label: words.asset, text: ({ asset }) => asset },
    plain(words.house, ({ house }) => house),
    plain(words.category, ({ category }) => words.categories[category] ?? category),
    plain(words.reason, ({ why }) => why),
    plain(words.reference, ({ reference }) => reference),
    plain(words.by, ({ by }) => by),
  ];
}
