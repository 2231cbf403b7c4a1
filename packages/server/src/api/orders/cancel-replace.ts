/**
 * POST order/cancelReplace: a cancel and a new order with nothing in between. The answer covers both; when one was
 * refused it is an error with both in its `data`. Interface 3.4, 7.6.
 */
import type { CancelReplaced, CancelReplaceMode, Event, MarketView } from "@pricetime/engine";
import { CANCEL_REPLACE_FAILED, CANCEL_REPLACE_PARTLY_FAILED, errorBody, rejectError } from "@pricetime/protocol";
import type { ApiError, OrderRequest, PartResult, RejectWord } from "@pricetime/protocol";
import type { Outcome } from "../../journal/sequencer/port.ts";
import type { Call, DEFERRED } from "../call.ts";
import { cancelCommand } from "./cancel-order.ts";
import type { CancelNames } from "./cancel-order.ts";
import { marketOf } from "../markets.ts";
import { orderRequestOf, placeCommand } from "./order-command.ts";
import { canceledBodies } from "./order-list-shape.ts";
import { placedJson } from "./order-shape.ts";
import { reserveOrders } from "./reserve-orders.ts";
import { submit } from "../submit.ts";

const NAMES: CancelNames = {
  orderId: "cancelOrderId",
  origClientOrderId: "cancelOrigClientOrderId",
  newClientOrderId: "cancelNewClientOrderId",
};

/** One of the two halves. */
interface Part {
  readonly result: PartResult;
  readonly json: string;
}

const NOT_ATTEMPTED: Part = { result: "NOT_ATTEMPTED", json: "null" };

function failure(error: ApiError): Part {
  return { result: "FAILURE", json: JSON.stringify(errorBody(error, "api")) };
}

/** The events of the new order start with its opening; none opens before it. */
function startOfNewOrder(events: readonly Event[]): number {
  const start = events.findIndex((event) => event.type === "orderOpened");
  return start === -1 ? events.length : start;
}

function cancelPart(call: Call, market: MarketView, reason: RejectWord | null, { events, timeMs }: Outcome): Part {
  if (reason !== null) return failure(rejectError(reason, "cancel"));
  const canceled = events.slice(0, startOfNewOrder(events));
  return { result: "SUCCESS", json: canceledBodies(call.venue.engine, market, canceled, timeMs).join("") };
}

function placePart(
  call: Call,
  market: MarketView,
  reason: CancelReplaced["placeReason"],
  { type, newOrderRespType }: OrderRequest,
  { events, timeMs }: Outcome,
): Part {
  if (reason === "NOT_ATTEMPTED") return NOT_ATTEMPTED;
  if (reason !== null) return failure(rejectError(reason, "place", type));
  const placed = events.slice(startOfNewOrder(events));
  const [opened] = placed;
  if (opened?.type !== "orderOpened") throw new TypeError("a placed order opens first");
  const json = placedJson(call.venue.engine, market, opened.order, placed, timeMs, newOrderRespType);
  return { result: "SUCCESS", json };
}

/** The answer; sets its HTTP status. */
function answerOf(call: Call, cancel: Part, place: Part): string {
  const data =
    `{"cancelResult":"${cancel.result}","newOrderResult":"${place.result}",` +
    `"cancelResponse":${cancel.json},"newOrderResponse":${place.json}}`;
  const done = [cancel, place].filter(({ result }) => result === "SUCCESS").length;
  if (done === 2) return data;
  const { code, msg, status } = done === 1 ? CANCEL_REPLACE_PARTLY_FAILED : CANCEL_REPLACE_FAILED;
  call.answerStatus = status;
  return `{"code":${code},"msg":"${msg}","data":${data}}`;
}

export function cancelReplace(call: Call): typeof DEFERRED {
  const market = marketOf(call);
  const request = orderRequestOf(call, market);
  const place = placeCommand(call, market, request);
  const mode = call.text("cancelReplaceMode") as CancelReplaceMode;
  const cancel = cancelCommand(call, market, NAMES);
  return submit(
    call,
    { type: "cancelReplace", mode, cancel, place },
    {
      context: "place",
      settled: reserveOrders(call, 1),
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
