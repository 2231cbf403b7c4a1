/** Transfers between a master and its sub-accounts, and the properties of a sub-account. Interface 3.9. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "@pricetime/engine";
import { MAX_TRANSFER_IDS } from "../../src/limits.ts";
import { BY } from "../harness.ts";
import { ALICE, BOB, SUB, Vault } from "./vault.ts";

const UNIT = 100_000_000n;
const TRANSFER: Command<"transfer"> = {
  type: "transfer",
  accountId: ALICE,
  fromAccountId: ALICE,
  toAccountId: SUB,
  asset: "BTC",
  amount: "1",
};
const BACK = { ...TRANSFER, fromAccountId: SUB, toAccountId: ALICE };

function family(): Vault {
  const vault = new Vault();
  for (const accountId of [ALICE, BOB, SUB]) vault.fund(accountId, "2");
  return vault;
}

test("a master transfers to and from its sub-accounts, and between them", () => {
  const vault = family();
  const twin = { email: "twin", name: "", makerBps: 0, takerBps: 0, masterId: ALICE };
  vault.must({ type: "openAccount", by: BY, ...twin });
  const [event] = vault.run(TRANSFER);
  const { type: _, accountId: masterId, asset: __, amount: ___, ...ends } = TRANSFER;
  assert.deepEqual(event, { type: "transferred", tranId: 1, masterId, ...ends, assetId: 0, amount: UNIT });
  vault.restart();
  vault.must({ ...BACK, amount: "2.5" });
  vault.must({ ...BACK, toAccountId: 104, amount: "0.5" });
  vault.holds(ALICE, 350_000_000n);
  vault.holds(SUB, 0n);
  vault.holds(104, 50_000_000n);
  assert.deepEqual(vault.engine.subAccounts(ALICE), [SUB, 104]);
  const [third] = vault.run(TRANSFER);
  assert.ok(third?.type === "transferred" && third.tranId === 4);
});

test("a transfer under the client's own id is made once, and a repeat with other contents is rejected", () => {
  const vault = family();
  const own = { ...TRANSFER, clientTranId: "own-1" };
  const [event] = vault.run(own);
  assert.ok(event?.type === "transferred" && event.clientTranId === "own-1");
  vault.refuses(own, "ALREADY_EXISTS");
  vault.refuses({ ...own, amount: "1.000000000000" }, "ALREADY_EXISTS");
  for (const other of [{ amount: "0.5" }, { asset: "USDT" }, { fromAccountId: SUB, toAccountId: ALICE }]) {
    vault.refuses({ ...own, ...other }, "REPEAT_DIFFERS");
  }
  vault.restart();
  vault.refuses(own, "ALREADY_EXISTS");
  assert.equal(vault.engine.funds.transferOf(ALICE, "own-1"), 1);
  assert.equal(vault.engine.funds.transferOf(BOB, "own-1"), undefined, "ids are those of one master");
  vault.must({ ...own, clientTranId: "own-2" });
  vault.refuses({ ...own, clientTranId: "own-3" }, "INSUFFICIENT_BALANCE");
  vault.refuses(own, "ALREADY_EXISTS");
  vault.must({ ...BACK, amount: "1" });
  vault.must({ ...own, clientTranId: "own-3" });
});

test("the newest client ids of a master are stored, and none in rules version 3", () => {
  const vault = family();
  const small = { ...TRANSFER, amount: "0.00000001" };
  for (let i = 0; i <= MAX_TRANSFER_IDS; i++) vault.run({ ...small, clientTranId: `c${i}` });
  assert.equal(vault.engine.funds.transferOf(ALICE, "c0"), undefined);
  assert.equal(vault.engine.funds.transferOf(ALICE, "c1"), 2);
  vault.refuses({ ...small, clientTranId: "c1" }, "ALREADY_EXISTS");
  vault.must({ ...small, clientTranId: "c0" });
  const old = new Vault(undefined, 3);
  old.fund(ALICE, "2");
  for (const tranId of [1, 2]) {
    const [event] = old.run({ ...small, clientTranId: "own" });
    assert.ok(event?.type === "transferred" && event.tranId === tranId && event.clientTranId === undefined);
  }
});

test("a rejected transfer moves nothing", () => {
  const vault = family();
  vault.refuses({ ...TRANSFER, accountId: 999 }, "UNKNOWN_ACCOUNT");
  vault.refuses({ ...TRANSFER, toAccountId: 999 }, "UNKNOWN_ACCOUNT");
  vault.refuses({ ...TRANSFER, fromAccountId: 4 }, "UNKNOWN_ACCOUNT");
  vault.refuses({ ...BACK, accountId: SUB }, "MASTER_ONLY");
  vault.refuses({ ...TRANSFER, accountId: SUB }, "MASTER_ONLY");
  vault.refuses({ ...TRANSFER, accountId: BOB }, "NOT_RELATED");
  vault.refuses({ ...TRANSFER, toAccountId: BOB }, "NOT_RELATED");
  vault.refuses({ ...TRANSFER, fromAccountId: BOB }, "NOT_RELATED");
  vault.refuses({ ...TRANSFER, fromAccountId: SUB }, "SAME_ACCOUNT");
  vault.refuses({ ...TRANSFER, asset: "DOGE" }, "UNKNOWN_ASSET");
  for (const amount of ["0", "-1", "1e3", "0.000000001"]) vault.refuses({ ...TRANSFER, amount }, "INVALID_VALUE");
  vault.refuses({ ...TRANSFER, amount: "2.00000001" }, "INSUFFICIENT_BALANCE");
  vault.must(vault.request({ amount: "1.5" }));
  vault.refuses(TRANSFER, "INSUFFICIENT_BALANCE");
  vault.must({ type: "setMaintenance", by: BY, isOn: true });
  vault.refuses({ ...TRANSFER, amount: "0.5" }, "MAINTENANCE");
});

test("a disabled sub-account can be emptied by its master", () => {
  const vault = family();
  vault.must({ type: "changeAccount", by: BY, accountId: SUB, isEnabled: false });
  vault.must({ ...BACK, amount: "2" });
  vault.holds(ALICE, 4n * UNIT);
});

test("sub-accounts have no sub-accounts, and masters are not disabled", () => {
  const vault = family();
  const open = { type: "openAccount", by: BY, email: "x", name: "", makerBps: 0, takerBps: 0 } as const;
  vault.refuses({ ...open, masterId: SUB }, "MASTER_ONLY");
  vault.refuses({ ...open, masterId: 999 }, "UNKNOWN_ACCOUNT");
  vault.refuses({ type: "changeAccount", by: BY, accountId: ALICE, isEnabled: false, makerBps: 7 }, "INVALID_VALUE");
  assert.equal(vault.engine.account(SUB)?.masterId, ALICE);
  assert.equal(vault.engine.account(ALICE)?.masterId, null);
  for (let i = 1; i < 1000; i++)
    assert.equal(vault.answer({ ...open, email: `s${i}`, masterId: ALICE }), "accountOpened");
  vault.restart();
  vault.refuses({ ...open, masterId: ALICE }, "TOO_MANY");
  vault.must({ ...open, masterId: BOB });
});
