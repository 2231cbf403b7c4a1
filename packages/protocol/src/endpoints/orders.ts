/**
 * Orders and order lists. Interface 4.2, 4.3; DELETE openOrders, `quoteOrderQty`, cancelReplace and the lists
 * below `orderList` serve later clients (Interface 9.3).
 */
import type { Endpoint, Parameter } from "../endpoint.ts";
import {
  CANCEL_REPLACE_MODES,
  CANCEL_RESTRICTIONS,
  ORDER_LIMIT_EXCEEDED_MODES,
  ORDER_TYPES,
  PEG_OFFSET_TYPES,
  PEG_PRICE_TYPES,
  RESPONSE_TYPES,
  SIDES,
  TIMES_IN_FORCE,
} from "../shapes/enums.ts";
import {
  bySymbol,
  END_TIME,
  FROM_ID,
  LIMIT,
  LIST_CLIENT_ORDER_ID,
  NEW_CLIENT_ORDER_ID,
  optional,
  OPTIONAL_SYMBOL,
  ORDER_ID,
  ORDER_LIST_ID,
  ORIG_CLIENT_ORDER_ID,
  required,
  SELF_TRADE_PREVENTION_MODE,
  START_TIME,
  SYMBOL,
} from "./parameters.ts";
import { LEG_TYPES, nameOf, WORKING_TYPES } from "../order-types.ts";

/** Numbers that the client chooses, which its orders and their reports return. `prefix` names the leg of a list. */
function strategy(prefix: string): Parameter[] {
  return [
    optional(nameOf(prefix, "strategyId"), "integer", { least: 0, note: "The client's number of its strategy." }),
    optional(nameOf(prefix, "strategyType"), "integer", {
      least: 1_000_000,
      wrongWord: -1134,
      note: "The client's kind of strategy, at least 1000000.",
    }),
  ];
}

/** The distance of a trailing stop from the price. `prefix` names the leg of a list. */
function trailing(prefix = ""): Parameter {
  return optional(nameOf(prefix, "trailingDelta"), "integer", {
    least: 1,
    note: "Makes a stop order follow the price, at this distance in basis points. stopPrice is then optional.",
  });
}

/** The price of the book that a pegged order takes. `prefix` names the leg of a list. */
function pegged(prefix = ""): Parameter[] {
  return [
    optional(nameOf(prefix, "pegPriceType"), "enum", {
      words: PEG_PRICE_TYPES,
      wrongWord: -1210,
      note: "Takes the price from the book: the best of the order's own side, or of the other side. price is then optional.",
    }),
    optional(nameOf(prefix, "pegOffsetType"), "enum", {
      words: PEG_OFFSET_TYPES,
      wrongWord: -1211,
      note: "What the offset counts. Sent together with its value.",
    }),
    optional(nameOf(prefix, "pegOffsetValue"), "integer", {
      least: 1,
      max: 100,
      note: "1 to 100: how many levels behind the best price.",
    }),
  ];
}

/** `type` determines which other parameters are required: see `order-request.ts`. */
const PLACE: readonly Parameter[] = [
  SYMBOL,
  required("side", "enum", { words: SIDES, wrongWord: -1117 }),
  required("type", "enum", { words: ORDER_TYPES, wrongWord: -1116 }),
  optional("timeInForce", "enum", { words: TIMES_IN_FORCE, wrongWord: -1115, conditional: true }),
  optional("quantity", "decimal", {
    conditional: true,
    note: "Required, except for a MARKET order with quoteOrderQty.",
  }),
  optional("quoteOrderQty", "decimal", {
    conditional: true,
    note: "MARKET only: the amount of the quote asset to spend or to receive.",
  }),
  optional("price", "decimal", { conditional: true }),
  ...pegged(),
  NEW_CLIENT_ORDER_ID,
  optional("stopPrice", "decimal", { conditional: true }),
  trailing(),
  optional("icebergQty", "decimal"),
  optional("newOrderRespType", "enum", {
    words: RESPONSE_TYPES,
    wrongWord: -1136,
    note: "Default FULL for MARKET and LIMIT, ACK for the others.",
  }),
  SELF_TRADE_PREVENTION_MODE,
  ...strategy(""),
];

const TEST: readonly Parameter[] = [
  ...PLACE,
  optional("computeCommissionRates", "boolean", { note: "true: returns the rates that the order would pay." }),
];

const CANCEL_RESTRICTIONS_PARAMETER = optional("cancelRestrictions", "enum", {
  words: CANCEL_RESTRICTIONS,
  wrongWord: -1145,
  note: "Cancels the order only if it has this status: NEW, or PARTIALLY_FILLED. Otherwise -2011.",
});

const CANCEL_AND_PLACE: readonly Parameter[] = [
  ...PLACE,
  required("cancelReplaceMode", "enum", {
    words: CANCEL_REPLACE_MODES,
    note: "Whether the new order is placed if the cancel is rejected.",
  }),
  optional("cancelOrderId", "integer"),
  optional("cancelOrigClientOrderId", "clientOrderId"),
  optional("cancelNewClientOrderId", "clientOrderId", { note: "The id of the cancel. Generated when absent." }),
  CANCEL_RESTRICTIONS_PARAMETER,
  optional("orderRateLimitExceededMode", "enum", {
    words: ORDER_LIMIT_EXCEEDED_MODES,
    note: "What happens if the new order exceeds a limit of orders. Default DO_NOTHING.",
  }),
];

const NEW_QUANTITY = required("newQty", "decimal", {
  note: "Less than the present quantity. Includes what was executed.",
});
const FROM_EXECUTION_ID = optional("fromExecutionId", "integer", { note: "Inclusive." });

const READ = { method: "GET", family: "api", security: "USER_DATA", weight: 1 } as const;
const POST_TRADE = { method: "POST", family: "api", security: "TRADE", weight: 1 } as const;
const PUT_TRADE = { method: "PUT", family: "api", security: "TRADE", weight: 4 } as const;
const DELETE_TRADE = { method: "DELETE", family: "api", security: "TRADE", weight: 1 } as const;

export const ORDERS = [
  {
    ...POST_TRADE,
    id: "order.place",
    paths: ["/api/v3/order"],
    parameters: PLACE,
    summary: "Places an order.",
  },
  {
    ...POST_TRADE,
    id: "order.test",
    paths: ["/api/v3/order/test"],
    parameters: TEST,
    summary: "Checks an order without placing it; funds are not checked.",
  },
  {
    ...READ,
    id: "order.status",
    paths: ["/api/v3/order"],
    parameters: [SYMBOL, ORDER_ID, ORIG_CLIENT_ORDER_ID],
    either: ["origClientOrderId", "orderId"],
    summary: "Returns an order.",
  },
  {
    ...DELETE_TRADE,
    id: "order.cancel",
    paths: ["/api/v3/order"],
    parameters: [SYMBOL, ORDER_ID, ORIG_CLIENT_ORDER_ID, NEW_CLIENT_ORDER_ID, CANCEL_RESTRICTIONS_PARAMETER],
    either: ["origClientOrderId", "orderId"],
    summary: "Cancels an order.",
  },
  {
    ...POST_TRADE,
    id: "order.cancelReplace",
    paths: ["/api/v3/order/cancelReplace"],
    parameters: CANCEL_AND_PLACE,
    either: ["cancelOrigClientOrderId", "cancelOrderId"],
    summary: "Cancels an order and places another atomically.",
  },
  {
    ...PUT_TRADE,
    id: "order.amend.keepPriority",
    paths: ["/api/v3/order/amend/keepPriority"],
    parameters: [SYMBOL, ORDER_ID, ORIG_CLIENT_ORDER_ID, NEW_CLIENT_ORDER_ID, NEW_QUANTITY],
    either: ["origClientOrderId", "orderId"],
    summary: "Reduces the quantity of an open order, which keeps its place in the queue.",
  },
  {
    ...READ,
    id: "order.amendments",
    paths: ["/api/v3/order/amendments"],
    weight: 4,
    parameters: [SYMBOL, required("orderId", "integer"), FROM_EXECUTION_ID, LIMIT],
    summary: "Returns the amendments of an order.",
  },
  {
    ...READ,
    id: "openOrders.status",
    paths: ["/api/v3/openOrders"],
    weight: bySymbol(40),
    parameters: [OPTIONAL_SYMBOL],
    summary: "Returns the open orders of one symbol or all.",
  },
  {
    ...DELETE_TRADE,
    id: "openOrders.cancelAll",
    paths: ["/api/v3/openOrders"],
    parameters: [SYMBOL],
    summary: "Cancels all open orders of a symbol.",
  },
  {
    ...READ,
    id: "allOrders",
    paths: ["/api/v3/allOrders"],
    weight: 5,
    parameters: [SYMBOL, ORDER_ID, START_TIME, END_TIME, LIMIT],
    summary: "Returns all orders of a symbol, open and closed.",
  },
] as const satisfies readonly Endpoint[];

const NEW_LIST: readonly Parameter[] = [
  SYMBOL,
  optional("listClientOrderId", "clientOrderId", { note: "Generated when absent." }),
  required("side", "enum", { words: SIDES, wrongWord: -1117 }),
  required("quantity", "decimal", { note: "The quantity of both orders." }),
];
const REPORTS = optional("newOrderRespType", "enum", {
  words: RESPONSE_TYPES,
  wrongWord: -1136,
  note: "Default RESULT.",
});

/** The parameters sent determine which others are required: see `list-request.ts`. */
const OCO: readonly Parameter[] = [
  ...NEW_LIST,
  optional("limitClientOrderId", "clientOrderId", { note: "Generated when absent." }),
  required("price", "decimal", { note: "The price of the LIMIT_MAKER." }),
  optional("limitIcebergQty", "decimal"),
  optional("stopClientOrderId", "clientOrderId", { note: "Generated when absent." }),
  required("stopPrice", "decimal", { replacedBy: "trailingDelta", note: "Required without trailingDelta." }),
  trailing(),
  optional("stopLimitPrice", "decimal", { note: "Makes the stop order a STOP_LOSS_LIMIT." }),
  optional("stopIcebergQty", "decimal"),
  optional("stopLimitTimeInForce", "enum", {
    words: TIMES_IN_FORCE,
    wrongWord: -1115,
    note: "Required with stopLimitPrice.",
  }),
  REPORTS,
  SELF_TRADE_PREVENTION_MODE,
  ...strategy("limit"),
  ...strategy("stop"),
];

/** The type determines which other parameters are required: see `list-request.ts`. */
function leg(prefix: string, words: readonly string[]): Parameter[] {
  const mayStop = words !== WORKING_TYPES;
  return [
    required(`${prefix}Type`, "enum", { words, wrongWord: -1116 }),
    optional(`${prefix}ClientOrderId`, "clientOrderId", { note: "Generated when absent." }),
    optional(`${prefix}IcebergQty`, "decimal"),
    optional(`${prefix}Price`, "decimal", { conditional: true }),
    ...pegged(prefix),
    ...(mayStop ? [optional(`${prefix}StopPrice`, "decimal", { conditional: true }), trailing(prefix)] : []),
    optional(`${prefix}TimeInForce`, "enum", { words: TIMES_IN_FORCE, wrongWord: -1115, conditional: true }),
    ...strategy(prefix),
  ];
}

// Lists with a working order, which places the pending orders when it is filled. For OPO, they sell what it bought.

const side = (prefix: string): Parameter => required(`${prefix}Side`, "enum", { words: SIDES, wrongWord: -1117 });

const WORKING: readonly Parameter[] = [
  SYMBOL,
  optional("listClientOrderId", "clientOrderId", { note: "Generated when absent." }),
  REPORTS,
  SELF_TRADE_PREVENTION_MODE,
  ...leg("working", WORKING_TYPES),
  side("working"),
  required("workingQuantity", "decimal"),
  side("pending"),
];
const PENDING_QUANTITY = required("pendingQuantity", "decimal");
const PENDING = leg("pending", ORDER_TYPES);
const PENDING_PAIR = [...leg("pendingAbove", ORDER_TYPES), ...leg("pendingBelow", ORDER_TYPES)];

export const ORDER_LISTS = [
  {
    ...POST_TRADE,
    id: "orderList.place",
    paths: ["/api/v3/order/oco"],
    parameters: OCO,
    summary: "Places two orders, one of which cancels the other (OCO).",
  },
  {
    ...POST_TRADE,
    id: "orderList.place.oco",
    paths: ["/api/v3/orderList/oco"],
    parameters: [
      ...NEW_LIST,
      ...leg("above", LEG_TYPES),
      ...leg("below", LEG_TYPES),
      REPORTS,
      SELF_TRADE_PREVENTION_MODE,
    ],
    summary:
      "Places two orders, one of which cancels the other (OCO); the legs are named by their price, above and below.",
  },
  {
    ...POST_TRADE,
    id: "orderList.place.oto",
    paths: ["/api/v3/orderList/oto"],
    parameters: [...WORKING, PENDING_QUANTITY, ...PENDING],
    summary: "Places an order, and another one that is placed when the first is filled (OTO).",
  },
  {
    ...POST_TRADE,
    id: "orderList.place.otoco",
    paths: ["/api/v3/orderList/otoco"],
    parameters: [...WORKING, PENDING_QUANTITY, ...PENDING_PAIR],
    summary: "Places an order, and an OCO pair that is placed when the order is filled (OTOCO).",
  },
  {
    ...POST_TRADE,
    id: "orderList.place.opo",
    paths: ["/api/v3/orderList/opo"],
    parameters: [...WORKING, ...PENDING],
    refuses: [PENDING_QUANTITY.name],
    summary: "Places an order to buy, and another one that sells what the first has bought (OPO).",
  },
  {
    ...POST_TRADE,
    id: "orderList.place.opoco",
    paths: ["/api/v3/orderList/opoco"],
    parameters: [...WORKING, ...PENDING_PAIR],
    refuses: [PENDING_QUANTITY.name],
    summary: "Places an order to buy, and an OCO pair that sells what the order has bought (OPOCO).",
  },
  {
    ...DELETE_TRADE,
    id: "orderList.cancel",
    paths: ["/api/v3/orderList"],
    parameters: [SYMBOL, ORDER_LIST_ID, LIST_CLIENT_ORDER_ID, NEW_CLIENT_ORDER_ID],
    either: ["orderListId", "listClientOrderId"],
    summary: "Cancels an order list.",
  },
  {
    ...READ,
    id: "orderList.status",
    paths: ["/api/v3/orderList"],
    parameters: [ORDER_LIST_ID, ORIG_CLIENT_ORDER_ID, LIST_CLIENT_ORDER_ID],
    either: ["origClientOrderId", "orderListId", "listClientOrderId"],
    summary: "Returns an order list.",
  },
  {
    ...READ,
    id: "allOrderLists",
    paths: ["/api/v3/allOrderList"],
    weight: 10,
    parameters: [FROM_ID, START_TIME, END_TIME, LIMIT],
    exclusive: [
      ["fromId", "startTime"],
      ["fromId", "endTime"],
    ],
    summary: "Returns order lists, executing and ended.",
  },
  {
    ...READ,
    id: "openOrderLists.status",
    paths: ["/api/v3/openOrderList"],
    weight: 2,
    parameters: [],
    summary: "Returns the executing order lists.",
  },
] as const satisfies readonly Endpoint[];
