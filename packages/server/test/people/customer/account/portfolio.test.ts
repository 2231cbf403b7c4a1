/** What a customer owns, over HTTP: cost and profit from the account's own trades, and the value over time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AccountVenue, PASSWORD, refusal } from "../account-venue.ts";
import type { Portfolio, PortfolioAsset } from "../../../../src/people/customer/answers.ts";

const DAY_MS = 86_400_000;
const EMAIL = "ann@example.com";

test("cost, profit and value follow the account's trades; other accounts are not shown", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const { accountId } = venue.engine.accountByEmail(EMAIL) ?? assert.fail();
  const maker = await venue.customer("maker@example.com");
  const { accountId: other } = venue.engine.accountByEmail("maker@example.com") ?? assert.fail();
  venue.give(accountId, "USDT", "100000");
  venue.give(other, "BTC", "100");
  venue.give(other, "USDT", "1000000");
  const trade = async (side: "BUY" | "SELL", price: string, quantity: string): Promise<void> => {
    const rest = `symbol=BTCUSDT&type=LIMIT&timeInForce=GTC&price=${price}&quantity=${quantity}`;
    for (const [from, own] of [
      [maker, side === "BUY" ? "SELL" : "BUY"],
      [browser, side],
    ] as const) {
      const placed = await from.send("POST", `/api/v3/order?${rest}&side=${own}`);
      assert.equal(placed.status, 200, placed.text);
    }
  };
  await trade("BUY", "1000", "2");
  venue.nowMs += DAY_MS;
  for (const [one, email] of [
    [browser, EMAIL],
    [maker, "maker@example.com"],
  ] as const) {
    assert.equal((await one.post("sign-in", { email, password: PASSWORD })).status, 200);
  }
  await trade("BUY", "2000", "2");
  await trade("SELL", "1800", "1");
  const answer = await browser.get("portfolio?days=30");
  assert.equal(answer.status, 200, answer.text);
  const { asset, trades, assets, totals, values, unpriced } = answer.json;
  assert.deepEqual([asset, trades, unpriced], ["USDT", 3, []]);
  // Each buy pays a fee of 0.1 % in BTC: 3.996 BTC for 6,000 USDT. The sale gets 1,798.20 USDT for a cost of 1,501.50.
  assert.deepEqual(totals, {
    value: "101191.00000000",
    cost: "100296.69849850",
    unrealizedProfit: "894.30150150",
    realizedProfit: "296.69849850",
  });
  const bitcoin = assets.find((row: PortfolioAsset) => row.asset === "BTC");
  assert.deepEqual(bitcoin, {
    ...{ asset: "BTC", quantity: "2.99600000", averageCost: "1501.50150150", cost: "4498.49849850" },
    ...{ price: "1800.00000000", value: "5392.80000000", unrealizedProfit: "894.30150150" },
    ...{ realizedProfit: "296.69849850", isRealizedComplete: true },
  });
  assert.deepEqual(
    values.map(({ value }: Portfolio["values"][number]) => value),
    ["99998.00000000", "101191.00000000"],
  );
  const query = `portfolio?account=${other}`;
  assert.deepEqual(refusal(await browser.get(query)), [404, "UNKNOWN_ACCOUNT"]);
  assert.deepEqual(refusal(await venue.browser().get("portfolio")), [401, "NO_SESSION"]);
  assert.deepEqual(refusal(await browser.get("portfolio?days=7")), [400, "BAD_REQUEST"]);
});
