/**
 * The demo's bots, step by step under the test's clock: an order with all of an account's funds, on any symbol and
 * side, is filled; then the book and the price recover.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { DepthLevel, MarketView, Side } from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { DEMO_ACCOUNTS } from "../../../src/lab/demo/accounts.ts";
import { DEMO_ASSETS } from "../../../src/lab/demo/assets.ts";
import { STEP_MS } from "../../../src/lab/demo/bots/traders.ts";
import { DEMO_MARKETS } from "../../../src/lab/demo/markets.ts";
import { demoFolder, type RunningDemo, startDemo } from "./running-demo.ts";

const SYMBOLS = DEMO_MARKETS.map(({ spec }) => spec.symbol);
/** Five minutes of the market. */
const MOST_STEPS = Math.ceil(300_000 / STEP_MS);

const { path, remove } = demoFolder();
let nowMs = Date.parse("2026-01-14T12:00:00Z");
let demo: RunningDemo;
before(async () => {
  demo = await startDemo(path, 1, false, () => nowMs);
});
after(async () => {
  assert.deepEqual(demo.errors, []);
  demo.engine.checkInvariants();
  await demo.stop();
  remove();
});

async function step(): Promise<void> {
  nowMs += STEP_MS;
  await demo.bots.step();
}

async function untilSteps(what: string, isSo: () => boolean): Promise<void> {
  for (let steps = 0; !isSo(); steps++) {
    assert.ok(steps < MOST_STEPS, `not within five minutes: ${what}`);
    await step();
  }
}

const marketOf = (symbol: string): MarketView => demo.engine.marketBySymbol(symbol) ?? assert.fail(symbol);
const mid = (market: MarketView): number => (market.bestLevel("BUY")[0] + market.bestLevel("SELL")[0]) / 2;
const sidesOf = (market: MarketView): readonly DepthLevel[][] => [market.bids(1000), market.asks(1000)];

/** The part of a side's value that is more than 1 % from its best price. */
function farPart(side: readonly DepthLevel[]): number {
  const best = side[0]?.[0] ?? 0;
  const value = (levels: readonly DepthLevel[]): number => levels.reduce((sum, [ticks, lots]) => sum + ticks * lots, 0);
  return value(side.filter(([ticks]) => Math.abs(ticks / best - 1) > 0.01)) / value(side);
}

/** A market order with the account's whole balance of the quote asset, or of the base asset in whole lots. */
async function allIn(accountId: number, market: MarketView, side: Side): Promise<void> {
  const { engine } = demo;
  const { free } = engine.balance(accountId, side === "BUY" ? market.quoteAssetId : market.baseAssetId);
  const { precision } = engine.asset(market.baseAssetId).spec;
  const lotUnits = 10n ** BigInt(precision - market.scale.quantityDecimals);
  const amount = side === "BUY" ? { quoteOrderQty: free } : { quantityLots: Number(free / lotUnits) };
  const { symbolId } = market;
  const order = { accountId, symbolId, side, orderType: "MARKET", clientOrderId: `all-${demo.engine.seq}` } as const;
  const events = await demo.run(placeOrder({ ...order, ...amount }));
  const ended = events.findLast(({ type }) => type === "orderEnded" || type === "trade");
  const status =
    ended?.type === "trade" ? ended.taker.order.status : ended?.type === "orderEnded" ? ended.order.status : events[0];
  assert.equal(status, "FILLED", `${side} ${market.spec.symbol}`);
}

test("books are thin near the best price and thick far from it", async () => {
  for (const symbol of SYMBOLS) {
    await untilSteps(`${symbol} is full`, () =>
      sidesOf(marketOf(symbol)).every((side) => side.length >= 20 && farPart(side) > 0.9),
    );
  }
});

test("all that each account owns, on each symbol and side, is filled; then books and prices are as before", async () => {
  const { engine } = demo;
  const before = new Map(SYMBOLS.map((symbol) => [symbol, mid(marketOf(symbol))]));
  const grants = new Map(DEMO_ASSETS.map(({ spec, grant }) => [spec.asset, grant]));
  for (const [asset, least] of [
    ["BTC", 1000],
    ["ETH", 10_000],
    ["USDT", 50_000_000],
  ] as const)
    assert.ok(Number(grants.get(asset)) >= least, asset);
  for (const symbol of SYMBOLS) {
    for (const side of ["BUY", "SELL"] as const) {
      for (const { email } of DEMO_ACCOUNTS) {
        const { accountId } = engine.accountByEmail(email) ?? assert.fail(email);
        const market = marketOf(symbol);
        await allIn(accountId, market, side);
        const asset = side === "BUY" ? market.spec.quoteAsset : market.spec.baseAsset;
        const amount = grants.get(asset) ?? assert.fail(asset);
        await demo.run({ type: "deposit", by: "test", accountId, asset, amount, reference: `${engine.seq}` });
        await step();
      }
    }
  }
  for (const symbol of SYMBOLS) {
    const price = before.get(symbol) ?? 0;
    await untilSteps(`${symbol} is near ${price} again, with a whole book`, () => {
      const market = marketOf(symbol);
      // A price of few ticks moves by at least 0.7 percent.
      const isNear = Math.abs(mid(market) / price - 1) < 0.015 && Math.abs(market.lastTradeTicks / price - 1) < 0.02;
      return isNear && sidesOf(market).every((side) => side.length >= 20);
    });
  }
});
