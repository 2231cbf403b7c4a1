/**
 * ccxt with today's interface: every endpoint for spot that it knows, by its own methods for requests, and its unified
 * methods for orders that need today's parameters.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { binance, Order, Trade } from "ccxt";
import { until } from "@pricetime/testkit/waiting";
import { ccxt, type CcxtPro, connectCcxt, connectCcxtPro, follow, followEach } from "@pricetime/testkit/ccxt";
import { CLIENT_CALLS, refusalOf } from "./calls.ts";
import { Rig } from "./rig.ts";

let client: binance;
const rig = new Rig(() => {
  client = connectCcxt(ccxt, rig.exchange.rest, rig.ground.account);
});
after(() => client.close());

/** Listen keys, which today's interface does not have. */
const RETIRED = "userDataStream";

suite("every request", () => {
  const { public: open, private: signed } = new ccxt.binance().api as unknown as Record<string, Record<string, object>>;
  const requests = [
    ...Object.entries(open ?? {}).map(([method, paths]) => ({ kind: "public", method, paths })),
    ...Object.entries(signed ?? {}).map(([method, paths]) => ({ kind: "private", method, paths })),
  ].flatMap(({ kind, method, paths }) =>
    Object.keys(paths).map((path) => ({ kind, method: method.toUpperCase(), path })),
  );

  for (const { kind, method, path } of requests.filter((request) => request.path !== RETIRED)) {
    test(`${method} ${path}`, async () => {
      const call = CLIENT_CALLS.find(({ endpoint }) => endpoint === `${method} ${path}`);
      assert.ok(call, "the request has no row");
      const parameters = { ...call.parameters(await rig.ground.prepare()) };
      for (const [name, value] of Object.entries(parameters)) {
        if (Array.isArray(value)) parameters[name] = client.json(value);
      }
      await rig.ground.expects(refusalOf(call), () => client.request(path, kind, method, parameters));
    });
  }

  test("ccxt knows requests", () => assert.ok(requests.length > 30));
});

suite("unified methods", () => {
  const symbol = "BTC/USDT";
  const place = (more: object = {}): ReturnType<binance["createOrder"]> =>
    client.createOrder(symbol, "limit", "buy", 0.01, 40_000, { ...more });

  test("an order is edited", async () => {
    await rig.ground.prepare();
    const { id } = await place();
    const edited = await client.editOrder(String(id), symbol, "limit", "buy", 0.02, 41_000);
    const { amount, price, status } = await client.fetchOrder(String(edited.id), symbol);
    assert.deepEqual([amount, price, status], [0.02, 41_000, "open"]);
    assert.equal((await client.fetchOrder(String(id), symbol)).status, "canceled");
  });

  test("self-trade prevention", async () => {
    await rig.ground.prepare();
    const selfTradePrevention = "EXPIRE_MAKER";
    const { id } = await place({ selfTradePrevention });
    const sell = await client.createOrder(symbol, "limit", "sell", 0.01, 40_000, { selfTradePrevention });
    assert.equal((await client.fetchOrder(String(id), symbol)).info.status, "EXPIRED_IN_MATCH");
    assert.equal((await client.fetchOrder(String(sell.id), symbol)).info.selfTradePreventionMode, selfTradePrevention);
  });

  test("a trailing stop", async () => {
    await rig.ground.prepare();
    const sell = async (type: string, price: number | undefined, more: object): Promise<unknown[]> => {
      const { id } = await client.createOrder(symbol, type, "sell", 0.01, price, { ...more });
      const order = (await client.fetchOrder(String(id), symbol)).info;
      await client.cancelOrder(String(id), symbol);
      return [order.type, Number(order.trailingDelta), Number(order.stopPrice), Number(order.trailingTime) > 0];
    };
    const now = { trailingPercent: 1, stopLossOrTakeProfit: "stopLoss" };
    assert.deepEqual(await sell("market", undefined, now), ["STOP_LOSS", 100, 0, true]);
    const later = { trailingPercent: 2.5, trailingTriggerPrice: 90_000, stopLossOrTakeProfit: "takeProfit" };
    assert.deepEqual(await sell("limit", 80_000, later), ["TAKE_PROFIT_LIMIT", 250, 90_000, false]);
    const delta = { trailingDelta: 300, stopLossOrTakeProfit: "stopLoss" };
    assert.deepEqual(await sell("market", undefined, delta), ["STOP_LOSS", 300, 0, true]);
  });

  test("a pegged order", async () => {
    await rig.ground.prepare();
    const peg = { pegPriceType: "PRIMARY_PEG" };
    const { id } = await client.createOrder(symbol, "limit", "buy", 0.01, 41_000, peg);
    const order = (await client.fetchOrder(String(id), symbol)).info;
    assert.deepEqual([order.pegPriceType, Number(order.peggedPrice)], ["PRIMARY_PEG", 40_000]);
  });

  test("the account, its trades and its balance", async () => {
    const trades = await client.fetchMyTrades(symbol);
    assert.ok(trades.length > 0);
    assert.ok((await client.fetchBalance())["BTC"]!.total! > 0);
    assert.ok((await client.fetchTradingFee(symbol)).maker! >= 0);
  });
});

/** It subscribes to the account's events by `userDataStream.subscribe.signature`, without a listen key. */
suite("ccxt.pro", () => {
  const symbol = "BTC/USDT";
  let pro: CcxtPro;
  let orders: Order[];
  let trades: Trade[];
  before(async () => {
    pro = await connectCcxtPro(rig.exchange, rig.ground.account);
    orders = followEach(() => pro.watchOrders(symbol));
    trades = followEach(() => pro.watchMyTrades(symbol));
    const balances = follow(() => pro.watchBalance());
    // Until the account has subscribed, its events are not sent.
    await until("an order is watched", async () => {
      await rig.ground.prepare();
      return orders.length > 0 && balances.at(-1)?.BTC?.used === 0.01;
    });
  });
  after(() => pro.close());

  const of = (id: string | undefined): Order[] => orders.filter((order) => order.id === id);

  test("trades are watched", async () => {
    await rig.ground.trade();
    await until("a trade", () => trades.length > 0);
    assert.deepEqual([trades[0]?.price, trades[0]?.amount, trades[0]?.takerOrMaker], [50_000, 0.01, "maker"]);
  });

  const KINDS = [
    ["STOP_LOSS", "sell", undefined, { trailingDelta: 300 }, { stopPrice: 45_000 }, { d: 300 }],
    ["limit", "buy", 41_000, { pegPriceType: "PRIMARY_PEG" }, {}, { gp: "40000.00000000" }],
    ["limit", "buy", 41_000, { selfTradePreventionMode: "EXPIRE_BOTH" }, {}, { V: "EXPIRE_BOTH" }],
  ] as const;
  for (const [type, side, price, parameters, edit, expected] of KINDS) {
    test(`a ${type} order with ${Object.keys(parameters).join()} is placed, edited and canceled`, async () => {
      await rig.ground.prepare();
      const placed = await pro.createOrderWs(symbol, type, side, 0.01, price, { ...parameters });
      const more = [type, side, 0.02, price, { ...parameters, ...edit }] as const;
      const edited = await pro.editOrderWs(String(placed.id), symbol, ...more);
      const { status } = await pro.cancelOrderWs(String(edited.id), symbol);
      assert.deepEqual([placed.status, edited.status, edited.amount, status], ["open", "open", 0.02, "canceled"]);
      await until("the reports", () => of(edited.id).length === 2);
      const reports = [...of(placed.id), ...of(edited.id)];
      assert.equal(reports.map((order) => order.status).join(), "open,canceled,open,canceled");
      for (const { info } of reports) assert.partialDeepStrictEqual(info, expected);
    });
  }

  test("an own order is met", async () => {
    await rig.ground.prepare();
    const mode = { selfTradePreventionMode: "DECREMENT" };
    const maker = await pro.createOrderWs(symbol, "limit", "sell", 0.02, 50_000, { ...mode });
    const taker = await pro.createOrderWs(symbol, "limit", "buy", 0.01, 50_000, { ...mode });
    assert.deepEqual([taker.status, taker.info.preventedQuantity], ["expired", "0.01000000"]);
    await until("the reports", () => of(maker.id).length === 2);
    const { x, X, A } = of(maker.id)[1]!.info;
    assert.deepEqual([x, X, A], ["TRADE_PREVENTION", "NEW", "0.01000000"]);
  });

  test("ccxt sends the names of its own along with those that it makes of them", async () => {
    for (const own of [{ selfTradePrevention: "NONE" }, { trailingPercent: 1, stopLossOrTakeProfit: "stopLoss" }]) {
      await assert.rejects(pro.createOrderWs(symbol, "limit", "sell", 0.01, 60_000, { ...own }), /-1104/);
    }
    const edit = pro.editOrderWs("1", symbol, "STOP_LOSS", "sell", 0.01, undefined, { trailingDelta: 300 });
    await assert.rejects(edit, /requires a triggerPrice/);
  });
});
