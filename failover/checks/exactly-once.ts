/**
 * Compares each change with the log: an acknowledged change is there once, with the reported outcome; a rejected one is
 * not; one with an unknown outcome is there at most once; every entry was requested; and a change that was requested
 * after another was acknowledged comes after it.
 */
import { amount, type Happening } from "@pricetime/testkit/models";
import {
  type ChangeAsk,
  commandId,
  describe,
  isChange,
  type ListAsk,
  type Operation,
  type PlaceAsk,
  type ToldOrder,
} from "../clients/operation.ts";
import { at, type CarriedOut, type Course } from "./course.ts";
import type { Findings } from "./findings.ts";

const KIND = "exactly once";
const NO_MOMENT = { orderId: 0, status: "unknown", executed: 0n };
/** The engine's rejections are in the log as entries that changed nothing. */
const wasRefused = ({ happened }: CarriedOut): boolean => happened[0]?.kind === "refused";

/** Returns the number of acknowledged changes, and the number of unknown ones that were executed. */
export function checkChanges(
  operations: readonly Operation[],
  course: Course,
  findings: Findings,
): { readonly acknowledged: number; readonly doneUnknown: number } {
  const asked = new Set<string>();
  let [acknowledged, doneUnknown] = [0, 0];
  for (const operation of operations) {
    const { ask, outcome } = operation;
    if (!isChange(ask)) continue;
    const id = commandId(ask);
    asked.add(id);
    const found = course.changes.get(id) ?? [];
    const say = (what: string): void => findings.add(KIND, `${what}: ${describe(operation)}`);
    if (found.length > 1) say(`it is in the log ${found.length} times (${found.map(({ seq }) => seq).join(", ")})`);
    const [first] = found;
    if (outcome.is === "done") {
      acknowledged++;
      if (first === undefined) say("it was acknowledged but is not in the log");
      else compare(ask, operation, first, course, say);
    } else if (outcome.is === "refused" && first !== undefined && !wasRefused(first)) {
      say(`it was rejected, but entry ${first.seq} carries it out`);
    } else if (outcome.is === "notTaken" && first !== undefined) say(`it was not accepted, but is entry ${first.seq}`);
    else if (outcome.is === "unknown" && first !== undefined) doneUnknown++;
  }
  for (const [id, [first]] of course.changes) {
    if (!asked.has(id)) findings.add(KIND, `entry ${first?.seq} was requested by no client: ${id}`);
  }
  checkOrderOfTime(operations, course, findings);
  return { acknowledged, doneUnknown };
}

function compare(
  ask: ChangeAsk,
  { outcome, seq }: Operation,
  found: CarriedOut,
  course: Course,
  say: (what: string) => void,
): void {
  if (wasRefused(found)) return say(`it was acknowledged, and entry ${found.seq} must be refused`);
  if (seq > 0 && seq < found.seq) say(`it is entry ${found.seq}, but its answer names ${seq}`);
  if (ask.kind === "list")
    return compareList(ask, outcome.is === "done" ? (outcome.orders ?? []) : [], found, course, say);
  if (outcome.is !== "done" || outcome.order === undefined) return say("it was acknowledged without its order");
  const told = outcome.order;
  const moment = at(course.orders.get(ask.order), found.seq);
  if (moment === undefined) return say(`entry ${found.seq} is about no order`);
  const must = `${moment.orderId} ${moment.status} ${moment.executed} ${moment.quote}`;
  const is = `${told.orderId} ${told.status} ${amount(told.executedQty)} ${amount(told.cummulativeQuoteQty)}`;
  if (must !== is) say(`entry ${found.seq} makes it ${must}, but the answer was ${is}`);
  if (ask.kind === "place") compareTerms(ask, found.happened, say);
}

/** The response has the working order after its first trades, and pending orders as they were placed. */
function compareList(
  { orders }: ListAsk,
  told: readonly ToldOrder[],
  found: CarriedOut,
  course: Course,
  say: (what: string) => void,
): void {
  const must = orders.map((id) => {
    const [placed, ...later] = (course.orders.get(id) ?? []).filter(({ seq }) => seq === found.seq);
    const { orderId, status, executed } = (placed?.status === "NEW" ? later.at(-1) : undefined) ?? placed ?? NO_MOMENT;
    return `${id} ${orderId} ${status} ${executed}`;
  });
  const is = told.map(
    (order) => `${order.clientOrderId} ${order.orderId} ${order.status} ${amount(order.executedQty)}`,
  );
  if (must.join() !== is.join()) say(`entry ${found.seq} makes it ${must.join()}, but the answer was ${is.join()}`);
}

function compareTerms(ask: PlaceAsk, happened: readonly Happening[], say: (what: string) => void): void {
  const opened = happened.find((each) => each.kind === "opened");
  if (opened === undefined) return say("its entry opens no order");
  const must = `${ask.symbol} ${ask.side} ${amount(ask.price)} ${amount(ask.quantity)}`;
  const is = `${opened.symbol} ${opened.side} ${opened.price} ${opened.quantity}`;
  if (must !== is) say(`the log has ${is}`);
}

/** An acknowledged change comes before all that were requested later. */
function checkOrderOfTime(operations: readonly Operation[], course: Course, findings: Findings): void {
  const placed = operations.flatMap((operation) => {
    const { ask } = operation;
    const found = isChange(ask) ? course.changes.get(commandId(ask))?.[0] : undefined;
    return found === undefined ? [] : [{ operation, seq: found.seq }];
  });
  const ended = placed
    .filter(({ operation }) => operation.outcome.is === "done")
    .sort((a, b) => a.operation.endedMs - b.operation.endedMs);
  const began = placed.toSorted((a, b) => a.operation.beganMs - b.operation.beganMs);
  let next = 0;
  let last: (typeof placed)[number] | undefined;
  for (const { operation, seq } of began) {
    for (; (ended[next]?.operation.endedMs ?? Infinity) < operation.beganMs; next++) {
      const candidate = ended[next] as (typeof placed)[number];
      if (last === undefined || candidate.seq > last.seq) last = candidate;
    }
    if (last === undefined || last.seq < seq) continue;
    findings.add(
      "order of time",
      `entry ${last.seq} was acknowledged before entry ${seq} was asked for: ${describe(last.operation)}; ${describe(operation)}`,
    );
  }
}
