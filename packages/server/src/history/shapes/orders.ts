/** Orders in the form of Interface 2.2. */
import type { OrderRecord } from "@pricetime/protocol";
import type { OrderRow } from "./rows.ts";
import type { Names } from "./names.ts";

export function orderShape(names: Names, row: OrderRow): OrderRecord {
  return {
    symbol: names.symbol(row.symbolId),
    orderId: row.orderId,
    orderListId: row.orderListId,
    clientOrderId: row.clientOrderId,
    price: row.price,
    origQty: row.origQty,
    executedQty: row.executedQty,
    cummulativeQuoteQty: row.cummulativeQuoteQty,
    status: row.status,
    timeInForce: row.timeInForce,
    type: row.type,
    side: row.side,
    stopPrice: row.stopPrice,
    icebergQty: row.icebergQty,
    time: row.timeMs,
    updateTime: row.updateTimeMs,
    isWorking: row.isWorking,
    origQuoteOrderQty: row.origQuoteOrderQty,
    commission: row.commission,
    commissionAsset: names.asset(row.commissionAssetId),
  };
}

/** The page as JSON. */
export function orderPage(names: Names, rows: readonly OrderRow[]): string {
  return JSON.stringify(rows.map((row) => orderShape(names, row)));
}
