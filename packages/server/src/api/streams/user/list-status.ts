/** listStatus: an order list was placed, or is over. Interface 6.4, 3.5. */
import type { EngineView, LegRecord, OrderListChanged } from "@pricetime/engine";

/** `timeMs`: when the entry was. */
export function listStatus(engine: EngineView, timeMs: number, { list, listOrderStatus }: OrderListChanged): string {
  const { symbol } = engine.market(list.symbolId).spec;
  const type = listOrderStatus === "EXECUTING" ? "EXEC_STARTED" : "ALL_DONE";
  const leg = ({ orderId, clientOrderId }: LegRecord): string =>
    `{"s":"${symbol}","i":${orderId},"c":"${clientOrderId}"}`;
  return (
    `{"e":"listStatus","E":${timeMs},"s":"${symbol}","g":${list.orderListId},"c":"OCO","l":"${type}",` +
    `"L":"${listOrderStatus}","r":"NONE","C":"${list.listClientOrderId}","T":${timeMs},` +
    `"O":[${leg(list.stopLeg)},${leg(list.limitLeg)}]}`
  );
}
