/** What moved coins: deposits, withdrawals, transfers between accounts, dividends, small balances sold. */
import { customerHistory as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { columnsOf } from "../../pages/columns.ts";
import { List } from "../../pages/list.tsx";
import { carried } from "../../pages/shown.ts";
import { useSteps } from "../coins.ts";
import { Long } from "../draw/long.tsx";
import { withdrawalColumns } from "../withdrawals/withdrawals.tsx";
import type { Withdrawal } from "../wire/exchange.ts";
import { type AskPage, usePaged } from "./paged.tsx";

const PAGE_ROWS = 200;

/** Pages of what the node passes over by a count, from the newest on. */
function byOffset<Row>(path: string): AskPage<Row, number> {
  return async (wire, next) => {
    const offset = next ?? 0;
    const rows = await wire.exchange<readonly Row[]>("GET", path, { offset, limit: PAGE_ROWS });
    return { rows, next: rows.length < PAGE_ROWS ? null : offset + rows.length };
  };
}

interface Deposit {
  readonly id: string;
  readonly amount: string;
  readonly coin: string;
  readonly network: string;
  readonly status: number;
  readonly address: string;
  readonly txId: string;
  readonly insertTime: number;
  readonly confirmTimes: string;
}
const askDeposits = byOffset<Deposit>("/sapi/v1/capital/deposit/hisrec");

export function Deposits({ desk }: { desk: Desk }) {
  const { more, ...rows } = usePaged(desk, askDeposits);
  const stepOf = useSteps(desk);
  const column = columnsOf<Deposit>(desk);
  return (
    <List
      {...rows}
      title={words.names.deposits}
      name="deposits"
      empty={words.none.deposits}
      more={more}
      keyOf={({ id }) => id}
      columns={[
        column.moment(words.time, ({ insertTime }) => insertTime),
        column.plain(words.coin, ({ coin }) => coin),
        column.plain(words.network, ({ network }) => network),
        column.amount(words.amount, ({ amount, coin, network }) =>
          carried(amount, stepOf("depositStep", coin, network)),
        ),
        column.plain(words.state, ({ status }) => words.depositStates(status)),
        column.plain(words.confirmations, ({ confirmTimes }) => confirmTimes),
        { label: words.address, show: ({ address }) => <Long text={address} />, text: ({ address }) => address },
        { label: words.transaction, show: ({ txId }) => <Long text={txId} />, text: ({ txId }) => txId },
      ]}
    />
  );
}

const askWithdrawals = byOffset<Withdrawal>("/sapi/v1/capital/withdraw/history");

export function WithdrawalHistory({ desk }: { desk: Desk }) {
  const { more, ...rows } = usePaged(desk, askWithdrawals);
  return (
    <List
      {...rows}
      title={words.names.withdrawals}
      name="withdrawals"
      empty={words.none.withdrawals}
      more={more}
      keyOf={({ id }) => id}
      columns={withdrawalColumns(desk, useSteps(desk))}
    />
  );
}

interface Transfer {
  readonly tranId: number;
  readonly fromEmail: string;
  readonly toEmail: string;
  readonly asset: string;
  readonly amount: string;
  readonly createTimeStamp: number;
}

const askTransfers: AskPage<Transfer, number> = async (wire, next) => {
  const page = next ?? 1;
  const { result } = await wire.exchange<{ result: readonly Transfer[] }>(
    "GET",
    "/sapi/v1/sub-account/universalTransfer",
    { page, limit: PAGE_ROWS },
  );
  return { rows: result, next: result.length < PAGE_ROWS ? null : page + 1 };
};

export function Transfers({ desk }: { desk: Desk }) {
  const { more, ...rows } = usePaged(desk, askTransfers);
  const column = columnsOf<Transfer>(desk);
  return (
    <List
      {...rows}
      title={words.names.transfers}
      name="transfers"
      empty={words.none.transfers}
      more={more}
      keyOf={({ tranId }) => tranId}
      columns={[
        column.moment(words.time, ({ createTimeStamp }) => createTimeStamp),
        column.plain(words.from, ({ fromEmail }) => fromEmail),
        column.plain(words.to, ({ toEmail }) => toEmail),
        column.plain(words.coin, ({ asset }) => asset),
        column.amount(words.amount, ({ amount: units }) => units),
      ]}
    />
  );
}

interface Dividend {
  readonly tranId: number;
  readonly asset: string;
  readonly amount: string;
  readonly divTime: number;
  readonly enInfo: string;
}

export function Dividends({ desk }: { desk: Desk }) {
  const { value, denied } = useAsked(desk, "dividends", (wire) =>
    wire.exchange<{ rows: readonly Dividend[] }>("GET", "/sapi/v1/asset/assetDividend"),
  );
  const column = columnsOf<Dividend>(desk);
  return (
    <List
      title={words.names.dividends}
      name="dividends"
      rows={value?.rows ?? null}
      denied={denied}
      empty={words.none.dividends}
      keyOf={({ tranId, asset }) => `${tranId} ${asset}`}
      columns={[
        column.moment(words.time, ({ divTime }) => divTime),
        column.plain(words.coin, ({ asset }) => asset),
        column.amount(words.amount, ({ amount: units }) => units),
        column.plain(words.about, ({ enInfo }) => enInfo),
      ]}
    />
  );
}
