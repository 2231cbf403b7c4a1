/**
 * Rows of history in the form of the interface, and pages of them as JSON: orders, order lists, trades, klines,
 * balances. Interface 2.2, 2.5, 2.6, 2.9, 4.1, 4.6.
 */
import type {
  AccountTrade,
  AggregateTrade,
  Answer,
  Kline,
  OrderListRecord,
  OrderRecord,
  PublicTrade,
} from "@pricetime/protocol";
import type { AccountTradeRow, AggTradeRow, KlineRow, OrderListRow, OrderRow, SnapshotRow, TradeRow } from "./rows.ts";
import { formatDecimal, parseDecimal, WIRE_PLACES } from "@pricetime/engine";

/** Looks up the interface's names for the numbers in rows. */
export interface Names {
  symbol(symbolId: number): string;
  asset(assetId: number): string;
}

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

export function orderListShape(names: Names, row: OrderListRow): OrderListRecord {
  const symbol = names.symbol(row.symbolId);
  return {
    orderListId: row.orderListId,
    contingencyType: "OCO",
    listStatusType: row.listOrderStatus === "EXECUTING" ? "EXEC_STARTED" : "ALL_DONE",
    listOrderStatus: row.listOrderStatus,
    listClientOrderId: row.listClientOrderId,
    transactionTime: row.timeMs,
    symbol,
    orders: row.orders.map(({ orderId, clientOrderId }) => ({ symbol, orderId, clientOrderId })),
  };
}

/** The page as JSON. */
export function orderListPage(names: Names, rows: readonly OrderListRow[]): string {
  return JSON.stringify(rows.map((row) => orderListShape(names, row)));
}

/** All rows are of `symbolId`. */
export function accountTradePage(names: Names, symbolId: number, rows: readonly AccountTradeRow[]): string {
  const symbol = names.symbol(symbolId);
  const shape = (row: AccountTradeRow): AccountTrade => ({
    symbol,
    id: row.tradeId,
    orderId: row.orderId,
    orderListId: row.orderListId,
    price: row.price,
    qty: row.qty,
    quoteQty: row.quoteQty,
    commission: row.commission,
    commissionAsset: names.asset(row.commissionAssetId),
    time: row.timeMs,
    isBuyer: row.isBuyer,
    isMaker: row.isMaker,
    isBestMatch: true,
  });
  return JSON.stringify(rows.map(shape));
}

export function tradePage(rows: readonly TradeRow[]): string {
  const shape = (row: TradeRow): PublicTrade => ({
    id: row.tradeId,
    price: row.price,
    qty: row.qty,
    quoteQty: row.quoteQty,
    time: row.timeMs,
    isBuyerMaker: row.isBuyerMaker,
    isBestMatch: true,
  });
  return JSON.stringify(rows.map(shape));
}

export function aggTradePage(rows: readonly AggTradeRow[]): string {
  const shape = (row: AggTradeRow): AggregateTrade => ({
    a: row.aggTradeId,
    p: row.price,
    q: row.qty,
    f: row.firstTradeId,
    l: row.lastTradeId,
    T: row.timeMs,
    m: row.isBuyerMaker,
    M: true,
  });
  return JSON.stringify(rows.map(shape));
}

export function klinePage(rows: readonly KlineRow[]): string {
  const shape = (row: KlineRow): Kline => [
    row.openTimeMs,
    row.open,
    row.high,
    row.low,
    row.close,
    row.volume,
    row.closeTimeMs,
    row.quoteVolume,
    row.count,
    row.takerBuyBase,
    row.takerBuyQuote,
    "0",
  ];
  return JSON.stringify(rows.map(shape));
}

type DaySnapshot = Answer<"wallet.snapshots">["snapshotVos"][number];

export function snapshotPage(names: Names, rows: readonly SnapshotRow[]): string {
  const shape = ({ timeMs, balances, total }: SnapshotRow): DaySnapshot => ({
    type: "spot",
    updateTime: timeMs,
    data: {
      balances: balances.map(({ assetId, free, locked }) => ({ asset: names.asset(assetId), free, locked })),
      totalAssetOfBtc: total,
    },
  });
  return JSON.stringify(rows.map(shape));
}

// Candles of before a symbol's first trade may be finer than its units, so a candle that holds some of them and trades
// as well is added up here: exactly, whatever the units of both.

export type KlineDecimals = Pick<
  KlineRow,
  "open" | "high" | "low" | "close" | "volume" | "quoteVolume" | "takerBuyBase" | "takerBuyQuote"
>;

const NOTHING = formatDecimal(0n, WIRE_PLACES);

/** The sum of two candles of one interval; copies no other fields. */
export function addKlineDecimals(earlier: KlineDecimals, later: KlineDecimals): KlineDecimals {
  return {
    open: earlier.open,
    high: unitsOf(later.high) > unitsOf(earlier.high) ? later.high : earlier.high,
    low: unitsOf(later.low) < unitsOf(earlier.low) ? later.low : earlier.low,
    close: later.close,
    volume: sum(earlier.volume, later.volume),
    quoteVolume: sum(earlier.quoteVolume, later.quoteVolume),
    takerBuyBase: sum(earlier.takerBuyBase, later.takerBuyBase),
    takerBuyQuote: sum(earlier.takerBuyQuote, later.takerBuyQuote),
  };
}

/** A candle without a trade: it repeats the price of the one before. */
export function quietKlineDecimals(price: string): KlineDecimals {
  const amounts = { volume: NOTHING, quoteVolume: NOTHING, takerBuyBase: NOTHING, takerBuyQuote: NOTHING };
  return { open: price, high: price, low: price, close: price, ...amounts };
}

function sum(a: string, b: string): string {
  return formatDecimal(unitsOf(a) + unitsOf(b), WIRE_PLACES);
}

/** Throws on what no history gives: a text that is no decimal of the wire. */
function unitsOf(text: string): bigint {
  const units = parseDecimal(text, WIRE_PLACES);
  if (units === null) throw new TypeError(`history gave an amount that is none: ${text}`);
  return units;
}
