/** What is possible on a symbol that is not trading. Interface 3.4. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertRefused, TestVenue } from "@pricetime/testkit/gateway-venue";

test("in HALT, BREAK and CANCEL_ONLY nothing is placed, and everything can be canceled; outside a session nothing can", async () => {
  const venue = new TestVenue();
  const place = () => venue.order({ price: "20000", quantity: "0.01" });
  const turn = (status: "TRADING" | "HALT" | "BREAK" | "CANCEL_ONLY" | "END_OF_DAY") =>
    venue.act({ type: "setSymbolStatus", by: "test", symbol: "BTCUSDT", status });
  for (const status of ["HALT", "BREAK", "CANCEL_ONLY"] as const) {
    const { orderId } = (await place()).json;
    await place();
    turn(status);
    const phase = "This order type is not possible in this trading phase.";
    assertRefused(await place(), 400, -2010, status === "CANCEL_ONLY" ? phase : "Market is closed.");
    const smaller = { symbol: "BTCUSDT", orderId, newQty: "0.005" };
    const amended = await venue.signed("PUT", "/api/v3/order/amend/keepPriority", smaller);
    assert.deepEqual([amended.status, amended.json.amendedOrder.qty], [200, "0.00500000"]);
    const one = await venue.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId });
    assert.deepEqual([one.status, one.json.status], [200, "CANCELED"]);
    const all = await venue.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
    assert.deepEqual([all.status, all.json.length], [200, 1]);
    turn("TRADING");
  }
  await place();
  turn("END_OF_DAY");
  const refused = await venue.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
  assertRefused(refused, 400, -2011, "Market is closed.");
});
