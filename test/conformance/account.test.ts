/** Interface 2.4, 2.5, 4.4 and what ccxt asks of wallets: the account, its trades, its listen key. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Parameters } from "@pricetime/testkit/client";
import { type Fields, limit, type Market, ok, openMarket, place, refused, SYMBOL, tradeABit } from "./market.ts";
import { assertShape } from "./shape.ts";
import { ACCOUNT, ACCOUNT_TRADE } from "./shapes.ts";

let market: Market;
before(async () => {
  market = await openMarket();
});
after(() => market.close());

interface Account extends Fields {
  readonly balances: string & number & boolean;
}
interface Balance {
  readonly asset: string;
  readonly free: string;
  readonly locked: string;
}

async function balance(asset: string): Promise<Balance> {
  const account = ok(await market.taker.signed<Account>("GET", "/api/v3/account"));
  const found = (account.balances as unknown as Balance[]).find((each) => each.asset === asset);
  assert.ok(found, `no ${asset}`);
  return found;
}

test("the account, as funded by the demo", async () => {
  const account = ok(await market.taker.signed<Account>("GET", "/api/v3/account"));
  assertShape(account, ACCOUNT);
  assert.deepEqual([account.canTrade, account.accountType], [true, "SPOT"]);
  assert.ok(Number((await balance("BTC")).free) >= 1_000);
  assert.ok(Number((await balance("ETH")).free) >= 10_000);
  assert.ok(Number((await balance("USDT")).free) >= 50_000_000);
});

test("an open order locks, a cancel releases, to the last unit", async () => {
  const before_ = await balance("USDT");
  const { orderId = 0 } = await place(market.taker, limit("BUY", "0.123456", "40000.01"));
  const during = await balance("USDT");
  assert.equal((Number(during.locked) - Number(before_.locked)).toFixed(8), (0.123456 * 40000.01).toFixed(8));
  ok(await market.taker.signed("DELETE", "/api/v3/order", { symbol: SYMBOL, orderId }));
  assert.deepEqual(await balance("USDT"), before_);
});

test("myTrades and its windows", async () => {
  await tradeABit(market);
  const list = async (more: Parameters): Promise<Fields[]> => {
    const rows = ok(await market.taker.signed<Fields[]>("GET", "/api/v3/myTrades", { symbol: SYMBOL, ...more }));
    assertShape(rows, [ACCOUNT_TRADE]);
    return rows;
  };
  const all = await list({});
  assert.deepEqual(
    all.map(({ id, price, qty, isBuyer, isMaker }) => [id, price, qty, isBuyer, isMaker]),
    [
      [1, "50000.00000000", "0.10000000", true, false],
      [2, "50000.00000000", "0.20000000", true, false],
      [3, "50010.00000000", "0.30000000", true, false],
      [4, "50020.00000000", "0.10000000", true, false],
      // With itself: both sides.
      [5, "49990.00000000", "0.50000000", all[4]?.isBuyer, all[4]?.isMaker],
      [5, "49990.00000000", "0.50000000", !all[4]?.isBuyer, !all[4]?.isMaker],
    ],
  );
  assert.deepEqual(
    all.slice(0, 4).map((trade) => [trade.commissionAsset, trade.quoteQty]),
    [
      ["BTC", "5000.00000000"],
      ["BTC", "10000.00000000"],
      ["BTC", "15003.00000000"],
      ["BTC", "5002.00000000"],
    ],
  );
  const ids = async (more: Parameters): Promise<unknown[]> => (await list(more)).map((trade) => trade.id);
  assert.deepEqual(await ids({ fromId: 3, limit: 1 }), [3]);
  assert.deepEqual(await ids({ limit: 2 }), [5, 5]);
  assert.deepEqual(await ids({ orderId: all[0]?.orderId ?? 0 }), [1, 2, 3, 4]);
  assert.deepEqual(await ids({ startTime: Date.now() + 60_000 }), []);
  refused(
    await market.taker.signed("GET", "/api/v3/myTrades", { symbol: SYMBOL, startTime: 1, endTime: 86_400_002 }),
    400,
    -1127,
    "More than 24 hours between startTime and endTime.",
  );
});

test("the listen key's life, on both paths", async () => {
  for (const path of ["/api/v3/userDataStream", "/api/v1/userDataStream"]) {
    const opened = ok(await market.taker.keyed<{ listenKey: string }>("POST", path));
    assertShape(opened, { listenKey: "string" });
    const { listenKey } = opened;
    assert.match(listenKey, /^[A-Za-z0-9]{64}$/);
    assert.equal(
      ok(await market.taker.keyed<{ listenKey: string }>("POST", path)).listenKey,
      listenKey,
      "the same key",
    );
    assert.deepEqual(ok(await market.taker.keyed("PUT", path, { listenKey })), {});
    refused(await market.maker.keyed("PUT", path, { listenKey }), 400, -1125, "This listenKey does not exist.");
    assert.deepEqual(ok(await market.taker.keyed("DELETE", path, { listenKey })), {});
    refused(await market.taker.keyed("DELETE", path, { listenKey }), 400, -1125, "This listenKey does not exist.");
  }
});

test("capital/config/getall tells the truth about coins and networks", async () => {
  const coins = ok(await market.taker.signed<Fields[]>("GET", "/sapi/v1/capital/config/getall"));
  const bitcoin = coins.find((coin) => coin.coin === "BTC");
  assert.ok(bitcoin);
  assert.equal(bitcoin.free, (await balance("BTC")).free);
  for (const network of bitcoin.networkList as unknown as Fields[]) {
    assert.equal(typeof network.network, "string");
    assertShape([network.withdrawFee, network.withdrawMin, network.withdrawMax], ["numeric"]);
    assertShape([network.isDefault, network.depositEnable, network.withdrawEnable], ["boolean"]);
  }
});
