/**
 * Pending withdrawals, by default those awaiting approval, with waiting time and risk indicators. Operators decide one
 * or several at a time. The page requests only the rows that it shows.
 */
import { Button, onSubmitOf, Tick } from "../../panels/controls.tsx";
import type { OpenWithdrawal, Overview, PastWithdrawal, Risk } from "@pricetime/server/answers";
import { useSignal } from "@preact/signals";
import { consoleApprovals, consoleWords, consoleWithdrawals as words, pagesWords } from "../../words/words.ts";
import { bySeq, type Context, mayDo, OFTEN_MS, PAGE_ROWS, useFetched } from "../context.ts";
import { addressAndTag, FilterField, FormButton, Link, List, ofAccount, PagedList, toAccount } from "../elements.tsx";
import { goTo } from "../place.ts";
import {
  type Params,
  EVERY_STATUS,
  FIELDS,
  MAX_ROWS,
  narrowed,
  queryOf,
  risksById,
  STATUSES,
  statusOf,
} from "./withdrawal-data.ts";
import type { Column } from "../../panels/data-table.tsx";
import { long, moment, plain } from "../../pages/pane.tsx";
import { showAge, showAmount, timeText } from "../../pages/format.ts";
import { type ApprovalRequest, requestsByWithdrawal } from "../forms/approval-request.ts";
import { AWAITS } from "../forms/withdrawal-approval.ts";
import { Marks, statusColumn } from "./withdrawal.tsx";
import { BulkWindow } from "./bulk-decision.tsx";

// The filter of the queue.

function ChoiceForm({ context }: { context: Context }) {
  const { params } = context.place.value;
  const status = statusOf(params);
  const typed = useSignal<Params>(narrowed(params));
  const counts = useFetched<Overview>(context, "/v1/overview", { everyMs: OFTEN_MS }).value?.withdrawals;
  const all = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <form
      class="by-name"
      onSubmit={onSubmitOf(() => {
        const values = Object.entries(typed.value).map(([name, value]) => [name, value.trim()]);
        goTo({ page: "withdrawals", params: { status, ...Object.fromEntries(values) } });
      })}
    >
      {STATUSES.map((one) => (
        <Link
          key={one}
          class={`button ${one === status ? "chosen" : ""}`}
          to={{ page: "withdrawals", params: { status: one, ...narrowed(params) } }}
        >
          {one === EVERY_STATUS ? words.allPending : (words.statuses[one] ?? one)}
          {counts !== undefined && ` (${one === EVERY_STATUS ? all : (counts[one] ?? 0)})`}
        </Link>
      ))}
      {FIELDS.map((name) => (
        <FilterField
          key={name}
          label={words.only[name]}
          hint={words[name]}
          text={typed.value[name] ?? ""}
          onText={(text) => (typed.value = { ...typed.value, [name]: text })}
        />
      ))}
      <button type="submit" class="button">
        {words.show}
      </button>
    </form>
  );
}

const PATH = "/v1/withdrawals";

export function WithdrawalsPage({ context }: { context: Context }) {
  const query = queryOf(context.place.value.params);
  // The number of rows shown, which is also the number requested. A change of the filter resets it to one page.
  const shown = useSignal({ of: "", rows: PAGE_ROWS });
  const of = JSON.stringify(query);
  const limit = shown.value.of === of ? shown.value.rows : PAGE_ROWS;
  const options = { query: { ...query, limit }, everyMs: OFTEN_MS };
  const { value, denied } = useFetched<readonly OpenWithdrawal[]>(context, PATH, options);
  const risks = useFetched<readonly Risk[]>(context, "/v1/withdrawal-risks", options);
  const approvalRequests = useFetched<readonly ApprovalRequest[]>(context, "/v1/approval-requests", {
    everyMs: OFTEN_MS,
  });
  const picked = useSignal<ReadonlySet<string>>(new Set());
  const bulk = useSignal<Decision | null>(null);
  const byWithdrawal = requestsByWithdrawal(approvalRequests.value);
  const isOpen = ({ status, withdrawalId }: OpenWithdrawal): boolean =>
    status === AWAITS && !byWithdrawal.has(withdrawalId);
  const waiting = (value ?? []).filter(isOpen);
  const chosen = waiting.filter(({ withdrawalId }) => picked.value.has(withdrawalId));
  const pick = (withdrawalId: string, isPicked: boolean): void => {
    const next = new Set(picked.value);
    if (isPicked) next.add(withdrawalId);
    else next.delete(withdrawalId);
    picked.value = next;
  };
  return (
    <div class="page">
      <h1>{words.title}</h1>
      <ChoiceForm key={of} context={context} />
      <List
        {...{ context, denied }}
        title={words.queue}
        name="withdrawals"
        rows={value}
        columns={[
          pickColumn(picked.value, pick, isOpen),
          ...columnsOf(context, risksById(risks.value), byWithdrawal),
          actionColumn(context, byWithdrawal),
        ]}
        keyOf={({ withdrawalId }) => withdrawalId}
        empty={Object.values(narrowed(context.place.value.params)).some(Boolean) ? words.none : words.noneWithStatus}
        whole={{ path: PATH, query }}
        more={value?.length === limit && <More limit={limit} show={(rows) => (shown.value = { of, rows })} />}
        tools={
          mayDo(context, APPROVE) && (
            <Decisions
              {...{ waiting, chosen }}
              pick={(all) => (picked.value = new Set(all.map((one) => one.withdrawalId)))}
              decide={(what) => (bulk.value = what)}
            />
          )
        }
      />
      {risks.denied !== null && <p class="warned">{words.noRisks(risks.denied.message)}</p>}
      <Closed context={context} pending={(value ?? []).map(({ withdrawalId }) => withdrawalId)} />
      {bulk.value !== null && (
        <BulkWindow
          context={context}
          what={bulk.value}
          chosen={chosen}
          risks={risksById(risks.value)}
          onClose={() => (bulk.value = null)}
        />
      )}
    </div>
  );
}

type Decision = "approve" | "reject";

interface DecisionsProps {
  readonly waiting: readonly OpenWithdrawal[];
  readonly chosen: readonly OpenWithdrawal[];
  readonly pick: (all: readonly OpenWithdrawal[]) => void;
  readonly decide: (what: Decision) => void;
}

function Decisions({ waiting, chosen, pick, decide }: DecisionsProps) {
  return (
    <>
      <Button disabled={waiting.length === 0} onClick={() => pick(chosen.length === waiting.length ? [] : waiting)}>
        {words.selectAll(waiting.length)}
      </Button>
      {(["approve", "reject"] as const).map((what) => (
        <Button
          key={what}
          class={`button ${what === "reject" ? "grave" : ""}`}
          disabled={chosen.length === 0}
          onClick={() => decide(what)}
        >
          {words.bulk[what](chosen.length)}
        </Button>
      ))}
    </>
  );
}

function More({ limit, show }: { limit: number; show: (rows: number) => void }) {
  return (
    <p class="more">
      {limit === MAX_ROWS ? (
        words.tooMany(MAX_ROWS)
      ) : (
        <Button onClick={() => show(Math.min(limit + PAGE_ROWS, MAX_ROWS))}>{words.more}</Button>
      )}
    </p>
  );
}

function pickColumn(
  picked: ReadonlySet<string>,
  pick: (withdrawalId: string, isPicked: boolean) => void,
  isOpen: (row: OpenWithdrawal) => boolean,
): Column<OpenWithdrawal> {
  return {
    label: words.select,
    show: (row) => {
      const { withdrawalId, amount, asset } = row;
      return (
        isOpen(row) && (
          <Tick
            aria-label={words.selectOne(showAmount(amount), asset, withdrawalId)}
            isOn={picked.has(withdrawalId)}
            onTick={(checked) => pick(withdrawalId, checked)}
          />
        )
      );
    },
  };
}

function columnsOf(
  context: Context,
  risks: ReadonlyMap<string, Risk>,
  approvalRequests: ReadonlyMap<string, ApprovalRequest>,
): Column<OpenWithdrawal>[] {
  const riskOf = ({ withdrawalId }: OpenWithdrawal): Risk | undefined => risks.get(withdrawalId);
  return [
    {
      label: words.age,
      text: ({ applyTimeMs }) => timeText(applyTimeMs),
      show: ({ applyTimeMs, withdrawalId }) => (
        <Link to={{ page: "withdrawals", subject: withdrawalId }}>{showAge(context, applyTimeMs)}</Link>
      ),
    },
    {
      label: words.account,
      text: (row) => riskOf(row)?.email ?? String(row.accountId),
      show: (row) => <Link to={toAccount(row.accountId)}>{riskOf(row)?.email ?? row.accountId}</Link>,
    },
    {
      label: words.amount,
      isNumber: true,
      text: ({ amount }) => amount,
      show: ({ amount, asset }) => `${showAmount(amount)} ${asset}`,
    },
    // This column is only in the CSV file. On the page, the asset is beside the amount.
    { label: words.asset, text: ({ asset }) => asset },
    plain(words.network, ({ network }) => network),
    addressAndTag(words.address),
    statusColumn(approvalRequests),
    {
      label: words.risk,
      // A dash until the response arrives, because an empty cell would mean that there is no risk.
      text: (row) => riskOf(row)?.marks.join(", ") ?? pagesWords.noFigure,
      show: (row) => {
        const marks = riskOf(row)?.marks;
        return marks === undefined ? pagesWords.noFigure : <Marks marks={marks} />;
      },
    },
    // Only in the CSV file: the page of the withdrawal shows them.
    { label: words.name, text: ({ name }) => name },
    { label: words.id, text: ({ withdrawalId }) => withdrawalId },
  ];
}

const APPROVE = "POST /v1/withdrawals/{withdrawal}/approve";

function actionColumn(context: Context, requests: ReadonlyMap<string, ApprovalRequest>): Column<OpenWithdrawal> {
  const isToken = context.me.value?.isToken === true;
  return {
    label: consoleWords.action,
    isActions: true,
    show: ({ withdrawalId: withdrawal, status, amount, asset, needsDualApproval }) => {
      const request = requests.get(withdrawal);
      if (status !== AWAITS || !mayDo(context, APPROVE))
        return <Link to={{ page: "withdrawals", subject: withdrawal }}>{words.open}</Link>;
      return (
        <>
          {request !== undefined || (needsDualApproval && isToken) ? (
            <Link to={{ page: "withdrawals", subject: withdrawal }}>{words.open}</Link>
          ) : (
            <FormButton
              context={context}
              form={{ key: APPROVE, given: { withdrawal } }}
              label={(needsDualApproval ? words.requestOne : words.approveOne)(showAmount(amount), asset)}
            >
              {needsDualApproval ? consoleApprovals.requestApproval : words.approve}
            </FormButton>
          )}{" "}
          <FormButton
            context={context}
            form={{ key: "POST /v1/withdrawals/{withdrawal}/reject", given: { withdrawal } }}
            label={words.rejectOne(showAmount(amount), asset)}
            class="link grave"
          >
            {words.reject}
          </FormButton>
        </>
      );
    },
  };
}

// Withdrawals that are completed, failed, rejected or canceled, newest first.

const readPast = bySeq<PastWithdrawal>;

/** Fetched again when one of the pending withdrawals shown is closed, by whomever. */
function Closed({ context, pending }: { context: Context; pending: readonly string[] }) {
  const columns: readonly Column<PastWithdrawal>[] = [
    moment(context, words.closed, ({ updateTimeMs }) => updateTimeMs),
    ofAccount(words.account),
    {
      ...{ label: words.arrives, isNumber: true },
      text: ({ arrives }) => arrives,
      show: ({ arrives, asset }) => `${showAmount(arrives)} ${asset}`,
    },
    // This column is only in the CSV file. On the page, the asset is beside the amount.
    { label: words.asset, text: ({ asset }) => asset },
    plain(words.network, ({ network }) => network),
    addressAndTag(words.address),
    plain(words.status, ({ status }) => words.statuses[status] ?? status),
    plain(words.why, ({ why }) => why),
    long(words.txId, ({ txId }) => txId),
    {
      label: consoleWords.action,
      isActions: true,
      show: ({ withdrawalId }) => <Link to={{ page: "withdrawals", subject: withdrawalId }}>{words.open}</Link>,
    },
  ];
  return (
    <PagedList
      {...{ context, columns }}
      path="/v1/withdrawal-history"
      query={{}}
      version={pending.join()}
      read={readPast}
      title={words.past}
      name="withdrawal-history"
      keyOf={({ seq }) => seq}
      empty={words.nonePast}
    />
  );
}
