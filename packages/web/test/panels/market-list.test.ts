import assert from "node:assert/strict";
import { test } from "node:test";
import type { Market, Ticker } from "../../src/market/port.ts";
import { listMarkets, type MarketQuery, volumesOf } from "../../src/panels/market-list.ts";
import { quoteAssets, worthIn } from "../../src/panels/show.ts";

const market = (baseAsset: string, quoteAsset: string): [string, Market] => [
  baseAsset + quoteAsset,
  { symbol: baseAsset + quoteAsset, baseAsset, quoteAsset, status: "TRADING" } as Market,
];
const ticker = (symbol: string, lastPrice: string, openPrice: string, quoteVolume: string): [string, Ticker] => [
  symbol,
  { symbol, lastPrice, openPrice, quoteVolume } as Ticker,
];

const MARKETS = new Map([market("BTC", "USDT"), market("ETH", "USDT"), market("BTC", "IDR"), market("ETH", "BTC")]);
const TICKERS = new Map([
  ticker("BTCUSDT", "60000.00", "50000.00", "1000000.00"),
  ticker("ETHUSDT", "3000.00", "4000.00", "4000000.00"),
  ticker("BTCIDR", "960000000.00", "960000000.00", "17000000000.00"),
  ticker("ETHBTC", "0.050000", "0.000000", "10.000000"),
]);

function listed(query: Partial<MarketQuery>): string[] {
  const all = { search: "", sort: "name:up", favourites: [], only: false, ...query } as const;
  return listMarkets(MARKETS, TICKERS, volumesOf(MARKETS, TICKERS), all).map(({ symbol }) => symbol);
}

test("volumes of different assets are compared in the most common quote asset", () => {
  assert.deepEqual(listed({ sort: "volume:down" }), ["ETHUSDT", "BTCIDR", "BTCUSDT", "ETHBTC"]);
});

test("sorted by change, a market without trades is last", () => {
  assert.deepEqual(listed({ sort: "change:down" }), ["BTCUSDT", "BTCIDR", "ETHUSDT", "ETHBTC"]);
});

test("favorites are first or alone, and the search accepts every notation of a pair", () => {
  assert.deepEqual(listed({ favourites: ["ETHUSDT"] }), ["ETHUSDT", "BTCIDR", "BTCUSDT", "ETHBTC"]);
  assert.deepEqual(listed({ favourites: ["ETHUSDT"], only: true }), ["ETHUSDT"]);
  for (const search of ["eth/btc", "ETH-BTC", " ethb "]) assert.deepEqual(listed({ search }), ["ETHBTC"], search);
  assert.deepEqual(listed({ search: "x" }), []);
});

test("a value is converted directly, inversely, or through a third asset", () => {
  const by = quoteAssets(MARKETS.values());
  assert.equal(by[0], "USDT");
  const one = { units: 1n, digits: 0 };
  const worth = (asset: string, inAsset: string): number | null => {
    const value = worthIn(one, asset, inAsset, TICKERS, by);
    return value === null ? null : Number(value.units) / 10 ** value.digits;
  };
  assert.equal(worth("BTC", "USDT"), 60_000);
  assert.equal(worth("USDT", "ETH"), 0.00033333);
  assert.equal(worth("ETH", "IDR"), 48_000_000);
  assert.equal(worth("DOGE", "USDT"), null);
});
