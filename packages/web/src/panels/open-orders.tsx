/** Open orders of the account, those being sent, and rejected ones until they are dismissed; and its open lists. */
import type { OrderRow } from "../account/port.ts";
import { tables as words } from "../words/words.ts";
import { cancelList, cancelOrder } from "./cancel-orders.ts";
import type { Column } from "./data-table.tsx";
import type { Desk } from "./desk.ts";
import { type ColumnContext, orderColumns, priceText } from "./order-columns.tsx";
import { PriceCell } from "./price-cell.tsx";

// The tables of open orders and open lists.

/** An id that stays while an order is sent, answered and told of by the stream. */
export const orderKey = ({ symbol, clientOrderId }: OrderRow): string => `${symbol}/${clientOrderId}`;

function movable(desk: Desk, context: ColumnContext, of: "price" | "stopPrice"): Column<OrderRow> {
  const label = of === "price" ? words.columns.price : words.columns.stop;
  return {
    label,
    isNumber: true,
    show: (order) => (
      <PriceCell
        desk={desk}
        order={order}
        part={of}
        label={label}
        shown={priceText(context, order.symbol, order[of])}
      />
    ),
    text: (order) => order[of],
  };
}

function Acts({ desk, order }: { desk: Desk; order: OrderRow }) {
  if (order.state === "failed")
    return (
      <button type="button" class="link" onClick={() => desk.account.dismiss(order)}>
        {words.dismiss}
      </button>
    );
  return (
    <button
      type="button"
      class="link"
      disabled={order.state === "sending"}
      aria-label={words.cancelOrder(order.side, order.symbol, order.price)}
      onClick={() => void cancelOrder(desk, order)} // Never rejects.
    >
      {words.cancel}
    </button>
  );
}

export function openColumns(desk: Desk, context: ColumnContext): Column<OrderRow>[] {
  const { time, market, type, side, quantity, filled, status } = orderColumns(context);
  const acts: Column<OrderRow> = {
    label: words.columns.acts,
    isNumber: true,
    isActs: true,
    show: (order) => <Acts desk={desk} order={order} />,
  };
  const columns = [time, market, type, side, movable(desk, context, "price"), movable(desk, context, "stopPrice")];
  return [...columns, filled, quantity, status, acts].filter((column) => column !== undefined);
}

/** Both legs of a list that is not over. */
export interface ListRow {
  readonly orderListId: number;
  readonly symbol: string;
  readonly limit: OrderRow;
  readonly stop: OrderRow;
}

/** The lists of which both legs are open. */
export function listsOf(orders: readonly OrderRow[]): ListRow[] {
  const legs = Map.groupBy(
    orders.filter(({ orderListId, state }) => orderListId !== -1 && state === "known"),
    ({ symbol, orderListId }) => `${symbol}/${orderListId}`,
  );
  return [...legs.values()].flatMap((both) => {
    const stop = both.find(({ type }) => type.startsWith("STOP_LOSS"));
    const limit = both.find((order) => order !== stop);
    if (stop === undefined || limit === undefined) return [];
    return [{ orderListId: stop.orderListId, symbol: stop.symbol, limit, stop }];
  });
}

export function listColumns(desk: Desk, context: ColumnContext): Column<ListRow>[] {
  const of = orderColumns(context);
  const leg = (column: Column<OrderRow> | undefined, name: "limit" | "stop", label?: string): Column<ListRow> => ({
    label: label ?? column?.label ?? "",
    isNumber: column?.isNumber ?? false,
    show: (row) => column?.show?.(row[name]),
    text: (row) => column?.text?.(row[name]) ?? "",
  });
  return [
    leg(of.time, "limit"),
    leg(of.market, "limit"),
    {
      label: words.columns.list,
      show: ({ orderListId }) => orderListId,
      text: ({ orderListId }) => String(orderListId),
    },
    leg(of.side, "limit"),
    leg(of.price, "limit"),
    leg(of.stop, "stop"),
    leg(of.price, "stop", `${words.columns.stop} → ${words.columns.price}`),
    leg(of.quantity, "limit"),
    {
      label: words.columns.acts,
      isNumber: true,
      isActs: true,
      show: ({ limit, stop }) => (
        // Never rejects.
        <button type="button" class="link" onClick={() => void cancelList(desk, limit, stop)}>
          {words.cancelList}
        </button>
      ),
    },
  ];
}
