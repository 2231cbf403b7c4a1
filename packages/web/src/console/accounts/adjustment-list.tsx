/** Balance adjustments between customers and house accounts, newest first: of one account or of all. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleAdjustments } from "../../words/words.ts";
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
      empty={consoleAdjustments.none}
      whole={{ path: PATH, query }}
      more={<MoreRows next={next} more={more} />}
    />
  );
}

function columnsOf(desk: Desk): Column<Adjustment>[] {
  return [
    {
      label: consoleAdjustments.time,
      text: ({ timeMs }) => timeText(timeMs),
      show: ({ timeMs }) => showMoment(desk, timeMs),
    },
    {
      label: consoleAdjustments.account,
      text: ({ accountId }) => String(accountId),
      show: ({ accountId }) => <AccountLink account={accountId} />,
    },
    {
      label: consoleAdjustments.amount,
      isNumber: true,
      text: ({ amount }) => amount,
      show: ({ amount, asset }) => `${showAmount(amount)} ${asset}`,
    },
    // In the file alone: the page has it beside the amount.
    { label: consoleAdjustments.asset, text: ({ asset }) => asset },
    plain(consoleAdjustments.house, ({ house }) => house),
    plain(consoleAdjustments.category, ({ category }) => consoleAdjustments.categories[category] ?? category),
    plain(consoleAdjustments.reason, ({ why }) => why),
    plain(consoleAdjustments.reference, ({ reference }) => reference),
    plain(consoleAdjustments.by, ({ by }) => by),
  ];
}
