/** A slow and simple history: a list of everything that happened, filtered for every query. */
import { type Engine, type Event, formatDecimal, fromScale, lossesOf, type MarketView } from "@pricetime/engine";
import {
  type AccountTrade,
  type AggregateTrade,
  nextOpenTime,
  openTimeOf,
  type OrderListRecord,
  type OrderRecord,
  type PublicTrade,
} from "@pricetime/protocol";
import type { NewBatch } from "../../src/journal/port.ts";
import { replayBatch } from "../../src/journal/replica/recover.ts";
import type { KlineRow } from "../../src/history/shapes/market-data.ts";
import type { KlineInterval } from "@pricetime/protocol";
import type { Window } from "../../src/history/port.ts";

type TradeEvent = Extract<Event, { type: "trade" }>;
interface Of {
  readonly accountId: number;
  readonly symbolId: number;
}
export type OrderOf = OrderRecord & Of;

export class BruteForce {
  readonly #engine: Engine;
  readonly orders = new Map<number, OrderOf>();
  readonly lists = new Map<number, OrderListRecord & Of>();
  /** Orders that opened twice: when they arrived, and when they were triggered. */
  readonly triggered = new Set<number>();
  /** Orders canceled unfilled by an operator, or by a request to cancel everything, except the first of each. */
  readonly swept = new Set<number>();
  /** The quantities that amendments took from orders. */
  readonly reduced = new Map<number, number>();
  readonly prevented: Event<"tradePrevented">[] = [];
  readonly #trades: TradeEvent[] = [];
  readonly #ownTrades: (AccountTrade & Of)[] = [];

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  take(batch: NewBatch): void {
    replayBatch(this.#engine, { ...batch, chainHash: "" }, ({ command }, events) => {
      for (const event of events) this.#takeEvent(event);
      const isOfOperator = command.type === "endAccountOrders";
      if (command.type !== "cancelOpenOrders" && !isOfOperator) return;
      const ended = events.flatMap((event) =>
        event.type === "orderEnded" && event.order.executedLots === 0 ? [event] : [],
      );
      for (const { order } of ended.slice(isOfOperator ? 0 : 1)) this.swept.add(order.orderId);
    });
  }

  #takeEvent(event: Event): void {
    if (event.type === "orderOpened" && this.orders.has(event.order.orderId)) this.triggered.add(event.order.orderId);
    if (event.type === "orderOpened" || event.type === "orderEnded" || event.type === "orderAmended")
      this.#takeOrder(event.order);
    if (event.type === "orderAmended") this.#reduce(event);
    if (event.type === "orderListChanged") this.#takeList(event);
    if (event.type === "tradePrevented") {
      this.prevented.push(event);
      for (const { order } of lossesOf(event)) this.#takeOrder(order);
    }
    if (event.type !== "trade") return;
    this.#trades.push(event);
    for (const side of ["taker", "maker"] as const) {
      const { order, commission, commissionAssetId } = event[side];
      this.#takeOrder(order);
      this.#ownTrades.push({
        accountId: order.accountId,
        symbolId: event.symbolId,
        symbol: this.#market(event.symbolId).spec.symbol,
        id: event.tradeId,
        orderId: order.orderId,
        orderListId: order.orderListId,
        price: this.#price(event.symbolId, event.priceTicks),
        qty: this.#quantity(event.symbolId, BigInt(event.lots)),
        quoteQty: this.#quote(event.symbolId, event.quote),
        commission: this.#money(commissionAssetId, commission),
        commissionAsset: this.#engine.asset(commissionAssetId).spec.asset,
        time: event.timeMs,
        isBuyer: order.side === "BUY",
        isMaker: side === "maker",
        isBestMatch: true,
      });
    }
  }

  #reduce({ order, origQuantityLots }: Extract<Event, { type: "orderAmended" }>): void {
    const lots = BigInt(origQuantityLots - order.quantityLots);
    const before = this.reduced.get(order.orderId) ?? 0;
    this.reduced.set(order.orderId, before + Number(this.#quantity(order.symbolId, lots)));
  }

  #takeList({ list, listOrderStatus, isUpdate }: Extract<Event, { type: "orderListChanged" }>): void {
    const { orderListId, accountId, symbolId, listClientOrderId, timeMs, kind = "OCO" } = list;
    const { symbol } = this.#market(symbolId).spec;
    const orders = list.orders.map(({ orderId, clientOrderId }) => ({ symbol, orderId, clientOrderId }));
    // Shown only by a stream: a list that executes was placed.
    if (isUpdate) {
      const placed = this.lists.get(orderListId);
      if (placed !== undefined) this.lists.set(orderListId, { ...placed, orders });
      return;
    }
    const contingencyType = kind === "OCO" ? "OCO" : "OTO";
    const listStatusType = listOrderStatus === "EXECUTING" ? "EXEC_STARTED" : "ALL_DONE";
    this.lists.set(orderListId, {
      ...{ orderListId, accountId, symbolId, symbol, contingencyType, listStatusType, listOrderStatus },
      ...{ listClientOrderId, transactionTime: timeMs, orders },
    });
  }

  #takeOrder(order: TradeEvent["taker"]["order"]): void {
    const { symbolId } = order;
    const market = this.#market(symbolId);
    const commissionAssetId = order.side === "BUY" ? market.baseAssetId : market.quoteAssetId;
    this.orders.set(order.orderId, {
      accountId: order.accountId,
      symbolId,
      symbol: market.spec.symbol,
      orderId: order.orderId,
      orderListId: order.orderListId,
      clientOrderId: order.clientOrderId,
      price: this.#price(symbolId, order.priceTicks),
      origQty: this.#quantity(symbolId, BigInt(order.quantityLots)),
      executedQty: this.#quantity(symbolId, BigInt(order.executedLots)),
      cummulativeQuoteQty: this.#quote(symbolId, order.executedQuote),
      origQuoteOrderQty: this.#quote(symbolId, order.quoteOrderQty),
      status: order.status,
      timeInForce: order.timeInForce,
      type: order.type,
      side: order.side,
      stopPrice: this.#price(symbolId, order.stopTicks),
      icebergQty: this.#quantity(symbolId, BigInt(order.icebergLots)),
      workingTime: order.isWorking ? (order.stopTicks > 0 ? order.workedMs || -1 : order.timeMs) : -1,
      selfTradePreventionMode: order.selfTradePrevention ?? "NONE",
      ...((order.preventedLots ?? 0) > 0 && {
        preventedMatchId: order.preventedMatchId,
        preventedQuantity: this.#quantity(symbolId, BigInt(order.preventedLots ?? 0)),
      }),
      ...(order.expiryReason !== "NONE" && order.expiryReason !== undefined && { expiryReason: order.expiryReason }),
      time: order.timeMs,
      updateTime: order.updateTimeMs,
      isWorking: order.isWorking,
      commission: this.#money(commissionAssetId, order.commission),
      commissionAsset: this.#engine.asset(commissionAssetId).spec.asset,
    });
  }

  /** The ids of an order's prevented matches. */
  preventedOf(accountId: number, symbolId: number, orderId: number): number[] {
    return this.prevented
      .filter((event) => event.symbolId === symbolId)
      .filter(({ taker, maker }) =>
        [taker, maker].some((order) => order.orderId === orderId && order.accountId === accountId),
      )
      .map(({ preventedMatchId }) => preventedMatchId);
  }

  ordersOf(accountId: number, symbolId: number, window: Window): OrderRecord[] {
    const all = [...this.orders.values()].filter((row) => row.accountId === accountId && row.symbolId === symbolId);
    return within(window, all, (row) => [row.orderId, row.time]).map(withoutOf);
  }

  listsOf(accountId: number, window: Window): OrderListRecord[] {
    const all = [...this.lists.values()].filter((row) => row.accountId === accountId);
    return within(window, all, (row) => [row.orderListId, row.transactionTime]).map(withoutOf);
  }

  accountTrades(accountId: number, symbolId: number, window: Window & { readonly orderId?: number }): AccountTrade[] {
    const all = this.#ownTrades.filter(
      (row) =>
        row.accountId === accountId &&
        row.symbolId === symbolId &&
        (window.orderId === undefined || row.orderId === window.orderId),
    );
    return within(window, all, (row) => [row.id, row.time]).map(withoutOf);
  }

  tradesOf(symbolId: number, window: Window): PublicTrade[] {
    const all = this.#trades
      .filter((trade) => trade.symbolId === symbolId)
      .map((trade) => ({
        id: trade.tradeId,
        price: this.#price(symbolId, trade.priceTicks),
        qty: this.#quantity(symbolId, BigInt(trade.lots)),
        quoteQty: this.#quote(symbolId, trade.quote),
        time: trade.timeMs,
        isBuyerMaker: trade.maker.order.side === "BUY",
        isBestMatch: true,
      }));
    return within(window, all, (row) => [row.id, row.time]);
  }

  aggTrades(symbolId: number, window: Window): AggregateTrade[] {
    const groups = new Map<number, TradeEvent[]>();
    for (const trade of this.#trades.filter((one) => one.symbolId === symbolId)) {
      groups.set(trade.aggTradeId, [...(groups.get(trade.aggTradeId) ?? []), trade]);
    }
    const all = [...groups].map(([aggTradeId, trades]) => ({
      a: aggTradeId,
      p: this.#price(symbolId, trades[0]!.priceTicks),
      q: this.#quantity(
        symbolId,
        trades.reduce((sum, trade) => sum + BigInt(trade.lots), 0n),
      ),
      f: trades[0]!.tradeId,
      l: trades.at(-1)!.tradeId,
      T: trades[0]!.timeMs,
      m: trades[0]!.takerSide === "SELL",
      M: true,
    }));
    return within(window, all, (row) => [row.a, row.T]);
  }

  /** Every kline from the first trade to now, including those without trades; then the window. */
  klines(symbolId: number, interval: KlineInterval, window: Window, nowMs: number, offsetMs = 0): KlineRow[] {
    const trades = this.#trades.filter((trade) => trade.symbolId === symbolId);
    const all: KlineRow[] = [];
    const byOpen = Map.groupBy(trades, ({ timeMs }) => openTimeOf(interval, timeMs, offsetMs));
    let close = 0;
    for (
      let open = openTimeOf(interval, trades[0]?.timeMs ?? nowMs + 1, offsetMs);
      open <= nowMs;
      open = nextOpenTime(interval, open, offsetMs)
    ) {
      const inside = byOpen.get(open) ?? [];
      const bought = inside.filter((trade) => trade.takerSide === "BUY");
      const prices = inside.length > 0 ? inside.map((trade) => trade.priceTicks) : [close];
      close = prices.at(-1)!;
      const lots = (of: TradeEvent[]): string =>
        this.#quantity(
          symbolId,
          of.reduce((sum, trade) => sum + BigInt(trade.lots), 0n),
        );
      const quote = (of: TradeEvent[]): string =>
        this.#quote(
          symbolId,
          of.reduce((sum, trade) => sum + trade.quote, 0n),
        );
      all.push({
        openTimeMs: open,
        open: this.#price(symbolId, prices[0]!),
        high: this.#price(symbolId, Math.max(...prices)),
        low: this.#price(symbolId, Math.min(...prices)),
        close: this.#price(symbolId, close),
        volume: lots(inside),
        pastCount: 0,
        closeTimeMs: nextOpenTime(interval, open, offsetMs) - 1,
        quoteVolume: quote(inside),
        count: inside.length,
        takerBuyBase: lots(bought),
        takerBuyQuote: quote(bought),
      });
    }
    return within(window, all, (row) => [0, row.openTimeMs]);
  }

  #market(symbolId: number): MarketView {
    return this.#engine.market(symbolId);
  }
  #price(symbolId: number, ticks: number): string {
    return fromScale(ticks, this.#market(symbolId).scale.priceDecimals);
  }
  #quantity(symbolId: number, lots: bigint): string {
    return formatDecimal(lots, this.#market(symbolId).scale.quantityDecimals);
  }
  #quote(symbolId: number, units: bigint): string {
    return this.#money(this.#market(symbolId).quoteAssetId, units);
  }
  #money(assetId: number, units: bigint): string {
    return formatDecimal(units, this.#engine.asset(assetId).spec.precision);
  }
}

/** Interface 1.11. */
function within<Row>(window: Window, all: Row[], placeOf: (row: Row) => [id: number, timeMs: number]): Row[] {
  const { fromId, startTimeMs, endTimeMs, limit } = window;
  if (fromId !== undefined) return all.filter((row) => placeOf(row)[0] >= fromId).slice(0, limit);
  const inside = all.filter((row) => {
    const [, timeMs] = placeOf(row);
    return timeMs >= (startTimeMs ?? Number.NEGATIVE_INFINITY) && timeMs <= (endTimeMs ?? Number.POSITIVE_INFINITY);
  });
  return startTimeMs !== undefined ? inside.slice(0, limit) : inside.slice(-limit);
}

export function withoutOf<Row extends Of>(row: Row): Omit<Row, keyof Of> {
  const { accountId: _, symbolId: __, ...rest } = row;
  return rest;
}

export function without<Row extends object, Key extends keyof Row>(row: Row, key: Key): Omit<Row, Key> {
  const copy: Partial<Row> = { ...row };
  delete copy[key];
  return copy as Omit<Row, Key>;
}
