/**
 * ccxt as a user has it, newest and 1.95.43: only the addresses are changed. The 2022 version is the
 * one that many bots still carry; both run the same scenario on one exchange, on symbols of their own.
 */
import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { binance } from "ccxt";
import { type DemoAccount, type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { type Ccxt, ccxt, ccxt1x, connectCcxt, exceptionOf } from "@pricetime/testkit/ccxt";

let exchange: Exchange;
before(async () => {
  exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
});
after(() => exchange.stop());

type Keys = Pick<DemoAccount, "apiKey" | "secretKey">;

const connect = (library: Ccxt, keys: Keys): binance => connectCcxt(library, exchange.rest, keys);

function accounts(): [maker: DemoAccount, taker: DemoAccount] {
  const [maker, taker] = exchange.accounts;
  assert.ok(maker && taker);
  return [maker, taker];
}

interface Case {
  readonly name: string;
  readonly library: Ccxt;
  readonly symbol: string;
  readonly id: string;
  readonly price: number;
  /** What this version makes of a -1013 that it does not know by its text. */
  readonly minNotional: string;
}
const CASES: readonly Case[] = [
  { name: "4.5.84", library: ccxt, symbol: "BTC/USDT", id: "BTCUSDT", price: 50000, minNotional: "BadRequest" },
  { name: "1.95.43", library: ccxt1x, symbol: "ETH/USDT", id: "ETHUSDT", price: 3000, minNotional: "InvalidOrder" },
];

for (const { name, library, symbol, id, price, minNotional } of CASES) {
  suite(`ccxt ${name}`, () => {
    let maker: binance;
    let taker: binance;
    before(() => {
      const [first, second] = accounts();
      maker = connect(library, first);
      taker = connect(library, second);
    });
    after(() => Promise.all([maker.close?.(), taker.close?.()]));

    test("loads markets with keys", async () => {
      const markets = await maker.loadMarkets();
      const market = markets[symbol];
      assert.ok(market);
      assert.equal(market.id, id);
      assert.equal(market.active, true);
      assert.equal(market.spot, true);
      assert.equal(market.limits.cost?.min, 10);
      assert.ok(market.limits.amount?.min !== undefined && market.limits.amount.min > 0);
      const [base = ""] = symbol.split("/");
      assert.equal(maker.currencies[base]?.code, base, "capital/config/getall gave the currencies");
      await taker.loadMarkets();
    });

    test("a LIMIT order takes one that rests", async () => {
      await maker.createOrder(symbol, "limit", "sell", 0.1, price);
      const order = await taker.createOrder(symbol, "limit", "buy", 0.1, price);
      assert.equal(order.status, "closed");
      assert.equal(order.average, price);
    });

    test("a MARKET order takes, both sides see it", async () => {
      const resting = await maker.createOrder(symbol, "limit", "sell", 0.5, price);
      assert.equal(resting.status, "open");
      assert.equal(resting.amount, 0.5);
      const taken = await taker.createOrder(symbol, "market", "buy", 0.2);
      assert.equal(taken.status, "closed");
      assert.equal(taken.filled, 0.2);
      assert.equal(taken.average, price);
      assert.equal(taken.trades.length, 1);

      const seen = await maker.fetchOrder(String(resting.id), symbol);
      assert.equal(seen.status, "open");
      assert.equal(seen.filled, 0.2);
      assert.equal(seen.remaining, 0.3);
      const trades = await taker.fetchMyTrades(symbol);
      assert.equal(trades.at(-1)?.amount, 0.2);
      assert.equal(trades.at(-1)?.takerOrMaker, "taker");
      assert.equal(trades.at(-1)?.order, taken.id);
      assert.equal((await maker.fetchMyTrades(symbol)).at(-1)?.takerOrMaker, "maker");
    });

    test("market data", async () => {
      const ticker = await taker.fetchTicker(symbol);
      assert.equal(ticker.last, price);
      assert.equal(ticker.ask, price);
      assert.ok((ticker.baseVolume ?? 0) >= 0.2);
      const book = await taker.fetchOrderBook(symbol);
      assert.deepEqual(book.asks[0]?.slice(0, 2), [price, 0.3]);
      const trade = (await taker.fetchTrades(symbol)).at(-1);
      assert.equal(trade?.price, price);
      assert.equal(trade?.side, "buy");
      const candle = (await taker.fetchOHLCV(symbol, "1m")).at(-1);
      assert.deepEqual(candle?.slice(1, 5), [price, price, price, price]);
      assert.equal((await taker.fetchOHLCV(symbol, "1s")).at(-1)?.[4], price);
      assert.ok(symbol in (await taker.fetchTickers()));
      assert.ok(Math.abs(((await taker.fetchTime()) ?? 0) - Date.now()) < 5000);
    });

    test("balance: free, used and total add up", async () => {
      const [base = ""] = symbol.split("/");
      const balance = await maker.fetchBalance();
      const { free = 0, used = 0, total = 0 } = balance[base] ?? {};
      assert.equal(used, 0.3);
      assert.ok(Math.abs(free + used - total) < 1e-6);
    });

    test("open and all orders, cancel one, cancel all", async () => {
      const low = await taker.createOrder(symbol, "limit", "buy", 0.1, price * 0.9);
      const lower = await taker.createOrder(symbol, "limit", "buy", 0.1, price * 0.8);
      const open = await taker.fetchOpenOrders(symbol);
      assert.deepEqual(
        open.map((order) => order.id),
        [low.id, lower.id],
      );
      const canceled = await taker.cancelOrder(String(low.id), symbol);
      assert.equal(canceled.status, "canceled");
      await taker.cancelAllOrders(symbol);
      assert.equal((await taker.fetchOpenOrders(symbol)).length, 0);
      const all = await taker.fetchOrders(symbol);
      assert.deepEqual(
        all.slice(-2).map((order) => order.status),
        ["canceled", "canceled"],
      );
    });

    test("LIMIT_MAKER rests and refuses to take", async () => {
      const order = await taker.createOrder(symbol, "limit", "buy", 0.1, price * 0.9, { postOnly: true });
      const seen = await taker.fetchOrder(String(order.id), symbol);
      assert.equal(seen.info.type, "LIMIT_MAKER");
      await taker.cancelOrder(String(order.id), symbol);
      await assert.rejects(
        taker.createOrder(symbol, "limit", "buy", 0.1, price, { postOnly: true }),
        library.OrderImmediatelyFillable,
      );
    });

    test("a MARKET order by what it may cost", async () => {
      const order = await taker.createOrder(symbol, "market", "buy", 0.1, undefined, { quoteOrderQty: price / 10 });
      assert.equal(order.status, "closed");
      assert.equal(order.filled, 0.1);
    });

    test("a fee in the discount asset", async () => {
      const discount = { asset: "BNB", factorBps: 7_500 };
      await operate(exchange, "PUT", "/v1/commission-discount", discount);
      await maker.createOrder("BNB/USDT", "limit", "sell", 1, 600);
      await taker.createOrder("BNB/USDT", "limit", "buy", 1, 600);
      assert.deepEqual((await taker.sapiPostBnbBurn({ spotBNBBurn: "true" })).spotBNBBurn, true);
      await maker.createOrder(symbol, "limit", "buy", 0.1, price * 0.9);
      const sold = await taker.createOrder(symbol, "market", "sell", 0.1);
      const trade = (await taker.fetchMyTrades(symbol)).at(-1);
      assert.equal(trade?.order, sold.id);
      assert.equal(trade?.fee?.currency, "BNB");
      assert.ok((trade?.fee?.cost ?? 0) > 0);
      await taker.sapiPostBnbBurn({ spotBNBBurn: "false" });
    });

    test("the listen key's life", async () => {
      const { listenKey } = await taker.publicPostUserDataStream();
      assert.match(String(listenKey), /^[A-Za-z0-9]{64}$/);
      await taker.publicPutUserDataStream({ listenKey });
      await taker.publicDeleteUserDataStream({ listenKey });
      await assert.rejects(taker.publicPutUserDataStream({ listenKey }), library.ExchangeError);
    });

    suite("errors become the right exceptions", () => {
      const thrown = (call: Promise<unknown>): Promise<string> => exceptionOf(library, call);
      const place = (more: Record<string, string>): Promise<unknown> =>
        taker.privatePostOrder({ symbol: id, side: "BUY", type: "LIMIT", timeInForce: "GTC", ...more });

      test("insufficient funds", async () => {
        const [base = ""] = symbol.split("/");
        const { free = 0 } = (await taker.fetchBalance())[base] ?? {};
        const largest = taker.markets?.[symbol]?.limits.amount?.max ?? Number.POSITIVE_INFINITY;
        const sell = (amount: number): Promise<unknown> => taker.createOrder(symbol, "limit", "sell", amount, price);
        let left = free;
        for (; left >= largest; left -= largest) await sell(largest);
        assert.equal(await thrown(sell(left + 1)), "InsufficientFunds");
      });
      test("order not found", async () => {
        assert.equal(await thrown(taker.fetchOrder("999999999", symbol)), "OrderNotFound");
        assert.equal(await thrown(taker.cancelOrder("999999999", symbol)), "OrderNotFound");
      });
      test("bad symbol", async () => {
        assert.equal(await thrown(taker.fetchTicker("NO/SUCH")), "BadSymbol");
        assert.equal(await thrown(taker.publicGetTicker24hr({ symbol: "NOSUCH" })), "BadSymbol");
      });
      test("bad signature, bad key", async () => {
        const [, { apiKey, secretKey }] = accounts();
        const forged = connect(library, { apiKey, secretKey: "A".repeat(64) });
        assert.equal(await thrown(forged.privateGetAccount()), "AuthenticationError");
        const unknown = connect(library, { apiKey: "A".repeat(64), secretKey });
        assert.equal(await thrown(unknown.privateGetAccount()), "AuthenticationError");
        const malformed = connect(library, { apiKey: "short", secretKey });
        assert.equal(await thrown(malformed.privateGetAccount()), "AuthenticationError");
      });
      test("old timestamp", async () => {
        const [, account] = accounts();
        const late = connect(library, account);
        late.options.timeDifference = 60_000;
        assert.equal(await thrown(late.privateGetAccount()), "InvalidNonce");
      });
      test("filters", async () => {
        assert.equal(await thrown(place({ quantity: "1", price: `${price}.001` })), "InvalidOrder");
        assert.equal(await thrown(place({ quantity: "0.00000001", price: `${price}` })), "InvalidOrder");
        assert.equal(await thrown(taker.createOrder(symbol, "limit", "buy", 0.0001, price * 0.9)), minNotional);
      });
    });
  });
}

suite("filters of today", () => {
  const path = "/v1/symbols/LTCUSDT";
  const sides = { bidMultiplierUp: "1.5", bidMultiplierDown: "0.5", askMultiplierUp: "2", askMultiplierDown: "0.6" };
  const later = {
    percentPriceBySide: { ...sides, avgPriceMins: 5 },
    notional: {
      ...{ minNotional: "5", applyMinToMarket: true, maxNotional: "9000", applyMaxToMarket: false, avgPriceMins: 5 },
    },
    maxPosition: { maxPosition: "1000000" },
    maxNumOrderLists: { maxNumOrderLists: 20 },
  };
  /** The smallest and largest value of an order, as both versions read them. */
  const costs = async (): Promise<unknown[]> => {
    const [, account] = accounts();
    const found: unknown[] = [];
    for (const library of [ccxt, ccxt1x]) {
      const client = connect(library, account);
      const cost = (await client.loadMarkets())["LTC/USDT"]?.limits.cost;
      found.push([cost?.min, cost?.max]);
      await client.close?.();
    }
    return found;
  };

  test("both versions read both forms; the older one reads only MIN_NOTIONAL", async () => {
    const { filters } = await operate<{ filters: Record<string, object> }>(exchange, "GET", path);
    const { minNotional, percentPrice, ...others } = filters;
    await operate(exchange, "PUT", `${path}/filters`, { ...others, minNotional, percentPrice, ...later });
    assert.deepEqual(await costs(), [
      [10, undefined],
      [10, undefined],
    ]);
    await operate(exchange, "PUT", `${path}/filters`, { ...others, ...later });
    const [newest, older] = await costs();
    assert.deepEqual(newest, [5, 9000]);
    assert.notDeepEqual(older, [5, 9000]);
  });

  test("an order that fails NOTIONAL is invalid", async () => {
    const [, account] = accounts();
    const client = connect(ccxt, account);
    const order = client.privatePostOrder({
      ...{ symbol: "LTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", price: "80", quantity: "200" },
    });
    assert.equal(await exceptionOf(ccxt, order), "BadRequest");
    await client.close?.();
  });
});
