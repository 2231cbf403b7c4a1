/** Trades and orders of one market, newest first. */
import { useMemo } from "preact/hooks";
import { customerHistory as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { columnsOf } from "../../pages/columns.ts";
import { List } from "../../pages/list.tsx";
import { type AskPage, usePaged } from "./paged.tsx";

/** A page of any size weighs the same (Interface 8.2). */
const PAGE_ROWS = 500;

interface Props {
  readonly desk: Desk;
  readonly symbol: string;
}

/** The newest rows up to a time; the next page ends before the oldest of them. */
function byTime<Row>(path: string, symbol: string, timeOf: (row: Row) => number): AskPage<Row, number> {
  return async (wire, next) => {
    if (symbol === "") return { rows: [], next: null };
    const query = { symbol, limit: PAGE_ROWS, endTime: next ?? undefined };
    const rows = (await wire.exchange<readonly Row[]>("GET", path, query)).toReversed();
    const oldest = rows.at(-1);
    return { rows, next: rows.length < PAGE_ROWS || oldest === undefined ? null : timeOf(oldest) - 1 };
  };
}

interface Trade {
  readonly id: number;
  readonly orderId: number;
  readonly symbol: string;
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly commission: string;
  readonly commissionAsset: string;
  readonly time: number;
  readonly isBuyer: boolean;
  readonly isMaker: boolean;
}

export function Trades({ desk, symbol }: Props) {
  const ask = useMemo(() => byTime<Trade>("/api/v3/myTrades", symbol, ({ time }) => time), [symbol]);
  const { more, ...rows } = usePaged(desk, ask);
  const column = columnsOf<Trade>(desk);
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

interface Order {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly type: string;
  readonly price: string;
  readonly origQty: string;
  readonly executedQty: string;
  readonly status: string;
  readonly time: number;
}

export function Orders({ desk, symbol }: Props) {
  const ask = useMemo(() => byTime<Order>("/api/v3/allOrders", symbol, ({ time }) => time), [symbol]);
  const { more, ...rows } = usePaged(desk, ask);
  const column = columnsOf<Order>(desk);
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
        column.plain(words.type, ({ type }) => type),
        column.amount(words.price, ({ price }) => price),
        column.amount(words.quantity, ({ origQty }) => origQty),
        column.amount(words.executed, ({ executedQty }) => executedQty),
        column.plain(words.state, ({ status }) => status),
        column.plain(words.order, ({ orderId }) => String(orderId)),
        column.plain(words.clientOrderId, ({ clientOrderId }) => clientOrderId),
      ]}
    />
  );
}
