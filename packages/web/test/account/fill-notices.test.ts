/** Notices of fills name side, quantity, average price and fee, and an order has one notice at a time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FillNotices } from "../../src/account/fill-notices.ts";
import { type ReportEvent, rowOfReport } from "../../src/account/own-orders.ts";
import { Notices } from "../../src/account/trading-parts.ts";
import type { World } from "../../src/wire/world.ts";

const ORDER = {
  ...{ s: "BTCUSDT", c: "web-1", C: "", S: "BUY", o: "LIMIT", f: "GTC", q: "0.50000000" },
  ...{ p: "60000.00000000", P: "0.00000000", F: "0.00000000", g: -1, i: 7, N: "BTC", T: 2, O: 1, w: true, m: true },
} as const;

/** A fill of 0.1 at a price, after which the order has these totals. */
const fill = (
  trade: number,
  price: string,
  executed: string,
  spent: string,
  change: Partial<ReportEvent> = {},
): ReportEvent =>
  ({
    ...{ ...ORDER, x: "TRADE", X: "PARTIALLY_FILLED", t: trade, l: "0.10000000", L: price, Y: "", n: "0.00010000" },
    ...{ z: executed, Z: spent },
    e: "executionReport",
    ...change,
  }) as ReportEvent;

function opened(): { readonly notices: Notices; readonly fills: FillNotices; readonly texts: () => readonly string[] } {
  const notices = new Notices({ nowMs: () => 1 } as World);
  return { notices, fills: new FillNotices(notices), texts: () => notices.lines.value.map(({ text }) => text) };
}

test("each fill replaces the order's notice; the last one has the average price and the fees of all", () => {
  const { fills, texts } = opened();
  fills.onReport(fill(1, "60000.00000000", "0.10000000", "6000.00000000"));
  assert.deepEqual(texts(), ["Order partially filled: Buy 0.1 of 0.5 BTCUSDT at 60,000.00, fee 0.0001 BTC"]);
  // A repeated event counts once.
  fills.onReport(fill(1, "60000.00000000", "0.10000000", "6000.00000000"));
  fills.onReport(
    fill(2, "59999.50000000", "0.50000000", "29998.00000000", { X: "FILLED", l: "0.40000000", n: "0.00040000" }),
  );
  assert.deepEqual(texts(), ["Order filled: Buy 0.5 BTCUSDT at 59,996.00, fee 0.0005 BTC"]);
});

test("without all fills, as after a reload, the fee is unknown and not named", () => {
  const { fills, texts } = opened();
  fills.onReport(fill(9, "60000.00000000", "0.50000000", "30000.00000000", { X: "FILLED" }));
  assert.deepEqual(texts(), ["Order filled: Buy 0.5 BTCUSDT at 60,000.00"]);
});

test("an expired order names what was filled; a leg of an order list expires without a notice", () => {
  const { fills, texts } = opened();
  fills.onReport(fill(1, "60000.00000000", "0.10000000", "6000.00000000"));
  const end = { x: "EXPIRED", X: "EXPIRED", l: "0.00000000" } as const;
  fills.onReport(fill(-1, "0.00000000", "0.10000000", "6000.00000000", end));
  assert.deepEqual(texts(), ["Order expired. Filled: Buy 0.1 of 0.5 BTCUSDT at 60,000.00, fee 0.0001 BTC"]);
  fills.onReport(fill(-1, "0.00000000", "0.00000000", "0.00000000", { ...end, i: 8, c: "web-2" }));
  assert.equal(texts()[0], "Order expired: Buy 0.5 BTCUSDT at 60,000");
  fills.onReport(fill(-1, "0.00000000", "0.00000000", "0.00000000", { ...end, i: 9, c: "web-3", g: 4 }));
  assert.equal(texts().length, 2);
});

test("a pending order's notices: its placement, and why it expired", () => {
  const { fills, texts } = opened();
  const state = { g: 4, S: "SELL", o: "STOP_LOSS", p: "0.00000000", P: "59000.00000000", x: "NEW" } as const;
  const pending = fill(-1, "0", "0", "0", { ...state, X: "PENDING_NEW", w: false });
  const before = rowOfReport(pending);
  fills.onReport(pending);
  assert.deepEqual(texts(), [], "the list's own notice names it");
  fills.onReport({ ...pending, X: "NEW" }, before);
  const order = "Sell 0.5 BTCUSDT stop 59,000";
  assert.deepEqual(texts(), [`Order placed, because the order that it waited for was filled: ${order}`]);
  const ended = { ...pending, x: "EXPIRED", X: "EXPIRED" } as const;
  fills.onReport({ ...ended, eR: "OTO_PHASE_ONE_EXPIRED" }, before);
  assert.deepEqual(texts(), [`Pending order expired, because the order that it waited for expired: ${order}`]);
  fills.onReport({ ...ended, eR: "REJECTED" }, before);
  assert.match(texts()[0] ?? "", /^Order rejected when it was to be placed: Sell 0\.5 BTCUSDT stop 59,000\./);
  // The working order of a list, unlike the leg of an OCO, does not expire because of another order.
  fills.onReport({ ...ended, i: 9, c: "web-9", eR: "UNFILLED_IOC_QUANTITY_EXPIRED" });
  assert.equal(texts()[0], `Order expired: ${order}`);
});
