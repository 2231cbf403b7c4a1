/** Filters of today's interface, each with values with which an order fails it. */
import type { Parameters } from "@pricetime/testkit/client";

export interface FilterRow {
  readonly filterType: string;
  /** The fields as exchangeInfo shows them. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields that only this exchange shows. */
  readonly added?: string;
  /** Requests of which the last one fails; the others succeed. The text is that of the filter. */
  readonly requests?: readonly (readonly [request: string, parameters: Parameters])[];
  readonly isOfExchange?: boolean;
  readonly isMissing?: string;
}

/** The filters that every symbol has. */
export const STEPS = {
  priceFilter: { minPrice: "0.01", maxPrice: "1000000", tickSize: "0.01" },
  lotSize: { minQty: "0.0001", maxQty: "90000", stepSize: "0.0001" },
};
/** The symbol that gets the filters; nothing has traded on it. */
export const FILTERED = "ETHUSDT";
const order = { symbol: FILTERED, side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "1", price: "2000" };
const place = (more: Parameters = {}): [string, Parameters] => ["POST order", { ...order, ...more }];
const stop = { type: "STOP_LOSS_LIMIT", stopPrice: "2100" };
const list: [string, Parameters] = [
  "POST orderList/oco",
  {
    ...{ symbol: FILTERED, side: "SELL", quantity: "1", aboveType: "LIMIT_MAKER", abovePrice: "2200" },
    ...{ belowType: "STOP_LOSS", belowStopPrice: "1900" },
  },
];
const amendments = ["0.9", "0.8"].map((newQty): [string, Parameters] => [
  "PUT order/amend/keepPriority",
  { symbol: FILTERED, origClientOrderId: "amended", newClientOrderId: "amended", newQty },
]);

export const FILTER_ROWS: readonly FilterRow[] = [
  {
    filterType: "PRICE_FILTER",
    fields: { minPrice: "0.01000000", maxPrice: "1000000.00000000", tickSize: "0.01000000" },
    requests: [place({ price: "2000.001" })],
  },
  {
    filterType: "PERCENT_PRICE",
    fields: { multiplierUp: "1.5", multiplierDown: "0.9", avgPriceMins: 5 },
    requests: [place({ price: "1000" })],
  },
  {
    filterType: "PERCENT_PRICE_BY_SIDE",
    fields: {
      ...{ bidMultiplierUp: "1.5", bidMultiplierDown: "0.9", askMultiplierUp: "1.5", askMultiplierDown: "0.9" },
      avgPriceMins: 5,
    },
    requests: [place({ price: "1000" })],
  },
  {
    filterType: "LOT_SIZE",
    fields: { minQty: "0.00030000", maxQty: "90000.00000000", stepSize: "0.00020000" },
    requests: [place({ quantity: "1.0004" }), place({ quantity: "1.0005" })],
  },
  {
    filterType: "MIN_NOTIONAL",
    fields: { minNotional: "10.00000000", applyToMarket: true, avgPriceMins: 5 },
    requests: [place({ quantity: "0.001" })],
  },
  {
    filterType: "NOTIONAL",
    fields: {
      ...{ minNotional: "5.00000000", applyMinToMarket: true, maxNotional: "9000.00000000", applyMaxToMarket: false },
      avgPriceMins: 5,
    },
    requests: [place({ quantity: "5" })],
  },
  { filterType: "ICEBERG_PARTS", fields: { limit: 10 }, requests: [place({ icebergQty: "0.01" })] },
  {
    filterType: "MARKET_LOT_SIZE",
    fields: { minQty: "0.10000000", maxQty: "20000.00000000", stepSize: "0.10000000" },
    requests: [["POST order", { symbol: FILTERED, side: "BUY", type: "MARKET", quantity: "0.01" }]],
  },
  {
    filterType: "MAX_POSITION",
    fields: { maxPosition: "0.50000000" },
    requests: [place()],
  },
  {
    filterType: "TRAILING_DELTA",
    fields: {
      ...{ minTrailingAboveDelta: 10, maxTrailingAboveDelta: 2000 },
      ...{ minTrailingBelowDelta: 10, maxTrailingBelowDelta: 2000 },
    },
    requests: [place({ type: "STOP_LOSS_LIMIT", trailingDelta: "9" })],
  },
  {
    ...{ filterType: "MAX_NUM_ORDERS", fields: { maxNumOrders: 1 }, added: "limit" },
    requests: [place(), place()],
  },
  {
    ...{ filterType: "MAX_NUM_ALGO_ORDERS", fields: { maxNumAlgoOrders: 1 } },
    requests: [place(stop), place(stop)],
  },
  {
    ...{ filterType: "MAX_NUM_ICEBERG_ORDERS", fields: { maxNumIcebergOrders: 1 } },
    requests: [place({ icebergQty: "0.5" }), place({ icebergQty: "0.5" })],
  },
  {
    ...{ filterType: "MAX_NUM_ORDER_LISTS", fields: { maxNumOrderLists: 1 } },
    requests: [list, list],
  },
  {
    ...{ filterType: "MAX_NUM_ORDER_AMENDS", fields: { maxNumOrderAmends: 1 } },
    requests: [place({ newClientOrderId: "amended" }), ...amendments],
  },
  {
    ...{ filterType: "EXCHANGE_MAX_NUM_ORDERS", fields: { maxNumOrders: 1 }, isOfExchange: true },
    requests: [place(), place()],
  },
  {
    ...{ filterType: "EXCHANGE_MAX_NUM_ALGO_ORDERS", fields: { maxNumAlgoOrders: 1 }, isOfExchange: true },
    requests: [place(stop), place(stop)],
  },
  {
    ...{ filterType: "EXCHANGE_MAX_NUM_ICEBERG_ORDERS", fields: { maxNumIcebergOrders: 1 }, isOfExchange: true },
    requests: [place({ icebergQty: "0.5" }), place({ icebergQty: "0.5" })],
  },
  {
    ...{ filterType: "EXCHANGE_MAX_NUM_ORDER_LISTS", fields: { maxNumOrderLists: 1 }, isOfExchange: true },
    requests: [list, list],
  },
  { filterType: "MAX_ASSET", fields: { asset: "ABC", limit: "1" }, isMissing: "accounts have no limit on an order" },
  { filterType: "T_PLUS_SELL", fields: { endTime: 0 }, isMissing: "only Binance's SBE schema has it" },
];
