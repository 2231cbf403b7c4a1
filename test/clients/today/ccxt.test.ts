/**
 * ccxt with today's interface: every endpoint for spot that it knows, by its own methods for requests, and its unified
 * methods for orders that need today's parameters.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { binance } from "ccxt";
import { ccxt, connectCcxt } from "@pricetime/testkit/ccxt";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { ENDPOINT_ROWS } from "../../todays-interface/endpoints.ts";
import { namesIn } from "../../todays-interface/rows.ts";
import { CLIENT_CALLS, refusalOf } from "./calls.ts";
import { Ground } from "./ground.ts";

let exchange: Exchange;
let ground: Ground;
let client: binance;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off", "--interface", "today"] });
  ground = await Ground.open(exchange);
  client = connectCcxt(ccxt, exchange.rest, ground.account);
});
after(async () => {
  await client.close();
  ground.close();
  await exchange.stop();
});

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
      const parameters = { ...call.parameters(await ground.prepare()) };
      for (const [name, value] of Object.entries(parameters)) {
        if (Array.isArray(value)) parameters[name] = client.json(value);
      }
      await ground.expects(refusalOf(call), () => client.request(path, kind, method, parameters));
    });
  }

  test("ccxt knows requests", () => assert.ok(requests.length > 30));
});

suite("unified methods", () => {
  const symbol = "BTC/USDT";
  const place = (more: object = {}): ReturnType<binance["createOrder"]> =>
    client.createOrder(symbol, "limit", "buy", 0.01, 40_000, { ...more });

  test("an order is edited", async () => {
    await ground.prepare();
    const { id } = await place();
    const edited = await client.editOrder(String(id), symbol, "limit", "buy", 0.02, 41_000);
    const { amount, price, status } = await client.fetchOrder(String(edited.id), symbol);
    assert.deepEqual([amount, price, status], [0.02, 41_000, "open"]);
    assert.equal((await client.fetchOrder(String(id), symbol)).status, "canceled");
  });

  test("self-trade prevention", async () => {
    await ground.prepare();
    const selfTradePrevention = "EXPIRE_MAKER";
    const { id } = await place({ selfTradePrevention });
    const sell = await client.createOrder(symbol, "limit", "sell", 0.01, 40_000, { selfTradePrevention });
    assert.equal((await client.fetchOrder(String(id), symbol)).info.status, "EXPIRED_IN_MATCH");
    assert.equal((await client.fetchOrder(String(sell.id), symbol)).info.selfTradePreventionMode, selfTradePrevention);
  });

  test("a trailing stop", async () => {
    await ground.prepare();
    const sell = (): Promise<unknown> =>
      client.createOrder(symbol, "market", "sell", 0.01, undefined, {
        ...{ trailingPercent: 1, stopLossOrTakeProfit: "stopLoss" },
      });
    const row = ENDPOINT_ROWS.find(({ method }) => method === "order.place");
    if (namesIn(row?.parameters ?? "").includes("trailingDelta")) await sell();
    else await assert.rejects(sell, /-1104/);
  });

  test("the account, its trades and its balance", async () => {
    const trades = await client.fetchMyTrades(symbol);
    assert.ok(trades.length > 0);
    assert.ok((await client.fetchBalance())["BTC"]!.total! > 0);
    assert.ok((await client.fetchTradingFee(symbol)).maker! >= 0);
  });
});
