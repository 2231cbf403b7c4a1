/** Deposits that are not final, reports of deposits on manual networks, and unattributed deposits. */
import type { Deposit, UnattributedDeposit } from "@pricetime/server/answers";
import type { Column } from "../../panels/data-table.tsx";
import { consoleDeposits, consoleSays, consoleUnattributed } from "../../words/words.ts";
import { bySeq, type Context, mayDo, OFTEN_MS, PAGE_ROWS, useFetched, usePaged } from "../context.ts";
import { AccountLink, ActionButtons, Link, List, toAccount } from "../elements.tsx";
import { MoreRows, plain } from "../../pages/pane.tsx";
import { showAge, showAmount, timeText } from "../../pages/format.ts";
import { UNRESOLVED } from "../admin-client.ts";

// Unattributed deposits: what was received, why no customer was found, and how each was resolved.

const PATH = "/v1/unattributed-deposits";
const SETTLE = "POST /v1/unattributed-deposits/resolve";

const STATUSES = [UNRESOLVED, "all"] as const;
const read = bySeq<UnattributedDeposit>;

function UnattributedDeposits({ context }: { context: Context }) {
  const params = context.place.value.params["status"];
  const status = STATUSES.find((one) => one === params) ?? UNRESOLVED;
  const query = { status };
  const { rows, denied, next, more } = usePaged(context, { path: PATH, query: { ...query, limit: PAGE_ROWS }, read });
  return (
    <List
      {...{ context, rows, denied }}
      title={consoleUnattributed.title}
      name="unattributed-deposits"
      tools={STATUSES.map((one) => (
        <Link
          key={one}
          class={`button ${one === status ? "chosen" : ""}`}
          to={{ page: "deposits", params: { status: one } }}
        >
          {consoleUnattributed.shown[one]}
        </Link>
      ))}
      more={<MoreRows next={next} more={more} />}
      columns={unattributedColumns(context)}
      keyOf={({ network, txId, output }) => `${network} ${txId} ${output}`}
      empty={consoleUnattributed.none}
      whole={{ path: PATH, query }}
    />
  );
}

function unattributedColumns(context: Context): Column<UnattributedDeposit>[] {
  return [
    {
      label: consoleUnattributed.age,
      text: ({ seenMs }) => timeText(seenMs),
      show: ({ seenMs }) => showAge(context, seenMs),
    },
    {
      label: consoleUnattributed.network,
      text: ({ network }) => network,
      show: ({ network }) => <Link to={{ page: "networks", subject: network }}>{network}</Link>,
    },
    {
      label: consoleUnattributed.amount,
      isNumber: true,
      text: ({ amount }) => amount,
      show: ({ amount }) => showAmount(amount),
    },
    plain(consoleUnattributed.asset, ({ asset }) => asset),
    plain(consoleUnattributed.reason, ({ reason }) => consoleUnattributed.reasons[reason] ?? reason),
    {
      label: consoleUnattributed.address,
      text: ({ address, tag }) => (tag === "" ? address : `${address} ${tag}`),
      show: ({ address, tag }) => (
        <code class="address" title={address}>
          {address}
          {tag !== "" && ` · ${tag}`}
        </code>
      ),
    },
    {
      label: consoleUnattributed.txId,
      text: ({ txId, output }) => `${txId}:${output}`,
      show: ({ txId, output }) => (
        <code class="address" title={txId}>
          {txId}:{output}
        </code>
      ),
    },
    plain(consoleUnattributed.status, ({ status }) => consoleUnattributed.statuses[status] ?? status),
    {
      label: consoleUnattributed.account,
      text: ({ accountId }) => (accountId === null ? "" : String(accountId)),
      show: ({ accountId }) => <AccountLink account={accountId} />,
    },
    plain(consoleUnattributed.note, ({ why }) => why),
    {
      label: consoleSays.action,
      isActions: true,
      show: (row) =>
        row.status === UNRESOLVED &&
        mayDo(context, SETTLE) && (
          <button
            type="button"
            class="link"
            aria-label={consoleUnattributed.resolveOne(showAmount(row.amount), row.asset)}
            onClick={() => {
              const { network, txId, output, amount, asset, address, reason } = row;
              const known = {
                [consoleUnattributed.amount]: `${showAmount(amount)} ${asset}`,
                [consoleUnattributed.address]: address,
                [consoleUnattributed.reason]: consoleUnattributed.reasons[reason] ?? reason,
              };
              context.openForm.value = { key: SETTLE, given: {}, fixed: { network, txId, output }, known };
            }}
          >
            {consoleUnattributed.resolve}
          </button>
        ),
    },
  ];
}

export function DepositsPage({ context }: { context: Context }) {
  const { network = "" } = context.place.value.params;
  const query = network === "" ? {} : { network };
  const { value, denied } = useFetched<readonly Deposit[]>(context, "/v1/pending-deposits", {
    query,
    everyMs: OFTEN_MS,
  });
  return (
    <div class="page">
      <h1>
        {consoleDeposits.title} {network !== "" && `· ${network}`}
      </h1>
      <ActionButtons context={context} page="deposits" on="list" />
      <List
        {...{ context, denied }}
        title={consoleDeposits.open}
        name="pending-deposits"
        rows={value}
        columns={columnsOf(context)}
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
      <UnattributedDeposits context={context} />
    </div>
  );
}

function columnsOf(context: Context): Column<Deposit>[] {
  return [
    plain(consoleDeposits.id, ({ depositId }) => String(depositId), true),
    {
      label: consoleDeposits.age,
      text: ({ insertTimeMs }) => timeText(insertTimeMs),
      show: ({ insertTimeMs }) => showAge(context, insertTimeMs),
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
