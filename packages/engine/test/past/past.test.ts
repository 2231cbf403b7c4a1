/** Synthetic history: which candles a symbol may get, and their effect on tickers and average prices. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import {
  type Command,
  Engine,
  type Event,
  generatePast,
  type ImportedCandle,
  NEWEST_EDITION,
  type PastCandle,
  type PlaceOrder,
  type TickerView,
} from "@pricetime/engine";
import { deposit, listSymbol } from "@pricetime/testkit/commands";
import { Dice } from "@pricetime/testkit/dice";
import { BY, TestExchange } from "../harness.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const FILTERS = {
  priceFilter: { minPrice: "0.01", maxPrice: "0", tickSize: "0.01" },
  lotSize: { minQty: "0.001", maxQty: "0", stepSize: "0.001" },
  percentPrice: { multiplierUp: "5", multiplierDown: "0.2", avgPriceMins: 5 },
  minNotional: { minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
};

const OWN_SCALE = { priceDecimals: 2, quantityDecimals: 3, quoteDecimals: 8 };

let exchange: TestExchange;
beforeEach(() => open());

function open(edition = NEWEST_EDITION): void {
  exchange = new TestExchange(edition);
  exchange.nowMs += 30_500;
  exchange.listAssets(["BTC", 8], ["USDT", 8]);
  exchange.run(listSymbol("BTC/USDT", FILTERS, { orderTypes: ["LIMIT", "MARKET", "STOP_LOSS"] }));
  exchange.openAccount("a@example.org");
  for (const asset of ["BTC", "USDT"]) exchange.run(deposit(100, asset, "1000000000"));
}

function past(more: Partial<Command<"addPast">> = {}): Command<"addPast"> {
  const moves = { dayMoveBps: 200, marketPercent: 50 };
  const end = { endMs: Math.floor(exchange.nowMs / MINUTE_MS) * MINUTE_MS, endPrice: "100.00" };
  const traded = { dayVolume: "5000.000", dayTrades: 10_000 };
  return {
    type: "addPast",
    by: BY,
    symbol: "BTCUSDT",
    generator: 1,
    seed: 5,
    ...end,
    ...traded,
    base: moves,
    quote: moves,
    ...more,
  };
}

/** Candles for `count` minutes, starting at `fromMs`. */
function minutes(fromMs: number, count: number, dice = new Dice(1)): ImportedCandle[] {
  return Array.from({ length: count }, (_, at) => {
    const [open, close] = [dice.between(9000, 11_000), dice.between(9000, 11_000)];
    const [high, low] = [Math.max(open, close) + dice.between(0, 100), Math.min(open, close) - dice.between(0, 100)];
    const prices = [open, high, low, close].map((ticks) => (ticks / 100).toFixed(2)) as [
      string,
      string,
      string,
      string,
    ];
    const lots = dice.between(0, 5000);
    const volumes = [(lots / 1000).toFixed(8), ((lots * (high + low)) / 200_000).toFixed(8)] as const;
    return [fromMs + at * MINUTE_MS, ...prices, ...volumes, dice.between(0, 90), "0", "0.00000000"];
  });
}

function imported(
  candles: readonly ImportedCandle[],
  more: Partial<Command<"importKlines">> = {},
): Command<"importKlines"> {
  return { type: "importKlines", by: BY, symbol: "BTCUSDT", interval: "1m", candles, ...more };
}

function order(
  side: "BUY" | "SELL",
  priceTicks: number,
  quantityLots: number,
  more: Partial<PlaceOrder> = {},
): Command {
  const type = { type: "placeOrder", orderType: "LIMIT", timeInForce: "GTC" } as const;
  const whose = { accountId: 100, symbolId: 0, side, clientOrderId: `o${exchange.engine.seq}` };
  return { ...type, ...whose, priceTicks, quantityLots, stopTicks: 0, icebergLots: 0, quoteOrderQty: 0n, ...more };
}

function trade(priceTicks: number, lots: number): void {
  exchange.run(order("SELL", priceTicks, lots));
  const events: readonly Event[] = exchange.run(order("BUY", priceTicks, lots));
  assert.ok(events.some(({ type }) => type === "trade"));
}

interface Bit
  extends Pick<PastCandle, "openTicks" | "highTicks" | "lowTicks" | "closeTicks" | "lots" | "quote" | "count"> {
  readonly timeMs: number;
  readonly tradeId: number;
}

/** The ticker, computed from a list of all trades and candles in its window. */
function plainTicker(bits: readonly Bit[], nowMs: number): TickerView {
  const fromMs = (Math.floor((nowMs - DAY_MS) / MINUTE_MS) + 1) * MINUTE_MS;
  const inside = bits.filter(({ timeMs }) => timeMs >= fromMs);
  const before = bits.filter(({ timeMs }) => timeMs < fromMs).at(-1);
  const last = bits.at(-1);
  const trades = inside.filter(({ tradeId }) => tradeId > 0);
  const lastTrade = bits.filter(({ tradeId }) => tradeId > 0).at(-1);
  const closeTicks = last?.closeTicks ?? 0;
  return {
    ...{ openTimeMs: nowMs - DAY_MS, closeTimeMs: nowMs, prevCloseTicks: before?.closeTicks ?? 0 },
    openTicks: inside[0]?.openTicks ?? closeTicks,
    highTicks: inside.length === 0 ? closeTicks : Math.max(...inside.map(({ highTicks }) => highTicks)),
    lowTicks: inside.length === 0 ? closeTicks : Math.min(...inside.map(({ lowTicks }) => lowTicks)),
    ...{ lastTicks: closeTicks, lastLots: Number(lastTrade?.lots ?? 0n) },
    volumeLots: inside.reduce((sum, { lots }) => sum + lots, 0n),
    quoteVolume: inside.reduce((sum, { quote }) => sum + quote, 0n),
    ...{ firstTradeId: trades[0]?.tradeId ?? -1, lastTradeId: trades.at(-1)?.tradeId ?? -1 },
    count: inside.reduce((sum, { count }) => sum + count, 0),
  };
}

const bitOf = (candle: PastCandle): Bit => ({ ...candle, timeMs: candle.openTimeMs, tradeId: 0 });

/** Imported candles in the units of the symbol. */
function bitsOf(event: Event | undefined): Bit[] {
  assert.ok(event?.type === "klinesImported");
  const ticks = (price: number): number => price / 10 ** 6;
  return event.candles.map((candle) => ({
    ...bitOf(candle),
    ...{ openTicks: ticks(candle.openTicks), highTicks: ticks(candle.highTicks), lowTicks: ticks(candle.lowTicks) },
    ...{ closeTicks: ticks(candle.closeTicks), lots: candle.lots / 10n ** 5n },
  }));
}

/** At many times, with restarts and trades in between. */
function followTicker(bits: Bit[], steps: number): void {
  const dice = new Dice(9);
  for (let step = 0; step < steps; step++) {
    const nowMs = exchange.nowMs + dice.between(0, 3 * MINUTE_MS);
    assert.deepEqual(exchange.engine.market(0).ticker(nowMs), plainTicker(bits, nowMs), `step ${step}`);
    exchange.nowMs += dice.between(0, 90 * MINUTE_MS);
    if (dice.between(0, 3) === 0) exchange.restart();
    if (dice.between(0, 2) > 0) continue;
    const [ticks, lots] = [dice.between(9000, 11_000), dice.between(1000, 5000)];
    trade(ticks, lots);
    const prices = { openTicks: ticks, highTicks: ticks, lowTicks: ticks, closeTicks: ticks };
    const amounts = { lots: BigInt(lots), quote: BigInt(ticks) * BigInt(lots) * 1000n, count: 1 };
    const tradeId = (bits.at(-1)?.tradeId ?? 0) + 1;
    bits.push({ ...prices, ...amounts, timeMs: exchange.nowMs, tradeId });
  }
  assert.ok((bits.at(-1)?.tradeId ?? 0) > 5);
}

test("generated candles: the ticker includes their last day, and a price exists before the first trade", () => {
  assert.equal(exchange.answer(order("BUY", 0, 1000, { orderType: "MARKET" })), "MIN_NOTIONAL");
  const [added] = exchange.run(past());
  assert.ok(added?.type === "pastAdded");
  const market = exchange.engine.market(0);
  assert.deepEqual([market.lastTradeTicks, market.firstTradeMs], [10_000, 0]);
  assert.deepEqual(market.averagePrice(5, exchange.nowMs), { numerator: 10_000n, denominator: 1n });
  assert.equal(market.past?.endMs, added.past.endMs);
  exchange.restart();
  assert.equal(exchange.answer(order("BUY", 100_000, 1)), "PERCENT_PRICE");
  followTicker(generatePast(added.past).slice(-3000).map(bitOf), 80);
  exchange.engine.checkInvariants();
});

test("imported minutes: the ticker counts those of its day, in any number of batches", () => {
  const endMs = Math.floor(exchange.nowMs / MINUTE_MS) * MINUTE_MS;
  const bits: Bit[] = [];
  for (let fromMs = endMs - 2000 * MINUTE_MS; fromMs < endMs; fromMs += 250 * MINUTE_MS) {
    const [event] = exchange.run(imported(minutes(fromMs, 250)));
    bits.push(...bitsOf(event));
  }
  const { scale, ...reach } = exchange.engine.market(0).past ?? assert.fail();
  assert.deepEqual(reach, { interval: "1m", firstMs: endMs - 2000 * MINUTE_MS, endMs });
  assert.deepEqual(scale, { priceDecimals: 8, quantityDecimals: 8, quoteDecimals: 8 });
  followTicker(bits, 80);
});

test("earlier candles may be imported after the first trade and affect only the ticker", () => {
  const endMs = Math.floor(exchange.nowMs / MINUTE_MS) * MINUTE_MS - 10 * MINUTE_MS;
  trade(10_000, 2000);
  const quote = 10_000n * 2000n * 1000n;
  const prices = { openTicks: 10_000, highTicks: 10_000, lowTicks: 10_000, closeTicks: 10_000 };
  const live = { ...prices, lots: 2000n, quote, count: 1, timeMs: exchange.nowMs, tradeId: 1 };
  const [event] = exchange.run(imported(minutes(endMs - 400 * MINUTE_MS, 400)));
  assert.equal(exchange.engine.market(0).lastTradeTicks, 10_000);
  followTicker([...bitsOf(event), live], 60);
});

const NEWEST = { type: "adoptRules", edition: NEWEST_EDITION } as const;
/** Candles of BTCUSDT recorded in 2020, with steps of six digits. */
const fine = (openMs: number, close = "19695.876543"): ImportedCandle =>
  [
    ...[openMs, "19695.870001", "19720.00", "19690.99999999", close],
    ...["136.104435", "2681472.12345678", 3100, "70.000001", "1379000.00000001"],
  ] as unknown as ImportedCandle;

test("candles finer than the symbol are stored unchanged, and count in its units", () => {
  open(3);
  const endMs = Math.floor(exchange.nowMs / MINUTE_MS) * MINUTE_MS;
  const first = fine(endMs - 2 * MINUTE_MS);
  assert.equal(exchange.answer(imported([first])), "INVALID_VALUE", "older rules");
  exchange.run(NEWEST);
  const [event] = exchange.run(imported([first]));
  assert.ok(event?.type === "klinesImported");
  assert.deepEqual(event.scale, { priceDecimals: 8, quantityDecimals: 8, quoteDecimals: 8 });
  const { lots, quote, takerBuyLots, closeTicks, lowTicks } = event.candles[0] ?? assert.fail();
  assert.deepEqual([lots, takerBuyLots, quote], [13_610_443_500n, 7_000_000_100n, 268_147_212_345_678n]);
  assert.deepEqual([lowTicks, closeTicks], [1_969_099_999_999, 1_969_587_654_300]);
  const market = exchange.engine.market(0);
  assert.equal(market.lastTradeTicks, 1_969_588, "19695.876543 is 19695.88 on the tick");
  const { volumeLots, lowTicks: low, quoteVolume } = market.ticker(exchange.nowMs);
  assert.deepEqual([volumeLots, low, quoteVolume], [136_104n, 1_969_100, 268_147_212_345_678n]);
  exchange.restart();
  assert.equal(exchange.answer(imported([fine(endMs - MINUTE_MS, "19691")])), "klinesImported");
  assert.equal(exchange.engine.market(0).lastTradeTicks, 1_969_100);
  exchange.engine.checkInvariants();
});

test("the first candles determine the scale; in older rules versions it is the symbol's", () => {
  open(3);
  const endMs = Math.floor(exchange.nowMs / MINUTE_MS) * MINUTE_MS;
  exchange.run(imported(minutes(endMs - 9 * MINUTE_MS, 1)));
  exchange.run(NEWEST);
  assert.equal(exchange.answer(imported([fine(endMs - 8 * MINUTE_MS)])), "INVALID_VALUE");
  const [event] = exchange.run(imported(minutes(endMs - 7 * MINUTE_MS, 1)));
  assert.ok(event?.type === "klinesImported");
  assert.deepEqual(event.scale, OWN_SCALE);
  exchange.listAssets(["IDR", 2]);
  exchange.run(listSymbol("BTC/IDR", { ...FILTERS, priceFilter: { minPrice: "1", maxPrice: "0", tickSize: "1" } }));
  const price = (text: string): ImportedCandle => [endMs - MINUTE_MS, text, text, text, text, "1", "1", 1, "0", "0"];
  const at = (text: string): Command<"importKlines"> => imported([price(text)], { symbol: "BTCIDR" });
  assert.equal(exchange.answer(at("1600000000.1234")), "INVALID_VALUE");
  assert.equal(exchange.answer(at("1600000000.123")), "klinesImported");
  assert.equal(exchange.engine.market(1).past?.scale.priceDecimals, 3);
});

test("rejected candles", () => {
  const nowMs = Math.floor(exchange.nowMs / MINUTE_MS) * MINUTE_MS;
  for (const wrong of [
    { generator: 2 },
    { seed: -1 },
    { endMs: nowMs - 1 },
    { endMs: DAY_MS },
    { endPrice: "100.001" },
    { endPrice: "0" },
    { endPrice: "1e3" },
    { endPrice: "99999999999" },
    { dayVolume: "0" },
    { dayVolume: "0.0001" },
    { dayTrades: 0 },
    { base: { dayMoveBps: 2001, marketPercent: 0 } },
    { quote: { dayMoveBps: 1, marketPercent: 101 } },
  ]) {
    assert.equal(exchange.answer(past(wrong)), "INVALID_VALUE", JSON.stringify(wrong));
  }
  assert.equal(exchange.answer(past({ symbol: "ETHUSDT" })), "UNKNOWN_SYMBOL");
  assert.equal(exchange.answer(past({ endMs: nowMs + MINUTE_MS })), "PAST_NOT_OVER");
  const [candle] = minutes(nowMs - 5 * MINUTE_MS, 1);
  assert.ok(candle !== undefined);
  const [time, ...numbers] = candle;
  const wrong = (at: number, value: string | number): ImportedCandle =>
    [time, ...numbers].with(at, value) as unknown as ImportedCandle;
  const later = minutes(time + MINUTE_MS, 1);
  for (const [why, command] of Object.entries({
    nothing: imported([]),
    "not on the interval": imported([wrong(0, time + 1)]),
    "not in order": imported([...later, candle]),
    twice: imported([candle, candle]),
    "a price of 0": imported([wrong(3, "0")]),
    "low above open": imported([wrong(3, "500.00")]),
    "a price of nine digits": imported([wrong(2, "500.000000005")]),
    "a volume of nine digits": imported([wrong(5, "1.000000005")]),
    "takers bought more": imported([wrong(8, "999999")]),
    "an interval that is none of them": imported([candle], { interval: "3m" as never }),
  })) {
    assert.equal(exchange.answer(command), "INVALID_VALUE", why);
  }
  assert.equal(exchange.answer(imported(minutes(nowMs, 1))), "PAST_NOT_OVER");
  assert.equal(exchange.engine.market(0).past, null);
});

test("generated once, imported in order, and all before the first trade", () => {
  const nowMs = Math.floor(exchange.nowMs / MINUTE_MS) * MINUTE_MS;
  assert.equal(exchange.answer(imported(minutes(nowMs - 100 * MINUTE_MS, 10))), "klinesImported");
  assert.equal(exchange.answer(imported(minutes(nowMs - 91 * MINUTE_MS, 5))), "PAST_OVERLAPS");
  assert.equal(exchange.answer(imported(minutes(nowMs - 200 * MINUTE_MS, 5))), "PAST_OVERLAPS");
  assert.equal(exchange.answer(past()), "PAST_OVERLAPS");
  const fives = minutes(Math.floor(nowMs / (5 * MINUTE_MS)) * 5 * MINUTE_MS - 50 * MINUTE_MS, 1);
  assert.equal(exchange.answer(imported(fives, { interval: "5m" })), "PAST_OVERLAPS");
  trade(10_000, 5000);
  exchange.nowMs += 10 * MINUTE_MS;
  assert.equal(exchange.answer(imported(minutes(nowMs + MINUTE_MS, 1))), "PAST_OVERLAPS");
  assert.equal(exchange.answer(imported(minutes(nowMs - 50 * MINUTE_MS, 50))), "klinesImported");
  assert.equal(exchange.answer(past({ endMs: nowMs })), "PAST_OVERLAPS");
});

test("no candles while stop orders wait for a price that they would set", () => {
  const stop = order("BUY", 0, 1000, { orderType: "STOP_LOSS", stopTicks: 9000 });
  assert.equal(exchange.answer(stop), "orderOpened");
  assert.equal(exchange.answer(past()), "ORDERS_WAIT");
  assert.equal(
    exchange.answer(imported(minutes(Math.floor(exchange.nowMs / MINUTE_MS) * MINUTE_MS - DAY_MS, 1))),
    "ORDERS_WAIT",
  );
  exchange.run({ type: "cancelOpenOrders", accountId: 100, symbolId: 0, newClientOrderId: "c" });
  assert.equal(exchange.answer(past()), "pastAdded");
  assert.equal(exchange.answer(stop), "WOULD_TRIGGER_IMMEDIATELY");
  exchange.engine.checkInvariants();
  assert.deepEqual(Engine.restore(exchange.engine.snapshot()).snapshot(), exchange.engine.snapshot());
});
