/**
 * Example answers for orders, order lists and the account, recorded from a demo. Lists are shortened; types are those
 * of every answer.
 */
import type { Examples } from "../endpoints.ts";

const AMOUNTS = {
  price: "20000.00000000",
  origQty: "0.01000000",
  executedQty: "0.00000000",
  cummulativeQuoteQty: "0.00000000",
} as const;
const LIMIT = { timeInForce: "GTC", type: "LIMIT", side: "BUY" } as const;
const NO_PREVENTION = { selfTradePreventionMode: "NONE" } as const;
/** An order as queries return it. */
const ORDER = {
  symbol: "BTCUSDT",
  orderId: 874,
  orderListId: -1,
  clientOrderId: "my-order-1",
  ...AMOUNTS,
  status: "NEW",
  ...LIMIT,
  stopPrice: "0.00000000",
  icebergQty: "0.00000000",
  time: 1795342366865,
  updateTime: 1795342366865,
  isWorking: true,
  workingTime: 1795342366865,
  origQuoteOrderQty: "0.00000000",
  ...NO_PREVENTION,
  commission: "0.00000000",
  commissionAsset: "BTC",
} as const;
/** An order that waits, and follows the price. */
const TRAILING = {
  ...ORDER,
  orderId: 875,
  clientOrderId: "my-order-2",
  type: "STOP_LOSS_LIMIT",
  price: "19500.00000000",
  isWorking: false,
  workingTime: -1,
  trailingDelta: 100,
  trailingTime: 1795342366866,
} as const;
/** An order at the second price of the book. */
const PEGGED = {
  ...ORDER,
  orderId: 885,
  clientOrderId: "my-order-3",
  price: "0.00000000",
  pegPriceType: "PRIMARY_PEG",
  pegOffsetType: "PRICE_LEVEL",
  pegOffsetValue: 1,
  peggedPrice: "19999.50000000",
} as const;
const PLACED = {
  symbol: "BTCUSDT",
  orderId: 876,
  orderListId: -1,
  clientOrderId: "0VbhBbhZPrjxOVA2bYhoWh",
  transactTime: 1795342366874,
  ...AMOUNTS,
  origQuoteOrderQty: "0.00000000",
  status: "NEW",
  ...LIMIT,
  ...NO_PREVENTION,
  workingTime: 1795342366874,
} as const;
const { symbol, workingTime: _, ...placed } = PLACED;
const CANCELED = {
  symbol,
  origClientOrderId: "my-order-1",
  ...placed,
  orderId: 874,
  clientOrderId: "0VbhBbhVm5kf30RrpTzU9K",
  transactTime: 1795342366869,
  status: "CANCELED",
} as const;

// Two order lists that sell, each with a stop leg and a limit leg.

const STOP_LEG = { symbol: "BTCUSDT", orderId: 877, clientOrderId: "0VbhBbhfQpolGZA3DWOhgh" } as const;
const LIMIT_LEG = { symbol: "BTCUSDT", orderId: 878, clientOrderId: "0VbhBbhfcpFmprygiyyXQB" } as const;
const LIST = {
  orderListId: 1,
  contingencyType: "OCO",
  listStatusType: "EXEC_STARTED",
  listOrderStatus: "EXECUTING",
  listClientOrderId: "0VbhBbhfHkELRQwjtdmRzj",
  transactionTime: 1795342366879,
  symbol: "BTCUSDT",
  orders: [STOP_LEG, LIMIT_LEG],
} as const;
const OTHER_STOP_LEG = { symbol: "BTCUSDT", orderId: 879, clientOrderId: "0VbhBbhnyZO7KLLE6x6trQ" } as const;
const OTHER_LIMIT_LEG = { symbol: "BTCUSDT", orderId: 880, clientOrderId: "0VbhBbhnPWPiVwu3z1tTrA" } as const;
const OTHER_LIST = {
  ...LIST,
  orderListId: 2,
  listClientOrderId: "0VbhBbhnCQUzNosh36M0G6",
  transactionTime: 1795342366887,
  orders: [OTHER_STOP_LEG, OTHER_LIMIT_LEG],
} as const;
const ENDED = { listStatusType: "ALL_DONE", listOrderStatus: "ALL_DONE" } as const;
const UNPAID = { commission: "0.00000000", commissionAsset: "USDT" } as const;
const STOP_LIMIT = {
  price: "39000.00000000",
  type: "STOP_LOSS_LIMIT",
  side: "SELL",
  stopPrice: "40000.00000000",
} as const;
const STOP = { price: "0.00000000", type: "STOP_LOSS", side: "SELL", stopPrice: "40000.00000000" } as const;
const MAKER = { price: "90000.00000000", type: "LIMIT_MAKER", side: "SELL" } as const;

const PLACED_LEG = { ...PLACED, orderListId: 1, transactTime: 1795342366879 } as const;
const OTHER_PLACED_LEG = { ...PLACED, orderListId: 2, transactTime: 1795342366887 } as const;
const CANCELED_LEG = {
  ...CANCELED,
  orderListId: 1,
  clientOrderId: "0VbhBbhlNotpKrUAAkoDOK",
  transactTime: 1795342366885,
} as const;

// A list with a working order that buys, and pending orders that sell when it is filled.

const WORKING_ORDER = { symbol: "BTCUSDT", orderId: 881, clientOrderId: "my-entry" } as const;
const PENDING_ORDER = { symbol: "BTCUSDT", orderId: 882, clientOrderId: "my-exit" } as const;
const PENDING_LIMIT_LEG = { symbol: "BTCUSDT", orderId: 883, clientOrderId: "my-profit" } as const;
const OTO = {
  ...LIST,
  orderListId: 3,
  contingencyType: "OTO",
  listClientOrderId: "my-list",
  transactionTime: 1795342366895,
} as const;
const WORKING = {
  ...PLACED,
  orderListId: 3,
  transactTime: 1795342366895,
  workingTime: 1795342366895,
  commission: "0.00000000",
  commissionAsset: "BTC",
} as const;
const PENDING = { ...WORKING, ...UNPAID, status: "PENDING_NEW", workingTime: -1 } as const;
const { origQty: _unknown, ...PENDING_OPO } = PENDING;

const NO_RATES = { maker: "0.00000000", taker: "0.00000000", buyer: "0.00000000", seller: "0.00000000" } as const;
const RATES = { ...NO_RATES, maker: "0.00100000", taker: "0.00100000" } as const;

export const TRADING_EXAMPLES = {
  "order.place": {
    ...PLACED,
    orderId: 873,
    clientOrderId: "0VbhBbhMGSkDPSDeKRTl0L",
    transactTime: 1795342366860,
    price: "0.00000000",
    executedQty: "0.01000000",
    cummulativeQuoteQty: "599.97080000",
    status: "FILLED",
    type: "MARKET",
    commission: "0.00001000",
    commissionAsset: "BTC",
    fills: [
      {
        price: "59997.08000000",
        qty: "0.01000000",
        commission: "0.00001000",
        commissionAsset: "BTC",
        tradeId: 6,
      },
    ],
  },
  "order.test": {},
  "order.status": ORDER,
  "order.cancel": CANCELED,
  "order.cancelReplace": {
    cancelResult: "SUCCESS",
    newOrderResult: "SUCCESS",
    cancelResponse: {
      ...CANCELED,
      origClientOrderId: "0VbhBbhXrDQUROoXDSQi2K",
      orderId: 875,
      clientOrderId: "0VbhBbhZWSMgJgNwiamukV",
      transactTime: 1795342366874,
    },
    newOrderResponse: {
      ...PLACED,
      price: "21000.00000000",
      commission: "0.00000000",
      commissionAsset: "BTC",
      fills: [],
    },
  },
  "order.amend.keepPriority": {
    transactTime: 1795342366875,
    executionId: 5240,
    amendedOrder: {
      symbol,
      orderId: 874,
      orderListId: -1,
      origClientOrderId: "my-order-1",
      clientOrderId: "0VbhBbhbFNZfaoqmgkEjwG",
      price: "20000.00000000",
      qty: "0.50000000",
      executedQty: "0.00000000",
      preventedQty: "0.00000000",
      quoteOrderQty: "0.00000000",
      cumulativeQuoteQty: "0.00000000",
      status: "NEW",
      timeInForce: "GTC",
      type: "LIMIT",
      side: "BUY",
      workingTime: 1795342366865,
      selfTradePreventionMode: "NONE",
    },
  },
  "order.amendments": [
    {
      symbol,
      orderId: 874,
      executionId: 5240,
      origClientOrderId: "my-order-1",
      newClientOrderId: "0VbhBbhbFNZfaoqmgkEjwG",
      origQty: "1.00000000",
      newQty: "0.50000000",
      time: 1795342366875,
    },
  ],
  "openOrders.status": [ORDER, TRAILING, PEGGED],
  "openOrders.cancelAll": [
    {
      ...CANCELED,
      origClientOrderId: "0VbhBbhZPrjxOVA2bYhoWh",
      orderId: 876,
      clientOrderId: "0VbhBbhc6NMtccQkrwZKFR",
      transactTime: 1795342366876,
      price: "21000.00000000",
    },
  ],
  allOrders: [
    {
      ...ORDER,
      ...OTHER_LIMIT_LEG,
      ...MAKER,
      ...UNPAID,
      orderListId: 2,
      status: "CANCELED",
      time: 1795342366887,
      updateTime: 1795342366890,
    },
  ],
  "orderList.place": {
    ...LIST,
    orderReports: [
      { ...PLACED_LEG, ...STOP_LEG, ...STOP_LIMIT, ...UNPAID },
      { ...PLACED_LEG, ...LIMIT_LEG, ...MAKER, ...UNPAID },
    ],
  },
  "orderList.place.oco": {
    ...OTHER_LIST,
    orderReports: [
      { ...OTHER_PLACED_LEG, ...OTHER_STOP_LEG, ...STOP, ...UNPAID },
      { ...OTHER_PLACED_LEG, ...OTHER_LIMIT_LEG, ...MAKER, ...UNPAID },
    ],
  },
  "orderList.place.oto": {
    ...OTO,
    orders: [WORKING_ORDER, PENDING_ORDER],
    orderReports: [
      { ...WORKING, ...WORKING_ORDER },
      { ...PENDING, ...PENDING_ORDER, ...MAKER },
    ],
  },
  "orderList.place.otoco": {
    ...OTO,
    orders: [WORKING_ORDER, PENDING_ORDER, PENDING_LIMIT_LEG],
    orderReports: [
      { ...WORKING, ...WORKING_ORDER },
      { ...PENDING, ...PENDING_ORDER, ...STOP },
      { ...PENDING, ...PENDING_LIMIT_LEG, ...MAKER },
    ],
  },
  "orderList.place.opo": {
    ...OTO,
    orders: [WORKING_ORDER, PENDING_ORDER],
    orderReports: [
      { ...WORKING, ...WORKING_ORDER },
      { ...PENDING_OPO, ...PENDING_ORDER, ...MAKER },
    ],
  },
  "orderList.place.opoco": {
    ...OTO,
    orders: [WORKING_ORDER, PENDING_ORDER, PENDING_LIMIT_LEG],
    orderReports: [
      { ...WORKING, ...WORKING_ORDER },
      { ...PENDING_OPO, ...PENDING_ORDER, ...STOP },
      { ...PENDING_OPO, ...PENDING_LIMIT_LEG, ...MAKER },
    ],
  },
  "orderList.cancel": {
    ...LIST,
    ...ENDED,
    transactionTime: 1795342366885,
    orderReports: [
      { ...CANCELED_LEG, ...STOP_LIMIT, origClientOrderId: STOP_LEG.clientOrderId, orderId: STOP_LEG.orderId },
      { ...CANCELED_LEG, ...MAKER, origClientOrderId: LIMIT_LEG.clientOrderId, orderId: LIMIT_LEG.orderId },
    ],
  },
  "orderList.status": LIST,
  allOrderLists: [{ ...OTHER_LIST, ...ENDED }],
  "openOrderLists.status": [LIST],
  "account.status": {
    makerCommission: 10,
    takerCommission: 10,
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: RATES,
    canTrade: true,
    canWithdraw: true,
    canDeposit: true,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: 1795342366890,
    accountType: "SPOT",
    balances: [
      {
        asset: "USDT",
        free: "99999400.02920000",
        locked: "0.00000000",
      },
    ],
    permissions: ["SPOT"],
    uid: 101,
  },
  "account.rateLimits.orders": [
    { rateLimitType: "ORDERS", interval: "SECOND", intervalNum: 1, limit: 10, count: 3 },
    { rateLimitType: "ORDERS", interval: "DAY", intervalNum: 1, limit: 100000, count: 17 },
  ],
  myFilters: {
    exchangeFilters: [{ filterType: "EXCHANGE_MAX_NUM_ORDERS", maxNumOrders: 1000 }],
    symbolFilters: [{ filterType: "MAX_NUM_ORDER_LISTS", maxNumOrderLists: 20 }],
    assetFilters: [],
  },
  "account.commission": {
    symbol: "BTCUSDT",
    standardCommission: RATES,
    specialCommission: NO_RATES,
    taxCommission: NO_RATES,
    discount: { enabledForAccount: false, enabledForSymbol: false, discountAsset: null, discount: "0.00000000" },
  },
  myTrades: [
    {
      symbol: "BTCUSDT",
      id: 6,
      orderId: 873,
      orderListId: -1,
      price: "59997.08000000",
      qty: "0.01000000",
      quoteQty: "599.97080000",
      commission: "0.00001000",
      commissionAsset: "BTC",
      time: 1795342366860,
      isBuyer: true,
      isMaker: false,
      isBestMatch: true,
    },
  ],
  myPreventedMatches: [
    {
      symbol: "BTCUSDT",
      preventedMatchId: 0,
      takerOrderId: 875,
      makerSymbol: "BTCUSDT",
      makerOrderId: 874,
      price: "59997.08000000",
      takerPreventedQuantity: "0.01000000",
      makerPreventedQuantity: "0.01000000",
      tradeGroupId: -1,
      selfTradePreventionMode: "DECREMENT",
      transactTime: 1795342366890,
    },
  ],
  "userDataStream.start": {
    listenKey: "i7HkKYtKIQCH0hr0srjjYoqThWec5M3vTo6HWFVDpD6HxqeNRpyOqjSPIZDI4ioL",
  },
  "userDataStream.ping": {},
  "userDataStream.stop": {},
  "session.status": {
    apiKey: "PricetimeDemoKeyOfAliceKnownToEverybody0000000000000000000000000",
    authorizedSince: 1795342366900,
    connectedSince: 1795342366899,
    returnRateLimits: true,
    serverTime: 1795342366901,
    userDataStream: false,
  },
} as const satisfies Examples;
