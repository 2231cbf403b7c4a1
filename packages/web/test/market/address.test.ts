/** The addresses of markets: read as they were written, at the root of a host and below a proxy's path. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { marketAddress, readMarketAddress } from "../../src/market/address.ts";

for (const [address, base, symbol] of [
  ["https://venue.example/", "https://venue.example", null],
  ["https://venue.example/?a=/trade/BTCUSDT#/trade/ETHUSDT", "https://venue.example", null],
  ["https://venue.example/trade/ETHUSDT", "https://venue.example", "ETHUSDT"],
  ["https://venue.example:8443/trade/ethusdt?x=1#y", "https://venue.example:8443", "ethusdt"],
  ["https://venue.example/trade/A-B_C.D", "https://venue.example", "A-B_C.D"],
  ["https://venue.example/markets/spot/", "https://venue.example/markets/spot", null],
  ["https://venue.example/markets/spot/trade/ETHUSDT", "https://venue.example/markets/spot", "ETHUSDT"],
  // A proxy's path may have the name of the folder.
  ["https://venue.example/trade/", "https://venue.example/trade", null],
  ["https://venue.example/trade/trade/ETHUSDT", "https://venue.example/trade", "ETHUSDT"],
  // Not a symbol, but an address that a person can type.
  ["https://venue.example/trade/%3Cb%3E", "https://venue.example", "<b>"],
  ["https://venue.example/trade/%E0%A4%A", "https://venue.example", "%E0%A4%A"],
] as const) {
  test(`${address} is ${symbol ?? "the root"} of ${base}`, () => {
    assert.deepEqual(readMarketAddress(address), { base, symbol });
    if (symbol === null || symbol.startsWith("%")) return;
    assert.deepEqual(readMarketAddress(marketAddress(base, symbol)), { base, symbol });
  });
}
