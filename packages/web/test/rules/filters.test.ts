/** The form's rules are compared with the node: the node rejects exactly the orders that the rules reject. */
import type { ExchangeInfo } from "@pricetime/protocol";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { Dice } from "@pricetime/testkit/dice";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate } from "@pricetime/testkit/venue";
import type { OcoDraft, OrderDraft } from "../../src/account/port.ts";
import { decimal, formatDecimal, formatShort, HUNDRED, multiply } from "../../src/exact/decimal.ts";
import { marketsOf } from "../../src/market/markets.ts";
import type { Market } from "../../src/market/port.ts";
import { checkOco, checkOrder } from "../../src/rules/check-order.ts";
import type { Circumstances, Problem } from "../../src/rules/draft.ts";
import { Rest } from "../../src/wire/rest.ts";
import { startQuietNode, watchedWorld } from "../venue.ts";

const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
const dice = new Dice(seed);
const TYPES = ["LIMIT", "MARKET", "LIMIT_MAKER", "STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"];
const DELTAS = ["1", "9", "10", "50", "50.5", "501", "1001", "2001", "9999", "10000"];
const LAST = "20000";
const FAILURE = /^Filter failure: (?:EXCHANGE_)?(.+)$/;

let node: Exchange;
let alice: Client;
before(async () => {
  process.stdout.write(`# SEED=${seed}\n`);
  node = await startQuietNode({ dataFolder: temporaryFolder() });
  alice = new Client(node.rest, node.accounts[0]);
  for (const side of ["SELL", "BUY"]) {
    const order = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", price: LAST, quantity: "0.01" };
    assert.equal((await alice.signed("POST", "/api/v3/order", order)).status, 200);
  }
});
after(async () => {
  alice.close();
  await node.kill();
});

const digits = (most: number): string => String(dice.below(10 ** most)).padStart(most, "0");

const SIDES = { bidMultiplierDown: "0.2", askMultiplierUp: "1.2", askMultiplierDown: "0.95", avgPriceMins: 5 };

/** Unusual filters, different each time. The market's scale (2 and 6 digits) stays the same. */
function randomFilters(): object {
  const tick = dice.pick(["0.01", "0.05", "0.5", "1", "2.5"]);
  const step = dice.pick(["0.000001", "0.0005", "0.003", "1"]);
  return {
    priceFilter: {
      minPrice: dice.pick([tick, "0.03", "7", "150"]),
      maxPrice: dice.pick(["0", "150000", "30000.5"]),
      tickSize: tick,
    },
    ...(dice.oneIn(3)
      ? {}
      : {
          percentPrice: {
            multiplierUp: dice.pick(["5", "1.1"]),
            multiplierDown: dice.pick(["0.2", "0.95"]),
            avgPriceMins: 5,
          },
        }),
    lotSize: { minQty: dice.pick([step, "0.0013", "0.01"]), maxQty: dice.pick(["50", "9000"]), stepSize: step },
    ...(dice.oneIn(4)
      ? {}
      : { minNotional: { minNotional: dice.pick(["10", "123.45"]), applyToMarket: dice.oneIn(2), avgPriceMins: 5 } }),
    ...(dice.oneIn(3) ? { percentPriceBySide: { ...SIDES, bidMultiplierUp: dice.pick(["5", "1.05"]) } } : {}),
    ...(dice.oneIn(3)
      ? {
          notional: {
            ...{ minNotional: dice.pick(["10", "200.5"]), applyMinToMarket: dice.oneIn(2), avgPriceMins: 5 },
            ...{ maxNotional: dice.pick(["0", "30000", "77777.7"]), applyMaxToMarket: dice.oneIn(2) },
          },
        }
      : {}),
    ...(dice.oneIn(3)
      ? {}
      : {
          trailingDelta: {
            ...{ minTrailingAboveDelta: dice.pick([1, 10]), maxTrailingAboveDelta: dice.pick([500, 2000]) },
            ...{ minTrailingBelowDelta: dice.pick([2, 51]), maxTrailingBelowDelta: dice.pick([500, 1000]) },
          },
        }),
    ...(dice.oneIn(3) ? {} : { icebergParts: { limit: dice.pick([3, 10]) } }),
    ...(dice.oneIn(3)
      ? {}
      : { marketLotSize: { minQty: "0", maxQty: dice.pick(["2", "100"]), stepSize: dice.pick(["0", "0.1"]) } }),
  };
}

async function market(symbol = "BTCUSDT"): Promise<Market> {
  const rest = new Rest(node.rest, watchedWorld());
  const found = marketsOf(await rest.get<ExchangeInfo>("/api/v3/exchangeInfo"), new Map()).get(symbol);
  assert.ok(found !== undefined);
  return found;
}

function randomPrice(): string {
  const whole = dice.pick([0, 4, 149, 3999, 4000, 18_999, 19_999, 20_000, 20_001, 22_000, 22_001, 100_000, 150_001]);
  return dice.oneIn(3) ? String(whole) : `${whole}.${digits(dice.between(1, 3))}`;
}

function randomQuantity(): string {
  const whole = dice.pick([0, 0, 0, 0, 1, 2, 3, 49, 101]);
  return dice.oneIn(4) ? String(whole) : `${whole}.${dice.pick(["", "00", "000"])}${digits(dice.between(1, 4))}`;
}

function randomDraft(): OrderDraft {
  const type = dice.pick(TYPES);
  const isPriced = type !== "MARKET" && type !== "STOP_LOSS" && type !== "TAKE_PROFIT";
  const isStop = type.includes("_LOSS") || type.includes("_PROFIT");
  const byQuote = type === "MARKET" && dice.oneIn(3);
  const isTrailing = isStop && dice.oneIn(3);
  return {
    ...{ symbol: "BTCUSDT", side: dice.pick(["BUY", "SELL"] as const), type },
    ...(byQuote ? { quoteOrderQty: String(dice.below(200)) } : { quantity: randomQuantity() }),
    ...(isPriced ? { price: randomPrice() } : {}),
    ...(isPriced && type !== "LIMIT_MAKER" ? { timeInForce: "GTC" } : {}),
    ...(isStop && !(isTrailing && dice.oneIn(2)) ? { stopPrice: randomPrice() } : {}),
    ...(isTrailing ? { trailingDelta: dice.pick(DELTAS) } : {}),
    ...(isPriced && dice.oneIn(3) ? { icebergQty: randomQuantity() } : {}),
  };
}

const around = (of: Market): Circumstances => ({
  ...{ market: of, averagePrice: LAST, referencePrice: null, lastPrice: LAST, book: null, openOrders: [], free: null },
  commission: null,
});

const filtersOf = (problems: readonly Problem[]): readonly string[] =>
  problems.filter(({ kind }) => kind === "filter").map(({ filter }) => filter ?? "digits");

/** The filter by which the node rejects it; "digits" for another error of a value; null if the node accepts it. */
async function verdict(draft: OrderDraft): Promise<string | null> {
  const { status, json } = await alice.signed<{ code?: number; msg?: string }>("POST", "/api/v3/order/test", {
    ...draft,
  });
  if (status === 200) return null;
  const filter = FAILURE.exec(json.msg ?? "")?.[1];
  if (filter !== undefined) return filter === "MAX_ALGO_ORDERS" ? "MAX_NUM_ALGO_ORDERS" : filter;
  // -1111, and -1013 for a zero: errors that precede the filters. An order rejected with -2010 has passed them.
  return json.code === -2010 ? null : "digits";
}

test("the node accepts what the rules accept, rejects what they reject, and accepts the values that they offer", async () => {
  let [refusals, passes, offers] = [0, 0, 0];
  for (let round = 0; round < 12; round++) {
    await operate(node, "PUT", "/v1/symbols/BTCUSDT/filters", randomFilters());
    const of = await market();
    for (let i = 0; i < 80; i++) {
      const draft = randomDraft();
      const problems = checkOrder(draft, around(of));
      const ours = filtersOf(problems);
      const theirs = await verdict(draft);
      const said = `${JSON.stringify(draft)}: the rules say ${JSON.stringify(problems)}, the node ${theirs}`;
      if (theirs === "digits") {
        assert.ok(problems.length > 0, said);
        continue;
      }
      if (theirs === null) assert.deepEqual(ours, [], said);
      else assert.ok(ours.includes(theirs), said);
      if (theirs === null) passes++;
      else refusals++;
      const [first] = problems.filter(({ filter }) => filter !== null && filter === theirs);
      for (const value of first?.nearest ?? []) {
        // A trailing distance is offered in percent, as in the form.
        const offered = first?.field === "trailingDelta" ? formatShort(multiply(decimal(value), HUNDRED)) : value;
        const again = { ...draft, [first?.field ?? ""]: offered };
        const left = checkOrder(again, around(of));
        const fixed = await verdict(again);
        const sound = left.every(({ field, filter }) => field !== first?.field || filter !== first.filter);
        assert.ok(sound, `${value} instead, and then ${JSON.stringify(left)}; ${said}`);
        if (fixed === null) assert.deepEqual(filtersOf(left), []);
        else assert.ok(filtersOf(left).includes(fixed), `${value} instead: ${fixed}; ${said}`);
        offers++;
      }
    }
  }
  process.stdout.write(`# ${passes} passed, ${refusals} were refused, ${offers} were offered\n`);
  assert.ok(passes > 30 && refusals > 100 && offers > 50);
});

test("the order above the limit of open orders is rejected", async () => {
  const filters = { lotSize: { minQty: "0.000001", maxQty: "9000", stepSize: "0.000001" } };
  const counts = {
    maxNumOrders: { limit: 4 },
    maxNumAlgoOrders: { maxNumAlgoOrders: 2 },
    maxNumIcebergOrders: { maxNumIcebergOrders: 1 },
  };
  await operate(node, "PUT", "/v1/symbols/BTCUSDT/filters", { ...filters, ...counts });
  const of = await market();
  const limit: OrderDraft = {
    ...{ symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "10000", quantity: "0.1" },
  };
  const iceberg = { ...limit, icebergQty: "0.02" };
  const stop: OrderDraft = { symbol: "BTCUSDT", side: "SELL", type: "STOP_LOSS", stopPrice: "15000", quantity: "0.1" };
  for (const draft of [limit, iceberg, iceberg, stop, stop, stop, limit, { ...limit, timeInForce: "IOC" }]) {
    const openOrders = (await alice.signed<never[]>("GET", "/api/v3/openOrders", { symbol: "BTCUSDT" })).json;
    const ours = filtersOf(checkOrder(draft, { ...around(of), openOrders }));
    const { status, json } = await alice.signed<{ msg?: string }>("POST", "/api/v3/order", { ...draft });
    const filter = (FAILURE.exec(json.msg ?? "")?.[1] ?? "").replace("MAX_ALGO", "MAX_NUM_ALGO");
    assert.deepEqual(ours.slice(0, 1), status === 200 ? [] : [filter], `${draft.type}: ${json.msg}`);
  }
  // The exchange's own limit includes orders of other markets.
  await operate(node, "PUT", "/v1/exchange-filters", { maxNumOrders: { maxNumOrders: 4 } });
  await operate(node, "PUT", "/v1/symbols/BTCUSDT/filters", filters);
  for (const draft of [{ ...limit, symbol: "ETHUSDT", price: "1000" }, limit, limit, limit]) {
    const openOrders = (await alice.signed<never[]>("GET", "/api/v3/openOrders")).json;
    const there = openOrders.length;
    const { status, json } = await alice.signed<{ msg?: string }>("POST", "/api/v3/order", { ...draft });
    if (draft.symbol === "ETHUSDT") continue;
    const ours = filtersOf(checkOrder(draft, { ...around(await market()), openOrders }));
    assert.deepEqual(ours, status === 200 ? [] : ["EXCHANGE_MAX_NUM_ORDERS"], `${there} open: ${json.msg}`);
  }
  await operate(node, "PUT", "/v1/exchange-filters", {});
  for (const symbol of ["BTCUSDT", "ETHUSDT"]) await alice.signed("DELETE", "/api/v3/openOrders", { symbol });
});

test("order lists with prices in the wrong order or a leg off its tick are rejected", async () => {
  await operate(node, "PUT", "/v1/symbols/BTCUSDT/filters", {
    priceFilter: { minPrice: "0.5", maxPrice: "1000000", tickSize: "0.5" },
    lotSize: { minQty: "0.001", maxQty: "9000", stepSize: "0.001" },
    minNotional: { minNotional: "10", applyToMarket: true, avgPriceMins: 5 },
  });
  const of = await market();
  const taken = new Map<string, number>();
  let refused = 0;
  // About one in eighty random lists with a given leg is valid.
  for (let i = 0; i < 2000 && (i < 100 || taken.size < 3); i++) {
    const price = (): string =>
      `${dice.pick([15_000, 19_999, 20_000, 20_001, 25_000])}.${dice.pick(["0", "5", "5", "0", "3"])}`;
    const isLimited = dice.oneIn(2);
    const limitType = dice.pick(["LIMIT_MAKER", "LIMIT_MAKER", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"]);
    const draft: OcoDraft = {
      ...{ symbol: "BTCUSDT", side: dice.pick(["BUY", "SELL"] as const), limitType, stopPrice: price() },
      ...(limitType === "TAKE_PROFIT" ? {} : { price: price() }),
      ...(limitType === "LIMIT_MAKER" ? {} : { limitStopPrice: price() }),
      ...(limitType === "TAKE_PROFIT_LIMIT" ? { limitTimeInForce: "GTC" } : {}),
      quantity: dice.pick(["0.01", "0.0105", "0.02", "0.0001"]),
      ...(isLimited ? { stopLimitPrice: price(), stopLimitTimeInForce: "GTC" } : {}),
    };
    const problems = checkOco(draft, around(of));
    const { status, json } = await alice.signed<{ msg?: string; orderListId?: number }>(
      "POST",
      "/api/v3/orderList/oco",
      sent(draft),
    );
    const said = `${JSON.stringify(draft)}: the rules say ${JSON.stringify(problems)}, the node ${json.msg ?? "takes it"}`;
    assert.equal(problems.length === 0, status === 200, said);
    const filter = FAILURE.exec(json.msg ?? "")?.[1];
    if (filter !== undefined) assert.ok(filtersOf(problems).includes(filter), said);
    if (status === 200) {
      taken.set(limitType, (taken.get(limitType) ?? 0) + 1);
      const { orderListId = 0 } = json;
      await alice.signed("DELETE", "/api/v3/orderList", { symbol: "BTCUSDT", orderListId });
    } else refused++;
  }
  assert.ok(taken.size === 3 && refused > 10, `${JSON.stringify([...taken])} taken, ${refused} refused`);
});

test("a market order on a market without trades is rejected before an amount is entered, if the node will", async () => {
  const symbol = "LTCUSDT";
  const { filters } = await operate<{ filters: object }>(node, "GET", `/v1/symbols/${symbol}`);
  const minNotional = { minNotional: "10", applyToMarket: true, avgPriceMins: 5 };
  for (const applyToMarket of [true, false]) {
    await operate(node, "PUT", `/v1/symbols/${symbol}/filters`, {
      ...{ ...filters, minNotional: { ...minNotional, applyToMarket } },
    });
    const draft: OrderDraft = { symbol, side: "BUY", type: "MARKET", quantity: "1" };
    const untraded = { ...around(await market(symbol)), lastPrice: "0.00000000", averagePrice: null };
    const expected = applyToMarket ? ["MIN_NOTIONAL"] : [];
    assert.deepEqual([await verdict(draft)].filter(Boolean), expected);
    for (const quantity of ["", "1"])
      assert.deepEqual(filtersOf(checkOrder({ ...draft, quantity }, untraded)), expected);
    assert.deepEqual(filtersOf(checkOrder(draft, { ...untraded, lastPrice: null })), []);
  }
});

/** Its legs, named by their position (Interface 4.3). */
function sent(draft: OcoDraft): Record<string, string> {
  const { symbol, side, quantity } = draft;
  const [stop, limit] = side === "SELL" ? ["below", "above"] : ["above", "below"];
  const legs = {
    [`${limit}Type`]: draft.limitType,
    [`${limit}Price`]: draft.price,
    [`${limit}StopPrice`]: draft.limitStopPrice,
    [`${limit}TimeInForce`]: draft.limitTimeInForce,
    [`${stop}Type`]: draft.stopLimitPrice === undefined ? "STOP_LOSS" : "STOP_LOSS_LIMIT",
    [`${stop}StopPrice`]: draft.stopPrice,
    [`${stop}Price`]: draft.stopLimitPrice,
    [`${stop}TimeInForce`]: draft.stopLimitTimeInForce,
  };
  const given = Object.entries(legs).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { symbol, side, quantity, ...Object.fromEntries(given) };
}

test("amounts are shown correctly", () => {
  assert.equal(formatDecimal(multiply(decimal("20000.01"), decimal("0.5"))), "10000.005");
});
