/** An exchange for a test: inside its process, and in its own. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type LabError, type LabExchange, startExchange } from "@pricetime/lab";

interface Order {
  readonly orderId: number;
  readonly status: string;
  readonly transactTime: number;
}
interface Account {
  readonly balances: readonly { readonly asset: string; readonly free: string }[];
}

const SYMBOL = "BTCUSDT";
const limit = (side: string, quantity: string, price: string) => ({
  ...{ symbol: SYMBOL, side, type: "LIMIT", timeInForce: "GTC" },
  ...{ quantity, price },
});

for (const isProcess of [false, true]) {
  suite(isProcess ? "a process of its own" : "inside this process", () => {
    const start = (options = {}): Promise<LabExchange> => startExchange({ process: isProcess, ...options });

    test("its clock stands until it is advanced; it is traded on at that time", async (t) => {
      const exchange = await start({ clockStart: "2026-03-01T12:00:00Z" });
      t.after(() => exchange.stop());
      t.diagnostic(`ready after ${Math.round(exchange.readyMs)} ms`);
      const beginMs = Date.UTC(2026, 2, 1, 12);
      assert.deepEqual(await exchange.clock.state(), { mode: "manual", nowMs: beginMs, speed: 1 });
      assert.deepEqual(await exchange.send(null, "GET /api/v3/time"), { serverTime: beginMs });
      await exchange.send("bob", "POST /api/v3/order", limit("SELL", "1", "20000"));
      const advanced = await exchange.clock.advance(90_000);
      assert.equal(advanced.nowMs, beginMs + 90_000);
      const bought = await exchange.send<Order>("alice", "POST /api/v3/order", limit("BUY", "0.5", "20000"));
      assert.deepEqual([bought.status, bought.transactTime], ["FILLED", beginMs + 90_000]);
      await assert.rejects(exchange.clock.advance({ toMs: beginMs }), (error: LabError) => {
        assert.deepEqual([error.status, error.code], [409, "TIME_GOES_BACK"]);
        assert.match(
          error.message,
          /\[seed 1, pricetime \d+\.\d+\.\d+; repeat with: PRICETIME_LAB_SEED=1 (?:npx )?node (?:--import=\S+ )?--test .*start\.test\.ts\]$/,
        );
        return true;
      });
      await assert.rejects(exchange.send("alice", "POST /api/v3/order", limit("BUY", "0.5", "0")), {
        status: 400,
        code: "-1013",
      });
      await assert.rejects(exchange.send("alice", "DELETE /api/v3/order", { symbol: SYMBOL, orderId: 1 }), {
        code: "-2011",
      });
      assert.throws(() => exchange.account("mallory"), /There is no account mallory\. Use one of alice, bob, carol\./);
      await assert.rejects(exchange.send("alice", "order"), TypeError);
    });

    test("symbols and accounts as they are wanted", async (t) => {
      const accounts = ["erin", { name: "frank", balances: { USDT: "1000", BTC: "0.5" } }];
      const exchange = await start({ symbols: [SYMBOL], accounts });
      t.after(() => exchange.stop());
      const { symbols } = await exchange.send<{ symbols: readonly { symbol: string; status: string }[] }>(
        null,
        "GET /api/v3/exchangeInfo",
      );
      const trading = symbols.filter(({ status }) => status === "TRADING").map(({ symbol }) => symbol);
      assert.deepEqual(trading, [SYMBOL]);
      const { balances } = await exchange.send<Account>("frank", "GET /api/v3/account");
      const held = balances.filter(({ free }) => Number(free) > 0).map(({ asset, free }) => [asset, Number(free)]);
      assert.deepEqual(held.sort(), [
        ["BTC", 0.5],
        ["USDT", 1000],
      ]);
      assert.equal(
        (await exchange.send<Account>("erin", "GET /api/v3/account")).balances.some(({ free }) => Number(free) > 0),
        false,
      );
      assert.deepEqual(
        exchange.accounts.map(({ name }) => name),
        ["alice", "bob", "carol", "erin", "frank"],
      );
    });

    // The same requests to the lab, however it was started.
    const skip = isProcess && "inside this process";
    test("a reset goes back to what was asked for, and accounts are opened, paid and given keys at any time", {
      skip,
    }, async (t) => {
      const filters = [{ filterType: "PRICE_FILTER", minPrice: "0.01", maxPrice: "1000", tickSize: "0.01" }];
      const listing = { symbol: "FOOUSDT", baseAsset: "FOO", quoteAsset: "USDT", baseAssetPrecision: 4, filters };
      // As in exchangeInfo, which has more fields.
      const symbols = [SYMBOL, { ...listing, isSpotTradingAllowed: true }];
      const exchange = await start({ symbols, accounts: [{ name: "frank", balances: { USDT: "1000", FOO: "2" } }] });
      t.after(() => exchange.stop());
      const sold = { ...limit("SELL", "1", "10.01"), symbol: "FOOUSDT" };
      await exchange.send("frank", "POST /api/v3/order", sold);
      const erin = await exchange.openAccount({ name: "erin", balances: { USDT: "7" } });
      assert.deepEqual(await exchange.openAccount("erin"), erin, "who is there stays as he is");
      assert.deepEqual(await exchange.setBalances("frank", { FOO: "0.5", USDT: "3" }), {
        FOO: { free: "0.50000000", locked: "1.00000000" },
        USDT: { free: "3.00000000", locked: "0.00000000" },
      });
      await exchange.reset();
      const { balances } = await exchange.send<Account>("frank", "GET /api/v3/account");
      assert.deepEqual(
        balances.filter(({ free }) => Number(free) > 0).map(({ asset, free }) => [asset, Number(free)]),
        [
          ["USDT", 1000],
          ["FOO", 2],
        ],
      );
      assert.equal((await exchange.send<Order>("frank", "POST /api/v3/order", sold)).status, "NEW");
      // The lab was restored to a state before her.
      const again = await exchange.openAccount("erin");
      const { apiKey, secretKey } = await exchange.newKey("erin");
      assert.notEqual(apiKey, again.apiKey);
      assert.equal(secretKey.length, again.secretKey.length);
      await exchange.send("erin", "GET /api/v3/account");
      await assert.rejects(exchange.setBalances("erin", { USDT: "1", NONE: "1" }), { code: "UNKNOWN_ASSET" });
      const refused = { ...listing, symbol: "BARUSDT", filters: [{ filterType: "NO_SUCH" }] };
      await assert.rejects(start({ symbols: [refused] }), /NO_SUCH/);
    });

    test("what cannot start says why, and leaves nothing behind", async () => {
      await assert.rejects(start({ symbols: ["NOSUCH"] }), /NOSUCH is not listed\. Use one of .*BTCUSDT/);
      await assert.rejects(start({ clockStart: "yesterday" }), /clockStart/);
      await assert.rejects(start({ clock: "manual", clockSpeed: 2 }), /only a scaled clock/);
    });
  });
}
