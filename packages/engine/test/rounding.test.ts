/** The largest rounding of a symbol, and that splitting orders gains no more than that. Decision 70. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decodeCommands,
  encodeCommands,
  Engine,
  isRoundingCoarse,
  isRoundingTooCoarse,
  lotsWithoutCommission,
  roundingOf,
  type Event,
  type PlaceOrder,
  type SymbolFilters,
  type SymbolSpec,
} from "@pricetime/engine";
import { deposit, openAccount, symbolOf } from "@pricetime/testkit/commands";
import fc from "fast-check";
import { BY, TestExchange } from "./harness.ts";

/** The venue of the guide before its ledger had 8 decimals of EUR. */
const GUIDE: SymbolFilters = {
  priceFilter: { minPrice: "0.01", maxPrice: "10000000", tickSize: "0.01" },
  lotSize: { minQty: "0.00001", maxQty: "1000", stepSize: "0.00001" },
  minNotional: { minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
};

function specOf(filters: SymbolFilters, more: Partial<SymbolSpec> = {}): SymbolSpec {
  const { acceptRounding: _, ...spec } = symbolOf("BTC/EUR", filters, more);
  return { ...spec, ...more };
}

const notional = (minNotional: string): SymbolFilters => ({
  ...GUIDE,
  minNotional: { minNotional, applyToMarket: true, avgPriceMins: 5 },
});

const LISTED: readonly (readonly [name: string, precision: number, symbol: SymbolSpec, answer: string])[] = [
  ["the guide's venue with EUR of 2 digits", 2, specOf(GUIDE), "ROUNDING_TOO_COARSE"],
  ["the same, accepted", 2, specOf(GUIDE, { acceptRounding: true }), "symbolListed"],
  ["the same, not accepted", 2, specOf(GUIDE, { acceptRounding: false }), "ROUNDING_TOO_COARSE"],
  ["the guide's venue with EUR of 8 digits", 8, specOf(GUIDE), "symbolListed"],
  ["exactly five basis points", 2, specOf(notional("20")), "symbolListed"],
  ["a unit more than five", 2, specOf(notional("19.99")), "ROUNDING_TOO_COARSE"],
  ["no filters", 2, specOf({}), "ROUNDING_TOO_COARSE"],
];

for (const [name, precision, symbol, answer] of LISTED) {
  test(`listing: ${name}`, () => {
    const exchange = new TestExchange();
    exchange.listAssets(["BTC", 8], ["EUR", precision]);
    assert.equal(exchange.answer({ type: "listSymbol", by: BY, symbol }), answer);
    assert.equal(exchange.engine.markets().length, answer === "symbolListed" ? 1 : 0);
  });
}

test("a warning begins above one basis point", () => {
  const of = (least: string) => roundingOf(specOf(notional(least)), { base: 8, quote: 2 });
  assert.deepEqual(of("10"), { unit: 100_000n, smallestTrade: 100_000_000n });
  assert.equal(isRoundingCoarse(of("100")), false);
  assert.equal(isRoundingCoarse(of("99.99")), true);
  assert.equal(isRoundingTooCoarse(of("99.99")), false);
  assert.equal(roundingOf(specOf(GUIDE), { base: 8, quote: 7 }), null, "every fill is exact");
  assert.equal(isRoundingCoarse(null), false);
});

test("older rules versions list and change every symbol, and listed symbols remain valid under new rules", () => {
  for (const edition of [1, 2, 3]) {
    const exchange = new TestExchange(edition);
    exchange.listAssets(["BTC", 8], ["EUR", 2]);
    assert.equal(exchange.answer({ type: "listSymbol", by: BY, symbol: specOf(GUIDE) }), "symbolListed");
    const filters = { ...GUIDE, maxNumOrders: { limit: 7 } };
    const change = { type: "setSymbolFilters", by: BY, symbol: "BTCEUR", filters } as const;
    assert.equal(exchange.answer(change), "symbolChanged");
    exchange.run({ type: "adoptRules", edition: 4 });
    exchange.restart();
    assert.equal(exchange.engine.market(0).spec.status, "TRADING");
    assert.equal(exchange.answer(change), "ROUNDING_TOO_COARSE");
    assert.equal(exchange.answer({ ...change, acceptRounding: true }), "symbolChanged");
    exchange.restart();
    assert.equal(exchange.engine.market(0).spec.acceptRounding, true);
    assert.equal(exchange.answer(change), "symbolChanged", "it stays accepted");
    assert.equal(exchange.answer({ ...change, acceptRounding: false }), "ROUNDING_TOO_COARSE");
    assert.equal(exchange.engine.market(0).spec.acceptRounding, true);
  }
});

test("commands with the acceptance are decoded from a journal", () => {
  const commands = [
    { type: "listSymbol", by: BY, symbol: specOf(GUIDE, { acceptRounding: true }) },
    { type: "setSymbolFilters", by: BY, symbol: "BTCEUR", filters: GUIDE, acceptRounding: true },
  ] as const;
  assert.deepEqual(decodeCommands(encodeCommands(commands), 2), commands);
  const exchange = new TestExchange();
  exchange.listAssets(["BTC", 8], ["EUR", 2]);
  const wrong = { ...commands[0], symbol: { ...commands[0].symbol, acceptRounding: "yes" as never } };
  assert.equal(exchange.answer(wrong), "INVALID_VALUE");
});

const dear: SymbolFilters = { ...GUIDE, lotSize: { minQty: "1", maxQty: "0", stepSize: "1" } };
const cheap: SymbolFilters = { ...dear, priceFilter: { minPrice: "0.01", maxPrice: "0.02", tickSize: "0.01" } };
type Share = readonly [name: string, filters: SymbolFilters, base: number, bps: number, lots: number];
const SHARES: readonly Share[] = [
  ["shares", dear, 0, 10, 999],
  ["a rate that does not divide", dear, 0, 7, 1428],
  ["everything is commission", dear, 0, 10_000, 0],
  ["no commission at all", dear, 0, 0, 0],
  ["a lot of many units", GUIDE, 8, 10, 0],
  ["a lot of one unit that has decimals", GUIDE, 5, 10, 999],
  ["no LOT_SIZE", {}, 8, 10, 999],
  ["LOT_SIZE forbids such orders", { ...dear, lotSize: { minQty: "1000", maxQty: "0", stepSize: "1" } }, 0, 10, 0],
  ["MIN_NOTIONAL forbids them", { ...cheap, minNotional: { ...cheap.minNotional!, minNotional: "20" } }, 0, 10, 0],
];
for (const [name, filters, base, bps, lots] of SHARES) {
  test(`a BUY without commission: ${name}`, () => {
    const exchange = new TestExchange();
    exchange.listAssets(["BTC", base], ["EUR", 8]);
    exchange.run({ type: "listSymbol", by: BY, symbol: specOf(filters, { acceptRounding: true }) });
    const { scale } = exchange.engine.market(0);
    assert.equal(lotsWithoutCommission(specOf(filters), { base, quote: 8 }, scale, bps), lots);
    if (lots === 0) return;
    const commission = (received: number) => (BigInt(received) * BigInt(bps)) / 10_000n;
    assert.deepEqual([commission(lots), commission(lots + 1)], [0n, 1n]);
  });
}

const MAKER = 100;
const SPLITTER = 101;

interface Symbol {
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly quotePlaces: number;
  readonly spec: SymbolSpec;
}

/** Symbols whose fills are rounded, with different scales and kinds of minimums. */
const symbols = fc
  .record({
    quotePlaces: fc.integer({ min: 0, max: 4 }),
    priceDecimals: fc.nat({ max: 4 }),
    quantityDecimals: fc.integer({ min: 1, max: 6 }),
    minUnits: fc.integer({ min: 0, max: 40_000 }),
    minTicks: fc.integer({ min: 0, max: 5_000 }),
    minLots: fc.integer({ min: 0, max: 5_000 }),
    applyToMarket: fc.boolean(),
  })
  .map(
    ({ quotePlaces, priceDecimals: price, quantityDecimals, minUnits, minTicks, minLots, applyToMarket }): Symbol => {
      const priceDecimals = Math.min(price, quotePlaces);
      const text = (units: number, places: number) =>
        places === 0 ? `${units}` : `${units}`.padStart(places + 1, "0").replace(new RegExp(`(.{${places}})$`), ".$1");
      const [tick, lot] = [text(1, priceDecimals), text(1, quantityDecimals)];
      const filters: SymbolFilters = {
        priceFilter: { minPrice: text(minTicks, priceDecimals), maxPrice: "0", tickSize: tick },
        lotSize: { minQty: text(minLots, quantityDecimals), maxQty: "0", stepSize: lot },
        ...(minUnits > 0 && {
          minNotional: { minNotional: text(minUnits, quotePlaces), applyToMarket, avgPriceMins: 0 },
        }),
      };
      return { priceDecimals, quantityDecimals, quotePlaces, spec: specOf(filters) };
    },
  );

/**
 * A test engine with the symbol, listed without an acceptance, and two accounts; undefined if the listing is warned of
 * or rejected.
 */
function listedWithoutWarning({ spec, quotePlaces }: Symbol, takerBps: number): TestExchange | undefined {
  const exchange = new TestExchange();
  exchange.listAssets(["BTC", 8], ["EUR", quotePlaces]);
  if (exchange.answer({ type: "listSymbol", by: BY, symbol: spec }) !== "symbolListed") return undefined;
  if (isRoundingCoarse(roundingOf(spec, { base: 8, quote: quotePlaces }))) return undefined;
  for (const name of ["maker", "splitter"]) exchange.run(openAccount(name, { takerBps }));
  for (const account of [MAKER, SPLITTER]) {
    for (const asset of ["BTC", "EUR"]) exchange.run(deposit(account, asset, "1000000000000"));
  }
  return exchange;
}

type Trade = Extract<Event, { readonly type: "trade" }>;

type Placed = Pick<PlaceOrder, "accountId" | "side" | "priceTicks" | "quantityLots"> & Partial<PlaceOrder>;

/** Null if it is rejected. */
function place(engine: Engine, order: Placed): readonly Trade[] | null {
  const rest = {
    symbolId: 0,
    clientOrderId: `o${engine.seq}`,
    stopTicks: 0,
    icebergLots: 0,
    quoteOrderQty: 0n,
  } as const;
  const command = { type: "placeOrder", orderType: "LIMIT", timeInForce: "GTC", ...rest, ...order } as const;
  const events = engine.apply({ seq: engine.seq + 1, timeMs: engine.timeMs, command });
  if (events[0]?.type === "rejected") return null;
  return events.filter((event): event is Trade => event.type === "trade");
}

const quoteOf = (trades: readonly Trade[]): bigint => trades.reduce((sum, { quote }) => sum + quote, 0n);

test("without a warning at listing, splitting gains at most a basis point, and less than a unit of commission per fill", () => {
  let compared = 0;
  const splits = fc.record({
    symbol: symbols,
    side: fc.constantFrom("BUY" as const, "SELL" as const),
    takerBps: fc.integer({ min: 1, max: 500 }),
    priceTicks: fc.integer({ min: 1, max: 3_000_000 }),
    orders: fc.integer({ min: 2, max: 60 }),
    extraLots: fc.array(fc.nat({ max: 3 }), { minLength: 60, maxLength: 60 }),
    makers: fc.array(fc.record({ share: fc.integer({ min: 1, max: 9 }), away: fc.nat({ max: 40 }) }), {
      minLength: 1,
      maxLength: 4,
    }),
  });
  fc.assert(
    fc.property(splits, ({ symbol, side, takerBps, priceTicks: wantedTicks, orders, extraLots, makers }) => {
      const exchange = listedWithoutWarning(symbol, takerBps);
      if (exchange === undefined) return;
      const rounding = roundingOf(symbol.spec, { base: 8, quote: symbol.quotePlaces });
      if (rounding === null) return;
      const floorTicks = Number(symbol.spec.filters.priceFilter?.minPrice ?? 0) * 10 ** symbol.priceDecimals;
      const lowest = Math.max(wantedTicks, Math.ceil(floorTicks), 1);
      // The value of each order is that of the smallest trade at the lowest price at which it may fill.
      const least = Number((rounding.smallestTrade + BigInt(lowest) - 1n) / BigInt(lowest));
      const minLots = Math.round(Number(symbol.spec.filters.lotSize?.minQty ?? 0) * 10 ** symbol.quantityDecimals);
      const parts = extraLots.slice(0, orders).map((extra) => Math.max(least, minLots, 1) + extra);
      const total = parts.reduce((sum, part) => sum + part, 0);
      const away = Math.max(...makers.map((maker) => maker.away));
      const makes = { accountId: MAKER, side: side === "BUY" ? "SELL" : "BUY" } as const;
      for (const maker of [...makers, { share: 16, away }]) {
        const ticks = lowest + (side === "BUY" ? maker.away : away - maker.away);
        place(exchange.engine, { ...makes, priceTicks: ticks, quantityLots: Math.ceil((total * maker.share) / 4) });
      }
      // MARKET orders evade a minimum that does not apply to them.
      const isMarket = symbol.spec.filters.minNotional?.applyToMarket === false;
      const type = isMarket
        ? ({ orderType: "MARKET", priceTicks: 0 } as const)
        : ({ timeInForce: "IOC", priceTicks: side === "BUY" ? lowest + away : lowest } as const);
      const [whole, split] = [1, 2].map(() => Engine.restore(exchange.engine.snapshot())) as [Engine, Engine];
      const take = (engine: Engine, lots: number): readonly Trade[] =>
        place(engine, { accountId: SPLITTER, side, quantityLots: lots, ...type }) ?? assert.fail("rejected");
      const atOnce = take(whole, total);
      const inParts = parts.flatMap((part) => take(split, part));
      const lotsOf = (trades: readonly Trade[]): number => trades.reduce((sum, { lots }) => sum + lots, 0);
      assert.deepEqual([lotsOf(atOnce), lotsOf(inParts)], [total, total]);
      compared++;
      const gain = quoteOf(atOnce) - quoteOf(inParts);
      assert.ok(gain * 10_000n <= quoteOf(atOnce), `${gain} of ${quoteOf(atOnce)} units`);
      for (const { lots, quote, taker } of inParts) {
        const received = side === "BUY" ? BigInt(lots) * 10n ** BigInt(8 - symbol.quantityDecimals) : quote;
        const lost = received * BigInt(takerBps) - taker.commission * 10_000n;
        assert.ok(lost >= 0n && lost < 10_000n, `${taker.commission} of ${received} at ${takerBps} bp`);
      }
    }),
    { numRuns: 1500 },
  );
  assert.ok(compared > 100, `only ${compared} symbols were compared`);
});

test("the guide's venue: 100 orders of 0.00034 BTC pay their limit price, within a basis point", () => {
  const paid = (precision: number, acceptRounding: boolean): bigint => {
    const exchange = new TestExchange();
    exchange.listAssets(["BTC", 8], ["EUR", precision]);
    exchange.run({ type: "listSymbol", by: BY, symbol: specOf(GUIDE, { acceptRounding }) });
    for (const name of ["maker", "splitter"]) exchange.run(openAccount(name));
    exchange.run(deposit(MAKER, "BTC", "1"));
    exchange.run(deposit(SPLITTER, "EUR", "25000"));
    place(exchange.engine, { accountId: MAKER, side: "SELL", priceTicks: 2_944_088, quantityLots: 100_000 });
    const take = {
      accountId: SPLITTER,
      side: "BUY",
      priceTicks: 2_944_088,
      quantityLots: 34,
      timeInForce: "IOC",
    } as const;
    const trades = Array.from({ length: 100 }, () => place(exchange.engine, take) ?? []).flat();
    return quoteOf(trades) * 10n ** BigInt(8 - precision);
  };
  // 0.034 BTC at 29440.88.
  const exact = 100_098_992_000n;
  assert.equal(paid(2, true), 100_000_000_000n, "what two digits come to: ten basis points less");
  assert.equal(paid(8, false), exact);
});
