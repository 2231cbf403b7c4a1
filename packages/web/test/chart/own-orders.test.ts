/** The account's orders and fills on the chart, without drawing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import type { Fill, OrderRow } from "../../src/account/port.ts";
import { fillMarks, fillsOf } from "../../src/chart/fills.ts";
import {
  consequencesOf,
  drawnLines,
  LineEditor,
  lineWords,
  nearestTick,
  steppedPrice,
  type TickRule,
  tickRule,
} from "../../src/chart/line-edit.ts";
import { type OrderLine, orderLines } from "../../src/chart/order-lines.ts";
import type { Look } from "../../src/chart/look.ts";
import type { Market } from "../../src/market/port.ts";
import { ASK, lineLabel } from "../../src/words/words.ts";
import { DAY_START_MS, flatCandles, MINUTE_MS } from "./candles.ts";

/** The legs of an OCO, and of an OTOCO whose working order is untouched. */
const OCO = [
  order(2, { orderListId: 7, executedQty: "0.00000000", price: "90" }),
  order(3, { ...{ orderListId: 7, type: "STOP_LOSS", price: "0.00000000", stopPrice: "95", isWorking: false } }),
];
const WORKING = { orderListId: 8, executedQty: "0.00000000", cummulativeQuoteQty: "0.00000000" };
const PENDING = { ...WORKING, side: "SELL", status: "PENDING_NEW", isWorking: false } as const;
const OTO = [
  order(4, { ...WORKING, price: "99" }),
  order(5, { ...PENDING, type: "STOP_LOSS", price: "0.00000000", stopPrice: "80", origQty: "0.00000000" }),
  order(6, { ...PENDING, type: "LIMIT_MAKER", price: "130", origQty: "0.00000000" }),
];
const MARKET = { symbol: "BTCUSDT", priceDigits: 2 };

function order(orderId: number, change: Partial<OrderRow> = {}): OrderRow {
  return {
    ...{ orderId, clientOrderId: `c${orderId}`, orderListId: -1, symbol: "BTCUSDT", side: "BUY", type: "LIMIT" },
    ...{ timeInForce: "GTC", price: "100.00000000", stopPrice: "0.00000000", icebergQty: "0.00000000" },
    ...{ origQty: "1.50000000", executedQty: "0.25000000", cummulativeQuoteQty: "25.00000000", status: "NEW" },
    ...{ isWorking: true, timeMs: 1, updateTimeMs: 1, state: "known", refusal: null },
    ...change,
  };
}

test("an open order has a line at each of its prices, with its remaining quantity", () => {
  const lines = orderLines(
    [
      order(1),
      order(2, { type: "STOP_LOSS_LIMIT", price: "89.9", stopPrice: "90", side: "SELL", isWorking: false }),
      order(3, { type: "STOP_LOSS", price: "0.00000000", stopPrice: "80", isWorking: false }),
      order(7, { type: "STOP_LOSS_LIMIT", price: "75", stopPrice: "76" }),
      order(4, { symbol: "ETHUSDT" }),
      order(5, { status: "FILLED" }),
      order(0, { state: "sending", price: "70", status: "" }),
    ],
    MARKET,
  );
  const shown = lines.map(({ key, price, isSettled }) => `${key} ${price} ${isSettled ? "settled" : "sent"}`);
  assert.deepEqual(shown, [
    ...["1 price 100.00 settled", "2 stopPrice 90.00 settled", "2 price 89.90 settled", "3 stopPrice 80.00 settled"],
    ...["7 price 75.00 settled", "c0 price 70.00 sent"],
  ]);
  assert.equal(lines[0]?.quantity, "1.25");
});

test("a move shows the distance from the market and the new total, unless another price decides the total", () => {
  const [stop, limit] = orderLines(
    [order(1), order(2, { type: "STOP_LOSS_LIMIT", price: "89.9", stopPrice: "120", side: "SELL", isWorking: false })],
    MARKET,
  ) as [OrderLine, OrderLine];
  const quote = { quoteAsset: "USDT", quoteDigits: 8 };
  assert.deepEqual(consequencesOf(limit, "1100.00", quote, 1000), {
    distance: "+10.00% from the market",
    total: "Total 1,375.00 USDT",
  });
  assert.deepEqual(consequencesOf(limit, "999.996", quote, 1000).distance, "0.00% from the market");
  assert.deepEqual(consequencesOf(limit, "99.00", quote, null).distance, null);
  assert.deepEqual(consequencesOf(stop, "500.00", quote, 1000), { distance: "−50.00% from the market", total: null });
  const market = orderLines([order(3, { type: "STOP_LOSS", price: "0", stopPrice: "80", isWorking: false })], MARKET);
  assert.equal(consequencesOf(market[0] as OrderLine, "70.00", quote, 1000).total, "Total 87.50 USDT");
});

const market = (filter: Record<string, string>, tickSize: string): Market =>
  ({ priceDigits: 2, tickSize, filters: [{ filterType: "PRICE_FILTER", ...filter, tickSize }] }) as unknown as Market;
const plain = tickRule(market({ minPrice: "0.01000000", maxPrice: "1000.00000000" }, "0.01"));
const coarse = tickRule(market({ minPrice: "0.10", maxPrice: "99.70" }, "0.25"));
const ofToday = tickRule({ ...market({ minPrice: "0.05", maxPrice: "9.99" }, "0.10"), stepOrigin: "zero" });
const free = tickRule(market({ minPrice: "0.00", maxPrice: "0.00" }, "0.00"));

test("a position on the chart becomes the nearest valid price", () => {
  assert.equal(nearestTick(123.4567, plain), "123.46");
  assert.equal(nearestTick(0.1 + 0.2, plain), "0.30");
  assert.equal(nearestTick(-5, plain), "0.01");
  assert.equal(nearestTick(NaN, plain), "0.01");
  assert.equal(nearestTick(1e9, plain), "1000.00");
  assert.equal(nearestTick(50, coarse), "50.10");
  assert.equal(nearestTick(1e9, coarse), "99.60");
  assert.deepEqual(
    [0, 0.57, 1e9].map((price) => nearestTick(price, ofToday)),
    ["0.10", "0.60", "9.90"],
  );
  assert.equal(nearestTick(0, free), "0.01");
  assert.equal(nearestTick(7.777, free), "7.78");
});

test("arrow keys move by one tick and stop at the bounds", () => {
  const steps: readonly (readonly [string, number, TickRule, string])[] = [
    ["100.00", 1, plain, "100.01"],
    ["100.00", -10, plain, "99.90"],
    ["0.02", -10, plain, "0.01"],
    ["999.99", 10, plain, "1000.00"],
    ["50.10", 1, coarse, "50.35"],
    ["50.20", 1, coarse, "50.35"],
    ["50.20", -1, coarse, "50.10"],
  ];
  for (const [price, ticks, rule, expected] of steps) assert.equal(steppedPrice(price, ticks, rule), expected);
});

/** An account that must not be asked. */
const NO_ACTIONS = new Proxy({} as ConstructorParameters<typeof LineEditor>[0]["account"], {
  get: () => () => assert.fail("nothing is sent"),
});

/** The account's received requests, and its pending responses. */
function editing(confirms: boolean, fault: string | null = null) {
  const asked: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const lines = signal<readonly OrderLine[]>(orderLines([order(1), ...OCO], MARKET));
  const account = {
    move: (row: OrderRow, to: object) => (asked.push(["move", row.orderId, to]), promise),
    cancel: (row: OrderRow) => (asked.push(["cancel", row.orderId]), promise),
    cancelList: (symbol: string, id: number) => (asked.push(["cancelList", symbol, id]), promise),
    notify: (_tone: string, text: string) => void asked.push(text),
  };
  const faults = { next: fault };
  const editor = new LineEditor(
    { account, preferences: { confirms: signal(confirms) }, moveFault: () => faults.next },
    lines,
  );
  const line = (at: number): OrderLine => lines.value[at] as OrderLine;
  return { editor, asked, lines, faults, line, answer: () => resolve(true) };
}

test("a moved line is sent once when it is released, and stays at the new price until the response arrives", async () => {
  const { editor, asked, line, answer } = editing(false);
  assert.ok(editor.moveTo(line(0), "101.00"));
  assert.ok(editor.moveTo(line(0), "102.00"));
  const applied = editor.apply();
  assert.deepEqual(asked, [["move", 1, { price: "102.00" }]]);
  assert.equal(editor.edit.value?.step, "sending");
  editor.abort();
  assert.equal(editor.moveTo(line(1), "90.00"), false);
  await editor.cancel(line(1));
  assert.equal(editor.edit.value?.to, "102.00");
  answer();
  await applied;
  assert.equal(editor.edit.value, null);
  assert.equal(asked.length, 1);
});

test("with confirmations on, nothing is sent before the user confirms", async () => {
  const { editor, asked, line, answer } = editing(true);
  answer();
  editor.moveTo(line(0), "101.00");
  await editor.apply();
  assert.equal(editor.edit.value?.step, "ask");
  editor.abort();
  assert.equal(editor.edit.value, null);
  await editor.confirm();
  assert.deepEqual(asked, []);
  editor.moveTo(line(0), "101.00");
  await editor.apply();
  await editor.confirm();
  assert.deepEqual(asked, [["move", 1, { price: "101.00" }]]);
});

test("a move that would be rejected is not sent, also if it is only after the question, and a notice says why", async () => {
  const { editor, asked, line, faults } = editing(true, "Enter a price");
  const refused = "Order not moved: Buy 1.5 BTCUSDT at 100. Enter a price";
  editor.moveTo(line(0), "101.00");
  await editor.apply();
  assert.deepEqual([editor.edit.value, asked], [null, [refused]]);
  faults.next = null;
  editor.moveTo(line(0), "101.00");
  await editor.apply();
  faults.next = "Enter a price";
  await editor.confirm();
  assert.deepEqual([editor.edit.value, asked], [null, [refused, refused]]);
});

test("an unchanged price is not sent, and Escape reverts a line", async () => {
  const { editor, asked, line, answer } = editing(false);
  answer();
  editor.moveTo(line(0), "100.00");
  await editor.apply();
  editor.moveTo(line(0), "99.00");
  editor.abort();
  await editor.apply();
  assert.deepEqual(asked, []);
});

test("canceling one leg of a list cancels the list", async () => {
  const { editor, asked, line, answer } = editing(false);
  answer();
  await editor.cancel(line(0));
  await editor.cancel(line(1));
  assert.deepEqual(asked, [
    ["cancel", 1],
    ["cancelList", "BTCUSDT", 7],
  ]);
});

test("pending orders have lines of their own, without a quantity that is not known yet", () => {
  const [profit, working, loss] = orderLines(OTO, MARKET) as [OrderLine, OrderLine, OrderLine];
  const look = { up: "green", down: "red", panel: "black" } as Look;
  const drawn = drawnLines([profit, working, loss], null, look).map(({ price, form }) => `${price} ${form}`);
  assert.deepEqual(drawn, ["130 pending", "99 plain", "80 pending"]);
  assert.equal(lineLabel(lineWords(profit)), "Sell Post only OTO");
  assert.equal(lineLabel(lineWords(working)), "Buy Limit OTO 1.5");
  assert.equal(consequencesOf(profit, "131.00", { quoteAsset: "USDT", quoteDigits: 8 }, 100).total, null);
  assert.equal(
    ASK.cancel(lineWords(loss)),
    "Cancel Sell stop market of an OTO at 80.00? The order and the 2 pending orders will be canceled.",
  );
  assert.equal(
    ASK.move(lineWords(profit), "131.00"),
    "Move Sell post only of an OTO: price from 130.00 to 131.00? The order and the 2 pending orders will be canceled and placed again.",
  );
  const partly = orderLines([{ ...(OTO[0] as OrderRow), executedQty: "0.5" }, ...OTO.slice(1)], MARKET);
  assert.deepEqual(
    partly.map(({ isMovable }) => isMovable),
    [false, false, false],
    "what was bought would lose its pending orders",
  );
});

test("a move that restarts a trailing stop is always asked for, and says so", async () => {
  const trailing = { type: "STOP_LOSS", price: "0.00000000", isWorking: false, trailingDelta: 100, trailingTime: 5 };
  const stop = order(3, { orderListId: 7, ...trailing, executedQty: "0.00000000" });
  const lines = signal(orderLines([OCO[0] as OrderRow, stop], MARKET));
  const preferences = { confirms: signal(false) };
  const editor = new LineEditor({ account: NO_ACTIONS, preferences, moveFault: () => null }, lines);
  const [limit] = lines.value as [OrderLine];
  editor.moveTo(limit, "91.00");
  await editor.apply();
  assert.equal(editor.edit.value?.step, "ask");
  assert.match(ASK.move(lineWords(limit), "91.00"), /follow the price from then on\.$/);
});

test("a line is released when its order is filled, moved elsewhere or being sent", () => {
  const { editor, lines, line } = editing(true);
  editor.moveTo(line(0), "101.00");
  lines.value = orderLines([order(1, { executedQty: "1.00000000" })], MARKET);
  assert.equal(editor.edit.value?.line.quantity, "0.5");
  lines.value = orderLines([order(1, { price: "105" })], MARKET);
  assert.equal(editor.edit.value, null);
  editor.moveTo(line(0), "101.00");
  lines.value = orderLines([order(1, { price: "105", state: "sending" })], MARKET);
  assert.equal(editor.edit.value, null);
  assert.equal(editor.moveTo(line(0), "101.00"), false);
  editor.close();
});

function fill(tradeId: number, timeMs: number, change: Partial<Fill> = {}): Fill {
  return {
    ...{ symbol: "BTCUSDT", tradeId, orderId: 1, side: "BUY", price: "100", quantity: "1", quoteQuantity: "100" },
    ...{ commission: "0", commissionAsset: "USDT", isMaker: true, timeMs },
    ...change,
  };
}

test("only fills of visible candles are marked, those of the same candle, side and price as one", () => {
  const candles = flatCandles(10, DAY_START_MS);
  const at = (candle: number): number => DAY_START_MS + candle * MINUTE_MS + 10;
  const fills = fillsOf(
    [99, 9, 5, 5, 5, -3].map((candle, i) => fill(5 - i, at(candle), i === 2 ? { side: "SELL" } : {})),
    "BTCUSDT",
  );
  const seen = (from: number, to: number) =>
    fillMarks(fills, candles, from, to).map((mark) => `${mark.candleIndex} ${mark.side} ${mark.fills.length}`);
  assert.deepEqual(seen(4, 6), ["5 BUY 2", "5 SELL 1"]);
  assert.deepEqual(seen(0, 4), []);
  assert.deepEqual(seen(9, 500), ["9 BUY 2"]);
  assert.deepEqual(fillMarks(fills, [], 0, 5), []);
  assert.deepEqual(fillsOf(fills, "ETHUSDT"), []);
});
