/**
 * The scenario's faults do what they say: for each of a bot's orders, what it was told is compared with what was
 * accepted.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse, stringify } from "yaml";
import { FOLDER } from "./by-command.ts";
import { CALLS, playOf } from "./played.ts";

/**
 * For an hour, every ten seconds: an order far from the market, a query and a cancel. At the end it checks what was
 * accepted.
 */
const BOT = `${CALLS}
const [beginMs, endMs, everyMs] = [150_000, 3_600_000, 10_000];
const startMs = Date.now();
const told = { order: {}, question: {}, cancel: {} };
const unknown = [];
const count = (what, { status }) => (told[what][status] = (told[what][status] ?? 0) + 1);
const timer = setInterval(async () => {
  const afterMs = Date.now() - startMs;
  if (afterMs < beginMs) return;
  if (afterMs > endMs) {
    clearInterval(timer);
    setTimeout(finish, 150_000);
    return;
  }
  const newClientOrderId = "n" + afterMs;
  const order = { side: "BUY", type: "LIMIT", timeInForce: "IOC", quantity: "0.01", price: "50000", newClientOrderId };
  const answer = await call("POST", "/api/v3/order", order);
  count("order", answer);
  if (answer.status !== 200) unknown.push(newClientOrderId);
  count("question", await call("GET", "/api/v3/openOrders"));
  count("cancel", await call("DELETE", "/api/v3/order", { origClientOrderId: "none" }));
}, everyMs);
async function finish() {
  const { body } = await call("GET", "/api/v3/allOrders", { limit: 1000 });
  const taken = new Set(body.map(({ clientOrderId }) => clientOrderId));
  console.log(JSON.stringify({ told, unknown: unknown.length, taken: unknown.filter((id) => taken.has(id)).length }));
}
process.once("SIGTERM", () => process.exit(0));
`;

interface Counted {
  readonly told: Readonly<Record<"order" | "question" | "cancel", Readonly<Record<string, number>>>>;
  /** Orders that were not answered with success, and those of them that the exchange has. */
  readonly unknown: number;
  readonly taken: number;
}

/** 346 draws, and half as many: the bounds are about three standard deviations from a half. */
const isHalf = (part: number, of: number): boolean => Math.abs(part / of - 0.5) < (of > 300 ? 0.08 : 0.12);

test("half of the orders, cancels and questions are answered 5XX, and half of those orders were taken", async (t) => {
  const file = parse(readFileSync(join(FOLDER, "hour-of-5xx.yaml"), "utf8")) as object;
  const money = [{ name: "maker", balances: { USDT: 5000 } }];
  const quiet = { ...file, symbols: ["BTCUSDT"], market: "empty", accounts: money, assert: {} };
  const { code, report, lines } = await playOf(t, stringify(quiet), BOT);
  assert.equal(code, 0, lines.join("\n"));
  const { told, unknown, taken } = JSON.parse(report.bot.said) as Counted;
  const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((all, n) => all + n);
  assert.equal(sum(told.order), 346);
  assert.deepEqual([told.order["504"], sum(told.order)], [unknown, (told.order["200"] ?? 0) + unknown]);
  assert.ok(isHalf(unknown, 346), `${unknown} of 346 orders were answered 5XX`);
  assert.ok(isHalf(taken, unknown), `${taken} of ${unknown} orders without an answer were taken`);
  assert.ok(isHalf(told.question["503"] ?? 0, 346), `${told.question["503"]} of 346 questions`);
  assert.ok(isHalf(told.cancel["503"] ?? 0, 346), `${told.cancel["503"]} of 346 cancels`);
  // The report has the same counts: each fault with its matches.
  const [before, after, questions] = report.faults;
  assert.deepEqual([before?.met, after?.met], [346, 346 - (unknown - taken)]);
  assert.deepEqual([before?.struck, after?.struck, report.orders], [unknown - taken, taken, 346 - (unknown - taken)]);
  // More than the node lists, so the list begins with the first of them.
  assert.ok((questions?.struck ?? 0) > 100 && (questions?.strikes[0]?.atMs ?? Infinity) - report.startMs < 300_000);
  assert.equal(questions?.followed[0]?.atMs, questions?.strikes[0]?.atMs);
});
