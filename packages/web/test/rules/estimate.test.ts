/** The estimate of a market order is compared with its execution, and the sliders with the account's funds. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Client } from "@pricetime/testkit/client";
import { Dice } from "@pricetime/testkit/dice";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import type { Exchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { compare, type Decimal, decimal, formatDecimal, isZero, multiply } from "../../src/exact/decimal.ts";
import { checkOrder } from "../../src/rules/check-order.ts";
import { estimateTaking, feeOf, portionOf, quotePortionOf } from "../../src/rules/estimate.ts";
import { clientOf, type Opened, openTerminal } from "../account/signed-in.ts";
import { startQuietNode } from "../venue.ts";

const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const dice = new Dice(seed);

let node: Exchange;
let bob: Client;
let alice: Client;
let page: Opened;
before(async () => {
  process.stdout.write(`# SEED=${seed}\n`);
  node = await startQuietNode({ dataFolder: temporaryFolder() });
  [alice, bob] = [clientOf(node, "alice"), clientOf(node, "bob")];
  await rest("SELL", "20000", "0.01");
  await rest("BUY", "20000", "0.01");
  page = openTerminal(node);
});
after(async () => {
  page.close();
  alice.close();
  bob.close();
  await node.kill();
});

interface Result {
  readonly origQty: string;
  readonly executedQty: string;
  readonly cummulativeQuoteQty: string;
  readonly commission: string;
}

async function rest(side: "BUY" | "SELL", price: string, quantity: string): Promise<void> {
  const order = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", price, quantity };
  assert.equal((await bob.signed("POST", "/api/v3/order", order)).status, 200);
}

/** Waits until the page's book equals the node's. */
async function seen(): Promise<void> {
  const { lastUpdateId } = (await bob.public<{ lastUpdateId: number }>("/api/v3/depth", { symbol: "BTCUSDT" })).json;
  await until(
    "the book is seen",
    () => page.feed.book.value.freshness === "live" && page.feed.book.value.lastUpdateId >= lastUpdateId,
  );
}

const same = (one: Decimal, text: string, what: string): void =>
  assert.equal(compare(one, decimal(text)), 0, `${what}: ${formatDecimal(one)}, and it was ${text}`);

test("quantity, amount and fee of a market order equal the estimate exactly", async () => {
  for (let i = 0; i < 12; i++) {
    for (let level = 0; level < 4; level++) {
      await rest("SELL", (20_001 + dice.below(500) / 100).toFixed(2), (0.01 + dice.below(5000) / 1e6).toFixed(6));
      await rest("BUY", (19_999 - dice.below(500) / 100).toFixed(2), (0.01 + dice.below(5000) / 1e6).toFixed(6));
    }
    await seen();
    const market = page.feed.market.value;
    assert.ok(market !== null);
    const side = dice.pick(["BUY", "SELL"] as const);
    const byQuote = dice.oneIn(2);
    const amount = byQuote ? (50 + dice.below(60_000) / 100).toFixed(2) : (0.003 + dice.below(30_000) / 1e6).toFixed(6);
    const wanted = byQuote ? { quoteQuantity: decimal(amount) } : { quantity: decimal(amount) };
    const estimate = estimateTaking(page.feed.book.value, market, side, wanted);
    assert.ok(estimate?.isWhole);
    const order = { symbol: "BTCUSDT", side, type: "MARKET", [byQuote ? "quoteOrderQty" : "quantity"]: amount };
    const { status, json, text } = await alice.signed<Result>("POST", "/api/v3/order", order);
    assert.equal(status, 200, text);
    same(estimate.quantity, json.executedQty, "quantity");
    same(estimate.notional, json.cummulativeQuoteQty, "amount");
    assert.ok(compare(estimate.slippage, decimal("0")) >= 0);
    const [low, high] = side === "BUY" ? [estimate.average, estimate.worst] : [estimate.worst, estimate.average];
    assert.ok(compare(low, high) <= 0);
    // The node rounds the fee of each fill down, so the sum may be lower by one unit for each fill.
    const fee = feeOf(estimate, market, side, decimal("0.001"));
    const units =
      (fee.amount.units * 10n ** 8n) / 10n ** BigInt(fee.amount.digits) - BigInt(json.commission.replace(".", ""));
    assert.ok(units >= 0n && units <= 20n, `a fee of ${formatDecimal(fee.amount)}, and it was ${json.commission}`);
  }
});

test("a share of a balance never exceeds it, is on the steps, and all of it can be placed", async () => {
  const { balances } = (await alice.signed<{ balances: { asset: string; free: string }[] }>("GET", "/api/v3/account"))
    .json;
  const freeOf = (asset: string): string => balances.find((one) => one.asset === asset)?.free ?? "0";
  const [base, quote] = [freeOf("BTC"), freeOf("USDT")];
  const free = { base: decimal(base), quote: decimal(quote) };
  const market = page.feed.market.value;
  assert.ok(market !== null);
  const around = {
    ...{ market, averagePrice: "20000", referencePrice: null, lastPrice: "20000", book: null, openOrders: [] },
    ...{ free: { base, quote }, commission: null },
  };
  for (const percent of [1, 25, 50, 75, 100]) {
    for (const side of ["BUY", "SELL"] as const) {
      const price = `1${dice.below(9)}${dice.below(1000)}.${10 + dice.below(90)}`;
      const quantity = portionOf(market, side, percent, free, decimal(price));
      assert.ok(!isZero(quantity));
      const draft = {
        symbol: "BTCUSDT",
        side,
        type: "LIMIT",
        timeInForce: "GTC",
        price,
        quantity: formatDecimal(quantity),
      } as const;
      const problems = checkOrder(draft, around).filter(({ kind }) => kind === "funds" || kind === "form");
      assert.deepEqual(problems, []);
    }
    const part = quotePortionOf(market, percent, free);
    assert.ok(
      compare(
        multiply(part, { units: 100n, digits: 0 }),
        multiply(free.quote, { units: BigInt(percent), digits: 0 }),
      ) <= 0,
    );
  }
});

test("orders that cannot be paid, would execute immediately, or whose stop price is reached are reported before sending", async () => {
  await rest("SELL", "20100", "0.01");
  await seen();
  const market = page.feed.market.value;
  assert.ok(market !== null);
  const book = page.feed.book.value;
  await until("the last price is known", () => Number(page.feed.tickers.value.get("BTCUSDT")?.lastPrice ?? 0) > 0);
  const last = page.feed.tickers.value.get("BTCUSDT")?.lastPrice ?? null;
  const around = {
    ...{ market, averagePrice: last, referencePrice: null, lastPrice: last, book, openOrders: [] },
    ...{ free: { base: "0.5", quote: "1000" }, commission: null },
  };
  const order = { symbol: "BTCUSDT", type: "LIMIT", timeInForce: "GTC" } as const;
  const kinds = (draft: object): string =>
    checkOrder({ ...order, side: "BUY", ...draft }, around)
      .map(({ kind, field }) => `${kind} ${field}`)
      .join();
  assert.equal(kinds({ price: "10000", quantity: "0.1" }), "");
  assert.equal(kinds({ price: "10000", quantity: "0.2" }), "funds quantity");
  assert.equal(kinds({ side: "SELL", price: "30000", quantity: "0.6" }), "funds quantity");
  const best = book.asks[0]?.price ?? 0;
  assert.equal(
    kinds({ type: "LIMIT_MAKER", timeInForce: undefined, price: (best / 100).toFixed(2), quantity: "0.01" }),
    "market price",
  );
  assert.equal(
    kinds({ type: "STOP_LOSS", price: undefined, timeInForce: undefined, stopPrice: "15000", quantity: "0.01" }),
    "market stopPrice",
  );
  assert.equal(kinds({ price: "", quantity: "x" }), "form price,form quantity");
  assert.equal(kinds({ price: "10000", quantity: "0.05", icebergQty: "0.01", timeInForce: "IOC" }), "form timeInForce");
});
