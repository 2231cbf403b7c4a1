/**
 * Maintenance, locks of API trading, disabled sub-accounts: what is rejected, and what still works. Interface 3.8, 3.9.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CancelOrder, Command, PlaceOco, PlaceOrder } from "@pricetime/engine";
import { ORDER_TYPES } from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { BY, symbolSpec } from "../harness.ts";
import { ALICE, BOB, COIN, idOf, REPORTED, SUB, Vault } from "./vault.ts";

const MINUTE_MS = 60_000;

const ORDER: PlaceOrder = placeOrder({
  accountId: ALICE,
  side: "SELL",
  priceTicks: 1_000,
  quantityLots: 1_000,
  clientOrderId: "a",
});
const LEG = { timeInForce: "GTC", icebergLots: 0 } as const;
const OCO: PlaceOco = {
  type: "placeOco",
  accountId: ALICE,
  symbolId: 0,
  side: "SELL",
  quantityLots: 10,
  stopLeg: { ...LEG, orderType: "STOP_LOSS_LIMIT", priceTicks: 800, stopTicks: 900, clientOrderId: "s" },
  limitLeg: { ...LEG, orderType: "LIMIT_MAKER", priceTicks: 1_100, stopTicks: 0, clientOrderId: "l" },
  listClientOrderId: "list",
};
const CANCEL: CancelOrder = {
  type: "cancelOrder",
  accountId: ALICE,
  symbolId: 0,
  orderId: 0,
  origClientOrderId: "a",
  newClientOrderId: "x",
};

function trading(): Vault {
  const vault = new Vault();
  vault.must({ type: "listSymbol", by: BY, symbol: { ...symbolSpec("BTCUSDT", "BTC/USDT"), orderTypes: ORDER_TYPES } });
  for (const accountId of [ALICE, BOB, SUB]) vault.fund(accountId, "2");
  vault.must(ORDER);
  return vault;
}

function lock(accountId: number = ALICE): Command {
  return { type: "lockApiTrading", accountId, symbol: "BTCUSDT", indicator: "UFR" };
}

test("maintenance rejects new orders and withdrawals; cancelling still works", () => {
  const vault = trading();
  vault.must(vault.request({ amount: "0.5" }));
  assert.equal(vault.answer({ type: "setMaintenance", by: BY, isOn: true }), "maintenanceChanged");
  vault.restart();
  assert.equal(vault.engine.isInMaintenance, true);
  const place = { ...ORDER, clientOrderId: "b" };
  vault.refuses(place, "MAINTENANCE");
  assert.equal(vault.engine.check(place, vault.nowMs), "MAINTENANCE");
  vault.refuses(OCO, "MAINTENANCE");
  for (const mode of ["STOP_ON_FAILURE", "ALLOW_FAILURE"] as const) {
    vault.refuses({ type: "cancelReplace", mode, cancel: CANCEL, place }, "MAINTENANCE");
  }
  vault.must(CANCEL);
  vault.must({ type: "completeWithdrawal", withdrawalId: idOf(1), txId: "t" });
  vault.refuses(vault.request({ withdrawalId: idOf(2), amount: "0.5" }), "MAINTENANCE");
  vault.must(vault.see());
  vault.must({ type: "creditDeposit", ...COIN, ...REPORTED });
  vault.must({ type: "setMaintenance", by: BY, isOn: false });
  vault.must(place);
});

test("a lock rejects the account's new orders on every symbol, and nothing else", () => {
  const vault = trading();
  const [event] = vault.run(lock());
  const untilMs = vault.nowMs + 5 * MINUTE_MS;
  assert.deepEqual(event, { type: "apiTradingLocked", accountId: ALICE, untilMs });
  vault.restart();
  assert.deepEqual(vault.engine.apiTradingLock(ALICE, vault.nowMs), { untilMs, symbol: "BTCUSDT", indicator: "UFR" });
  const place = { ...ORDER, clientOrderId: "b" };
  vault.refuses(place, "API_TRADING_LOCKED");
  assert.equal(vault.engine.check(place, vault.nowMs), "API_TRADING_LOCKED");
  assert.equal(vault.engine.check(place, untilMs), null);
  vault.refuses(OCO, "API_TRADING_LOCKED");
  vault.refuses(lock(), "ALREADY_EXISTS");
  vault.must({ ...place, accountId: BOB });
  vault.must(vault.request({ amount: "0.5" }));
  // The cancel of a cancel-replace is executed.
  const [replaced] = vault.run({ type: "cancelReplace", mode: "STOP_ON_FAILURE", cancel: CANCEL, place });
  assert.deepEqual(replaced, { type: "cancelReplaced", cancelReason: null, placeReason: "API_TRADING_LOCKED" });
  vault.nowMs = untilMs - 1;
  vault.refuses(place, "API_TRADING_LOCKED");
  vault.nowMs = untilMs;
  vault.must(place);
  assert.equal(vault.engine.apiTradingLock(ALICE, vault.nowMs), undefined);
});

test("each lock within a day is longer; after a day without locks the first duration applies", () => {
  const vault = trading();
  const minutes: number[] = [];
  const again = () => {
    const [event] = vault.run(lock());
    assert.ok(event?.type === "apiTradingLocked");
    minutes.push((event.untilMs - vault.nowMs) / MINUTE_MS);
    vault.must({ type: "unlockApiTrading", by: BY, accountId: ALICE });
  };
  for (let i = 0; i < 8; i++) {
    again();
    vault.nowMs += MINUTE_MS;
    if (i === 3) vault.restart();
  }
  assert.deepEqual(minutes, [5, 15, 60, 360, 1440, 4320, 4320, 4320]);
  // The last lock began a minute ago, so a day later none counts.
  vault.nowMs += 24 * 60 * MINUTE_MS - MINUTE_MS - 1;
  again();
  assert.equal(minutes.at(-1), 15);
  vault.nowMs += 24 * 60 * MINUTE_MS;
  again();
  assert.equal(minutes.at(-1), 5);
});

test("an operator ends a lock, if there is one", () => {
  const vault = trading();
  const unlock = { type: "unlockApiTrading", by: BY, accountId: ALICE } as const;
  vault.refuses(unlock, "WRONG_STATUS");
  vault.refuses({ ...unlock, accountId: 999 }, "UNKNOWN_ACCOUNT");
  vault.refuses(lock(999), "UNKNOWN_ACCOUNT");
  vault.refuses({ ...lock(), symbol: "NOSUCH" } as Command, "UNKNOWN_SYMBOL");
  vault.must(lock());
  assert.equal(vault.answer(unlock), "accountChanged");
  vault.must({ ...ORDER, clientOrderId: "b" });
  vault.must(lock());
  vault.nowMs += 15 * MINUTE_MS;
  vault.must({ type: "tick" });
  vault.refuses(unlock, "WRONG_STATUS");
});

test("a disabled sub-account cannot place orders, and can cancel them", () => {
  const vault = trading();
  vault.must({ ...ORDER, accountId: SUB });
  vault.must({ type: "changeAccount", by: BY, accountId: SUB, isEnabled: false });
  vault.restart();
  vault.refuses({ ...ORDER, accountId: SUB, clientOrderId: "b" }, "ACCOUNT_MAY_NOT_TRADE");
  vault.refuses({ ...OCO, accountId: SUB }, "ACCOUNT_MAY_NOT_TRADE");
  vault.must({ ...CANCEL, accountId: SUB });
  vault.must({ type: "changeAccount", by: BY, accountId: SUB, isEnabled: true });
  vault.must({ ...ORDER, accountId: SUB, clientOrderId: "b" });
});
