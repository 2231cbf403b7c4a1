/** Average prices and the 24 h ticker, compared with plain lists of trades. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, Engine, type Trade } from "@pricetime/engine";
import { deposit, listAsset, listSymbol, openAccount, placeOrder } from "@pricetime/testkit/commands";
import { AveragePrice } from "../src/state/market/ticker.ts";
import { Dice } from "@pricetime/testkit/dice";

const START_MS = Date.UTC(2021, 5, 1, 0, 0, 30, 500);
const DAY_MS = 24 * 3600 * 1000;

class Tape {
  engine = new Engine();
  readonly trades: Trade[] = [];
  #timeMs = START_MS;

  constructor(avgPriceMins: number) {
    const minNotional = { minNotional: "0", applyToMarket: true, avgPriceMins };
    const filters = {
      priceFilter: { minPrice: "0.01", maxPrice: "0", tickSize: "0.01" },
      lotSize: { minQty: "0.001", maxQty: "0", stepSize: "0.001" },
      minNotional,
    };
    for (const asset of ["BTC", "USDT"]) this.run(listAsset(asset));
    this.run(listSymbol("BTC/USDT", filters, { orderTypes: ["LIMIT"] }));
    this.run(openAccount("a@example.org"));
    for (const asset of ["BTC", "USDT"]) this.run(deposit(100, asset, "1000000000"));
  }

  get nowMs(): number {
    return this.#timeMs;
  }

  wait(ms: number): void {
    this.#timeMs += ms;
  }

  run(command: Command): void {
    const events = this.engine.apply({ seq: this.engine.seq + 1, timeMs: this.#timeMs, command });
    assert.notEqual(events[0]?.type, "rejected");
    for (const event of events) if (event.type === "trade") this.trades.push(event);
  }

  /** One trade of an account with itself. */
  trade(priceTicks: number, lots: number): void {
    for (const side of ["SELL", "BUY"] as const) {
      const clientOrderId = `${side}${this.engine.seq}`;
      this.run(placeOrder({ accountId: 100, side, priceTicks, quantityLots: lots, clientOrderId }));
    }
  }
}

/** Walks through time with trades at random distances, calling `visit` between them. */
function walk(tape: Tape, seed: number, steps: number, longestMs: number, visit: (readMs: number) => void): void {
  const dice = new Dice(seed);
  for (let i = 0; i < steps; i++) {
    tape.wait(dice.oneIn(3) ? dice.below(900) : dice.below(longestMs));
    tape.trade(dice.between(1, 100_000), dice.between(1, 5000));
    if (dice.oneIn(10)) tape.engine = Engine.restore(tape.engine.snapshot());
    visit(tape.nowMs);
    visit(tape.nowMs + dice.below(longestMs * 5));
  }
}

for (const mins of [1, 5, 30]) {
  test(`the average price over ${mins} minutes`, () => {
    const tape = new Tape(mins);
    const market = () => tape.engine.market(0);
    assert.deepEqual(market().averagePrice(mins, tape.nowMs), { numerator: 0n, denominator: 0n });
    let windows = 0;
    let fallbacks = 0;
    walk(tape, mins, 400, mins * 15_000, (readMs) => {
      const startMs = Math.floor((readMs - mins * 60_000) / 1000) * 1000;
      const inside = tape.trades.filter((trade) => Math.floor(trade.timeMs / 1000) * 1000 > startMs);
      const last = tape.trades.at(-1)!;
      const quantity = inside.reduce((sum, trade) => sum + BigInt(trade.lots), 0n);
      const total = inside.reduce((sum, trade) => sum + BigInt(trade.lots) * BigInt(trade.priceTicks), 0n);
      if (inside.length > 1) windows++;
      if (inside.length === 0) fallbacks++;
      const [top, bottom] = inside.length === 0 ? [BigInt(last.priceTicks), 1n] : [total, quantity];
      const average = market().averagePrice(mins, readMs);
      assert.equal(average.numerator * bottom, top * average.denominator);
      assert.deepEqual(market().averagePrice(0, readMs), { numerator: BigInt(last.priceTicks), denominator: 1n });
    });
    assert.ok(windows > 300 && fallbacks > 20, `windows ${windows}, fallbacks ${fallbacks}`);
  });
}

test("the window of the average price ends exactly", () => {
  const tape = new Tape(5);
  tape.wait(Math.ceil(START_MS / 1000) * 1000 - START_MS);
  const tradeMs = tape.nowMs;
  tape.trade(100, 1);
  tape.wait(1000);
  tape.trade(200, 1);
  const average = (readMs: number) => tape.engine.market(0).averagePrice(5, readMs);
  assert.deepEqual(average(tradeMs + 5 * 60_000 - 1), { numerator: 300n, denominator: 2n });
  assert.deepEqual(average(tradeMs + 5 * 60_000), { numerator: 200n, denominator: 1n });
});

test("the average of a quiet market does not visit expired seconds repeatedly", () => {
  const average = new AveragePrice(1440);
  const seconds = 10_000;
  for (let i = 0; i < seconds; i++) average.add(100, 1, START_MS + i * 1000);
  let looks = 0;
  average.seconds = new Proxy(average.seconds, {
    get: (target, name, receiver) => {
      if (typeof name === "string" && /^\d+$/.test(name)) looks++;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  for (let i = 0; i < seconds; i++) {
    const readMs = START_MS + DAY_MS + i * 1000;
    const left = BigInt(seconds - i - 1);
    const expected = left === 0n ? { numerator: 100n, denominator: 1n } : { numerator: 100n * left, denominator: left };
    assert.deepEqual(average.at(readMs), expected, `after ${i} seconds`);
  }
  assert.ok(looks <= 3 * seconds, `${looks} looks`);
  // A query for an earlier time gets the result for that time.
  assert.deepEqual(average.at(START_MS + DAY_MS), { numerator: 100n * 9_999n, denominator: 9_999n });
});

test("the 24 h ticker", () => {
  const tape = new Tape(5);
  let full = 0;
  walk(tape, 24, 600, 40 * 60_000, (readMs) => {
    const startMs = Math.floor((readMs - DAY_MS) / 60_000) * 60_000;
    const isInside = (trade: Trade) => Math.floor(trade.timeMs / 60_000) * 60_000 > startMs;
    const inside = tape.trades.filter(isInside);
    const before = tape.trades.filter((trade) => !isInside(trade)).at(-1);
    const last = tape.trades.at(-1)!;
    const ticker = tape.engine.market(0).ticker(readMs);
    assert.equal(ticker.openTimeMs, readMs - DAY_MS);
    assert.equal(ticker.closeTimeMs, readMs);
    assert.equal(ticker.prevCloseTicks, before?.priceTicks ?? 0);
    assert.equal(ticker.lastTicks, last.priceTicks);
    assert.equal(ticker.lastLots, last.lots);
    assert.equal(ticker.count, inside.length);
    assert.equal(
      ticker.volumeLots,
      inside.reduce((sum, trade) => sum + BigInt(trade.lots), 0n),
    );
    assert.equal(
      ticker.quoteVolume,
      inside.reduce((sum, trade) => sum + trade.quote, 0n),
    );
    if (inside.length > 1) full++;
    const prices = inside.map((trade) => trade.priceTicks);
    assert.equal(ticker.openTicks, prices[0]);
    assert.equal(ticker.highTicks, Math.max(...prices));
    assert.equal(ticker.lowTicks, Math.min(...prices));
    assert.equal(ticker.firstTradeId, inside[0]!.tradeId);
    assert.equal(ticker.lastTradeId, last.tradeId);
  });
  assert.ok(full > 1000 && full < tape.trades.length * 2, `full ${full}`);
  assert.ok(tape.nowMs - START_MS > 5 * DAY_MS, "several days");
});

test("the 24 h ticker without a trade in the window has the last price", () => {
  const tape = new Tape(5);
  const empty = tape.engine.market(0).ticker(tape.nowMs);
  assert.deepEqual([empty.lastTicks, empty.prevCloseTicks, empty.count], [0, 0, 0]);
  tape.trade(700, 3);
  const later = tape.engine.market(0).ticker(tape.nowMs + DAY_MS + 60_000);
  assert.deepEqual([later.lastTicks, later.lastLots, later.prevCloseTicks], [700, 3, 700]);
  assert.deepEqual([later.count, later.volumeLots, later.quoteVolume], [0, 0n, 0n]);
});

test("reading the 24 h ticker takes no longer if the symbol trades every minute", () => {
  const [quiet, busy] = [new Tape(5), new Tape(5)];
  quiet.trade(1000, 1);
  for (let minute = 0; minute < 1440; minute++) {
    busy.trade(1000 + (minute % 7), 1);
    busy.wait(60_000);
  }
  assert.ok(busy.engine.market(0).ticker(busy.nowMs).count > 1400);
  /** The minimum of many rounds, because other programs on the machine slow down some of them. */
  const leastMs = ({ engine, nowMs }: Tape): number => {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 200; round++) {
      const startMs = performance.now();
      for (let n = 0; n < 50; n++) engine.market(0).ticker(nowMs);
      least = Math.min(least, performance.now() - startMs);
    }
    return least;
  };
  const ratio = leastMs(busy) / leastMs(quiet);
  assert.ok(ratio < 20, `${ratio.toFixed(1)} times as long`);
});
