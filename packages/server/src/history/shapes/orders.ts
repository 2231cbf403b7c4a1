/**
 * Converts orders and order lists from the integers of engine and history to the format of the interface. Interface
 * 2.2, 2.9.
 */
import type {
  EngineView,
  Event,
  OrderListRecord as EngineOrderList,
  OrderRecord as EngineOrder,
  SelfTradePreventionMode,
} from "@pricetime/engine";
import { fromScale, NO_STRATEGY, orderNumberOf, trailingTimeMs, workingTimeMs } from "@pricetime/engine";
import type { OrderListRecord, OrderRecord, PreventedMatchRecord } from "@pricetime/protocol";
import { unitsText } from "./amounts.ts";

export interface AssetUnits {
  readonly asset: string;
  readonly decimals: number;
}

/** Each event can lead to three reports: a prevented match concerns taker, maker and the other leg of a list. */
const REPORTS_PER_EVENT = 3;

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
    orderId: orderNumberOf(order.orderId),
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
    ...laterShape(units, order),
    commission: unitsText(order.commission, received.decimals),
    commissionAsset: received.asset,
    ...preventedShape(units, order),
  };
}

/** The fields of later versions of the original interface, of which most orders have only the first. */
function laterShape(
  units: SymbolUnits,
  order: Omit<EngineOrder, "accountId">,
): Pick<
  OrderRecord,
  "selfTradePreventionMode" | "strategyId" | "strategyType" | "expiryReason" | "trailingDelta" | "trailingTime"
> {
  const { selfTradePrevention = "NONE", strategyId = NO_STRATEGY, strategyType = 0, expiryReason = "NONE" } = order;
  const { trailingDelta = 0 } = order;
  return {
    ...(trailingDelta === 0 ? {} : { trailingDelta, trailingTime: trailingTimeMs(order) }),
    ...pegShape(units, order),
    selfTradePreventionMode: selfTradePrevention,
    ...(strategyId === NO_STRATEGY ? {} : { strategyId }),
    ...(strategyType === 0 ? {} : { strategyType }),
    ...(expiryReason === "NONE" ? {} : { expiryReason }),
  };
}

/** The price of the book that a pegged order takes, and the one that it has taken. */
function pegShape(
  { priceDecimals }: SymbolUnits,
  { pegTo = "NONE", pegLevel = 0, peggedTicks = 0 }: Omit<EngineOrder, "accountId">,
): Pick<OrderRecord, "pegPriceType" | "pegOffsetType" | "pegOffsetValue" | "peggedPrice"> {
  if (pegTo === "NONE") return {};
  return {
    pegPriceType: pegTo,
    ...(pegLevel === 0 ? {} : { pegOffsetType: "PRICE_LEVEL", pegOffsetValue: pegLevel }),
    ...(peggedTicks === 0 ? {} : { peggedPrice: fromScale(peggedTicks, priceDecimals) }),
  };
}

/** What self-trade prevention took from an order; nothing for most orders. */
function preventedShape({ quantityDecimals }: SymbolUnits, order: Omit<EngineOrder, "accountId">): object {
  const { preventedLots = 0, preventedMatchId } = order;
  return preventedLots === 0 ? {} : { preventedMatchId, preventedQuantity: fromScale(preventedLots, quantityDecimals) };
}

/** All lists with a working order have the same word in the interface. */
export function contingencyOf({ kind = "OCO" }: Pick<EngineOrderList, "kind">): OrderListRecord["contingencyType"] {
  return kind === "OCO" ? "OCO" : "OTO";
}

/** `list.timeMs`: when the list was placed; in the response to a cancel, when it was canceled. */
export function orderListShape(
  symbol: string,
  list: Pick<EngineOrderList, "orderListId" | "listClientOrderId" | "timeMs" | "orders" | "kind">,
  isDone = false,
): OrderListRecord {
  return {
    orderListId: list.orderListId,
    contingencyType: contingencyOf(list),
    listStatusType: isDone ? "ALL_DONE" : "EXEC_STARTED",
    listOrderStatus: isDone ? "ALL_DONE" : "EXECUTING",
    listClientOrderId: list.listClientOrderId,
    transactionTime: list.timeMs,
    symbol,
    orders: list.orders.map(({ orderId, clientOrderId }) => ({
      ...{ symbol, orderId: orderNumberOf(orderId), clientOrderId },
    })),
  };
}

/** A prevented match as the engine reports it and history stores it. */
interface StoredPreventedMatch {
  readonly preventedMatchId: number;
  readonly mode: SelfTradePreventionMode;
  readonly makerOrderId: number;
  readonly priceTicks: number;
  readonly takerLots: number;
  readonly makerLots: number;
}

/** A prevented match. An order that its mode never takes from has no quantity. */
export function preventedMatch(
  { symbol, priceDecimals, quantityDecimals }: Omit<SymbolUnits, "base" | "quote">,
  { preventedMatchId, mode, makerOrderId, priceTicks, takerLots, makerLots }: StoredPreventedMatch,
): Pick<PreventedMatchRecord, "preventedMatchId" | "makerSymbol" | "makerOrderId" | "price"> {
  return {
    preventedMatchId,
    makerSymbol: symbol,
    makerOrderId: orderNumberOf(makerOrderId),
    price: fromScale(priceTicks, priceDecimals),
    ...(mode !== "EXPIRE_MAKER" && { takerPreventedQuantity: fromScale(takerLots, quantityDecimals) }),
    ...(mode !== "EXPIRE_TAKER" && { makerPreventedQuantity: fromScale(makerLots, quantityDecimals) }),
  };
}
