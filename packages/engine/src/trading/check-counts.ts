/** Limits on an account's open orders. Interface 2.8: MAX_NUM_ORDERS and its like. */
import type { PlaceOrder } from "../entry/command.ts";
import type { Market } from "../state/market/market.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { waitsForStop } from "../entry/order-words.ts";

/** The number by which new orders would increase the counts of open ones. */
export interface OrderCounts {
  readonly open: number;
  readonly algo: number;
  readonly iceberg: number;
}

const NONE: OrderCounts = { open: 0, algo: 0, iceberg: 0 };
const PLAIN: OrderCounts = { open: 1, algo: 0, iceberg: 0 };

/** An order that cannot stay open is not counted. */
export function countsOf(command: Pick<PlaceOrder, "orderType" | "timeInForce" | "icebergLots">): OrderCounts {
  const algo = waitsForStop(command.orderType);
  if (!algo && (command.orderType === "MARKET" || command.timeInForce !== "GTC")) return NONE;
  if (!algo && command.icebergLots === 0) return PLAIN;
  return { open: 1, algo: algo ? 1 : 0, iceberg: command.icebergLots === 0 ? 0 : 1 };
}

export function checkCounts(
  state: ExchangeState,
  market: Market,
  accountId: number,
  adds: OrderCounts,
): RejectReason | null {
  if (adds.open === 0) return null;
  const there = state.orders.accountBook(accountId, market.symbolId);
  const { maxNumOrders, maxNumAlgoOrders, maxNumIcebergOrders } = market.filters;
  if (exceeds(there?.size, adds.open, maxNumOrders)) return "MAX_NUM_ORDERS";
  if (exceeds(there?.algoOrders, adds.algo, maxNumAlgoOrders)) return "MAX_NUM_ALGO_ORDERS";
  if (exceeds(there?.icebergOrders, adds.iceberg, maxNumIcebergOrders)) return "MAX_NUM_ICEBERG_ORDERS";
  const everywhere = state.orders.countOf(accountId);
  const { maxNumOrders: onExchange, maxNumAlgoOrders: algoOnExchange } = state.exchangeFilters;
  if (exceeds(everywhere?.open, adds.open, onExchange?.maxNumOrders)) return "EXCHANGE_MAX_NUM_ORDERS";
  if (exceeds(everywhere?.algoOrders, adds.algo, algoOnExchange?.maxNumAlgoOrders)) {
    return "EXCHANGE_MAX_NUM_ALGO_ORDERS";
  }
  return null;
}

function exceeds(there: number | undefined, adds: number, limit: number | null | undefined): boolean {
  return adds > 0 && limit !== null && limit !== undefined && (there ?? 0) + adds > limit;
}
