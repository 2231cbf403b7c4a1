/** Price alerts: set, reached once, stored, and shared by the tabs of a browser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import {
  addAlert,
  ALERTS_MAX,
  alertsOf,
  areAlerts,
  type PriceAlert,
  removeAlert,
  watchAlerts,
} from "../../src/chart/alerts.ts";
import { openPreferences } from "../../src/preferences.ts";

const MARKET = { symbol: "BTCUSDT", priceDigits: 2 };

/** A browser's storage in memory. */
function storage() {
  let text: string | null = null;
  return { getItem: () => text, setItem: (_: string, value: string) => void (text = value) };
}

function watching() {
  const alerts = alertsOf(openPreferences(storage()));
  const tickers = signal<ReadonlyMap<string, { lastPrice: string }>>(new Map());
  const reached: PriceAlert[] = [];
  const stop = watchAlerts({ alerts, tickers, nowMs: () => 7, onReached: (alert) => void reached.push(alert) });
  return {
    ...{ alerts, stop },
    trade: (lastPrice: string, symbol = "BTCUSDT") => void (tickers.value = new Map([[symbol, { lastPrice }]])),
    reached: () => reached.splice(0).map(({ price }) => price),
  };
}

test("an alert above the price is reached when the price rises to it, one below when it falls, each once", () => {
  const { alerts, trade, reached } = watching();
  assert.equal(addAlert(alerts, MARKET, "110", "100.00000000"), null);
  assert.equal(addAlert(alerts, MARKET, "1090.509", "1100.00000000"), null);
  trade("1100.00");
  assert.deepEqual(reached(), ["110.00"]);
  trade("1090.51");
  trade("1.00", "ETHUSDT");
  assert.deepEqual(reached(), []);
  trade("1090.50");
  assert.deepEqual(reached(), ["1090.50"]);
  trade("1090.00");
  assert.deepEqual(reached(), []);
  assert.deepEqual(
    alerts.value.map(({ reachedMs }) => reachedMs),
    [7, 7],
  );
});

test("an alert that is deleted, or whose market has not traded, is not reached", () => {
  const { alerts, trade, reached, stop } = watching();
  addAlert(alerts, MARKET, "90", "100");
  trade("0.00000000");
  assert.deepEqual(reached(), []);
  removeAlert(alerts, alerts.value[0]?.id ?? "");
  trade("80");
  assert.deepEqual(reached(), []);
  stop();
});

test("prices that cannot be reached are rejected, and the same alert is stored once", () => {
  const { alerts } = watching();
  const rows = [
    ["", "100", "price"],
    ["-5", "100", "price"],
    ["0.001", "100", "price"],
    ["110", undefined, "unknown"],
    ["110", "0.00000000", "unknown"],
    ["100", "100.00000000", "equal"],
  ] as const;
  for (const [typed, last, fault] of rows) assert.equal(addAlert(alerts, MARKET, typed, last), fault, typed);
  for (let times = 0; times < 2; times++) assert.equal(addAlert(alerts, MARKET, "110", "100"), null);
  assert.equal(alerts.value.length, 1);
  for (let at = 1; at < ALERTS_MAX; at++) assert.equal(addAlert(alerts, MARKET, String(110 + at), "100"), null);
  assert.equal(addAlert(alerts, MARKET, "500", "100"), "full");
});

test("alerts survive a reload, and another tab sees them without losing its own settings", () => {
  const store = storage();
  const [one, other] = [openPreferences(store), openPreferences(store)];
  const theirs = alertsOf(other);
  addAlert(alertsOf(one), MARKET, "110", "100");
  other.symbol.value = "ETHUSDT";
  other.reread();
  assert.equal(theirs.value.length, 1);
  const later = openPreferences(store);
  assert.deepEqual([alertsOf(later).value, later.symbol.value], [theirs.value, "ETHUSDT"]);
});

test("invalid stored alerts are ignored", () => {
  const valid: PriceAlert = { id: "a", symbol: "BTCUSDT", price: "1.00", direction: "up", reachedMs: null };
  assert.ok(areAlerts([valid]));
  for (const change of [{ price: "x" }, { direction: "left" }, { reachedMs: "now" }, { id: 5 }]) {
    assert.equal(areAlerts([{ ...valid, ...change }]), false, JSON.stringify(change));
  }
  assert.equal(areAlerts(null), false);
});
