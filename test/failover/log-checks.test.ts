/** The checks against the log: an honest run passes, and everything that is spoiled of it is found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "@pricetime/engine";
import { Course } from "../../failover/checks/course.ts";
import { checkChanges } from "../../failover/checks/exactly-once.ts";
import { Findings } from "../../failover/checks/findings.ts";
import { entriesOf, type LoggedEntry } from "../../failover/checks/log.ts";
import { checkRegisters } from "../../failover/checks/order-register.ts";
import { checkReads } from "../../failover/checks/reads.ts";
import type { Operation } from "../../failover/clients/operation.ts";
import { EMAILS, type MadeUpRun, makeUpRun } from "./made-up-run.ts";

const HONEST = makeUpRun(20261122, 2_000);

function check({ entries, operations }: MadeUpRun): Findings {
  const findings = new Findings(3);
  const course = new Course(entries, findings);
  checkChanges(operations, course, findings);
  checkReads(operations, EMAILS, course, { maxStaleMs: 10_000 }, findings);
  checkRegisters(operations, findings);
  return findings;
}

function finds(run: Partial<MadeUpRun>, what: RegExp): void {
  assert.match(check({ ...HONEST, ...run }).first.join("\n"), what);
}

/** The operations with one of them changed: the last that fits, so that others have seen what it did. */
function changed(fits: (operation: Operation) => boolean, change: (operation: Operation) => Operation): Operation[] {
  const at = HONEST.operations.findLastIndex(fits);
  assert.ok(at >= 0, "there is an operation to spoil");
  return HONEST.operations.map((operation, i) => (i === at ? change(operation) : operation));
}

const isPlaced = ({ ask, outcome }: Operation): boolean => ask.kind === "place" && outcome.is === "done";

/** The log with one entry changed, left out or doubled; numbers follow. */
function relogged(change: (entry: LoggedEntry, at: number) => readonly LoggedEntry[]): LoggedEntry[] {
  return HONEST.entries.flatMap(change).map((entry, at) => ({ ...entry, seq: at + 1 }));
}

const MIDDLE = HONEST.entries.findIndex(({ command }, at) => at > 500 && command.type === "placeOrder");

test("an honest run has no findings, and did what it is for", () => {
  const findings = check(HONEST);
  assert.deepEqual(findings.first, []);
  const course = new Course(HONEST.entries, findings);
  const { acknowledged, doneUnknown } = checkChanges(HONEST.operations, course, findings);
  const { reads } = checkReads(HONEST.operations, EMAILS, course, { maxStaleMs: 10_000 }, findings);
  assert.ok(acknowledged > 500 && doneUnknown > 10 && reads > 500, `${acknowledged} ${doneUnknown} ${reads}`);
  assert.ok((course.trades.get("AAAUSDT") ?? []).length > 100);
  const courses = [...course.orders.values()].map((moments) => moments.map(({ status }) => status).join());
  for (const each of [/^NEW,NEW/, /^PENDING_NEW,NEW/, /^PENDING_NEW,EXPIRED$/, /^PENDING_NEW,CANCELED$/]) {
    assert.ok(
      courses.some((statuses) => each.test(statuses)),
      `an order whose course is ${each}`,
    );
  }
});

test("an acknowledged change that is not in the log", () => {
  finds({ entries: relogged((entry, at) => (at === MIDDLE ? [] : [entry])) }, /acknowledged but is not in the log/);
});

test("a change that is in the log twice", () => {
  finds({ entries: relogged((entry, at) => (at === MIDDLE ? [entry, entry] : [entry])) }, /in the log 2 times/);
});

test("a refused change, and one not taken, that the log has", () => {
  const refused = changed(isPlaced, (op) => ({ ...op, outcome: { is: "refused", code: -2010 } }));
  finds({ operations: refused }, /it was rejected, but entry \d+ carries it out/);
  const notTaken = changed(isPlaced, (op) => ({ ...op, outcome: { is: "notTaken" } }));
  finds({ operations: notTaken }, /it was not accepted, but is entry/);
});

test("an entry that nobody asked for", () => {
  const operations = HONEST.operations.filter((operation) => !isPlaced(operation) || operation.client !== 1);
  finds({ operations }, /was requested by no client/);
});

test("an answer that says something else than the log makes of it", () => {
  const operations = changed(isPlaced, (op) => {
    const order = op.outcome.is === "done" ? op.outcome.order : undefined;
    assert.ok(order !== undefined);
    return { ...op, outcome: { is: "done", order: { ...order, orderId: order.orderId + 1 } } };
  });
  finds({ operations }, /makes it .*, but the answer was/);
});

test("a list, and an amendment: another answer, and the log has them twice", () => {
  const isList = ({ ask, outcome }: Operation): boolean => ask.kind === "list" && outcome.is === "done";
  const operations = changed(isList, (op) => {
    const [working, pending] = op.outcome.is === "done" ? (op.outcome.orders ?? []) : [];
    assert.ok(working !== undefined && pending !== undefined);
    return { ...op, outcome: { is: "done", orders: [working, { ...pending, status: "NEW" }] } };
  });
  finds({ operations }, /makes it .*PENDING_NEW 0, but the answer was .* NEW 0/);
  for (const type of ["placeOto", "amendOrder"] as const) {
    const at = HONEST.entries.findIndex(({ command }) => command.type === type);
    finds({ entries: relogged((entry, i) => (i === at ? [entry, entry] : [entry])) }, /in the log 2 times/);
  }
});

test("a change that stands before one acknowledged earlier", () => {
  const isEarly = (op: Operation): boolean => isPlaced(op) && op.endedMs < 5_000;
  const operations = changed(isEarly, (op) => ({ ...op, beganMs: op.endedMs + 5_000, endedMs: op.endedMs + 5_001 }));
  finds({ operations }, /order of time: entry \d+ was acknowledged before/);
});

for (const kind of ["query", "openOrders", "balances"] as const) {
  test(`a read of ${kind} that is a second late`, () => {
    const { operations } = HONEST;
    const late = operations.map((op) => {
      return op.ask.kind === kind && op.beganMs > 5_000
        ? { ...op, beganMs: op.beganMs + 1000, endedMs: op.endedMs + 1000 }
        : op;
    });
    finds({ operations: late }, /reads: fits no state/);
    const stale = late.map((op) => (op.ask.kind === kind ? { ...op, staleMs: 1000 } : op));
    assert.deepEqual(check({ ...HONEST, operations: stale }).first, [], "unless it says so");
  });
}

test("a read of what was asked for later", () => {
  const early = HONEST.operations.map((op) => {
    return op.ask.kind === "balances" ? { ...op, beganMs: op.beganMs - 1000, endedMs: op.endedMs - 1000 } : op;
  });
  finds({ operations: early }, /reads: fits no state/);
});

test("reads that go back between two nodes, while a change is under way", () => {
  const first = makeUpRun(1, 1).operations[0] as Operation;
  const { ask, outcome } = first;
  assert.ok(ask.kind === "place" && outcome.is === "done" && outcome.order !== undefined);
  const slow = { ...first, beganMs: 0, endedMs: 100 };
  const query = { kind: "query", order: ask.order, symbol: ask.symbol } as const;
  const seen: Operation = { ...first, ask: query, beganMs: 10, endedMs: 11 };
  const gone: Operation = { ...seen, outcome: { is: "refused", code: -2013 }, beganMs: 20, endedMs: 21 };
  const { entries } = makeUpRun(1, 1);
  finds({ entries, operations: [slow, seen, gone] }, /reads: fits no state/);
});

test("a read that does not wait for the entry that it asked for, or is older than allowed", () => {
  const isQuery = (op: Operation): boolean => op.ask.kind === "query" && op.outcome.is === "done" && op.beganMs < 5_000;
  finds(
    { operations: changed(isQuery, (op) => ({ ...op, atLeastSeq: HONEST.entries.length })) },
    /reads: fits no state/,
  );
  finds({ operations: changed(isQuery, (op) => ({ ...op, staleMs: 60_000 })) }, /older than allowed/);
});

test("a batch that counts twice, or of an incarnation that was replaced", () => {
  const batch = (incarnation: string, replaces: string, number: number): LoggedEntry => {
    const header: Command = {
      type: "nodeBatch",
      node: "n1",
      incarnation,
      replaces,
      number,
      atSeq: 0,
      digest: "",
      release: "",
    };
    return { seq: 0, timeMs: 1000, node: "n1", command: header };
  };
  const log = (...batches: LoggedEntry[]): MadeUpRun => {
    return { entries: batches.map((entry, at) => ({ ...entry, seq: at + 1 })), operations: [] };
  };
  assert.deepEqual(check(log(batch("a", "", 1), batch("a", "", 2), batch("b", "a", 1))).first, []);
  finds(log(batch("a", "", 1), batch("a", "", 1)), /batch n1\/a\/1 comes after a\/1/);
  finds(log(batch("a", "", 1), batch("b", "a", 1), batch("a", "", 2)), /batch n1\/a\/2 comes after b\/1/);
});

test("a chain that breaks, numbers with a gap, time that goes back", () => {
  const zero = "0".repeat(64);
  const row = { count: 0, node: "n1", bytes: new Uint8Array(), priorEventDigest: "", chainHash: zero };
  const findings = new Findings();
  entriesOf(
    [
      { ...row, firstSeq: 1, timeMs: 5 },
      { ...row, firstSeq: 3, timeMs: 4 },
    ],
    findings,
  );
  const said = findings.first.join("\n");
  for (const what of [/row 3 follows entry 0/, /time goes back at entry 3/, /the chain breaks at entry 1/]) {
    assert.match(said, what);
  }
});
