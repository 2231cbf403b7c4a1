/** All events of a symbol's orders, one per row. A trade has two rows, one for each order. */
import {
  type Command,
  type Entry,
  type Event,
  innerCommand,
  type ListLeg,
  lossesOf,
  NO_ORDER_LIST,
  OFF_SCALE,
  orderNumberOf,
  type OrderRecord,
  type PlaceOrder,
  type PlaceOto,
  type RejectReason,
  type Side,
  type Trade,
  waitsForStop,
} from "@pricetime/engine";
import type { Cell, Column, RowSink } from "../market-files/write-table.ts";
import { type ListedSymbol, RowExtractor, type TimeRange } from "./request.ts";

export interface OrderRowOptions extends TimeRange {
  /** Whether rows include the account and the client order id. */
  readonly withAccounts: boolean;
}

type OrderHappening =
  | ("new" | "triggered" | "released" | "trade" | "prevented" | "amended")
  | ("canceled" | "replaced" | "expired" | "rejected");

export function orderColumns({ market, engine }: ListedSymbol, { withAccounts }: OrderRowOptions): Column[] {
  const price = { kind: "price", places: market.scale.priceDecimals } as const;
  const quantity = { kind: "price", places: market.scale.quantityDecimals } as const;
  const quote = { kind: "amount", places: engine.asset(market.quoteAssetId).spec.precision } as const;
  const isOptional = true;
  return [
    { name: "time", kind: "time" },
    { name: "seq", kind: "integer" },
    { name: "event", kind: "text" },
    { name: "reason", kind: "text", isOptional },
    { name: "orderId", kind: "integer", isOptional },
    { name: "orderListId", kind: "integer", isOptional },
    { name: "side", kind: "text" },
    { name: "type", kind: "text" },
    { name: "timeInForce", kind: "text" },
    { name: "price", ...price, isOptional },
    { name: "stopPrice", ...price, isOptional },
    { name: "origQty", ...quantity, isOptional },
    { name: "icebergQty", ...quantity, isOptional },
    { name: "origQuoteOrderQty", ...quote, isOptional },
    { name: "lastPrice", ...price, isOptional },
    { name: "lastQty", ...quantity, isOptional },
    { name: "tradeId", kind: "integer", isOptional },
    { name: "isMaker", kind: "boolean", isOptional },
    { name: "executedQty", ...quantity },
    { name: "cummulativeQuoteQty", ...quote },
    { name: "status", kind: "text" },
    ...(withAccounts
      ? ([
          { name: "account", kind: "integer" },
          { name: "clientOrderId", kind: "text" },
        ] as const)
      : []),
    { name: "trailingDelta", kind: "integer", isOptional },
    { name: "pegPriceType", kind: "text", isOptional },
    { name: "pegOffsetValue", kind: "integer", isOptional },
    { name: "peggedPrice", ...price, isOptional },
  ];
}

export class OrderRows extends RowExtractor {
  readonly #symbolId: number;
  readonly #options: OrderRowOptions;

  constructor({ market }: ListedSymbol, options: OrderRowOptions, open: () => RowSink) {
    super(open);
    this.#symbolId = market.symbolId;
    this.#options = options;
  }

  take(entry: Entry, events: readonly Event[]): void {
    if (entry.timeMs < this.#options.fromMs) return;
    let isReplaced = false;
    let refused: RejectReason | null = null;
    for (const event of events) {
      if (event.type === "cancelReplaced") {
        isReplaced = event.cancelReason === null && event.placeReason === null;
        refused = event.placeReason === "NOT_ATTEMPTED" ? null : event.placeReason;
      } else if (event.type === "rejected") refused = event.reason;
      else if (event.type === "trade") this.#trade(entry, event);
      else if (event.type === "tradePrevented") {
        for (const { order } of lossesOf(event)) this.#add(entry, "prevented", order);
      } else if (event.type === "orderOpened") {
        isReplaced = false;
        this.#add(entry, happeningOf(event.order), event.order);
      } else if (event.type === "orderReleased") {
        this.#add(entry, "released", event.order);
      } else if (event.type === "orderAmended") {
        this.#add(entry, "amended", event.order);
      } else if (event.type === "orderEnded") {
        const canceled = isReplaced ? "replaced" : "canceled";
        this.#add(entry, event.status === "CANCELED" ? canceled : "expired", event.order);
      }
    }
    if (refused !== null) this.#reject(entry, refused);
  }

  #trade(entry: Entry, trade: Trade): void {
    if (trade.symbolId !== this.#symbolId) return;
    this.#add(entry, "trade", trade.taker.order, trade, false);
    this.#add(entry, "trade", trade.maker.order, trade, true);
  }

  #add(entry: Entry, happening: OrderHappening, order: OrderRecord, trade?: Trade, isMaker?: boolean): void {
    if (order.symbolId !== this.#symbolId) return;
    this.add([
      ...[entry.timeMs, entry.seq, happening, null, orderNumberOf(order.orderId)],
      order.orderListId === NO_ORDER_LIST ? null : order.orderListId,
      ...[order.side, order.type, order.timeInForce],
      ...[positive(order.priceTicks), positive(order.stopTicks), order.quantityLots, positive(order.icebergLots)],
      order.quoteOrderQty === 0n ? null : order.quoteOrderQty,
      ...[trade?.priceTicks ?? null, trade?.lots ?? null, trade?.tradeId ?? null, isMaker ?? null],
      ...[order.executedLots, order.executedQuote, order.status],
      ...(this.#options.withAccounts ? [order.accountId, order.clientOrderId] : []),
      ...followingCells(order),
    ]);
  }

  #reject(entry: Entry, reason: RejectReason): void {
    for (const order of placedBy(entry.command)) {
      if (order.symbolId !== this.#symbolId) continue;
      this.add([
        ...[entry.timeMs, entry.seq, "rejected", reason, null, null],
        ...[order.side, order.orderType, order.timeInForce],
        ...[order.priceTicks, order.stopTicks, order.quantityLots, order.icebergLots].map(positive),
        order.quoteOrderQty === 0n ? null : order.quoteOrderQty,
        ...[null, null, null, null, 0, 0n, "REJECTED"],
        ...(this.#options.withAccounts ? [order.accountId, order.clientOrderId] : []),
        ...followingCells({ ...order, ...(order.peg && { pegTo: order.peg.to, pegLevel: order.peg.level }) }),
      ]);
    }
  }
}

/** The columns of orders that follow the market: trailing stops and pegged orders. */
function followingCells(order: Pick<OrderRecord, "trailingDelta" | "pegTo" | "pegLevel" | "peggedTicks">): Cell[] {
  const { trailingDelta = 0, pegTo = "NONE", pegLevel = 0, peggedTicks = 0 } = order;
  return [positive(trailingDelta), pegTo === "NONE" ? null : pegTo, positive(pegLevel), positive(peggedTicks)];
}

/** What happened to the order. A stop order is opened twice: when it is placed and when it is triggered. */
function happeningOf({ type, isWorking }: OrderRecord): OrderHappening {
  return waitsForStop(type) && isWorking ? "triggered" : "new";
}

/** The orders that a rejected command would have placed. */
function placedBy(command: Command): PlaceOrder[] {
  const inner = innerCommand(command);
  if (inner.type === "placeOrder") return [inner];
  if (inner.type === "cancelReplace") return [inner.place];
  if (inner.type === "placeOto") return ordersOfOto(inner);
  if (inner.type !== "placeOco") return [];
  const { accountId, symbolId, side, quantityLots } = inner;
  return [inner.stopLeg, inner.limitLeg].map((leg) => {
    return { ...leg, type: "placeOrder", accountId, symbolId, side, quantityLots, quoteOrderQty: 0n };
  });
}

function ordersOfOto({
  accountId,
  symbolId,
  working,
  pendingSide,
  pendingLots,
  pending,
  pendingLimit,
}: PlaceOto): PlaceOrder[] {
  const order = (side: Side, quantityLots: number, leg: ListLeg): PlaceOrder => {
    return { ...leg, type: "placeOrder", accountId, symbolId, side, quantityLots, quoteOrderQty: 0n };
  };
  const legs = pendingLimit === null ? [pending] : [pending, pendingLimit];
  return [
    order(working.side, working.quantityLots, working.leg),
    ...legs.map((leg) => order(pendingSide, pendingLots, leg)),
  ];
}

/**
 * Returns an empty cell if the field does not apply (0), or if the symbol's units cannot represent the value
 * (`OFF_SCALE`).
 */
function positive(units: number): Cell {
  return units === 0 || units === OFF_SCALE ? null : units;
}
