/** Endpoints that place, cancel and amend orders and order lists. Interface 4.2, 4.3. */
import {
  type CancelOrder,
  type CancelReplaceMode,
  type Command,
  type Event,
  type MarketView,
  ordersOf,
  type OrderType,
  type RejectReason,
} from "@pricetime/engine";
import {
  type ApiError,
  CANCEL_REPLACE_FAILED,
  CANCEL_REPLACE_PARTLY_FAILED,
  errorBody,
  type OrderRequest,
  type PartResult,
  rejectError,
  type ResponseType,
} from "@pricetime/protocol";
import type { Outcome } from "../../journal/sequencer/port.ts";
import { type Call, type DEFERRED, refusalOf, submit } from "../call.ts";
import { commissionForOrder } from "../account.ts";
import { Refused } from "../edge/refusals.ts";
import { marketOf, orderIdOf } from "../parameters.ts";
import {
  hasRules5,
  listRequestOf,
  newQuantityOf,
  orderRequestOf,
  orGenerated,
  otoRequestOf,
  placeCommand,
  placeListCommand,
  placeOtoCommand,
  reserveOrders,
} from "./order-command.ts";
import {
  amendedJson,
  canceledBodies,
  type Ending,
  endingJson,
  endingsIn,
  placedJson,
  placedListJson,
} from "./order-answers.ts";
import { type MaybeLong, writtenRows } from "../answers/long-list.ts";

// POST order and order/test. Interface 4.2, 2.3.

function placedBody(call: Call, market: MarketView, type: ResponseType, outcome: Outcome): string {
  const opened = outcome.events[0];
  if (opened?.type !== "orderOpened") throw new TypeError("a placed order opens first");
  return placedJson(call.venue.engine, market, opened.order, outcome.events, outcome.timeMs, type);
}

export function placeOrder(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const request = orderRequestOf(call, market);
  const command = placeCommand(call, market, request);
  return submit(call, command, {
    context: "place",
    orderType: request.type,
    settled: reserveOrders(call, 1),
    body: (outcome) => placedBody(call, market, request.newOrderRespType, outcome),
  });
}

/** Runs all checks of an order except for funds. Changes nothing, and does not count as an order. */
export function testOrder(call: Call): string {
  const market = marketOf(call);
  const request = orderRequestOf(call, market);
  const reason = call.venue.engine.check(placeCommand(call, market, request), call.nowMs);
  if (reason !== null) throw refusalOf(reason, "place", request.type);
  return call.optionalText("computeCommissionRates") === "true" ? commissionForOrder(call, market) : "{}";
}

// POST order/oco, orderList/oco, oto, otoco, opo and opoco, DELETE orderList. Interface 4.3, 3.5.

/** The order type that a rejection names: the first that the symbol does not support. */
function refusedType({ spec }: MarketView, types: readonly OrderType[]): OrderType | undefined {
  return types.find((type) => !spec.orderTypes.includes(type));
}

export function placeList(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const request = listRequestOf(call, market);
  const { stopLeg, limitLeg } = request;
  return submitList(call, market, placeListCommand(call, market, request), {
    types: [stopLeg.type, limitLeg.type],
    orders: ordersOf("OCO"),
    response: request.newOrderRespType,
  });
}

export function placeOto(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const request = otoRequestOf(call, market);
  const legs = [request.working, request.pending, request.pendingLimit].filter((leg) => leg !== null);
  return submitList(call, market, placeOtoCommand(call, market, request), {
    types: legs.map(({ type }) => type),
    orders: ordersOf(request.kind),
    response: request.newOrderRespType,
  });
}

interface NewList {
  readonly types: readonly OrderType[];
  /** How many orders count towards the order limits. */
  readonly orders: number;
  readonly response: ResponseType;
}

function submitList(
  call: Call,
  market: MarketView,
  command: Command,
  { types, orders, response }: NewList,
): typeof DEFERRED {
  const orderType = refusedType(market, types);
  return submit(call, command, {
    context: "place",
    ...(orderType !== undefined && { orderType }),
    settled: reserveOrders(call, orders),
    body: ({ events }) => placedListJson(call.venue.engine, market, events, response),
  });
}

/** Larger ids are replaced by this one. No list has it, and it can still be journaled when incremented. */
const LARGEST_LIST_ID = Number.MAX_SAFE_INTEGER - 1;

export function cancelList(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const command = {
    type: "cancelOrderList",
    accountId: call.accountId(),
    symbolId: market.symbolId,
    orderListId: Math.min(call.integer("orderListId") ?? -1, LARGEST_LIST_ID),
    listClientOrderId: call.optionalText("listClientOrderId") ?? "",
    newClientOrderId: orGenerated(call, call.optionalText("newClientOrderId") ?? ""),
  } as const;
  return submit(call, command, {
    context: "cancel",
    body: ({ events, timeMs }) => canceledBodies(call.venue.engine, market, events, timeMs).join(""),
  });
}

// DELETE order and openOrders. Interface 4.2, 3.4 and S.16.

/** The parameters that identify the order to cancel and the cancellation itself. */
interface CancelNames {
  readonly orderId: string;
  readonly origClientOrderId: string;
  readonly newClientOrderId: string;
}

/** Number of rows written per piece. */
const ENDINGS_A_PIECE = 64;

const NAMES: CancelNames = {
  orderId: "orderId",
  origClientOrderId: "origClientOrderId",
  newClientOrderId: "newClientOrderId",
};

/** Replaces an `orderId` of 0 in a request. No order has either id, but the engine treats 0 as an absent id. */
const NO_ORDER = Number.MAX_SAFE_INTEGER;

function cancelCommand(call: Call, market: MarketView, names: CancelNames): CancelOrder {
  const orderId = orderIdOf(call, market, names.orderId);
  const restriction = call.optionalText("cancelRestrictions");
  if (restriction !== undefined && !hasRules5(call)) throw new Refused(rejectError("CANCEL_RESTRICTED", "cancel"));
  return {
    type: "cancelOrder",
    accountId: call.accountId(),
    symbolId: market.symbolId,
    orderId: orderId === 0 ? NO_ORDER : (orderId ?? 0),
    origClientOrderId: call.optionalText(names.origClientOrderId) ?? "",
    newClientOrderId: orGenerated(call, call.optionalText(names.newClientOrderId) ?? ""),
    ...(restriction === undefined ? {} : { onlyIn: ONLY_IN[restriction as keyof typeof ONLY_IN] }),
  };
}

const ONLY_IN = { ONLY_NEW: "NEW", ONLY_PARTIALLY_FILLED: "PARTIALLY_FILLED" } as const;

/** Canceling one order of a list cancels the list and returns the response for a list. */
export function cancelOrder(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  return submit(call, cancelCommand(call, market, NAMES), {
    context: "cancel",
    body: ({ events, timeMs }) => canceledBodies(call.venue.engine, market, events, timeMs).join(""),
  });
}

export function cancelOpenOrders(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const { symbolId } = market;
  const command = { type: "cancelOpenOrders", symbolId, accountId: call.accountId() } as const;
  return submit(
    call,
    { ...command, newClientOrderId: call.venue.ids.clientOrderId() },
    {
      context: "cancel",
      body: (outcome) => endingsList(call, market, outcome),
    },
  );
}

/** Written in pieces, because an account may have many open orders. */
function endingsList(call: Call, market: MarketView, { events, timeMs }: Outcome): MaybeLong {
  const { engine, turns } = call.venue;
  const write = (ending: Ending): string => endingJson(engine, market, ending, timeMs);
  return writtenRows(turns, { rows: endingsIn(events) }, write, ENDINGS_A_PIECE);
}

// PUT order/amend/keepPriority. Interface 3.12.

export function amendOrder(call: Call): typeof DEFERRED {
  if (!hasRules5(call)) throw new Refused(rejectError("AMEND_NOT_SUPPORTED", "amend"));
  const market = marketOf(call);
  const command = {
    ...cancelCommand(call, market, NAMES),
    type: "amendOrder",
    quantityLots: newQuantityOf(call, market),
  } as const;
  return submit(call, command, {
    context: "amend",
    body: ({ events, timeMs }) => amendedJson(call.venue.engine, market, command.newClientOrderId, events, timeMs),
  });
}

// POST order/cancelReplace: an atomic cancellation and new order. The response covers both parts. If either was
// rejected, the response is an error with both in its `data`. Interface 3.4, 7.6.

const REPLACE_NAMES: CancelNames = {
  orderId: "cancelOrderId",
  origClientOrderId: "cancelOrigClientOrderId",
  newClientOrderId: "cancelNewClientOrderId",
};

/** The result of one of the two parts. */
interface Part {
  readonly result: PartResult;
  readonly json: string;
}

const NOT_ATTEMPTED: Part = { result: "NOT_ATTEMPTED", json: "null" };

function failure(call: Call, error: ApiError): Part {
  return { result: "FAILURE", json: JSON.stringify(errorBody(call.venue.venueInterface.worded(error), "api")) };
}

/** The index of the new order's first event, its opening. No other order is opened before it. */
function startOfNewOrder(events: readonly Event[]): number {
  const start = events.findIndex((event) => event.type === "orderOpened");
  return start === -1 ? events.length : start;
}

function cancelPart(call: Call, market: MarketView, reason: RejectReason | null, { events, timeMs }: Outcome): Part {
  if (reason !== null) return failure(call, rejectError(reason, "cancel"));
  const canceled = events.slice(0, startOfNewOrder(events));
  return { result: "SUCCESS", json: canceledBodies(call.venue.engine, market, canceled, timeMs).join("") };
}

function placePart(
  call: Call,
  market: MarketView,
  reason: Event<"cancelReplaced">["placeReason"],
  { type, newOrderRespType }: OrderRequest,
  { events, timeMs }: Outcome,
): Part {
  if (reason === "NOT_ATTEMPTED") return NOT_ATTEMPTED;
  if (reason !== null) return failure(call, rejectError(reason, "place", type));
  const placed = events.slice(startOfNewOrder(events));
  const [opened] = placed;
  if (opened?.type !== "orderOpened") throw new TypeError("a placed order opens first");
  const json = placedJson(call.venue.engine, market, opened.order, placed, timeMs, newOrderRespType);
  return { result: "SUCCESS", json };
}

/** Returns the response and sets its HTTP status: that of its error, if there is one, or `failedStatus`. */
function answerOf(call: Call, cancel: Part, place: Part, failedStatus?: number): string {
  const data =
    `{"cancelResult":"${cancel.result}","newOrderResult":"${place.result}",` +
    `"cancelResponse":${cancel.json},"newOrderResponse":${place.json}}`;
  const done = [cancel, place].filter(({ result }) => result === "SUCCESS").length;
  if (done === 2) return data;
  const { code, msg, status } = done === 1 ? CANCEL_REPLACE_PARTLY_FAILED : CANCEL_REPLACE_FAILED;
  call.answerStatus = failedStatus ?? status;
  return `{"code":${code},"msg":"${msg}","data":${data}}`;
}

/** Reserves the new order. Returns the rejection if a limit is exceeded and the order is to be canceled all the same. */
function reservedOrLimited(call: Call): ReturnType<typeof reserveOrders> | Refused {
  const mode = call.optionalText("orderRateLimitExceededMode");
  try {
    return reserveOrders(call, 1);
  } catch (error) {
    if (mode === "CANCEL_ONLY" && error instanceof Refused) return error;
    throw error;
  }
}

/** Cancels the order, because the new one exceeds a limit. */
function cancelOnly(
  call: Call,
  market: MarketView,
  cancel: CancelOrder,
  mode: CancelReplaceMode,
  { error: limit, retryAfterSeconds }: Refused,
): typeof DEFERRED {
  const failedStatus = mode === "STOP_ON_FAILURE" ? limit.status : undefined;
  if (failedStatus !== undefined) call.retryAfterSeconds = retryAfterSeconds;
  const limited = failure(call, limit);
  return submit(call, cancel, {
    context: "cancel",
    body: (outcome) => answerOf(call, cancelPart(call, market, null, outcome), limited, failedStatus),
    rejected: (reason) => {
      const place = mode === "ALLOW_FAILURE" ? limited : NOT_ATTEMPTED;
      return answerOf(call, failure(call, rejectError(reason, "cancel")), place, failedStatus);
    },
  });
}

export function cancelReplace(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const request = orderRequestOf(call, market);
  const place = placeCommand(call, market, request);
  const mode = call.text("cancelReplaceMode") as CancelReplaceMode;
  const cancel = cancelCommand(call, market, REPLACE_NAMES);
  const settled = reservedOrLimited(call);
  if (typeof settled !== "function") return cancelOnly(call, market, cancel, mode, settled);
  return submit(
    call,
    { type: "cancelReplace", mode, cancel, place },
    {
      context: "place",
      settled,
      body: (outcome) => {
        const [first] = outcome.events;
        if (first?.type !== "cancelReplaced") throw new TypeError("a cancelReplace tells first what came of it");
        const { cancelReason, placeReason } = first;
        const canceled = cancelPart(call, market, cancelReason, outcome);
        return answerOf(call, canceled, placePart(call, market, placeReason, request, outcome));
      },
    },
  );
}
