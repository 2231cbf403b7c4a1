/** Responses that grow with the exchange or the account: one piece per turn, all as of one point in time. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ORDERS_A_PIECE } from "../../../src/api/orders/order-queries.ts";
import { Dice } from "@pricetime/testkit/dice";
import { type TestAnswer, TestVenue } from "@pricetime/testkit/gateway-venue";
import { ManualTurns } from "./manual-turns.ts";
import { placeOrder } from "@pricetime/testkit/commands";

const ASSETS = 500;
const ORDERS = 1500;

let held: ManualTurns;
let venue: TestVenue;
before(() => {
  held = new ManualTurns();
  venue = new TestVenue({ soon: held.soon });
  for (let n = 0; n < ASSETS; n++) {
    const asset = `COIN${n}`;
    venue.listAsset(asset, 8);
    venue.listSymbol(`${asset}/USDT`);
    for (const { accountId } of [venue.trader, venue.maker]) venue.give(accountId, asset, "1000");
  }
  for (let n = 0; n < ORDERS; n++) place(venue.trader.accountId, n, `order${n}`);
});

/** A small order on one of many symbols, below the asks. */
function place(accountId: number, n: number, clientOrderId: string, side: "BUY" | "SELL" = "BUY"): void {
  const symbolId = 3 + (n % ASSETS);
  const priceTicks = 1_000_000 + Math.floor(n / ASSETS);
  venue.act(placeOrder({ accountId, symbolId, side, clientOrderId, priceTicks, quantityLots: 100_000_000 }));
}

/** Resolves to the response, and the number of turns it took; `meanwhile` is called between turns. */
async function answered(asked: Promise<TestAnswer>, meanwhile: (turn: number) => unknown = () => {}) {
  let answer: TestAnswer | undefined;
  void asked.then((done) => (answer = done));
  for (let turn = 0; ; turn++) {
    // Lets the request reach the handler, and the result its caller.
    await new Promise((resolve) => setImmediate(resolve));
    if (answer !== undefined) return { answer, turns: turn };
    held.run();
    await meanwhile(turn);
    assert.ok(turn < 10_000, "it never comes");
  }
}

const openOrders = (parameters = {}): Promise<TestAnswer> => venue.signed("GET", "/api/v3/openOrders", parameters);

test("open orders are in the order of their ids, several per turn", async () => {
  const { answer, turns } = await answered(openOrders());
  const ids = answer.json.map(({ orderId }: { orderId: number }) => orderId);
  assert.deepEqual(
    ids,
    venue.engine.openOrders(venue.trader.accountId).map(({ orderId }) => orderId),
  );
  assert.ok(turns > ORDERS / ORDERS_A_PIECE, `${turns} turns`);
  const few = await answered(openOrders({ symbol: "COIN1USDT" }));
  assert.deepEqual(
    few.answer.json,
    answer.json.filter(({ symbol }: { symbol: string }) => symbol === "COIN1USDT"),
  );
  assert.equal(few.turns, 0, "few are answered at once");
});

test("changes while a response is written do not affect it", async () => {
  const asItWas = (await answered(openOrders())).answer.body;
  const { accountId } = venue.trader;
  const { answer } = await answered(openOrders(), (turn) => {
    if (turn === 0 || turn > 8) return;
    const symbolId = 3 + turn;
    place(venue.maker.accountId, turn, `taker${turn}`, "SELL");
    place(accountId, turn + 20, `more${turn}`);
    venue.act({ type: "cancelOpenOrders", accountId, symbolId: symbolId + 100, newClientOrderId: `c${turn}` });
  });
  assert.equal(answer.body, asItWas);
  assert.notEqual((await answered(openOrders())).answer.body, asItWas, "and shows in the next");
});

test("concurrent requests for the same response share it, and it is written once", async () => {
  const alone = (await answered(openOrders())).turns;
  const others: Promise<TestAnswer>[] = Array.from({ length: 20 }, () => openOrders());
  const { answer, turns } = await answered(openOrders());
  // Each is sent in its own turn; writing the response twice would take as many turns again.
  assert.ok(turns <= alone + others.length + 1, `${turns} turns for 21 who ask, ${alone} for one`);
  for (const other of await Promise.all(others)) assert.equal(other.body, answer.body);
  // Another account has other orders.
  place(venue.maker.accountId, 3, "own");
  const [mine, theirs] = [openOrders(), venue.signed("GET", "/api/v3/openOrders", {}, { key: venue.maker })];
  assert.equal((await theirs).json.length, 1);
  assert.notEqual((await answered(mine)).answer.json.length, 1);
});

let happened = 0;

/** Responses that stay the same while nothing happens, and take more than one turn. */
const LONG: readonly (readonly [path: string, isSigned: boolean, parameters: Record<string, string | number>])[] = [
  ["/api/v3/exchangeInfo", false, {}],
  ["/api/v3/ticker/24hr", false, {}],
  ["/api/v3/ticker/price", false, {}],
  ["/api/v3/ticker/bookTicker", false, {}],
  ["/api/v1/ticker/allPrices", false, {}],
  ["/api/v1/ticker/allBookTickers", false, {}],
  ["/api/v3/account", true, {}],
  ["/wapi/v3/assetDetail.html", true, {}],
  ["/sapi/v1/asset/assetDetail", true, {}],
  ["/wapi/v3/tradeFee.html", true, {}],
  ["/sapi/v1/asset/tradeFee", true, {}],
  ["/sapi/v1/capital/config/getall", true, {}],
  ["/wapi/v3/sub-account/assets.html", true, { email: "trader@example.org" }],
];

for (const [path, isSigned, parameters] of LONG) {
  test(`${path} is written in pieces, as of one point in time during the request`, async () => {
    const random = new Dice(1);
    const ask = (of: TestVenue): Promise<TestAnswer> =>
      isSigned ? of.signed("GET", path, parameters, { key: venue.trader }) : of.public(path, parameters);
    // Another gateway to the same engine, with real turns.
    const beside = new TestVenue({ engine: venue.engine });
    const moments = [(await ask(beside)).body];
    const { answer, turns } = await answered(ask(venue), async (turn) => {
      if (turn > 5) return;
      for (let n = 0; n < 5; n++) {
        const at = random.between(0, ASSETS - 1);
        place(venue.trader.accountId, at, `buy${++happened}`);
        place(venue.maker.accountId, at, `sell${happened}`, "SELL");
      }
      moments.push((await ask(beside)).body);
    });
    assert.equal(answer.status, 200);
    assert.ok(moments.includes(answer.body), "it is of no moment at all");
    if (path !== "/api/v3/exchangeInfo") assert.ok(turns > 2, `${turns} turns`);
  });
}

test("the deepest book is written in pieces, both sides as of the same time", async () => {
  const { accountId } = venue.maker;
  const deepen = (): void => {
    for (let n = 0; n < 1200; n++) {
      for (const [side, priceTicks] of [
        ["BUY", 100_000 - n],
        ["SELL", 100_001 + n],
      ] as const) {
        const amounts = { priceTicks, quantityLots: 100_000, clientOrderId: `${side}${n}` };
        venue.act(placeOrder({ accountId, symbolId: 1, side, ...amounts }));
      }
    }
  };
  deepen();
  const ask = (limit: number): Promise<TestAnswer> => venue.public("/api/v3/depth", { symbol: "ETHBTC", limit });
  assert.equal((await answered(ask(500))).turns, 0);
  const asItWas = (await answered(ask(5000))).answer;
  assert.equal(asItWas.json.bids.length, 1200);
  assert.deepEqual(asItWas.json.bids.slice(0, 500), (await answered(ask(500))).answer.json.bids);
  for (let canceledIn = 0; canceledIn < 5; canceledIn++) {
    const { answer, turns } = await answered(ask(5000), (turn) => {
      if (turn === canceledIn) {
        venue.act({ type: "cancelOpenOrders", accountId, symbolId: 1, newClientOrderId: "gone" });
      }
    });
    const { bids, asks, lastUpdateId } = answer.json;
    assert.deepEqual([bids.length, asks.length], bids.length === 0 ? [0, 0] : [1200, 1200], `in turn ${canceledIn}`);
    const isNow = lastUpdateId === venue.engine.market(1).bookUpdateId;
    assert.equal(isNow, bids.length === 0, "the number is that of the book that is told");
    assert.ok(turns > 3 || bids.length === 0, `${turns} turns`);
    deepen();
  }
  venue.act({ type: "cancelOpenOrders", accountId, symbolId: 1, newClientOrderId: "gone" });
});

test("canceling all open orders responds in pieces, with the orders that were canceled", async () => {
  const { accountId } = venue.trader;
  for (let n = 0; n < 3 * ORDERS_A_PIECE; n++) {
    const amounts = { priceTicks: 100_000 + n, quantityLots: 100_000, clientOrderId: `many${n}` };
    venue.act(placeOrder({ accountId, symbolId: 1, side: "BUY", ...amounts }));
  }
  const asked = venue.signed("DELETE", "/api/v3/openOrders", { symbol: "ETHBTC" });
  const { answer } = await answered(asked, (turn) => {
    if (turn === 2) place(accountId, 400, "after");
  });
  assert.equal(answer.json.length, 3 * ORDERS_A_PIECE);
  const names = answer.json.map(({ origClientOrderId }: { origClientOrderId: string }) => origClientOrderId);
  assert.deepEqual(new Set(names), new Set(Array.from({ length: names.length }, (_, n) => `many${n}`)));
  assert.ok(answer.json.every(({ status }: { status: string }) => status === "CANCELED"));
});
