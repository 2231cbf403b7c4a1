/**
 * Checks each order as a register: the responses of all nodes must be explained by one order of the operations. It does
 * not use the log. Fills are caused by other clients' orders, so between any two operations an order may execute more,
 * but never less.
 */
import { amount } from "@pricetime/testkit/models";
import { describe, type Operation, type ToldOrder } from "../clients/operation.ts";
import type { Findings } from "./findings.ts";
import { linearize, type Step } from "./linearize.ts";

/** Null if the order does not exist. */
type OrderState = {
  /** The minimum executed quantity; exact once the order is known to be closed. */
  readonly executed: bigint;
  readonly isCanceled: boolean;
  /** It is canceled, but no response has reported its executed quantity yet. */
  readonly isOpenEnded: boolean;
} | null;

const NO_SUCH_ORDER = -2013;
const UNKNOWN_ORDER = -2011;

const keyOf = (state: OrderState): string =>
  state === null ? "-" : `${state.executed} ${state.isCanceled} ${state.isOpenEnded}`;

/** Returns how many orders were examined. */
export function checkRegisters(operations: readonly Operation[], findings: Findings): number {
  const registers = new Map<string, Operation[]>();
  for (const operation of operations) {
    const { ask, outcome } = operation;
    if (!("order" in ask) || outcome.is === "notTaken") continue;
    // A read that reports its age guarantees no more. (This also applies to a disconnected node that responds to a
    // change.)
    if (ask.kind === "query" && (outcome.is === "unknown" || operation.staleMs >= 0)) continue;
    const register = registers.get(ask.order);
    if (register === undefined) registers.set(ask.order, [operation]);
    else register.push(operation);
  }
  for (const [order, register] of registers) checkRegister(order, register, findings);
  return registers.size;
}

function checkRegister(order: string, operations: readonly Operation[], findings: Findings): void {
  const place = operations.find(({ ask }) => ask.kind === "place");
  // Orders of lists end with others, and amended ones have several quantities: the log alone has their course.
  if (place?.ask.kind !== "place" || operations.some(({ ask }) => ask.kind === "amend")) return;
  const quantity = amount(place.ask.quantity);
  const steps = operations.flatMap((operation) => stepOf(operation, quantity) ?? []);
  const verdict = linearize(steps, null, keyOf);
  if (verdict === "linearizable") return;
  findings.add("register", `order ${order} is ${verdict}:\n    ${operations.map(describe).join("\n    ")}`);
}

function stepOf(operation: Operation, quantity: bigint): Step<OrderState> | undefined {
  const { beganMs, endedMs, outcome } = operation;
  const next = transition(operation, quantity);
  return next === undefined ? undefined : { beganMs, endedMs, isUnknown: outcome.is === "unknown", next };
}

type Transition = Step<OrderState>["next"];

/** Undefined if the response says nothing about the order. */
function transition({ ask, outcome }: Operation, quantity: bigint): Transition | undefined {
  switch (ask.kind) {
    case "place":
      return placed(outcome, quantity);
    case "cancel":
      return canceled(outcome, quantity);
    case "query":
      if (outcome.is === "done") return (state) => seen(state, outcome.order as ToldOrder, quantity);
      return outcome.is === "refused" && outcome.code === NO_SUCH_ORDER
        ? (state) => (state === null ? state : undefined)
        : undefined;
    default:
      return undefined;
  }
}

function placed(outcome: Operation["outcome"], quantity: bigint): Transition {
  const fresh = { executed: 0n, isCanceled: false, isOpenEnded: false };
  if (outcome.is === "unknown") return (state) => (state === null ? fresh : undefined);
  if (outcome.is !== "done") return (state) => (state === null ? state : undefined);
  return (state) => (state === null ? seen(fresh, outcome.order as ToldOrder, quantity) : undefined);
}

function canceled(outcome: Operation["outcome"], quantity: bigint): Transition | undefined {
  if (outcome.is === "unknown") {
    return (state) =>
      state === null || state.isCanceled ? undefined : { ...state, isCanceled: true, isOpenEnded: true };
  }
  if (outcome.is === "done") {
    const executed = amount((outcome.order as ToldOrder).executedQty);
    return (state) => {
      const isLive = state !== null && !state.isCanceled && executed >= state.executed && executed < quantity;
      return isLive ? { executed, isCanceled: true, isOpenEnded: false } : undefined;
    };
  }
  if (outcome.is !== "refused" || outcome.code !== UNKNOWN_ORDER) return undefined;
  // The order does not exist, is canceled, or has been filled by now.
  return (state) => (state === null || state.isCanceled ? state : { ...state, executed: quantity });
}

/** Returns the state of the order that the response shows; undefined if no possible state matches. */
function seen(state: OrderState, told: ToldOrder, quantity: bigint): OrderState | undefined {
  if (state === null) return undefined;
  const executed = amount(told.executedQty);
  if (executed < state.executed) return undefined;
  if (state.isCanceled) {
    if (told.status !== "CANCELED" || (!state.isOpenEnded && executed !== state.executed)) return undefined;
    return { executed, isCanceled: true, isOpenEnded: false };
  }
  return told.status === liveStatus(executed, quantity) ? { ...state, executed } : undefined;
}

function liveStatus(executed: bigint, quantity: bigint): string {
  if (executed === 0n) return "NEW";
  return executed < quantity ? "PARTIALLY_FILLED" : "FILLED";
}
