/** The parts of an account that need no node: late messages, pages, tables. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { csvText } from "../../src/panels/save-table.ts";
import { HistoryPages, MOST_ROWS_UNASKED, ROWS_OF_A_PAGE } from "../../src/account/history.ts";
import { MOST_CLOSED_REMEMBERED, OwnOrders, rowOfDraft } from "../../src/account/own-orders.ts";
import type { OrderRow } from "../../src/account/port.ts";
import { watchedWorld } from "../venue.ts";

const DRAFT = {
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  price: "1",
  quantity: "10",
} as const;

function told(orderId: number, executed: number, status: string, updateTimeMs: number): OrderRow {
  const row = rowOfDraft(DRAFT, `name-${orderId}`, 1);
  return { ...row, orderId, executedQty: String(executed), status, updateTimeMs, state: "known" };
}

test("an order ends in the same state, in whatever order and however often its reports arrive", () => {
  const life = [
    told(1, 0, "NEW", 1),
    told(1, 2, "PARTIALLY_FILLED", 2),
    told(1, 5, "PARTIALLY_FILLED", 2),
    told(1, 7, "PARTIALLY_FILLED", 3),
    told(1, 7, "CANCELED", 3),
  ];
  const open = life.slice(0, 4);
  const heard = (rows: readonly OrderRow[]): OwnOrders => {
    const orders = new OwnOrders(watchedWorld(), () => {});
    orders.pend(rowOfDraft(DRAFT, "name-1", 1));
    for (const row of rows) orders.fold(row);
    orders.close();
    return orders;
  };
  fc.assert(
    // The final report arrives twice, anywhere among the others.
    fc.property(fc.shuffledSubarray([...life, ...life], { minLength: 2 * life.length }), (rows) => {
      assert.deepEqual(heard(rows).open, []);
    }),
  );
  fc.assert(
    fc.property(fc.shuffledSubarray([...open, ...open]), (rows) => {
      assert.equal(heard([...rows, open.at(-1) as OrderRow, ...rows]).open[0]?.executedQty, "7");
    }),
  );
});

test("the number of remembered closed orders is bounded", () => {
  const orders = new OwnOrders(watchedWorld(), () => {});
  for (let id = 1; id <= MOST_CLOSED_REMEMBERED + 100; id++) orders.fold(told(id, 10, "FILLED", id));
  const { symbol } = DRAFT;
  assert.equal(orders.withId({ symbol, orderId: 1 }), undefined);
  assert.equal(orders.withId({ symbol, orderId: 101 })?.status, "FILLED");
  orders.close();
});

test("orders of two symbols may have the same id", () => {
  const orders = new OwnOrders(watchedWorld(), () => {});
  const other = { ...told(1, 0, "NEW", 1), symbol: "ETHUSDT", clientOrderId: "other" };
  orders.fold(told(1, 0, "NEW", 1));
  orders.fold(other);
  assert.equal(orders.open.length, 2);
  orders.fold(told(1, 10, "FILLED", 2));
  assert.deepEqual(orders.open, [other]);
  assert.equal(orders.withId(other)?.status, "NEW");
  orders.replace([], [other]);
  assert.deepEqual(orders.open, []);
  assert.equal(orders.withId(told(1, 0, "NEW", 1))?.status, "FILLED");
  orders.close();
});

interface Row {
  readonly id: number;
  readonly atMs: number;
}

function pagesOver(rows: readonly Row[]): HistoryPages<Row> {
  return new HistoryPages<Row>({
    fetch: (untilMs) =>
      Promise.resolve(rows.filter(({ atMs }) => atMs <= (untilMs ?? Infinity)).slice(-ROWS_OF_A_PAGE)),
    keyOf: ({ id }) => String(id),
    timeOf: ({ atMs }) => atMs,
    order: (one, other) => other.id - one.id,
  });
}

test("older pages miss no row and repeat none, also if many rows have the same time", async () => {
  const rows = Array.from({ length: 1800 }, (_, id) => ({ id, atMs: Math.floor(id / 7) }));
  const pages = pagesOver(rows);
  for (let i = 0; i < 10 && pages.state.value !== "done"; i++) await pages.more();
  assert.deepEqual(
    pages.rows.value.map(({ id }) => id),
    rows.map(({ id }) => id).reverse(),
  );
});

test("after a gap larger than a page, no hole is shown", async () => {
  const rows = Array.from({ length: 600 }, (_, id) => ({ id, atMs: id }));
  const pages = pagesOver(rows);
  await pages.more();
  for (let id = 600; id < 2000; id++) rows.push({ id, atMs: id });
  await pages.refresh();
  const ids = pages.rows.value.map(({ id }) => id);
  assert.deepEqual(
    ids,
    ids.map((_, i) => 1999 - i),
  );
  while (pages.state.value !== "done") await pages.more();
  assert.equal(pages.rows.value.length, 2000);
});

test("the number of rows from the stream is bounded; dropped rows can be fetched as a page", async () => {
  const rows = Array.from({ length: 700 }, (_, id) => ({ id, atMs: Math.floor(id / 7) }));
  const pages = pagesOver(rows);
  while (pages.state.value !== "done") await pages.more();
  for (let id = 700; id < MOST_ROWS_UNASKED + 500; id++) {
    const row = { id, atMs: Math.floor(id / 7) };
    rows.push(row);
    pages.put(row);
    assert.ok(pages.rows.value.length <= MOST_ROWS_UNASKED);
  }
  assert.equal(pages.rows.value.length, MOST_ROWS_UNASKED);
  assert.equal(pages.state.value, "idle");
  const ids = (): number[] => pages.rows.value.map(({ id }) => id);
  while (pages.state.value !== "done") await pages.more();
  assert.deepEqual(ids(), rows.map(({ id }) => id).reverse(), "none is missing");
  // Requested rows stay, but no more than those.
  const asked = rows.length;
  for (let id = asked; id < asked + 100; id++) pages.put({ id, atMs: id });
  assert.equal(pages.rows.value.length, asked);
});

test("a table is quoted correctly, and no text becomes a formula", () => {
  const text = csvText([
    ["name", "amount"],
    ["plain", "1.5"],
    ['=HYPERLINK("http://x")', "5"],
    ["+1", "-1"],
    ["@a", "\tb"],
    ['say "a, b"', "line\r\nbreak"],
    ["", "=1+1"],
  ]);
  assert.equal(
    text,
    'name,amount\r\nplain,1.5\r\n"\'=HYPERLINK(""http://x"")",5\r\n\'+1,\'-1\r\n\'@a,\'\tb\r\n"say ""a, b""","line\r\nbreak"\r\n,\'=1+1\r\n',
  );
});
