/** An open order in a snapshot: its id, then these fields. Its position in the snapshot determines its symbol. */
import { ifGiven, Layout, record, since, uint, type ValuesOf, wordAt } from "../../entry/fields.ts";
import {
  ORDER_FIELDS,
  ORDER_STATUSES,
  ORDER_TYPES,
  type OrderRecord,
  RULES_5_SINCE,
  SIDES,
  TIMES_IN_FORCE,
} from "../../entry/order-record.ts";
import { MalformedBytes } from "../../bytes.ts";
import type { Pegging } from "./pegging.ts";
import { extremeOf, type Trailing } from "./trailing.ts";

const {
  orderId: _id,
  symbolId: _symbol,
  expiryReason: _ended,
  selfTradePrevention,
  strategyId,
  strategyType,
  preventedLots,
  preventedMatchId,
  workedMs,
  trailingDelta,
  trailingMs,
  pegTo,
  pegLevel,
  peggedTicks,
  ...fields
} = ORDER_FIELDS;
/** A trailing stop. The extreme is 0 unless the order follows the price. */
const trailingFields = record({ trailingDelta, trailingMs, startTicks: uint, extremeTicks: uint });
/** A pegged order. Its price before these fields is the one in effect. */
const pegFields = record({ pegTo, pegLevel, sentTicks: uint, peggedTicks });
const laterFields = record({
  selfTradePrevention,
  strategyId,
  strategyType,
  preventedLots,
  preventedMatchId,
  workedMs,
  amendCount: since(RULES_5_SINCE, uint, 0),
  trailing: since(RULES_5_SINCE, ifGiven(trailingFields), null),
  waitOffset: since(RULES_5_SINCE, uint, 0),
  peg: since(RULES_5_SINCE, ifGiven(pegFields), null),
});
/** Most orders have none of the later fields, which take one byte then. */
const savedOrder = { ...fields, visibleLots: uint, later: since(RULES_5_SINCE, ifGiven(laterFields), null) };

export type SavedOrder = ValuesOf<typeof savedOrder>;
export type LaterFields = NonNullable<SavedOrder["later"]>;

/** Hand-written for speed, because a recovery reads a million orders and writes them again. */
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

/** What an order has in its state for the later fields. `extras` is null for a plain order. */
interface LaterState
  extends Required<
    Pick<
      OrderRecord,
      "selfTradePrevention" | "strategyId" | "strategyType" | "preventedLots" | "preventedMatchId" | "workedMs"
    >
  > {
  readonly extras: object | null;
  readonly trailing: Trailing | null;
  readonly peg: Pegging | null;
  readonly amendCount: number;
  readonly waitOffset: number;
}

/** Null for an order without any of them. */
export function laterFieldsOf(order: LaterState): LaterFields | null {
  const { selfTradePrevention, strategyId, strategyType, preventedLots, preventedMatchId, workedMs } = order;
  const isPlain = order.extras === null && preventedLots === 0 && selfTradePrevention === "NONE";
  if (isPlain) return null;
  const ofPrevention = { selfTradePrevention, preventedLots, preventedMatchId };
  const trailing = order.trailing === null ? null : savedTrailing(order.trailing);
  const peg = order.peg === null ? null : savedPeg(order.peg);
  const { amendCount, waitOffset } = order;
  return { ...ofPrevention, strategyId, strategyType, workedMs, amendCount, trailing, waitOffset, peg };
}

export const NOTHING_LATER: LaterFields = {};

function savedTrailing(trailing: Trailing): NonNullable<LaterFields["trailing"]> {
  const { delta, sinceMs, startTicks } = trailing;
  return { trailingDelta: delta, trailingMs: sinceMs, startTicks, extremeTicks: extremeOf(trailing)?.ticks ?? 0 };
}

/** The caller adds the order to those that follow the price, which finds its extreme again. */
export function restoredTrailing({ trailing = null }: LaterFields): Trailing | null {
  if (trailing === null) return null;
  const { trailingDelta: delta = 0, trailingMs: sinceMs = 0, startTicks } = trailing;
  return { delta, startTicks, sinceMs, extreme: null };
}

function savedPeg({ to, level, sentTicks, peggedTicks }: Pegging): NonNullable<LaterFields["peg"]> {
  return { pegTo: to, pegLevel: level, sentTicks, peggedTicks };
}

export function restoredPeg({ peg = null }: LaterFields): Pegging | null {
  if (peg === null) return null;
  const { pegTo: to = "NONE", pegLevel: level = 0, sentTicks, peggedTicks = 0 } = peg;
  if (to === "NONE") throw new MalformedBytes("a pegged order without its peg");
  return { to, level, sentTicks, peggedTicks };
}
