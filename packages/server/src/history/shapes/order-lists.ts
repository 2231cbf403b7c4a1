/** Order lists in the form of Interface 2.9. */
import type { OrderListRecord } from "@pricetime/protocol";
import type { OrderListRow } from "./rows.ts";
import type { Names } from "./names.ts";

export function orderListShape(names: Names, row: OrderListRow): OrderListRecord {
  const symbol = names.symbol(row.symbolId);
  return {
    orderListId: row.orderListId,
    contingencyType: "OCO",
    listStatusType: row.listOrderStatus === "EXECUTING" ? "EXEC_STARTED" : "ALL_DONE",
    listOrderStatus: row.listOrderStatus,
    listClientOrderId: row.listClientOrderId,
    transactionTime: row.timeMs,
    symbol,
    orders: row.orders.map(({ orderId, clientOrderId }) => ({ symbol, orderId, clientOrderId })),
  };
}

/** The page as JSON. */
export function orderListPage(names: Names, rows: readonly OrderListRow[]): string {
  return JSON.stringify(rows.map((row) => orderListShape(names, row)));
}
