/** An open order as operators are shown it. */
import { type EngineView, fromScale, type OrderRecord } from "@pricetime/engine";

/** Prices and quantities as decimals; what an order does not have is 0. */
export function orderBody(view: EngineView, order: OrderRecord): object {
  const { spec, scale } = view.market(order.symbolId);
  const price = (ticks: number): string => fromScale(ticks, scale.priceDecimals);
  const quantity = (lots: number): string => fromScale(lots, scale.quantityDecimals);
  const { orderId, side, type, timeInForce, clientOrderId, orderListId, timeMs, status } = order;
  return {
    ...{ orderId, symbol: spec.symbol, side, type, timeInForce },
    ...{ price: price(order.priceTicks), stopPrice: price(order.stopTicks) },
    ...{ quantity: quantity(order.quantityLots), executed: quantity(order.executedLots) },
    icebergQuantity: quantity(order.icebergLots),
    ...{ clientOrderId, orderListId, timeMs, status },
  };
}
