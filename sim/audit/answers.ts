/** Checks a response against the outcome that it must report. Every field about the outcome is compared. */
import { lossesOf, openedStatus } from "./ledger-of-orders.ts";
import type { Command, ExpiryReason, OrderStatus, RejectReason } from "@pricetime/engine";
import { rejectError, VENUE_INTERFACES } from "@pricetime/protocol";
import type { Amended, Ended, Happening, Listed, Opened, Replaced, Traded } from "@pricetime/testkit/models";
import { wire } from "./amounts.ts";
import type { Ticket } from "./ticket.ts";

// Bodies have any shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/** The error of a request that waited for its batch for too long, which only today's interface rejects. */
const TOO_OLD = -1021;

/** The fault in the response of this time; undefined if there is none. */
export function wrongAnswer(ticket: Ticket, status: number, json: Json, nowMs: number): string | undefined {
  const problem = problemOf(ticket, status, json, nowMs);
  return problem === undefined ? undefined : `${problem}: ${JSON.stringify(json).slice(0, 600)}`;
}

function problemOf(ticket: Ticket, status: number, json: Json, nowMs: number): string | undefined {
  const isLate = nowMs > ticket.untilMs && json.code === TOO_OLD;
  if (ticket.state === "refused") return isLate || status === 503 ? undefined : "not accepted, and answered otherwise";
  if (ticket.state === "unknown") return status === 504 ? undefined : "the outcome is unknown, and answered otherwise";
  const [first] = ticket.happened;
  if (ticket.command.type === "requestWithdrawal")
    return aboutWithdrawal(ticket.command.withdrawalId, first, status, json);
  if (first?.kind === "refused") return refusal(ticket, first.reason, status, json);
  if (ticket.keyOutcome !== undefined) return aboutKeys(ticket.keyOutcome, status, json);
  if (first?.kind === "replaced") return replaced(ticket, first, status, json);
  if (status !== 200) return "done, and answered as refused";
  return aboutOrders(ticket, json);
}

/** Whether the response says that a switch already is as requested, in which case nothing is journaled. */
export function isUnchanged({ command }: Ticket, status: number, json: Json): boolean {
  return command.type === "changeAccount" && status === 200 && json.spotBNBBurn === command.paysInDiscountAsset;
}

function aboutWithdrawal(
  withdrawalId: string,
  first: Happening | undefined,
  status: number,
  json: Json,
): string | undefined {
  if (first?.kind === "refused") return status >= 400 ? undefined : `must be refused ${first.reason}`;
  return status === 200 && json.id === withdrawalId ? undefined : `must be ${withdrawalId}`;
}

function refusal(ticket: Ticket, reason: RejectReason, status: number, json: Json): string | undefined {
  const { command } = ticket;
  if (command.type === "changeAccount") return status >= 400 ? undefined : `must be refused ${reason}`;
  return codeProblem(contextOf(command), reason, ticket, json) ?? (status >= 400 ? undefined : "no error");
}

function contextOf({ type }: Command): "place" | "amend" | "cancel" {
  if (type === "amendOrder") return "amend";
  return type.startsWith("place") ? "place" : "cancel";
}

function codeProblem(
  context: "place" | "amend" | "cancel",
  reason: RejectReason,
  { command, interface: name }: Ticket,
  json: Json,
): string | undefined {
  const placed = command.type === "cancelReplace" ? command.place : command;
  const orderType = placed.type === "placeOrder" ? placed.orderType : undefined;
  const { code, msg } = VENUE_INTERFACES[name].worded(rejectError(reason, context, orderType));
  // The message about a list's types names the type that is not allowed.
  const isSame = json?.code === code && (json.msg === msg || orderType === undefined);
  return isSame ? undefined : `must be refused with ${code} ${msg}`;
}

function aboutKeys(keyOutcome: string, status: number, json: Json): string | undefined {
  const opened = /^opened (?<key>\S+)/.exec(keyOutcome)?.groups?.["key"];
  if (!/^(?:opened|closed)/.test(keyOutcome)) return status >= 400 ? undefined : `must be refused: ${keyOutcome}`;
  if (status !== 200) return `must be ${keyOutcome}`;
  return json.listenKey !== undefined && json.listenKey !== opened ? `must be ${keyOutcome}` : undefined;
}

function aboutOrders({ command, happened, timeMs }: Ticket, json: Json): string | undefined {
  const opened = happened.filter((each) => each.kind === "opened");
  if (command.type === "placeOrder") return placed(opened[0] as Opened, happened, timeMs, json);
  if (command.type === "placeOco" || command.type === "placeOto") return placedList(happened, timeMs, json);
  if (command.type === "amendOrder") return amended(command.newClientOrderId, happened, timeMs, json);
  // The answer is the state of the switch, which another request may have changed since.
  if (command.type === "changeAccount") return typeof json.spotBNBBurn === "boolean" ? undefined : "must be a switch";
  return canceled(happened, Array.isArray(json) ? json : [json]);
}

function placed(order: Opened, happened: readonly Happening[], timeMs: number, json: Json): string | undefined {
  const ids = same(json, {
    symbol: order.symbol,
    orderId: order.orderId,
    orderListId: order.orderListId,
    clientOrderId: order.clientOrderId,
    transactTime: timeMs,
  });
  if (ids !== undefined || json.status === undefined) return ids;
  const { status, executed, quote, fills } = progressOf(order, happened);
  const state = same(json, {
    status,
    executedQty: wire(executed),
    cummulativeQuoteQty: wire(quote),
    price: wire(order.price),
    type: order.type,
    side: order.side,
    timeInForce: order.timeInForce,
    ...(order.peggedPrice === 0n ? {} : { peggedPrice: wire(order.peggedPrice) }),
  });
  if (state !== undefined || json.fills === undefined) return state;
  return JSON.stringify(json.fills) === JSON.stringify(fills) ? undefined : `must have fills ${JSON.stringify(fills)}`;
}

interface Progress {
  readonly status: OrderStatus;
  readonly executed: bigint;
  readonly quote: bigint;
  readonly fills: readonly object[];
}

function progressOf(order: Pick<Opened, "orderId" | "isPending">, happened: readonly Happening[]): Progress {
  const { orderId } = order;
  let [status, executed, quote]: [OrderStatus, bigint, bigint] = [openedStatus(order), 0n, 0n];
  const fills: object[] = [];
  for (const each of happened) {
    if (each.kind === "ended" && each.orderId === orderId) status = each.status;
    if (each.kind === "prevented") {
      const loss = lossesOf(each).find((one) => one.orderId === orderId);
      if (loss !== undefined) status = loss.status;
    }
    if (each.kind !== "traded") continue;
    const side = sideOf(each, orderId);
    if (side === undefined) continue;
    [status, executed, quote] = [side.status, side.executed, side.executedQuote];
    fills.push({
      price: wire(each.price),
      qty: wire(each.quantity),
      commission: wire(side.commission),
      commissionAsset: side.commissionAsset,
      tradeId: each.tradeId,
    });
  }
  return { status, executed, quote, fills };
}

function sideOf({ taker, maker }: Traded, orderId: number): Traded["taker"] | undefined {
  if (taker.orderId === orderId) return taker;
  return maker.orderId === orderId ? maker : undefined;
}

/** The reasons of pending orders that were rejected when the working order was filled. */
const REJECTIONS: readonly ExpiryReason[] = ["REJECTED", "OCO_TRIGGER"];

/** The response does not show what becomes of pending orders when the working order is filled at once. */
function placedList(happened: readonly Happening[], timeMs: number, json: Json): string | undefined {
  const list = happened.find((each): each is Listed => each.kind === "listed") as Listed;
  const placedAt = happened.indexOf(list);
  const mine = happened.slice(0, placedAt).filter((each): each is Opened => each.kind === "opened");
  const pending = new Set(mine.filter(({ isPending }) => isPending).map(({ orderId }) => orderId));
  const released = happened.findIndex((each, at) => {
    if (each.kind === "ended") return pending.has(each.orderId) && REJECTIONS.includes(each.expiryReason);
    return at > placedAt && each.kind === "opened" && pending.has(each.orderId);
  });
  const shown = released === -1 ? happened : happened.slice(0, released);
  const end = shown.find((each) => isEndOf(each, list));
  const wrong = same(json, {
    orderListId: list.orderListId,
    contingencyType: list.listKind === "OCO" ? "OCO" : "OTO",
    listClientOrderId: list.listClientOrderId,
    listOrderStatus: end === undefined ? "EXECUTING" : "ALL_DONE",
    symbol: list.symbol,
    transactionTime: timeMs,
  });
  if (wrong !== undefined) return wrong;
  if (mine.length !== list.ids.length) return `must have ${list.ids.length} orders`;
  for (const [at, order] of mine.entries()) {
    const problem = placed(order, shown, timeMs, json.orderReports[at]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isEndOf(happening: Happening, { orderListId }: Listed): boolean {
  return happening.kind === "listed" && happening.status === "ALL_DONE" && happening.orderListId === orderListId;
}

/** The order that has this client id now. The other leg of a pair is amended with it, and keeps its id. */
function amended(id: string, happened: readonly Happening[], timeMs: number, json: Json): string | undefined {
  const first = happened.find((each): each is Amended => each.kind === "amended" && each.clientOrderId === id);
  if (first === undefined) return "must be amended";
  const { status, executed } = progressOf({ orderId: first.orderId, isPending: false }, happened);
  const wrong = same(json.amendedOrder, {
    orderId: first.orderId,
    origClientOrderId: first.origClientOrderId,
    clientOrderId: first.clientOrderId,
    qty: wire(first.quantity),
    executedQty: wire(executed > first.executed ? executed : first.executed),
  });
  if (wrong !== undefined || json.transactTime !== timeMs) return wrong ?? `transactTime must be ${timeMs}`;
  const isOver = status === "EXPIRED";
  return isOver === (json.amendedOrder.status === "EXPIRED") ? undefined : `status must be ${status}`;
}

/** Each canceled order must be reported exactly once, alone or within its list. */
function canceled(happened: readonly Happening[], bodies: readonly Json[]): string | undefined {
  const reports = bodies.flatMap((body) => body.orderReports ?? [body]);
  const ended = happened.filter((each): each is Ended => each.kind === "ended");
  if (reports.length !== ended.length) return `must tell of ${ended.length} orders`;
  for (const order of ended) {
    const report = reports.find(({ orderId }) => orderId === order.orderId);
    const wrong = same(report ?? {}, {
      orderId: order.orderId,
      origClientOrderId: order.clientOrderId,
      clientOrderId: order.cancelClientOrderId,
      status: order.status,
      executedQty: wire(order.executed),
      cummulativeQuoteQty: wire(order.executedQuote),
    });
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function replaced(ticket: Ticket, first: Replaced, status: number, json: Json): string | undefined {
  const { happened, timeMs } = ticket;
  const { cancelReason, placeReason } = first;
  const data = json.data ?? json;
  const wrong = same(data, {
    cancelResult: cancelReason === null ? "SUCCESS" : "FAILURE",
    newOrderResult: placeReason === null ? "SUCCESS" : placeReason === "NOT_ATTEMPTED" ? placeReason : "FAILURE",
  });
  const isDone = cancelReason === null && placeReason === null;
  if (wrong !== undefined || isDone !== (status === 200)) return wrong ?? "the status does not tell what was done";
  const at = happened.findIndex((each) => each.kind === "opened");
  const start = at === -1 ? happened.length : at;
  const cancel =
    cancelReason === null
      ? canceled(happened.slice(0, start), [data.cancelResponse])
      : codeProblem("cancel", cancelReason, ticket, data.cancelResponse);
  if (cancel !== undefined || placeReason === "NOT_ATTEMPTED") return cancel;
  if (placeReason !== null) return codeProblem("place", placeReason, ticket, data.newOrderResponse);
  return placed(happened[start] as Opened, happened.slice(start), timeMs, data.newOrderResponse);
}

function same(json: Json, expected: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(expected)) {
    if (json[name] !== value) return `${name} must be ${String(value)} and is ${String(json[name])}`;
  }
  return undefined;
}
