/**
 * Every order type through ccxt, newest and 1.95.43: placed, seen waiting, set off by a trade, cancelled;
 * order lists by the endpoints that clients know; what refusals become.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { binance, Order } from "ccxt";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { type Ccxt, ccxt, ccxt1x, connectCcxt, exceptionOf } from "@pricetime/testkit/ccxt";
import { until } from "@pricetime/testkit/waiting";

let exchange: Exchange;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
});
after(() => exchange.stop());

type Side = "buy" | "sell";
interface Waiting {
  readonly type: "STOP_LOSS" | "STOP_LOSS_LIMIT" | "TAKE_PROFIT" | "TAKE_PROFIT_LIMIT";
  readonly side: Side;
  readonly stopPrice: number;
  /** Limit price, for the two kinds that have one. */
  readonly price?: number;
}
const AMOUNT = 0.5;
type Place = (client: binance, symbol: string, order: Waiting) => Promise<Order>;

/** The newest version names stops by what they are for, the old one by the exchange's types. */
const placeByPurpose: Place = (client, symbol, { type, side, stopPrice, price }) => {
  const purpose = type.startsWith("STOP_LOSS") ? "stopLossPrice" : "takeProfitPrice";
  const kind = price === undefined ? "market" : "limit";
  return client.createOrder(symbol, kind, side, AMOUNT, price, { [purpose]: stopPrice });
};
const placeByType: Place = (client, symbol, { type, side, stopPrice, price }) =>
  client.createOrder(symbol, type, side, AMOUNT, price, { stopPrice });

interface Case {
  readonly name: string;
  readonly library: Ccxt;
  readonly place: Place;
  readonly symbol: string;
  readonly id: string;
  readonly price: number;
  /** What this version makes of a -2010 that it does not know by its text. */
  readonly refused: string;
}
const CASES: readonly Case[] = [
  {
    ...{ name: "4.5.84", library: ccxt, place: placeByPurpose },
    ...{ symbol: "BTC/USDT", id: "BTCUSDT", price: 50000, refused: "InvalidOrder" },
  },
  {
    ...{ name: "1.95.43", library: ccxt1x, place: placeByType },
    ...{ symbol: "ETH/USDT", id: "ETHUSDT", price: 3000, refused: "ExchangeError" },
  },
];

type Fields = Record<string, string>;
/** An order list, in the words of the exchange. */
interface List extends Record<string, unknown> {
  readonly orderListId: number;
  readonly listClientOrderId: string;
  readonly listOrderStatus: string;
  readonly orders: readonly Fields[];
  readonly orderReports: readonly Fields[];
}

for (const { name, library, place, symbol, id, price, refused } of CASES) {
  const [up, down] = [price * 1.02, price * 0.98];

  suite(`ccxt ${name}`, () => {
    let maker: binance;
    let taker: binance;
    before(async () => {
      const [first, second] = exchange.accounts;
      assert.ok(first && second);
      maker = connectCcxt(library, exchange.rest, first);
      taker = connectCcxt(library, exchange.rest, second);
      await Promise.all([maker.loadMarkets(), taker.loadMarkets()]);
      await tradeAt(price);
    });
    after(() => Promise.all([maker.close?.(), taker.close?.()]));

    /** The maker trades with itself: the last price is there now. */
    async function tradeAt(at: number): Promise<void> {
      await maker.createOrder(symbol, "limit", "sell", 0.01, at);
      const { status } = await maker.createOrder(symbol, "limit", "buy", 0.01, at);
      assert.equal(status, "closed");
    }

    /** The last price comes to the stop price, where the maker has what the order needs. */
    async function reach({ side, stopPrice }: Waiting): Promise<Order> {
      const [against, along] = side === "buy" ? ["sell", "buy"] : ["buy", "sell"];
      const resting = await maker.createOrder(symbol, "limit", against, AMOUNT + 0.01, stopPrice);
      await maker.createOrder(symbol, "limit", along, 0.01, stopPrice);
      return resting;
    }

    const seen = (orderId: unknown): Promise<Order> => taker.fetchOrder(String(orderId), symbol);

    /** `call` as in `privatePostOrderOco`, which is there in both versions but not in every declaration. */
    function raw<T>(call: string, parameters: object = {}): Promise<T> {
      const run = (taker as unknown as Record<string, (sent: object) => Promise<T>>)[call];
      assert.ok(run, `no ${call}`);
      return run.call(taker, parameters);
    }

    const waiting: readonly Waiting[] = [
      { type: "STOP_LOSS", side: "sell", stopPrice: down },
      { type: "STOP_LOSS", side: "buy", stopPrice: up },
      { type: "STOP_LOSS_LIMIT", side: "sell", stopPrice: down, price: down * 0.99 },
      { type: "STOP_LOSS_LIMIT", side: "buy", stopPrice: up, price: up * 1.01 },
      { type: "TAKE_PROFIT", side: "sell", stopPrice: up },
      { type: "TAKE_PROFIT", side: "buy", stopPrice: down },
      { type: "TAKE_PROFIT_LIMIT", side: "sell", stopPrice: up, price: up * 1.01 },
      { type: "TAKE_PROFIT_LIMIT", side: "buy", stopPrice: down, price: down * 0.99 },
    ];
    for (const order of waiting) {
      test(`${order.type} ${order.side}: waits, is canceled; waits, is set off`, async () => {
        const first = await place(taker, symbol, order);
        const before_ = await seen(first.id);
        assert.deepEqual(
          [before_.status, before_.info.type, before_.info.isWorking, Number(before_.info.stopPrice)],
          ["open", order.type, false, order.stopPrice],
        );
        assert.deepEqual(
          (await taker.fetchOpenOrders(symbol)).map((open) => open.id),
          [first.id],
        );
        await taker.cancelOrder(String(first.id), symbol);
        assert.equal((await seen(first.id)).status, "canceled");

        const second = await place(taker, symbol, order);
        const meets = await reach(order);
        const ran = await seen(second.id);
        assert.equal(ran.info.isWorking, true);
        // A profit that is to be taken at a better price than the one that sets it off has to wait for it.
        const rests = order.type === "TAKE_PROFIT_LIMIT";
        assert.deepEqual([ran.status, ran.filled], rests ? ["open", 0] : ["closed", AMOUNT]);
        assert.equal(ran.average, rests ? undefined : order.stopPrice);
        if (rests) {
          await taker.cancelOrder(String(second.id), symbol);
          await maker.cancelOrder(String(meets.id), symbol);
        }
        await tradeAt(price);
      });
    }

    test("an iceberg shows its slice", async () => {
      const order = await taker.createOrder(symbol, "limit", "sell", 1, up, { icebergQty: 0.2 });
      // Another node may show the book as it was milliseconds before.
      const best = async () => (await taker.fetchOrderBook(symbol)).asks[0]?.slice(0, 2);
      await until("the book shows the order", async () => (await best()) !== undefined);
      assert.deepEqual(await best(), [up, 0.2]);
      assert.equal(Number((await seen(order.id)).info.icebergQty), 0.2);
      await taker.cancelOrder(String(order.id), symbol);
    });

    test("FOK and IOC", async () => {
      const resting = await maker.createOrder(symbol, "limit", "sell", 0.3, price);
      const buy = (timeInForce: string): Promise<Order> =>
        taker.createOrder(symbol, "limit", "buy", AMOUNT, price, { timeInForce });
      const fok = await buy("FOK");
      assert.deepEqual([fok.status, fok.filled], ["expired", 0]);
      const ioc = await buy("IOC");
      assert.deepEqual([ioc.status, ioc.filled], ["expired", 0.3]);
      assert.equal((await maker.fetchOrder(String(resting.id), symbol)).status, "closed");
    });

    const sell = { symbol: id, side: "SELL", quantity: AMOUNT, price: up, stopPrice: down };
    const oco = (more: object = {}): Promise<List> => raw("privatePostOrderOco", { ...sell, ...more });
    const stateOf = async (list: List): Promise<unknown[]> => {
      const found = await raw<List>("privateGetOrderList", { orderListId: list.orderListId });
      const legs = await Promise.all(found.orders.map(({ orderId }) => seen(orderId)));
      return [found.listOrderStatus, ...legs.map((leg) => leg.status)];
    };

    test("OCO: placed, listed, found and canceled", async () => {
      const list = await oco({ stopLimitPrice: down * 0.99, stopLimitTimeInForce: "GTC" });
      const reports = list.orderReports.map((report) => `${report.type} ${report.status}`);
      assert.deepEqual(reports, ["STOP_LOSS_LIMIT NEW", "LIMIT_MAKER NEW"]);
      const open = (await taker.fetchOpenOrders(symbol)).map((order) => String(order.id));
      assert.equal(open.join(), list.orders.map(({ orderId }) => orderId).join());
      const named = { origClientOrderId: list.listClientOrderId };
      assert.equal((await raw<List>("privateGetOrderList", named)).orderListId, list.orderListId);
      const lists = await raw<List[]>("privateGetOpenOrderList");
      assert.equal(lists.map(({ orderListId }) => orderListId).join(), String(list.orderListId));
      const canceled = await raw<List>("privateDeleteOrderList", { symbol: id, orderListId: list.orderListId });
      assert.equal(canceled.listOrderStatus, "ALL_DONE");
      assert.deepEqual(await stateOf(list), ["ALL_DONE", "canceled", "canceled"]);
      assert.equal((await raw<List[]>("privateGetAllOrderList")).at(-1)?.orderListId, list.orderListId);
    });

    test("OCO: the limit leg is filled, the stop leg expires; the other way round; a leg is canceled", async () => {
      const filled = await oco();
      await maker.createOrder(symbol, "limit", "buy", AMOUNT, up);
      assert.deepEqual(await stateOf(filled), ["ALL_DONE", "expired", "closed"]);
      await tradeAt(price);

      const stopped = await oco();
      await maker.createOrder(symbol, "limit", "buy", AMOUNT, down * 0.99);
      await tradeAt(down);
      assert.deepEqual(await stateOf(stopped), ["ALL_DONE", "closed", "expired"]);
      await tradeAt(price);

      const canceled = await oco();
      await taker.cancelOrder(String(canceled.orders[1]?.orderId), symbol);
      assert.deepEqual(await stateOf(canceled), ["ALL_DONE", "canceled", "canceled"]);
      const swept = await oco();
      await taker.cancelAllOrders(symbol);
      assert.deepEqual(await stateOf(swept), ["ALL_DONE", "canceled", "canceled"]);
    });

    test("refusals become the right exceptions", async () => {
      const thrown = (call: Promise<unknown>): Promise<string> => exceptionOf(library, call);
      const reached: Waiting = { type: "STOP_LOSS", side: "sell", stopPrice: up };
      assert.equal(await thrown(place(taker, symbol, reached)), "OrderImmediatelyFillable");
      assert.equal(await thrown(oco({ price: down * 0.99 })), refused);
      const tooMuch = { symbol: "ETHBTC", quantity: 50_000, price: 0.06, stopPrice: 0.05 };
      const withLimit = { ...tooMuch, stopLimitPrice: 0.05, stopLimitTimeInForce: "GTC" };
      assert.equal(await thrown(oco(withLimit)), "InsufficientFunds");
      assert.equal(await thrown(oco({ price: `${up}.001` })), "InvalidOrder");
      assert.equal(await thrown(oco({ stopLimitPrice: down })), "BadRequest");
      assert.equal(await thrown(raw("privateGetOrderList", { orderListId: 999_999 })), "OrderNotFound");
      const cancel = raw("privateDeleteOrderList", { symbol: id, orderListId: 999_999 });
      assert.equal(await thrown(cancel), "OrderNotFound");
      assert.equal((await taker.fetchOpenOrders(symbol)).length, 0);
    });

    if (library === ccxt) {
      test("orderList/oco, with a take profit in the maker's place", async () => {
        const pair = { symbol: id, side: "BUY", quantity: AMOUNT, aboveType: "STOP_LOSS", aboveStopPrice: up };
        const below = { belowType: "TAKE_PROFIT_LIMIT", belowPrice: down, belowTimeInForce: "GTC" };
        const list = await raw<List>("privatePostOrderListOco", { ...pair, ...below, belowStopPrice: down });
        assert.deepEqual(await stateOf(list), ["EXECUTING", "open", "open"]);
        await tradeAt(down);
        assert.deepEqual(await stateOf(list), ["ALL_DONE", "expired", "open"]);
        await taker.cancelOrder(String(list.orders[1]?.orderId), symbol);
        await tradeAt(price);
      });

      test("editOrder replaces in one request", async () => {
        const order = await taker.createOrder(symbol, "limit", "sell", AMOUNT, up);
        const edited = await taker.editOrder(String(order.id), symbol, "limit", "sell", AMOUNT, up * 1.01);
        assert.deepEqual([edited.status, edited.price], ["open", up * 1.01]);
        assert.equal((await seen(order.id)).status, "canceled");
        const gone = taker.editOrder(String(order.id), symbol, "limit", "sell", AMOUNT, up);
        assert.equal(await exceptionOf(library, gone), "ExchangeError", "ccxt looks no further than the outer code");
        assert.equal((await taker.fetchOpenOrders(symbol)).length, 1);
        await taker.cancelOrder(String(edited.id), symbol);
      });
    }
  });
}
