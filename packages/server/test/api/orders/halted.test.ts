/** What is possible on a symbol that is not trading. Interface 3.4. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertRefused, TestVenue } from "@pricetime/testkit/gateway-venue";

test("in HALT and BREAK nothing is placed, and everything can be canceled; outside a session nothing can", async () => {
  const venue = new TestVenue();
  const place = () => venue.order({ price: "20000", quantity: "0.01" });
  const turn = (status: "TRADING" | "HALT" | "BREAK" | "END_OF_DAY") =>
    venue.act({ type: "setSymbolStatus", by: "test", symbol: "BTCUSDT", status });
  for (const status of ["HALT", "BREAK"] as const) {
    const { orderId } = (await place()).json;
    await place();
    turn(status);
    assertRefused(await place(), 400, -2010, "Market is closed.");
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
