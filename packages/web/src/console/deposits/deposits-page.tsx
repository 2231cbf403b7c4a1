/** Deposits that are not final, reports of deposits on manual networks, and unattributed deposits. */
import type { Column } from "../../panels/data-table.tsx";
import { consoleDeposits, consoleSays } from "../../words/words.ts";
import { OFTEN_MS, useAsked } from "../asked.ts";
import type { Desk } from "../desk.ts";
import { Acts } from "../draw/acts.tsx";
import { Link, toAccount } from "../draw/link.tsx";
import { List } from "../draw/list.tsx";
import { plain } from "../../pages/columns.ts";
import { showAge, showAmount, timeText } from "../../pages/shown.ts";
import { UnknownDeposits } from "./unknown-deposits.tsx";

interface Deposit {
  readonly depositId: number;
  readonly network: string;
  readonly txId: string;
  readonly output: number;
  readonly accountId: number;
  readonly asset: string;
  readonly amount: string;
  readonly address: string;
  readonly tag: string;
  readonly insertTimeMs: number;
  readonly owedToTreasury: string;
  readonly status: string;
  readonly by?: string;
}

export function DepositsPage({ desk }: { desk: Desk }) {
  const { network = "" } = desk.place.value.asked;
  const query = network === "" ? {} : { network };
  const { value, denied } = useAsked<readonly Deposit[]>(desk, "/v1/pending-deposits", { query, everyMs: OFTEN_MS });
  return (
    <div class="page">
      <h1>
        {consoleDeposits.title} {network !== "" && `· ${network}`}
      </h1>
      <Acts desk={desk} page="deposits" on="list" />
      <List
        {...{ desk, denied }}
        title={consoleDeposits.open}
        name="pending-deposits"
        rows={value}
        columns={columnsOf(desk)}
        keyOf={({ depositId }) => depositId}
        empty={consoleDeposits.none}
        whole={{ path: "/v1/pending-deposits", query }}
        tools={
          network !== "" && (
            <Link class="button" to={{ page: "deposits" }}>
              {consoleSays.all}
            </Link>
          )
        }
      />
      <UnknownDeposits desk={desk} />
    </div>
  );
}

function columnsOf(desk: Desk): Column<Deposit>[] {
  return [
    plain(consoleDeposits.id, ({ depositId }) => String(depositId), true),
    {
      label: consoleDeposits.age,
      text: ({ insertTimeMs }) => timeText(insertTimeMs),
      show: ({ insertTimeMs }) => showAge(desk, insertTimeMs),
    },
    {
      label: consoleDeposits.account,
      text: ({ accountId }) => String(accountId),
      show: ({ accountId }) => <Link to={toAccount(accountId)}>{accountId}</Link>,
    },
    {
      label: consoleDeposits.amount,
      isNumber: true,
      text: ({ amount }) => amount,
      show: ({ amount }) => showAmount(amount),
    },
    plain(consoleDeposits.asset, ({ asset }) => asset),
    {
      label: consoleDeposits.network,
      text: ({ network }) => network,
      show: ({ network }) => <Link to={{ page: "networks", subject: network }}>{network}</Link>,
    },
    plain(consoleDeposits.status, ({ status }) => status),
    {
      label: consoleDeposits.txId,
      text: ({ txId, output }) => `${txId}:${output}`,
      show: ({ txId, output }) => (
        <code class="address" title={txId}>
          {txId}:{output}
        </code>
      ),
    },
    {
      label: consoleDeposits.address,
      text: ({ address }) => address,
      show: ({ address }) => <code class="address">{address}</code>,
    },
    {
      label: consoleDeposits.owed,
      isNumber: true,
      text: ({ owedToTreasury }) => owedToTreasury,
      show: ({ owedToTreasury }) => showAmount(owedToTreasury),
    },
    plain(consoleDeposits.by, ({ by }) => by ?? ""),
  ];
}
