/** The account's history: trades, orders, and movements of assets. The page shows one kind at a time. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Denied } from "../../pages/request.ts";
import { columnsOf, List, long, MoreRows } from "../../pages/pane.tsx";
import { fetchPage, type LoadedRows, NO_ROWS, type Page } from "../../pages/page-data.ts";
import { type Context, useExchange, useSymbols } from "../context.ts";
import type { Wire } from "../client.ts";
import { type ListKind, listKinds, sellsBought, statusText } from "../../account/order-lists.ts";
import { BLANK, showAmount } from "../../exact/shown.ts";
import type { Column } from "../../panels/data-table.tsx";
import { averageOf } from "../../panels/show.ts";
import { orderWords, customerHistory as words } from "../../words/words.ts";
import { DEPOSITS, useDepositColumns } from "./deposits.tsx";
import { useWithdrawalColumns, WITHDRAWALS } from "./withdrawals.tsx";
import {
  type AccountTrade,
  type CoinDeposit,
  type CoinWithdrawal,
  type DividendsAnswer,
  NO_ORDER_LIST,
  type OrderRecord,
  type UniversalTransfersAnswer,
} from "@pricetime/protocol";
import { Tabs } from "../../panels/controls.tsx";
import { Choice } from "../../pages/form.tsx";
import { goTo } from "../place.ts";

/** Fetches the first page, or the page at cursor `next`. Must be the same function in each call. */
type AskPage<Row, Next> = (wire: Wire, next: Next | null) => Promise<Page<Row, Next>>;

export interface Paged<Row> {
  readonly rows: readonly Row[] | null;
  readonly denied: Denied | null;
  /** The button below the rows that fetches older rows, if there are any. */
  readonly more: preact.JSX.Element;
}

/**
 * A list that is fetched page by page. It starts again from the first page after each action, and after stream events
 * unless older pages were requested.
 */
function usePaged<Row, Next>({ wire, done, events }: Context, ask: AskPage<Row, Next>): Paged<Row> {
  const state = useSignal<LoadedRows<Row, Next>>(NO_ROWS);
  const isFirst = useSignal(true);
  const [doneCount, eventCount] = [done.value, events.value];
  useEffect(() => {
    isFirst.value = true;
  }, [isFirst, doneCount]);
  useEffect(() => {
    if (isFirst.peek()) void fetchPage((from) => ask(wire, from), "", state, null);
  }, [wire, ask, state, isFirst, doneCount, eventCount]);
  const { rows, denied, next } = state.value;
  const older = (): void => {
    isFirst.value = false;
    void fetchPage((from) => ask(wire, from), "", state, next);
  };
  return { rows, denied, more: <MoreRows next={next} more={older} /> };
}

// Movements of assets: deposits, withdrawals, transfers between accounts, distributions and dust conversions.

const TRANSFER_PAGE_ROWS = 200;

/** Fetches pages by offset, newest rows first. */
function byOffset<Row>(path: string): AskPage<Row, number> {
  return async (wire, next) => {
    const offset = next ?? 0;
    const rows = await wire.exchange<readonly Row[]>("GET", path, { offset, limit: TRANSFER_PAGE_ROWS });
    return { rows, next: rows.length < TRANSFER_PAGE_ROWS ? null : offset + rows.length };
  };
}

const askDeposits = byOffset<CoinDeposit>(DEPOSITS);

function Deposits({ context }: { context: Context }) {
  const { more, ...rows } = usePaged(context, askDeposits);
  return (
    <List
      {...rows}
      title={words.names.deposits}
      name="deposits"
      empty={words.none.deposits}
      more={more}
      keyOf={({ id }) => id}
      columns={[...useDepositColumns(context), long<CoinDeposit>(words.address, ({ address }) => address)]}
    />
  );
}

const askWithdrawals = byOffset<CoinWithdrawal>(WITHDRAWALS);

function WithdrawalHistory({ context }: { context: Context }) {
  const { more, ...rows } = usePaged(context, askWithdrawals);
  return (
    <List
      {...rows}
      title={words.names.withdrawals}
      name="withdrawals"
      empty={words.none.withdrawals}
      more={more}
      keyOf={({ id }) => id}
      columns={useWithdrawalColumns(context)}
    />
  );
}

type Transfer = UniversalTransfersAnswer["result"][number];

const askTransfers: AskPage<Transfer, number> = async (wire, next) => {
  const page = next ?? 1;
  const { result } = await wire.exchange<UniversalTransfersAnswer>("GET", "/sapi/v1/sub-account/universalTransfer", {
    page,
    limit: TRANSFER_PAGE_ROWS,
  });
  return { rows: result, next: result.length < TRANSFER_PAGE_ROWS ? null : page + 1 };
};

function Transfers({ context }: { context: Context }) {
  const { more, ...rows } = usePaged(context, askTransfers);
  const column = columnsOf<Transfer>(context);
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

type Dividend = DividendsAnswer["rows"][number];

function Dividends({ context }: { context: Context }) {
  const { value, denied } = useExchange<DividendsAnswer>(context, "/sapi/v1/asset/assetDividend");
  const column = columnsOf<Dividend>(context);
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

// Trades and orders of one market, newest first.

/** The number of rows per page. The request weight does not depend on it (Interface 8.2). */
const MARKET_PAGE_ROWS = 500;

interface Props {
  readonly context: Context;
  readonly symbol: string;
}

/** Fetches the newest rows up to a time. The next page ends before the oldest row. */
function byTime<Row>(path: string, symbol: string, timeOf: (row: Row) => number): AskPage<Row, number> {
  return async (wire, next) => {
    if (symbol === "") return { rows: [], next: null };
    const query = { symbol, limit: MARKET_PAGE_ROWS, endTime: next ?? undefined };
    const rows = (await wire.exchange<readonly Row[]>("GET", path, query)).toReversed();
    const oldest = rows.at(-1);
    return { rows, next: rows.length < MARKET_PAGE_ROWS || oldest === undefined ? null : timeOf(oldest) - 1 };
  };
}

function Trades({ context, symbol }: Props) {
  const ask = useMemo(() => byTime<AccountTrade>("/api/v3/myTrades", symbol, ({ time }) => time), [symbol]);
  const { more, ...rows } = usePaged(context, ask);
  const column = columnsOf<AccountTrade>(context);
  return (
    <List
      {...rows}
      title={words.names.trades}
      name={`trades-${symbol}`}
      empty={words.none.trades}
      more={more}
      keyOf={({ id, isBuyer }) => `${id} ${isBuyer}`}
      columns={[
        column.moment(words.time, ({ time }) => time),
        column.plain(words.side, ({ isBuyer }) => (isBuyer ? words.buy : words.sell)),
        column.amount(words.price, ({ price }) => price),
        column.amount(words.quantity, ({ qty }) => qty),
        column.amount(words.total, ({ quoteQty }) => quoteQty),
        column.amount(words.fee, ({ commission }) => commission),
        column.plain(words.feeIn, ({ commissionAsset }) => commissionAsset),
        column.plain(words.role, ({ isMaker }) => (isMaker ? words.maker : words.taker)),
        column.plain(words.order, ({ orderId }) => String(orderId)),
      ]}
    />
  );
}

/** A column of prices, which market orders and orders without fills do not have. */
const price = (label: string, text: (row: OrderRecord) => string): Column<OrderRecord> => ({
  ...{ label, isNumber: true, text },
  show: (row) => (/[1-9]/.test(text(row)) ? showAmount(text(row)) : BLANK),
});

/** The list of an order and its kind; "" for an order without a list. */
function listText({ orderListId }: OrderRecord, kind: ListKind | undefined): string {
  if (orderListId === NO_ORDER_LIST) return "";
  return kind === undefined ? String(orderListId) : `${kind} ${orderListId}`;
}

function Orders({ context, symbol }: Props) {
  const ask = useMemo(() => byTime<OrderRecord>("/api/v3/allOrders", symbol, ({ time }) => time), [symbol]);
  const { more, ...rows } = usePaged(context, ask);
  const column = columnsOf<OrderRecord>(context);
  const kinds = useMemo(() => listKinds(rows.rows ?? []), [rows.rows]);
  return (
    <List
      {...rows}
      title={words.names.orders}
      name={`orders-${symbol}`}
      empty={words.none.orders}
      more={more}
      keyOf={({ orderId }) => orderId}
      columns={[
        column.moment(words.time, ({ time }) => time),
        column.plain(words.side, ({ side }) => (side === "BUY" ? words.buy : words.sell)),
        column.plain(words.type, ({ type }) => orderWords.types[type] ?? type),
        price(words.price, (row) => row.price),
        price(words.average, averageOf),
        {
          ...column.amount(words.quantity, ({ origQty }) => origQty),
          show: (row) => (sellsBought(row) ? orderWords.bought : showAmount(row.origQty)),
        },
        column.amount(words.executed, ({ executedQty }) => executedQty),
        column.plain(words.state, (row) => statusText(row, rows.rows ?? [])),
        column.plain(words.order, ({ orderId }) => String(orderId)),
        column.plain(words.list, (row) => listText(row, kinds.get(row))),
        // Programs need it, so it is only in the file.
        { label: words.clientOrderId, text: ({ clientOrderId }) => clientOrderId },
      ]}
    />
  );
}

const KINDS = ["deposits", "withdrawals", "trades", "orders", "transfers", "dividends"] as const;
type Kind = (typeof KINDS)[number];

const LISTS: Readonly<Record<Kind, (props: { context: Context; symbol: string }) => preact.JSX.Element>> = {
  deposits: Deposits,
  withdrawals: WithdrawalHistory,
  trades: Trades,
  orders: Orders,
  transfers: Transfers,
  dividends: Dividends,
};
/** The kinds of history that the node returns per market. */
const OF_A_MARKET: readonly Kind[] = ["trades", "orders"];

export function HistoryPage({ context }: { context: Context }) {
  const { params } = context.place.value;
  const kind = KINDS.find((name) => name === params["kind"]) ?? "deposits";
  const symbols = useSymbols(context).value ?? [];
  const symbol = params["symbol"] ?? symbols[0]?.symbol ?? "";
  const Drawn = LISTS[kind];
  return (
    <>
      <Tabs
        label={words.kinds}
        tabs={KINDS.map((name) => ({ name, label: words.names[name] }))}
        chosen={kind}
        controls="history-list"
        onChoose={(name) => goTo("history", { kind: name })}
      />
      {OF_A_MARKET.includes(kind) && (
        <div class="fields">
          <Choice
            id="symbol"
            label={words.market}
            value={symbol}
            options={symbols.map(({ symbol: id, baseAsset, quoteAsset }) => [id, `${baseAsset}/${quoteAsset}`])}
            onChoose={(id) => goTo("history", { kind, symbol: id })}
          />
        </div>
      )}
      <div id="history-list" role="tabpanel" aria-label={words.names[kind]}>
        <Drawn key={`${kind} ${symbol}`} context={context} symbol={symbol} />
      </div>
    </>
  );
}
