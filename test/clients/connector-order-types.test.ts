/** Every order type and order lists through `@binance/connector`, and the way clients of 2019 place OCO, by hand. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { Client, type Parameters } from "@pricetime/testkit/client";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";

type Fields = Record<string, string | number | boolean>;
interface List extends Fields {
  readonly orderListId: number;
  readonly listClientOrderId: string;
  readonly listOrderStatus: string;
  readonly orders: Fields[] & Fields[string];
  readonly orderReports: Fields[] & Fields[string];
}
type Call = (...input: readonly unknown[]) => Promise<{ readonly data: unknown }>;
const { Spot } = createRequire(import.meta.url)("@binance/connector") as {
  Spot: new (apiKey: string, secretKey: string, options: object) => Readonly<Record<string, Call>>;
};

const SYMBOL = "BTCUSDT";
const PRICE = 50_000;

let exchange: Exchange;
let client: Readonly<Record<string, Call>>;
let maker: Client;
let raw: Client;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
  const [first, second] = exchange.accounts;
  assert.ok(first && second);
  client = new Spot(first.apiKey, first.secretKey, { baseURL: exchange.rest });
  raw = new Client(exchange.rest, first);
  maker = new Client(exchange.rest, second);
  await tradeAt(PRICE);
});
after(async () => {
  maker.close();
  raw.close();
  await exchange.stop();
});

async function call<T = Fields>(method: string, ...input: readonly unknown[]): Promise<T> {
  const run = client[method];
  assert.ok(run, `the connector has no ${method}`);
  return (await run.apply(client, [...input])).data as T;
}

async function limit(side: string, quantity: number, price: number): Promise<string> {
  const order = { symbol: SYMBOL, side, type: "LIMIT", timeInForce: "GTC", quantity, price };
  const { status, json, text } = await maker.signed<Fields>("POST", "/api/v3/order", order);
  assert.equal(status, 200, text);
  return String(json.status);
}

/** The maker trades with itself: the last price is there now. */
async function tradeAt(price: number): Promise<void> {
  await limit("SELL", 0.01, price);
  assert.equal(await limit("BUY", 0.01, price), "FILLED");
}

const order = (orderId: unknown): Promise<Fields> => call("getOrder", SYMBOL, { orderId });

const WAITING = [
  ["STOP_LOSS", "SELL", { stopPrice: 49_000 }],
  ["STOP_LOSS", "BUY", { stopPrice: 51_000 }],
  ["STOP_LOSS_LIMIT", "SELL", { stopPrice: 49_000, price: 48_900, timeInForce: "GTC" }],
  ["STOP_LOSS_LIMIT", "BUY", { stopPrice: 51_000, price: 51_100, timeInForce: "GTC", icebergQty: 0.2 }],
  ["TAKE_PROFIT", "SELL", { stopPrice: 51_000 }],
  ["TAKE_PROFIT", "BUY", { stopPrice: 49_000 }],
  ["TAKE_PROFIT_LIMIT", "SELL", { stopPrice: 51_000, price: 50_900, timeInForce: "FOK" }],
  ["TAKE_PROFIT_LIMIT", "BUY", { stopPrice: 49_000, price: 49_100, timeInForce: "IOC" }],
] as const;

for (const [type, side, more] of WAITING) {
  test(`${type} ${side}: placed, seen, canceled; placed, set off, filled`, async () => {
    const sent = (): object => ({ quantity: 0.5, ...more });
    assert.deepEqual(await call("newOrderTest", SYMBOL, side, type, sent()), {});
    const first = await call("newOrder", SYMBOL, side, type, sent());
    assert.equal(first.status, undefined, "an ACK");
    const waiting = await order(first.orderId);
    assert.deepEqual([waiting.status, waiting.isWorking, Number(waiting.stopPrice)], ["NEW", false, more.stopPrice]);
    const canceled = await call("cancelOrder", SYMBOL, { orderId: first.orderId });
    assert.deepEqual([canceled.status, Number(canceled.stopPrice)], ["CANCELED", more.stopPrice]);

    const second = await call("newOrder", SYMBOL, side, type, { ...sent(), newOrderRespType: "RESULT" });
    assert.equal(second.status, "NEW");
    const [against, along] = side === "BUY" ? ["SELL", "BUY"] : ["BUY", "SELL"];
    await limit(against, 0.51, more.stopPrice);
    await limit(along, 0.01, more.stopPrice);
    const ran = await order(second.orderId);
    assert.deepEqual([ran.status, ran.isWorking, ran.executedQty, ran.type], ["FILLED", true, "0.50000000", type]);
    assert.ok(Number(ran.updateTime) >= Number(ran.time));
    await tradeAt(PRICE);
  });
}

/** As bots of 2019 send it. */
const OCO: Parameters = { symbol: SYMBOL, side: "SELL", quantity: 0.5, price: 51_000, stopPrice: 49_000 };
const LEGS = { abovePrice: 51_000, belowStopPrice: 49_000 };
const ways: readonly (readonly [name: string, place: () => Promise<List>])[] = [
  [
    "order/oco by hand",
    async () => {
      const { status, json, text } = await raw.signed<List>("POST", "/api/v3/order/oco", OCO);
      assert.equal(status, 200, text);
      return json;
    },
  ],
  [
    "newOCOOrder of the connector (orderList/oco)",
    () => call<List>("newOCOOrder", SYMBOL, "SELL", 0.5, "LIMIT_MAKER", "STOP_LOSS", { ...LEGS }),
  ],
];

for (const [name, place] of ways) {
  test(`${name}: either leg ends the other, a cancel both`, async () => {
    const stateOf = async ({ orderListId, orders }: List): Promise<unknown[]> => {
      const list = await call<List>("getOCOOrder", { orderListId });
      const legs = await Promise.all(orders.map(({ orderId }) => order(orderId)));
      return [list.listOrderStatus, ...legs.map(({ status }) => status)];
    };
    const canceled = await place();
    assert.deepEqual(
      canceled.orderReports.map(({ type }) => type),
      ["STOP_LOSS", "LIMIT_MAKER"],
    );
    assert.deepEqual(
      (await call<List[]>("getOpenOCOOrders")).map(({ orderListId }) => orderListId),
      [canceled.orderListId],
    );
    const answer = await call<List>("cancelOCOOrder", SYMBOL, { orderListId: canceled.orderListId });
    assert.deepEqual([answer.listOrderStatus, answer.orderReports.length], ["ALL_DONE", 2]);
    assert.deepEqual(await stateOf(canceled), ["ALL_DONE", "CANCELED", "CANCELED"]);

    const filled = await place();
    await limit("BUY", 0.5, 51_000);
    assert.deepEqual(await stateOf(filled), ["ALL_DONE", "EXPIRED", "FILLED"]);
    await tradeAt(PRICE);

    const stopped = await place();
    await limit("BUY", 0.5, 48_900);
    await tradeAt(49_000);
    assert.deepEqual(await stateOf(stopped), ["ALL_DONE", "FILLED", "EXPIRED"]);
    await tradeAt(PRICE);
    assert.equal((await call<List[]>("getOCOOrders")).at(-1)?.orderListId, stopped.orderListId);
  });
}

test("cancelAndReplace", async () => {
  const placed = await call("newOrder", SYMBOL, "SELL", "LIMIT", { timeInForce: "GTC", quantity: 0.5, price: 52_000 });
  const sent = (): object => ({ timeInForce: "GTC", quantity: 0.5, price: 53_000, cancelOrderId: placed.orderId });
  const replace = (): Promise<Fields> => call("cancelAndReplace", SYMBOL, "SELL", "LIMIT", "STOP_ON_FAILURE", sent());
  const { cancelResult, newOrderResult } = await replace();
  assert.deepEqual([cancelResult, newOrderResult], ["SUCCESS", "SUCCESS"]);
  await assert.rejects(replace(), (error: { response: { status: number; data: { code: number } } }) => {
    assert.deepEqual([error.response.status, error.response.data.code], [400, -2022]);
    return true;
  });
  assert.equal((await call<Fields[]>("cancelOpenOrders", SYMBOL)).length, 1);
});

test("amend and keep priority, for which the connector has no method of its own", async () => {
  const placed = await call("newOrder", SYMBOL, "SELL", "LIMIT", { timeInForce: "GTC", quantity: 0.5, price: 52_000 });
  const { orderId } = placed;
  const amend = (newQty: number): Promise<{ executionId: number; amendedOrder: Fields }> =>
    call("signRequest", "PUT", "/api/v3/order/amend/keepPriority", { symbol: SYMBOL, orderId, newQty });
  const { executionId, amendedOrder } = await amend(0.3);
  assert.deepEqual([amendedOrder.orderId, Number(amendedOrder.qty)], [orderId, 0.3]);
  await assert.rejects(amend(0.4), (error: { response: { status: number; data: { code: number } } }) => {
    assert.deepEqual([error.response.status, error.response.data.code], [400, -2038]);
    return true;
  });
  const [amendment] = await call<Fields[]>("signRequest", "GET", "/api/v3/order/amendments", {
    symbol: SYMBOL,
    orderId,
  });
  assert.deepEqual([amendment?.executionId, Number(amendment?.origQty)], [executionId, 0.5]);
  assert.equal(Number((await order(orderId)).origQty), 0.3);
  assert.equal((await call<Fields[]>("cancelOpenOrders", SYMBOL)).length, 1);
});

test("refusals of lists arrive as status, code and message", async () => {
  const refused = async (sent: Parameters, code: number, msg: string): Promise<void> => {
    const { status, json } = await raw.signed("POST", "/api/v3/order/oco", { ...OCO, ...sent });
    assert.deepEqual([status, json], [400, { code, msg }]);
  };
  await refused({ price: 49_500 }, -2010, "The relationship of the prices for the orders is not correct.");
  await refused({ stopIcebergQty: 0.1 }, -1106, "Parameter 'stopIcebergQty' sent when not required.");
  await refused(
    { stopLimitPrice: 48_000 },
    -1128,
    "Combination of optional parameters invalid. Recommendation: 'stopLimitTimeInForce' should also be sent.",
  );
});
