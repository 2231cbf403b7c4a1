/** The checks of what listeners heard: an honest piece passes, and gaps, repetitions and inventions are found. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { show } from "@pricetime/testkit/models";
import { Course } from "../../failover/checks/course.ts";
import { Findings } from "../../failover/checks/findings.ts";
import { checkDepthStreams, checkTradeStreams, checkUserStreams } from "../../failover/checks/streams.ts";
import type { HeardDepthEvent } from "../../failover/clients/heard.ts";
import { EMAILS, makeUpRun } from "./made-up-run.ts";

const SYMBOL = "AAAUSDT";
const course = new Course(makeUpRun(3, 600).entries, new Findings());
const keys = (course.executions.get(100) ?? []).map(({ key }) => key);
const from = { node: "n1", openedMs: 0, isWhole: false };

const said = (check: (findings: Findings) => number): string => {
  const findings = new Findings();
  check(findings);
  return findings.first.join("\n");
};

const user = (heard: readonly string[], isWhole = false): string =>
  said((findings) => checkUserStreams([{ ...from, account: 0, keys: [...heard], isWhole }], EMAILS, course, findings));

test("a piece of an account's executions, from anywhere", () => {
  assert.ok(keys.length > 100);
  assert.equal(user(keys.slice(20, 60)), "");
  assert.equal(user([]), "");
  assert.equal(user(keys.slice(50), true), "");
});

test("a piece may begin with a message that comes again", () => {
  const [first, second, third] = ["order 1: NEW", "order 2: NEW", "order 3: NEW"];
  course.executions.set(
    101,
    [first, second, first, third].map((key, seq) => ({ seq, key })),
  );
  const heard = (...own: string[]): string =>
    said((findings) => checkUserStreams([{ ...from, account: 1, keys: own, isWhole: true }], EMAILS, course, findings));
  assert.equal(heard(first, third), "");
  assert.match(heard(first, second, third), /message 3 is/);
});

test("an execution that is missing, doubled, exchanged, invented, or did not come to the end", () => {
  assert.match(user(keys.slice(20, 60).toSpliced(10, 1)), /message 11 is .*, but must be/);
  assert.match(user(keys.slice(20, 60).toSpliced(10, 0, keys[29] as string)), /message 11 is/);
  assert.match(user([...keys.slice(30, 40), ...keys.slice(20, 30)]), /message 11 is/);
  assert.match(user(["order 9: NEW"]), /belongs to no entry of the log/);
  assert.match(user(keys.slice(20, -1), true), /ends with/);
});

test("trades with their numbers", () => {
  const all = (course.trades.get(SYMBOL) ?? []).map(({ tradeId, price, quantity }) => ({
    tradeId,
    price: show(price),
    quantity: show(quantity),
  }));
  const trades = (heard: typeof all, isWhole = false): string =>
    said((findings) => checkTradeStreams([{ ...from, symbol: SYMBOL, trades: heard, isWhole }], course, findings));
  assert.equal(trades(all.slice(5), true), "");
  assert.match(trades(all.slice(5).toSpliced(3, 1)), /message 4 is trade .*, but must be/);
  assert.match(trades(all.slice(5, -1), true), /ends with trade .*, but the last message was/);
  assert.match(
    trades(all.slice(5).map((trade) => ({ ...trade, price: "1" }))),
    /its first message belongs to no entry/,
  );
});

test("changes of a book join on each connection, and nodes agree on them", () => {
  const event = (U: number, u: number, quantity = "1"): HeardDepthEvent => ({ U, u, b: [["1000", quantity]], a: [] });
  const depth = (...connections: HeardDepthEvent[][]): string =>
    said((findings) =>
      checkDepthStreams(
        connections.map((events) => ({ ...from, symbol: SYMBOL, events })),
        findings,
      ),
    );
  assert.equal(depth([event(1, 3), event(4, 4)], [event(2, 4), event(5, 9)]), "");
  assert.match(depth([event(1, 3), event(5, 5)]), /5 to 5 comes after 3/);
  assert.match(depth([event(1, 3), event(3, 5)]), /3 to 5 comes after 3/);
  assert.match(depth([event(1, 3)], [event(2, 3, "2")]), /is 2 here and 1 at n1/);
});
