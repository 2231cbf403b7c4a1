/** An open order in a snapshot: its id, then these fields. Its place in the snapshot gives its symbol. */
import { Layout, uint, type ValuesOf, wordAt } from "../../entry/fields.ts";
import { ORDER_FIELDS } from "../../entry/order-record.ts";
import { ORDER_STATUSES, ORDER_TYPES, SIDES, TIMES_IN_FORCE } from "../../entry/order-words.ts";

const { orderId: _id, symbolId: _symbol, ...fields } = ORDER_FIELDS;
const savedOrder = { ...fields, visibleLots: uint };

export type SavedOrder = ValuesOf<typeof savedOrder>;

/** Written out, because a recovery reads a million of them and writes them once more. */
export const SAVED_ORDER = new Layout<SavedOrder>(undefined, savedOrder, {
  write(writer, order) {
    writer.uint(order.accountId);
    writer.text(order.clientOrderId);
    writer.u8(SIDES.indexOf(order.side));
    writer.u8(ORDER_TYPES.indexOf(order.type));
    writer.u8(TIMES_IN_FORCE.indexOf(order.timeInForce));
    writer.uint(order.priceTicks);
    writer.uint(order.quantityLots);
    writer.uint(order.stopTicks);
    writer.uint(order.icebergLots);
    writer.big(order.quoteOrderQty);
    writer.uint(order.orderListId + 1);
    writer.uint(order.timeMs);
    writer.uint(order.updateTimeMs);
    writer.u8(ORDER_STATUSES.indexOf(order.status));
    writer.bool(order.isWorking);
    writer.uint(order.executedLots);
    writer.big(order.executedQuote);
    writer.big(order.commission);
    writer.uint(order.visibleLots);
  },
  read: (reader) => ({
    accountId: reader.uint(),
    clientOrderId: reader.text(),
    side: wordAt(SIDES, reader.u8()),
    type: wordAt(ORDER_TYPES, reader.u8()),
    timeInForce: wordAt(TIMES_IN_FORCE, reader.u8()),
    priceTicks: reader.uint(),
    quantityLots: reader.uint(),
    stopTicks: reader.uint(),
    icebergLots: reader.uint(),
    quoteOrderQty: reader.big(),
    orderListId: reader.uint() - 1,
    timeMs: reader.uint(),
    updateTimeMs: reader.uint(),
    status: wordAt(ORDER_STATUSES, reader.u8()),
    isWorking: reader.bool(),
    executedLots: reader.uint(),
    executedQuote: reader.big(),
    commission: reader.big(),
    visibleLots: reader.uint(),
  }),
});
