/** Pending deposits and their confirmations, refreshed while the page is open. */
import { customerDeposits as words } from "../../words/words.ts";
import { OFTEN_MS } from "../../pages/keep-asking.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { columnsOf } from "../../pages/columns.ts";
import { List } from "../../pages/list.tsx";
import { Long } from "../draw/long.tsx";
import { hashOf } from "../place.ts";
import type { DepositRow } from "../wire/account.ts";

export function ComingDeposits({ desk }: { desk: Desk }) {
  const deposits = useAsked(desk, "deposits", (wire) => wire.account<readonly DepositRow[]>("GET", "deposits"), {
    everyMs: OFTEN_MS,
  });
  const column = columnsOf<DepositRow>(desk);
  return (
    <List
      title={words.coming}
      name="pending-deposits"
      rows={deposits.value}
      denied={deposits.denied}
      empty={words.noneComing}
      tools={<a href={hashOf("history", { kind: "deposits" })}>{words.all}</a>}
      keyOf={({ id }) => id}
      columns={[
        column.moment(words.time, ({ insertTimeMs }) => insertTimeMs),
        column.plain(words.coin, ({ asset }) => asset),
        column.plain(words.network, ({ network }) => network),
        column.amount(words.amount, ({ amount: units }) => units),
        { label: words.confirmations, show: depthOf, text: confirmationsText },
        { label: words.transaction, show: ({ txId }) => <Long text={txId} />, text: ({ txId }) => txId },
      ]}
    />
  );
}

const confirmationsText = ({ confirmations, finalConfirmations }: DepositRow): string =>
  `${confirmations}/${finalConfirmations}`;

function depthOf(deposit: DepositRow) {
  const { confirmations, creditConfirmations, finalConfirmations, isCredited } = deposit;
  const most = Math.max(1, finalConfirmations);
  const state = isCredited ? words.credited : words.seenOf(creditConfirmations);
  return (
    <span class="depth">
      <progress max={most} value={Math.min(confirmations, most)} aria-label={words.confirmations} />
      {confirmationsText(deposit)} <span class="muted">{state}</span>
    </span>
  );
}
