/** Amounts, and browsers of sessions, as pages show them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { carried, showBrowser } from "../../src/pages/format.ts";

const TABLE: readonly (readonly [amount: string, step: string | undefined, shown: string])[] = [
  ["500.50000000", "0.01", "500.50"],
  ["500.50000000", "0.01000000", "500.50"],
  ["500.50000001", "0.01", "500.50000001"],
  ["499", "0.01", "499.00"],
  ["500.00000000", "1", "500"],
  ["500.00000000", undefined, "500.00000000"],
  ["", "0.01", ""],
];

for (const [amount, step, shown] of TABLE) {
  test(`${amount} on a step of ${step} is ${shown}`, () => assert.equal(carried(amount, step), shown));
}

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

for (const [client, shown] of [
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome 140, Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/141.0.1`, "Edge 141, Windows"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`, "Chrome 140, Android"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Safari/604.1", "Safari 18, iPhone"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox 145, Linux"],
  ["curl/8.5.0", "curl/8.5.0"],
] as const) {
  test(`a session of ${shown}`, () => assert.equal(showBrowser(client), shown));
}
