/** The page of deposits: pending deposits, the reporting of deposits on manual networks, and unattributed deposits. */
import type { Deposit, PastDeposit, UnattributedDeposit } from "@pricetime/server/answers";
import { shownName } from "../forms/approval-request.ts";
import type { Column } from "../../panels/data-table.tsx";
import { consoleDeposits, consoleWords, consoleUnattributed } from "../../words/words.ts";
import { bySeq, type Context, OFTEN_MS, useNetworks } from "../context.ts";
import {
  ActionButtons,
  addressAndTag,
  FetchedList,
  FormButton,
  Link,
  linked,
  ofAccount,
  PagedList,
} from "../elements.tsx";
import { amount, long, moment, plain } from "../../pages/pane.tsx";
import { showAge, showAmount, timeText } from "../../pages/format.ts";
import { formOf, formOfPending } from "../forms/subjects.ts";
import { UNRESOLVED } from "../admin-client.ts";

// Unattributed deposits: the amount received, why no customer was found, and how the deposit was resolved.

const SETTLE = "POST /v1/unattributed-deposits/resolve";

const STATUSES = [UNRESOLVED, "all"] as const;
const read = bySeq<UnattributedDeposit>;

function UnattributedDeposits({ context }: { context: Context }) {
  const params = context.place.value.params["status"];
  const status = STATUSES.find((one) => one === params) ?? UNRESOLVED;
  return (
    <PagedList
      {...{ context, read }}
      path="/v1/unattributed-deposits"
      query={{ status }}
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
      columns={unattributedColumns(context)}
      keyOf={({ network, txId, output }) => `${network} ${txId} ${output}`}
      empty={consoleUnattributed.none}
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
    linked("networks", consoleUnattributed.network, ({ network }) => network),
    amount(consoleUnattributed.amount, ({ amount }) => amount),
    plain(consoleUnattributed.asset, ({ asset }) => asset),
    plain(consoleUnattributed.reason, ({ reason }) => consoleUnattributed.reasons[reason] ?? reason),
    addressAndTag(consoleUnattributed.address),
    long(consoleUnattributed.txId, ({ txId, output }) => `${txId}:${output}`),
    plain(consoleUnattributed.status, ({ status }) => consoleUnattributed.statuses[status] ?? status),
    ofAccount(consoleUnattributed.account),
    plain(consoleUnattributed.note, ({ why }) => why),
    {
      label: consoleWords.action,
      isActions: true,
      show: (row) =>
        row.status === UNRESOLVED && (
          <FormButton
            context={context}
            form={{
              key: SETTLE,
              given: {},
              ...formOf(row),
            }}
            label={consoleUnattributed.resolveOne(showAmount(row.amount), row.asset)}
            data-route={SETTLE}
          >
            {consoleUnattributed.resolve}
          </FormButton>
        ),
    },
  ];
}

const readPast = bySeq<PastDeposit>;
/** All deposits, newest first. */
function History({ context }: { context: Context }) {
  const columns: readonly Column<PastDeposit>[] = [
    plain(consoleDeposits.id, ({ seq }) => String(seq), true),
    moment(context, consoleDeposits.time, ({ insertTimeMs }) => insertTimeMs),
    ofAccount(consoleDeposits.account),
    amount(consoleDeposits.amount, (row) => row.amount),
    plain(consoleDeposits.asset, ({ asset }) => asset),
    linked("networks", consoleDeposits.network, ({ network }) => network),
    plain(consoleDeposits.status, statusOf),
    long(consoleDeposits.txId, ({ txId, output }) => `${txId}:${output}`),
  ];
  return (
    <PagedList
      {...{ context, columns }}
      path="/v1/deposit-history"
      query={{}}
      read={readPast}
      title={consoleDeposits.past}
      name="deposit-history"
      keyOf={({ seq }) => seq}
      empty={consoleDeposits.nonePast}
    />
  );
}

const statusOf = ({ status }: Pick<Deposit, "status">): string => consoleDeposits.statuses[status] ?? status;

export function DepositsPage({ context }: { context: Context }) {
  const { network = "" } = context.place.value.params;
  const query = network === "" ? {} : { network };
  const manual = (useNetworks(context).value ?? []).filter(({ kind }) => kind === "manual").map((one) => one.network);
  return (
    <div class="page">
      <h1>
        {consoleDeposits.title} {network !== "" && `· ${network}`}
      </h1>
      <ActionButtons context={context} page="deposits" on="list" hidden={[SETTLE]} />
      <FetchedList
        {...{ context, query }}
        path="/v1/pending-deposits"
        everyMs={OFTEN_MS}
        title={consoleDeposits.open}
        name="pending-deposits"
        columns={columnsOf(context, manual)}
        keyOf={({ depositId }) => depositId}
        empty={consoleDeposits.none}
        tools={
          network !== "" && (
            <Link class="button" to={{ page: "deposits" }}>
              {consoleWords.all}
            </Link>
          )
        }
      />
      <UnattributedDeposits context={context} />
      <History context={context} />
    </div>
  );
}

/** Only deposits on manual networks are completed by operators. */
function columnsOf(context: Context, manual: readonly string[]): Column<Deposit>[] {
  return [
    plain(consoleDeposits.id, ({ depositId }) => String(depositId), true),
    {
      label: consoleDeposits.age,
      text: ({ insertTimeMs }) => timeText(insertTimeMs),
      show: ({ insertTimeMs }) => showAge(context, insertTimeMs),
    },
    ofAccount(consoleDeposits.account),
    amount(consoleDeposits.amount, ({ amount }) => amount),
    plain(consoleDeposits.asset, ({ asset }) => asset),
    linked("networks", consoleDeposits.network, ({ network }) => network),
    plain(consoleDeposits.status, statusOf),
    long(consoleDeposits.txId, ({ txId, output }) => `${txId}:${output}`),
    long(consoleDeposits.address, ({ address }) => address),
    amount(consoleDeposits.owed, ({ owedToTreasury }) => owedToTreasury),
    plain(consoleDeposits.by, ({ by }) => shownName(by ?? "")),
    {
      label: consoleWords.action,
      isActions: true,
      show: (row) =>
        manual.includes(row.network) && (
          <FormButton
            context={context}
            form={formOfPending(row)}
            label={consoleDeposits.completeOne(showAmount(row.amount), row.asset)}
          >
            {consoleDeposits.complete}
          </FormButton>
        ),
    },
  ];
}
