import assert from "node:assert/strict";
import { test } from "node:test";
import { joinNames, availableNames } from "../../../src/people/admin/parse.ts";
import { mostAlike } from "../../../src/platform/config/faults.ts";

const MANY = Array.from({ length: 20_000 }, (_, at) => `COIN${at}USDT`);

test("a short list of names is complete, a long one shows the most similar", () => {
  assert.equal(availableNames("X", []), "None exist.");
  assert.equal(availableNames("X", ["BTC"]), "Available: BTC.");
  assert.equal(availableNames("X", ["BTC", "ETH", "LTC"]), "Available: BTC, ETH and LTC.");
  assert.equal(availableNames("coin12usd", MANY), "Did you mean COIN12USDT, COIN1USDT and COIN2USDT?");
  assert.equal(availableNames("COIN17777USDT", MANY.slice(0, 50)), "50 exist.");
  assert.equal(availableNames("NOTHING LIKE IT", MANY), "20000 exist.");
  assert.equal(joinNames([]), "");
});

test("similarity allows missing, wrong or extra letters; long names are not compared", () => {
  const near = (name: string): string[] => mostAlike(name, ["BTCUSDT", "ETHBTC", "x".repeat(300)]);
  for (const name of ["BTCUSD", "btcusdt", "BTCUSTD", "BTC/USDT", "TCUSDT"]) assert.deepEqual(near(name), ["BTCUSDT"]);
  assert.deepEqual(near("BTC"), []);
  assert.deepEqual(near("x".repeat(299)), []);
});
