/**
 * Converts orders and order lists from the integers of engine and history to the format of the interface. Interface
 * 2.2, 2.9.
 */
import type {
  EngineView,
  Event,
  OrderListRecord as EngineOrderList,
  OrderRecord as EngineOrder,
} from "@pricetime/engine";
import { fromScale, NO_STRATEGY, workingTimeMs } from "@pricetime/engine";
import type { OrderListRecord, OrderRecord } from "@pricetime/protocol";
import { unitsText } from "./amounts.ts";

export interface AssetUnits {
  readonly asset: string;
  readonly decimals: number;
}

/** Each event can lead to two reports: the taker's and the maker's. */
const REPORTS_PER_EVENT = 2;

/**
 * The execution id of the event at `index`: field `I` of its report, and `executionId` of an amendment. A trade has
 * another one, which follows it. `engine` is in the state after the events' entry.
 */
export function executionIdOf(engine: Pick<EngineView, "eventCount">, events: readonly Event[], index: number): number {
  return (engine.eventCount - events.length + index) * REPORTS_PER_EVENT;
}

/** The name of a symbol, and the decimals of its prices, quantities and amounts. */
export interface SymbolUnits {
  readonly symbol: string;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly base: AssetUnits;
  readonly quote: AssetUnits;
}

/** The asset that a side receives. Its commission is charged in this asset. */
export function receivedAsset({ base, quote }: SymbolUnits, isBuyer: boolean): AssetUnits {
  return isBuyer ? base : quote;
}

export function orderShape(units: SymbolUnits, order: Omit<EngineOrder, "accountId">): OrderRecord {
  const { symbol, priceDecimals, quantityDecimals, quote } = units;
  const received = receivedAsset(units, order.side === "BUY");
  return {
    symbol,
    orderId: order.orderId,
    orderListId: order.orderListId,
    clientOrderId: order.clientOrderId,
    price: fromScale(order.priceTicks, priceDecimals),
    origQty: fromScale(order.quantityLots, quantityDecimals),
    executedQty: fromScale(order.executedLots, quantityDecimals),
    cummulativeQuoteQty: unitsText(order.executedQuote, quote.decimals),
    status: order.status,
    timeInForce: order.timeInForce,
    type: order.type,
    side: order.side,
    stopPrice: fromScale(order.stopTicks, priceDecimals),
    icebergQty: fromScale(order.icebergLots, quantityDecimals),
    time: order.timeMs,
    updateTime: order.updateTimeMs,
    isWorking: order.isWorking,
    workingTime: workingTimeMs(order),
    origQuoteOrderQty: unitsText(order.quoteOrderQty, quote.decimals),
    ...laterShape(order),
    commission: unitsText(order.commission, received.decimals),
    commissionAsset: received.asset,
  };
}

/** The fields of later versions of the original interface, of which most orders have only the first. */
function laterShape(
  order: Pick<EngineOrder, "selfTradePrevention" | "strategyId" | "strategyType" | "expiryReason">,
): Pick<OrderRecord, "selfTradePreventionMode" | "strategyId" | "strategyType" | "expiryReason"> {
  const { selfTradePrevention = "NONE", strategyId = NO_STRATEGY, strategyType = 0, expiryReason = "NONE" } = order;
  return {
    selfTradePreventionMode: selfTradePrevention,
    ...(strategyId === NO_STRATEGY ? {} : { strategyId }),
    ...(strategyType === 0 ? {} : { strategyType }),
    ...(expiryReason === "NONE" ? {} : { expiryReason }),
  };
}

/** `list.timeMs`: when the list was placed; in the response to a cancel, when it was canceled. */
export function orderListShape(
  symbol: string,
  list: Pick<EngineOrderList, "orderListId" | "listClientOrderId" | "timeMs" | "stopLeg" | "limitLeg">,
  isDone = false,
): OrderListRecord {
  return {
    orderListId: list.orderListId,
    contingencyType: "OCO",
    listStatusType: isDone ? "ALL_DONE" : "EXEC_STARTED",
    listOrderStatus: isDone ? "ALL_DONE" : "EXECUTING",
    listClientOrderId: list.listClientOrderId,
    transactionTime: list.timeMs,
    symbol,
    orders: [list.stopLeg, list.limitLeg].map(({ orderId, clientOrderId }) => ({ symbol, orderId, clientOrderId })),
  };
}
