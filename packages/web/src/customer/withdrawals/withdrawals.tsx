/** Withdrawals, newest first, with where each of them is and a button that takes back what has not gone. */
import { customerWithdrawals as words } from "../../words/words.ts";
import { OFTEN_MS } from "../../pages/keep-asking.ts";
import { carried } from "../../pages/shown.ts";
import { useAsked } from "../asked.ts";
import { type StepOf, useSteps } from "../coins.ts";
import type { Column } from "../../panels/data-table.tsx";
import type { Desk } from "../desk.ts";
import { useAct } from "../draw/act.ts";
import { columnsOf, momentOf } from "../../pages/columns.ts";
import { List } from "../../pages/list.tsx";
import { Long } from "../draw/long.tsx";
import type { Withdrawal } from "../wire/exchange.ts";

const PATH = "/sapi/v1/capital/withdraw/history";
/** Awaits its letter, or an operator: it can be taken back. */
const CANCELLABLE: readonly number[] = [0, 2];

const useWithdrawals = (desk: Desk) =>
  useAsked(desk, "withdrawals", (wire) => wire.exchange<readonly Withdrawal[]>("GET", PATH), { everyMs: OFTEN_MS });

export function Withdrawals({ desk }: { desk: Desk }) {
  const withdrawals = useWithdrawals(desk);
  const stepOf = useSteps(desk);
  const act = useAct(desk);
  const cancel = (id: string): void =>
    act(words.cancelled, () => desk.wire.account("POST", `withdrawals/${encodeURIComponent(id)}/cancel`, { body: {} }));
  return (
    <List
      title={words.list}
      name="withdrawals"
      rows={withdrawals.value}
      denied={withdrawals.denied}
      empty={words.noneYet}
      keyOf={({ id }) => id}
      columns={[
        ...withdrawalColumns(desk, stepOf),
        {
          label: words.acts,
          isActs: true,
          show: ({ id, status }) =>
            CANCELLABLE.includes(status) && (
              <button type="button" class="link" aria-label={words.cancelOf(id)} onClick={() => cancel(id)}>
                {words.cancel}
              </button>
            ),
        },
      ]}
    />
  );
}

export function withdrawalColumns(desk: Desk, stepOf: StepOf): readonly Column<Withdrawal>[] {
  const column = columnsOf<Withdrawal>(desk);
  const shown = ({ coin, network }: Withdrawal, amount: string) =>
    carried(amount, stepOf("withdrawStep", coin, network));
  return [
    column.moment(words.time, ({ applyTime }) => momentOf(applyTime)),
    column.plain(words.coin, ({ coin }) => coin),
    column.plain(words.network, ({ network }) => network),
    column.amount(words.arrives, (row) => shown(row, row.amount)),
    column.amount(words.fee, (row) => shown(row, row.transactionFee)),
    column.plain(words.state, ({ status, info }) => words.states(status) + (info === "" ? "" : `: ${info}`)),
    {
      label: words.address,
      show: ({ address, addressTag }) => <Long text={`${address} ${addressTag}`.trim()} />,
      text: ({ address, addressTag }) => `${address} ${addressTag}`.trim(),
    },
    {
      label: words.transaction,
      show: ({ txId }) => <Long text={txId} />,
      text: ({ txId }) => txId,
    },
  ];
}
