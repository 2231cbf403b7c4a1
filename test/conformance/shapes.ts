/** Interface 2, field by field, with the fields that Interface S.19 adds. */
import { type Fields, type Shape, words } from "./shape.ts";

export const ORDER_STATUS = words(
  ...["NEW", "PARTIALLY_FILLED", "FILLED", "CANCELED", "REJECTED", "EXPIRED"],
  "EXPIRED_IN_MATCH",
);
const SIDE = words("BUY", "SELL");
const TIME_IN_FORCE = words("GTC", "IOC", "FOK");
const ORDER_TYPE = words(
  "LIMIT",
  "LIMIT_MAKER",
  "MARKET",
  "STOP_LOSS",
  "STOP_LOSS_LIMIT",
  "TAKE_PROFIT",
  "TAKE_PROFIT_LIMIT",
);

/** Fields of later versions, in every answer of an order but ACK. */
const LATER: Fields = {
  "selfTradePreventionMode?": "string",
  "strategyId?": "integer",
  "strategyType?": "integer",
  "trailingDelta?": "integer",
  "trailingTime?": "integer",
  "pegPriceType?": "string",
  "pegOffsetType?": "string",
  "pegOffsetValue?": "integer",
  "peggedPrice?": "decimal",
  "expiryReason?": "string",
  "preventedMatchId?": "integer",
  "preventedQuantity?": "decimal",
};

/** 2.2 */
export const ORDER: Fields = {
  ...LATER,
  "workingTime?": "integer",
  symbol: "string",
  orderId: "integer",
  orderListId: "integer",
  clientOrderId: "string",
  price: "decimal",
  origQty: "decimal",
  executedQty: "decimal",
  cummulativeQuoteQty: "decimal",
  status: ORDER_STATUS,
  timeInForce: TIME_IN_FORCE,
  type: ORDER_TYPE,
  side: SIDE,
  stopPrice: "decimal",
  icebergQty: "decimal",
  time: "time",
  updateTime: "time",
  isWorking: "boolean",
  commission: "decimal",
  commissionAsset: "string",
  origQuoteOrderQty: "decimal",
};

/** 2.3 */
export const ACK: Fields = {
  symbol: "string",
  orderId: "integer",
  orderListId: "integer",
  clientOrderId: "string",
  transactTime: "time",
};
const RESULT_ONLY: Fields = {
  ...LATER,
  price: "decimal",
  origQty: "decimal",
  executedQty: "decimal",
  cummulativeQuoteQty: "decimal",
  status: ORDER_STATUS,
  timeInForce: TIME_IN_FORCE,
  type: ORDER_TYPE,
  side: SIDE,
  // Interface 2.3: harmless beside the interface's own.
  "commission?": "decimal",
  "commissionAsset?": "string",
  "origQuoteOrderQty?": "decimal",
  "stopPrice?": "decimal",
  "icebergQty?": "decimal",
};
export const RESULT: Fields = { ...ACK, ...RESULT_ONLY, "workingTime?": "integer", "tradeGroupId?": "integer" };
const PREVENTED_MATCH = {
  preventedMatchId: "integer",
  makerSymbol: "string",
  makerOrderId: "integer",
  price: "decimal",
  "takerPreventedQuantity?": "decimal",
  "makerPreventedQuantity?": "decimal",
} as const satisfies Fields;
export const FULL: Fields = {
  ...RESULT,
  fills: [
    { price: "decimal", qty: "decimal", commission: "decimal", commissionAsset: "string", "tradeId?": "integer" },
  ],
  "preventedMatches?": [PREVENTED_MATCH],
};
export const PREVENTED_MATCHES = [
  {
    ...PREVENTED_MATCH,
    symbol: "string",
    takerOrderId: "integer",
    tradeGroupId: "integer",
    selfTradePreventionMode: "string",
    transactTime: "time",
  },
] as const satisfies Shape;
const { transactTime: _, ...IDENTITY } = ACK;
export const CANCEL: Fields = { ...IDENTITY, origClientOrderId: "string", ...RESULT_ONLY, "transactTime?": "time" };

/** 2.9 */
export const ORDER_LIST: Fields = {
  orderListId: "integer",
  contingencyType: words("OCO"),
  listStatusType: words("EXEC_STARTED", "ALL_DONE"),
  listOrderStatus: words("EXECUTING", "ALL_DONE"),
  listClientOrderId: "string",
  transactionTime: "time",
  symbol: "string",
  orders: [{ symbol: "string", orderId: "integer", clientOrderId: "string" }],
};
export const NEW_OCO: Fields = { ...ORDER_LIST, orderReports: [RESULT] };
/** Interface 4.3: the body that 2019 left open. */
export const CANCELED_OCO: Fields = { ...ORDER_LIST, orderReports: [CANCEL] };

/** 2.4 */
export const ACCOUNT: Fields = {
  makerCommission: "integer",
  takerCommission: "integer",
  buyerCommission: "integer",
  sellerCommission: "integer",
  canTrade: "boolean",
  canWithdraw: "boolean",
  canDeposit: "boolean",
  updateTime: "time",
  accountType: words("SPOT"),
  balances: [{ asset: "string", free: "decimal", locked: "decimal" }],
  "permissions?": ["string"],
  "commissionRates?": { maker: "decimal", taker: "decimal", buyer: "decimal", seller: "decimal" },
  "brokered?": "boolean",
  "requireSelfTradePrevention?": "boolean",
  "preventSor?": "boolean",
  "uid?": "integer",
  "tradeGroupId?": "integer",
};

/** 2.5 */
export const ACCOUNT_TRADE: Fields = {
  symbol: "string",
  id: "integer",
  orderId: "integer",
  orderListId: "integer",
  price: "decimal",
  qty: "decimal",
  quoteQty: "decimal",
  commission: "decimal",
  commissionAsset: "string",
  time: "time",
  isBuyer: "boolean",
  isMaker: "boolean",
  isBestMatch: "boolean",
};

/** 2.6 */
export const TRADE: Fields = {
  id: "integer",
  price: "decimal",
  qty: "decimal",
  quoteQty: "decimal",
  time: "time",
  isBuyerMaker: "boolean",
  isBestMatch: "boolean",
};
export const AGG_TRADE: Fields = {
  a: "integer",
  p: "decimal",
  q: "decimal",
  f: "integer",
  l: "integer",
  T: "time",
  m: "boolean",
  M: "boolean",
};
export const TICKER: Fields = {
  symbol: "string",
  priceChange: "decimal",
  priceChangePercent: "numeric",
  weightedAvgPrice: "decimal",
  prevClosePrice: "decimal",
  lastPrice: "decimal",
  lastQty: "decimal",
  bidPrice: "decimal",
  bidQty: "decimal",
  askPrice: "decimal",
  askQty: "decimal",
  openPrice: "decimal",
  highPrice: "decimal",
  lowPrice: "decimal",
  volume: "decimal",
  quoteVolume: "decimal",
  openTime: "time",
  closeTime: "time",
  firstId: "integer",
  lastId: "integer",
  count: "integer",
};
export const PRICE_TICKER: Fields = { symbol: "string", price: "decimal" };
export const BOOK_TICKER: Fields = {
  symbol: "string",
  bidPrice: "decimal",
  bidQty: "decimal",
  askPrice: "decimal",
  askQty: "decimal",
};

/** 2.7, with what later clients read. */
export const EXCHANGE_INFO: Fields = {
  timezone: words("UTC"),
  serverTime: "time",
  rateLimits: [
    {
      rateLimitType: words("REQUEST_WEIGHT", "ORDERS", "RAW_REQUESTS"),
      interval: words("SECOND", "MINUTE", "DAY"),
      intervalNum: "integer",
      limit: "integer",
    },
  ],
  exchangeFilters: ["any"],
  symbols: [
    {
      symbol: "string",
      status: words(
        "PRE_TRADING",
        "TRADING",
        "POST_TRADING",
        "END_OF_DAY",
        "HALT",
        "AUCTION_MATCH",
        "BREAK",
        "CANCEL_ONLY",
      ),
      baseAsset: "string",
      baseAssetPrecision: "integer",
      quoteAsset: "string",
      quotePrecision: "integer",
      orderTypes: [ORDER_TYPE],
      icebergAllowed: "boolean",
      ocoAllowed: "boolean",
      isSpotTradingAllowed: "boolean",
      isMarginTradingAllowed: "boolean",
      filters: ["any"],
      "quoteAssetPrecision?": "integer",
      "baseCommissionPrecision?": "integer",
      "quoteCommissionPrecision?": "integer",
      "quoteOrderQtyMarketAllowed?": "boolean",
      "permissions?": ["string"],
      "permissionSets?": [["string"]],
      "otoAllowed?": "boolean",
      "opoAllowed?": "boolean",
      "allowTrailingStop?": "boolean",
      "cancelReplaceAllowed?": "boolean",
      "amendAllowed?": "boolean",
      "pegInstructionsAllowed?": "boolean",
      "defaultSelfTradePreventionMode?": "string",
      "allowedSelfTradePreventionModes?": ["string"],
      "delistTime?": "time",
    },
  ],
};

/** 2.8: the fields of each filter. */
export const FILTERS: Readonly<Record<string, Fields>> = {
  PRICE_FILTER: { minPrice: "decimal", maxPrice: "decimal", tickSize: "decimal" },
  PERCENT_PRICE: { multiplierUp: "numeric", multiplierDown: "numeric", avgPriceMins: "integer" },
  LOT_SIZE: { minQty: "decimal", maxQty: "decimal", stepSize: "decimal" },
  TRAILING_DELTA: {
    minTrailingAboveDelta: "integer",
    maxTrailingAboveDelta: "integer",
    minTrailingBelowDelta: "integer",
    maxTrailingBelowDelta: "integer",
  },
  PERCENT_PRICE_BY_SIDE: {
    ...{ bidMultiplierUp: "numeric", bidMultiplierDown: "numeric" },
    ...{ askMultiplierUp: "numeric", askMultiplierDown: "numeric", avgPriceMins: "integer" },
  },
  MIN_NOTIONAL: { minNotional: "decimal", applyToMarket: "boolean", avgPriceMins: "integer" },
  NOTIONAL: {
    ...{ minNotional: "decimal", applyMinToMarket: "boolean", maxNotional: "decimal", applyMaxToMarket: "boolean" },
    avgPriceMins: "integer",
  },
  MAX_POSITION: { maxPosition: "decimal" },
  MAX_NUM_ORDER_LISTS: { maxNumOrderLists: "integer" },
  ICEBERG_PARTS: { limit: "integer" },
  MARKET_LOT_SIZE: { minQty: "decimal", maxQty: "decimal", stepSize: "decimal" },
  MAX_NUM_ORDERS: { limit: "integer", "maxNumOrders?": "integer" },
  MAX_NUM_ALGO_ORDERS: { maxNumAlgoOrders: "integer" },
  MAX_NUM_ICEBERG_ORDERS: { maxNumIcebergOrders: "integer" },
  MAX_NUM_ORDER_AMENDS: { maxNumOrderAmends: "integer" },
  EXCHANGE_MAX_NUM_ORDERS: { maxNumOrders: "integer" },
  EXCHANGE_MAX_NUM_ALGO_ORDERS: { maxNumAlgoOrders: "integer" },
};

/** 7.2 */
export const ERROR: Fields = { code: "integer", msg: "string" };
