/**
 * Compares each read with the log: it must show the state after some entry, not before any change that was acknowledged
 * or any state that was read when the read began, and not after a change that was requested after its response.
 */
import { commandId, describe, isChange, type Operation, type ToldOrder } from "../clients/operation.ts";
import { at, type Course, openKey, type Since, matchesBalances, matchesOrder } from "./course.ts";
import type { Findings } from "./findings.ts";

const KIND = "reads";
const NO_SUCH_ORDER = -2013;
/**
 * How much later than it reports a node may have detected its disconnection: its heartbeat interval, and a busy
 * machine.
 */
const STALE_SLACK_MS = 2_500;

/** The time from the decision that a read is recent enough to the response that reports its age, on a busy machine. */
const ANSWER_MS = 500;

export interface ReadLimits {
  /** The maximum age of a response. */
  readonly maxStaleMs: number;
}

interface Reading {
  readonly operation: Operation;
  /** Whether the response matches the state after entry `seq`. */
  readonly fits: (seq: number) => boolean;
  /** The entries after `low`, up to `high`, that changed the requested state, ascending. */
  readonly changes: (low: number, high: number) => readonly number[];
}

/** Returns the number of examined reads, and how many of them reported that they were stale. */
export function checkReads(
  operations: readonly Operation[],
  emails: readonly string[],
  course: Course,
  limits: ReadLimits,
  findings: Findings,
): { readonly reads: number; readonly stale: number } {
  const readings = operations
    .flatMap((operation) => readingOf(operation, emails, course) ?? [])
    .sort((a, b) => a.operation.beganMs - b.operation.beganMs);
  const bounds = new Bounds(operations, course);
  const shown = new Shown(readings);
  let stale = 0;
  for (const reading of readings) {
    const { operation } = reading;
    const { beganMs, endedMs, staleMs, atLeastSeq } = operation;
    const isStale = staleMs >= 0;
    if (isStale) stale++;
    if (staleMs > limits.maxStaleMs + ANSWER_MS)
      findings.add(KIND, `older than allowed, ${staleMs} ms: ${describe(operation)}`);
    const asOfMs = isStale ? beganMs - staleMs - STALE_SLACK_MS : beganMs;
    const low = Math.max(bounds.acknowledgedBy(asOfMs), isStale ? 0 : shown.by(asOfMs), atLeastSeq);
    const high = bounds.askedBy(endedMs);
    const seq = earliest(reading, low, high);
    if (seq === undefined) {
      findings.add(KIND, `fits no state from entry ${low} to ${high}: ${describe(operation)}`);
    } else if (!isStale) shown.note(reading, seq);
  }
  return { reads: readings.length, stale };
}

function earliest({ fits, changes }: Reading, low: number, high: number): number | undefined {
  if (fits(low)) return low;
  return changes(low, high).find(fits);
}

/** Undefined if the operation read nothing. */
function readingOf(operation: Operation, emails: readonly string[], course: Course): Reading | undefined {
  const { ask, outcome } = operation;
  const accountId = course.accountIds.get(emails[operation.account] ?? "") ?? -1;
  if (ask.kind === "query") {
    const moments = course.orders.get(ask.order) ?? [];
    const changes = (low: number, high: number): number[] => seqsOf(moments, low, high);
    if (outcome.is === "refused" && outcome.code === NO_SUCH_ORDER) {
      return { operation, changes, fits: (seq) => at(moments, seq) === undefined };
    }
    const told = outcome.is === "done" ? outcome.order : undefined;
    return told === undefined ? undefined : { operation, changes, fits: (seq) => matchesOrder(told, at(moments, seq)) };
  }
  if (outcome.is !== "done") return undefined;
  if (ask.kind === "openOrders") {
    const counts = course.openCounts.get(openKey(accountId, ask.symbol)) ?? [];
    return openOrders(operation, outcome.orders ?? [], counts, course);
  }
  if (ask.kind !== "balances") return undefined;
  const balances = course.balances.get(accountId) ?? [];
  const fits = (seq: number): boolean => matchesBalances(outcome.balances ?? [], at(balances, seq)?.value ?? new Map());
  return { operation, changes: (low, high) => seqsOf(balances, low, high), fits };
}

function openOrders(
  operation: Operation,
  told: readonly ToldOrder[],
  counts: readonly Since<number>[],
  course: Course,
): Reading {
  const all = told.map((order) => ({ order, moments: course.orders.get(order.clientOrderId) ?? [] }));
  const changes = (low: number, high: number): number[] =>
    [counts, ...all.map(({ moments }) => moments)]
      .flatMap((each: readonly { readonly seq: number }[]) => seqsOf(each, low, high))
      .sort((a, b) => a - b);
  const fits = (seq: number): boolean =>
    (at(counts, seq)?.value ?? 0) === told.length &&
    all.every(({ order, moments }) => matchesOrder(order, at(moments, seq)));
  return { operation, changes, fits };
}

/** Computed on demand: stored with each read, an hour of them took more than 12 GB. */
function seqsOf(moments: readonly { readonly seq: number }[], low: number, high: number): number[] {
  const seqs: number[] = [];
  let i = firstAt(moments.length, (each) => (moments[each]?.seq ?? 0) > low);
  for (; i < moments.length; i++) {
    const { seq } = moments[i] as { readonly seq: number };
    if (seq > high) break;
    seqs.push(seq);
  }
  return seqs;
}

/** The range of entries that a read may show, from the changes acknowledged before it and requested after it. */
class Bounds {
  readonly #ends: { readonly ms: number; readonly seq: number }[] = [];
  /** For each entry, the latest request time of all entries up to it. */
  readonly #askedMs: number[] = [0];

  constructor(operations: readonly Operation[], course: Course) {
    const askedMs = new Map<number, number>();
    for (const { ask, outcome, beganMs, endedMs } of operations) {
      if (!isChange(ask)) continue;
      for (const { seq } of course.changes.get(commandId(ask)) ?? []) {
        askedMs.set(seq, beganMs);
        if (outcome.is === "done") this.#ends.push({ ms: endedMs, seq });
      }
    }
    this.#ends.sort((a, b) => a.ms - b.ms);
    let highest = 0;
    for (const [at, end] of this.#ends.entries()) {
      highest = Math.max(highest, end.seq);
      this.#ends[at] = { ...end, seq: highest };
    }
    for (let seq = 1; seq <= course.lastSeq; seq++) {
      this.#askedMs.push(Math.max(this.#askedMs[seq - 1] as number, askedMs.get(seq) ?? 0));
    }
  }

  /** The last entry that was acknowledged before this time. */
  acknowledgedBy(ms: number): number {
    return this.#ends[firstAt(this.#ends.length, (i) => (this.#ends[i]?.ms ?? 0) >= ms) - 1]?.seq ?? 0;
  }

  /** The last entry before the first one that was requested after this time. */
  askedBy(ms: number): number {
    return firstAt(this.#askedMs.length, (seq) => (this.#askedMs[seq] as number) > ms) - 1;
  }
}

/** The last entry that earlier reads had shown when a later read began. */
class Shown {
  readonly #byEnd: readonly Reading[];
  readonly #seqs = new Map<Reading, number>();
  #next = 0;
  #last = 0;

  constructor(readings: readonly Reading[]) {
    this.#byEnd = readings.toSorted((a, b) => a.operation.endedMs - b.operation.endedMs);
  }

  note(reading: Reading, seq: number): void {
    this.#seqs.set(reading, seq);
  }

  /** Times must not decrease from call to call. */
  by(ms: number): number {
    for (; (this.#byEnd[this.#next]?.operation.endedMs ?? Infinity) < ms; this.#next++) {
      this.#last = Math.max(this.#last, this.#seqs.get(this.#byEnd[this.#next] as Reading) ?? 0);
    }
    return this.#last;
  }
}

/** Returns the first index for which the predicate holds, as it does for all later ones; `length` if there is none. */
function firstAt(length: number, holdsAt: (i: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holdsAt(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
