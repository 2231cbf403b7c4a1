/** Deposits under way and lately credited, with how deep they are: asked anew while they are looked at. */
import { customerDeposits as words } from "../../words/words.ts";
import { OFTEN_MS } from "../../pages/keep-asking.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { columnsOf } from "../draw/columns.ts";
import { List } from "../draw/list.tsx";
import { Long } from "../draw/long.tsx";
import type { DepositRow } from "../wire/account.ts";

export function ComingDeposits({ desk }: { desk: Desk }) {
  const deposits = useAsked(
    desk,
    "deposits",
    async (wire) =>
      rowsOf(await wire.account<readonly DepositRow[] | { deposits: readonly DepositRow[] }>("GET", "deposits")),
    OFTEN_MS,
  );
  const column = columnsOf<DepositRow>(desk);
  return (
    <List
      title={words.coming}
      name="deposits-under-way"
      rows={deposits.value}
      denied={deposits.denied}
      empty={words.noneComing}
      keyOf={({ depositId, txId }) => `${depositId} ${txId}`}
      columns={[
        column.moment(words.time, ({ timeMs }) => timeMs),
        column.plain(words.coin, ({ asset }) => asset),
        column.plain(words.network, ({ network }) => network),
        column.amount(words.amount, ({ amount: units }) => units),
        { label: words.confirmations, show: depthOf, text: confirmationsText },
        { label: words.transaction, show: ({ txId }) => <Long text={txId} />, text: ({ txId }) => txId },
      ]}
    />
  );
}

const rowsOf = (answer: readonly DepositRow[] | { deposits: readonly DepositRow[] }): readonly DepositRow[] =>
  "deposits" in answer ? answer.deposits : answer;

const confirmationsText = ({ confirmations, finalConfirmations }: DepositRow): string =>
  `${confirmations}/${finalConfirmations}`;

function depthOf(deposit: DepositRow) {
  const { confirmations, creditConfirmations, finalConfirmations } = deposit;
  const most = Math.max(1, finalConfirmations);
  const state =
    confirmations >= finalConfirmations
      ? words.final
      : confirmations >= creditConfirmations
        ? words.credited
        : words.seen;
  return (
    <span class="depth">
      <progress max={most} value={Math.min(confirmations, most)} aria-label={words.confirmations} />
      {confirmationsText(deposit)} <span class="muted">{state}</span>
    </span>
  );
}
