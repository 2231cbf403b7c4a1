/** Scenarios are judged by what happened: exact amounts, at each instant; the first failure is reported. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { WatchRecord } from "@pricetime/protocol";
import type { Assertion } from "@pricetime/server/scenarios";
import { amountOf, shown, ScenarioState } from "../../src/play/scenario-state.ts";
import { Judge } from "../../src/play/judge.ts";
import { thinned } from "../../src/play/report.ts";

const PAIRS = [{ symbol: "BTCUSDT", baseAsset: "BTC", quoteAsset: "USDT" }];
const ACCOUNT = "maker@lab";
type Seen = WatchRecord extends infer Each
  ? Each extends unknown
    ? Omit<Each, "number" | "atMs" | "seq">
    : never
  : never;

/** Adds them a millisecond apart, and judges after each. */
function judged(assertions: readonly Assertion[], seen: readonly Seen[]): Judge["verdicts"] {
  const world = new ScenarioState(new Map([["maker", ACCOUNT]]), PAIRS);
  const judge = new Judge(assertions, world, "maker");
  for (const [index, each] of seen.entries()) {
    world.take({ number: index + 1, atMs: index, seq: index, ...each });
    judge.look(index);
  }
  judge.end(seen.length);
  return judge.verdicts;
}

const of = (kind: Assertion["kind"], is: string, fields: object): Assertion =>
  ({ kind, name: undefined, condition: { is, of: fields } }) as unknown as Assertion;
const price = (text: string): Seen => ({ kind: "price", symbol: "BTCUSDT", price: text });
const balance = (asset: string, free: string, locked = "0"): Seen => ({
  kind: "balance",
  account: ACCOUNT,
  asset,
  free,
  locked,
});
const fill = (side: "BUY" | "SELL", quantity: string, quote: string, commission: string): Seen => ({
  ...{ kind: "fill", account: ACCOUNT, symbol: "BTCUSDT", orderId: 1, tradeId: 1, side, isMaker: true, price: "1" },
  ...{ quantity, baseAsset: "BTC", quote, quoteAsset: "USDT", commission },
  commissionAsset: side === "BUY" ? "BTC" : "USDT",
});

const states = (verdicts: Judge["verdicts"]): readonly string[] => verdicts.map(({ state }) => state);

test("a position is what was bought less what was sold and paid, to the last digit", () => {
  const exactly = { account: undefined, asset: "BTC", min: "0.29999999", max: "0.29999999" };
  const verdicts = judged(
    [
      of("finally", "position", exactly),
      of("always", "position", { asset: "BTC", max: "0.3" }),
      of("never", "position", { asset: "BTC", min: "0.4" }),
    ],
    [fill("BUY", "0.1", "5000", "0.00000001"), fill("BUY", "0.3", "15000", "0"), fill("SELL", "0.1", "5000", "5")],
  );
  assert.deepEqual(states(verdicts), ["holds", "failed", "holds"]);
  const { atMs, text, failures } = verdicts[1] ?? {};
  assert.deepEqual([atMs, text, failures], [1, "position in BTC 0.39999999 (at most 0.3)", 1]);
});

test("a drawdown is from the highest equity at last prices; what was paid in is not earned", () => {
  const course = [balance("BTC", "1", "1"), balance("USDT", "100"), price("100"), price("150"), price("120")];
  const most = (maxPercent: number): Assertion => of("always", "drawdown", { quote: "USDT", maxPercent });
  // 100 + 2 x 150 = 400, and then 340: 15 % less.
  assert.deepEqual(states(judged([most(15), most(14.99)], course)), ["holds", "failed"]);
  const paidIn: readonly Seen[] = [
    ...course,
    { kind: "moved", account: ACCOUNT, asset: "USDT", amount: "1000" },
    balance("USDT", "1100"),
    price("70"),
  ];
  // The maximum is now 1400; the equity is 1240.
  const [verdict] = judged([most(11.42)], paidIn);
  assert.deepEqual([verdict?.state, verdict?.text], ["failed", "drawdown 15 % (at most 11.42 %)"]);
  assert.deepEqual(states(judged([of("finally", "drawdown", { quote: "USDT", maxPercent: 11.429 })], paidIn)), [
    "holds",
  ]);
  assert.deepEqual(states(judged([of("finally", "drawdown", { quote: "USDT", maxPercent: 11.428 })], paidIn)), [
    "failed",
  ]);
});

test("orders are counted by all that they have been in; errors by code; sometimes needs one moment", () => {
  const order = (status: "NEW" | "FILLED" | "CANCELED", orderId: number): Seen => ({
    ...{ kind: "order", account: ACCOUNT, symbol: "BTCUSDT", orderId, clientOrderId: "a", side: "BUY", type: "LIMIT" },
    ...{ price: "1", quantity: "1", executed: "0", status },
  });
  const refusal = (code: number, account: string | null): Seen => ({
    ...{ kind: "refused", account, over: "rest", method: "POST", endpoint: "order.place", status: 429 },
    ...{ code, msg: "" },
  });
  const open = (count: number): Seen => ({ kind: "openOrders", account: ACCOUNT, count: { BTCUSDT: count } });
  const course = [
    order("NEW", 1),
    open(1),
    order("FILLED", 1),
    open(0),
    order("FILLED", 2),
    refusal(-1003, ACCOUNT),
    refusal(-1003, "x"),
  ];
  const verdicts = judged(
    [
      of("finally", "orders", { status: "NEW", min: 2, max: 2 }),
      of("finally", "orders", { status: "FILLED", side: "BUY", min: 2 }),
      of("finally", "orders", { status: "CANCELED" }),
      of("finally", "errors", { code: -1003, max: 1, min: 1 }),
      of("never", "errors", { code: -1015 }),
      of("sometimes", "openOrders", { min: 1 }),
      of("sometimes", "openOrders", { min: 2 }),
      of("always", "openOrders", { max: 0 }),
    ],
    course,
  );
  assert.deepEqual(states(verdicts), ["holds", "holds", "failed", "holds", "holds", "holds", "failed", "failed"]);
  assert.equal(verdicts[5]?.atMs, 1);
  assert.equal(verdicts[7]?.failures, 2);
});

test("a side of a book is empty from one record to the next; one that nobody has told of has orders", () => {
  const side = (isEmpty: boolean): Seen => ({ kind: "book", symbol: "BTCUSDT", side: "BUY", isEmpty });
  const bids = (empty: boolean): object => ({ symbol: "BTCUSDT", side: "BUY", empty });
  const verdicts = judged(
    [
      of("sometimes", "book", bids(true)),
      of("always", "book", bids(false)),
      of("finally", "book", bids(false)),
      of("sometimes", "book", { ...bids(true), side: "SELL" }),
    ],
    [side(false), side(true), side(false)],
  );
  assert.deepEqual(states(verdicts), ["holds", "failed", "holds", "failed"]);
  const [first, second] = verdicts;
  assert.deepEqual([first?.atMs, first?.name, first?.text], [1, "book BTCUSDT BUY", "no bids on BTCUSDT (none)"]);
  assert.deepEqual([second?.atMs, second?.text, second?.failures], [1, "no bids on BTCUSDT (some)", 1]);
});

test("amounts are exact, with a minus and without", () => {
  const sum = amountOf("0.1") + amountOf("0.2") - amountOf("-12345678901234567890.00000000000000000001");
  assert.equal(shown(sum, 20), "12345678901234567890.30000000000000000001");
  assert.equal(shown(amountOf("-0.5")), "-0.5");
  assert.equal(shown(amountOf("-0.000000001")), "0");
  assert.throws(() => amountOf("1e3"), RangeError);
});

test("a thinned curve keeps its lowest and its highest", () => {
  const points = Array.from({ length: 10_000 }, (_, index) => [index, index === 5432 ? -7 : index % 10] as const);
  const few = thinned(points, 100);
  assert.ok(few.length <= 100);
  assert.ok(few.some(([atMs, value]) => atMs === 5432 && value === -7));
  assert.ok(few.every(([atMs], index) => index === 0 || atMs >= (few[index - 1]?.[0] ?? 0)));
});
