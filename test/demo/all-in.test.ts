/** The real demo: whoever sends in all he owns, on any symbol and side, is filled; then the book and the price come back. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "@pricetime/testkit/client";
import { type DemoAccount, type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { allIn, bookOf, farNotional, symbolsOf } from "./venue.ts";

let exchange: Exchange;
let clients: readonly Client[];
before(async () => {
  exchange = await startExchange({ args: ["--limits", "off"] });
  clients = exchange.accounts.map((account) => new Client(exchange.rest, account));
});
after(async () => {
  for (const client of clients) client.close();
  assert.equal(await exchange.stop(), 0);
});

const anybody = (): Client => clients[0] ?? assert.fail();

async function midOf(symbol: string): Promise<number> {
  const { bids, asks } = await bookOf(anybody(), symbol);
  return (Number(bids[0]?.[0]) + Number(asks[0]?.[0])) / 2;
}

/** What each account began with, by asset: whole numbers. */
async function beginnings(): Promise<ReadonlyMap<string, string>> {
  const { json } = await anybody().signed<{ balances: { asset: string; free: string }[] }>("GET", "/api/v3/account");
  return new Map(json.balances.map(({ asset, free }) => [asset, free.replace(/\.0+$/, "")]));
}

/** Again what an account began with, on top of what it has now. */
async function refund({ email }: DemoAccount, asset: string, amount: string, reference: string): Promise<void> {
  await operate(exchange, "POST", "/v1/deposits", { account: email, asset, amount, reference });
}

test("books are thin near the best price and thick far from it", async () => {
  for (const { symbol } of await symbolsOf(anybody())) {
    await until(`${symbol} is full`, async () => {
      const { bids, asks } = await bookOf(anybody(), symbol);
      return [bids, asks].every((side) => {
        const all = side.reduce((sum, [price, quantity]) => sum + Number(price) * Number(quantity), 0);
        return side.length >= 20 && farNotional(side) > all * 0.9;
      });
    });
  }
});

test("all that each account owns, on each symbol and side, is filled; then books and prices are as before", async () => {
  const symbols = await symbolsOf(anybody());
  assert.ok(symbols.length >= 11);
  const before = new Map<string, number>();
  for (const { symbol } of symbols) before.set(symbol, await midOf(symbol));
  const began = await beginnings();
  for (const asset of ["BTC", "ETH", "USDT"] as const) {
    assert.ok(Number(began.get(asset)) >= { BTC: 1000, ETH: 10_000, USDT: 50_000_000 }[asset], asset);
  }
  const unfilled: string[] = [];
  for (const listed of symbols) {
    for (const side of ["BUY", "SELL"] as const) {
      for (const [index, client] of clients.entries()) {
        const account = exchange.accounts[index] ?? assert.fail();
        const { status, json, text } = await allIn(client, listed, side);
        if (status !== 200 || json.status !== "FILLED")
          unfilled.push(`${account.name} ${side} ${listed.symbol}: ${text}`);
        const spent = side === "BUY" ? listed.quoteAsset : listed.baseAsset;
        await refund(account, spent, began.get(spent) ?? "0", `${account.name} ${side} ${listed.symbol}`);
      }
    }
  }
  assert.deepEqual(unfilled, []);
  for (const { symbol } of symbols) {
    const price = before.get(symbol) ?? 0;
    await until(`${symbol} is near ${price} again, with a whole book`, async () => {
      const { bids, asks } = await bookOf(anybody(), symbol);
      const isWhole = bids.length >= 20 && asks.length >= 20;
      // A price of few ticks moves by 0.7 percent at least.
      return isWhole && Math.abs((await midOf(symbol)) / price - 1) < 0.015;
    });
    await until(`trades of ${symbol} are near ${price} again`, async () => {
      const { json } = await anybody().public<{ price: string }>("/api/v3/ticker/price", { symbol });
      return Math.abs(Number(json.price) / price - 1) < 0.02;
    });
  }
});
