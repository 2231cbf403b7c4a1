/** Orders with the same terms share one object, which is found soon even if a symbol has seen many combinations. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listSymbol } from "@pricetime/testkit/commands";
import { EXPIRY_REASONS, ORDER_TYPES, SELF_TRADE_PREVENTION_MODES, SIDES } from "../src/entry/order-record.ts";
import { TestExchange } from "./harness.ts";

test("terms are shared, and those of most orders move to the front", () => {
  const exchange = new TestExchange();
  exchange.listAssets(["BTC", 8], ["USDT", 8]);
  exchange.run(listSymbol("BTC/USDT"));
  const market = exchange.engine.state.marketOf(0);
  const all = SIDES.flatMap((side) =>
    ORDER_TYPES.flatMap((type) =>
      SELF_TRADE_PREVENTION_MODES.flatMap((mode) =>
        EXPIRY_REASONS.map((reason) => market.termsOf(side, type, "GTC", mode, reason)),
      ),
    ),
  );
  assert.equal(new Set(all).size, all.length);
  const placeOf = (terms: object): number => (market as unknown as { terms: object[] }).terms.indexOf(terms);
  const usual = market.termsOf("SELL", "TAKE_PROFIT_LIMIT", "GTC", "TRANSFER");
  for (let i = 0; i < 10; i++) assert.equal(market.termsOf("SELL", "TAKE_PROFIT_LIMIT", "GTC", "TRANSFER"), usual);
  assert.ok(placeOf(usual) < 8);
  for (const terms of all) {
    const { side, type, timeInForce, selfTradePrevention, expiryReason } = terms;
    assert.equal(market.termsOf(side, type, timeInForce, selfTradePrevention, expiryReason), terms);
  }
});
