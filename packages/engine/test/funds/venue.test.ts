/** Networks of an asset, house accounts, network costs, and operators' settings of accounts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AssetNetwork,
  DEPOSITS_ACCOUNT,
  DUST_ACCOUNT,
  FEE_ACCOUNT,
  OUTSIDE_ACCOUNT,
  TREASURY_ACCOUNT,
} from "@pricetime/engine";
import { BY } from "../harness.ts";
import { ALICE, NETWORK, Vault } from "./vault.ts";

const FULL: AssetNetwork = {
  ...NETWORK,
  withdrawStep: "0.01",
  depositStep: "0.01",
  depositMin: "0.5",
  creditConfirmations: 2,
  finalConfirmations: 6,
  isTagged: true,
  confirmsByMail: false,
  approvalAbove: "10",
  depositTip: "soon",
};

test("invalid networks are rejected when they are set and when an asset is listed", () => {
  const vault = new Vault();
  const wrong: readonly (readonly object[])[] = [
    [{ ...FULL, network: "" }],
    [{ ...FULL, network: "two\nlines" }],
    [{ ...FULL, network: 7 }],
    [FULL, FULL],
    [FULL, { ...FULL, isDefault: false }],
    [FULL, { ...FULL, network: "OTHER" }],
    [{ ...FULL, withdrawFee: "0.000000001" }],
    [{ ...FULL, withdrawMin: "-1" }],
    [{ ...FULL, withdrawMax: "1e30" }],
    [{ ...FULL, withdrawMax: undefined }],
    [{ ...FULL, withdrawStep: "" }],
    [{ ...FULL, depositStep: "0.000000001" }],
    [{ ...FULL, depositMin: "x" }],
    [{ ...FULL, approvalAbove: ".5" }],
    [{ ...FULL, creditConfirmations: 0 }],
    [{ ...FULL, creditConfirmations: 1.5 }],
    [{ ...FULL, finalConfirmations: 100_001 }],
    [{ ...FULL, creditConfirmations: 7 }],
    [{ ...FULL, depositEnabled: "yes" }],
    [{ ...FULL, isTagged: 1 }],
    [{ ...FULL, confirmsByMail: null }],
    [{ ...FULL, depositTip: "x".repeat(257) }],
    Array.from({ length: 21 }, (_, i) => ({ ...FULL, network: `N${i}`, isDefault: false })),
    ["BTC" as never],
    [null as never],
  ];
  for (const networks of wrong as readonly (readonly AssetNetwork[])[]) {
    vault.refuses({ type: "setAssetNetworks", by: BY, asset: "BTC", networks }, "INVALID_VALUE");
    vault.refuses(
      { type: "listAsset", by: BY, asset: { asset: "NEW", name: "", precision: 8, networks } },
      "INVALID_VALUE",
    );
  }
  vault.refuses({ type: "setAssetNetworks", by: BY, asset: "NONE", networks: [] }, "UNKNOWN_ASSET");
  const most = Array.from({ length: 20 }, (_, i) => ({ ...FULL, network: `N${i}`, isDefault: i === 3 }));
  vault.must({ type: "setAssetNetworks", by: BY, asset: "BTC", networks: most });
  vault.restart();
  assert.deepEqual(vault.engine.asset(0).spec.networks, most);
  assert.equal(vault.engine.assets()[0], vault.engine.asset(0));
  vault.must({ type: "setAssetNetworks", by: BY, asset: "BTC", networks: [] });
});

test("an operator deposits to and debits house accounts, never below zero", () => {
  const vault = new Vault();
  for (const accountId of [FEE_ACCOUNT, TREASURY_ACCOUNT, DUST_ACCOUNT]) {
    vault.fund(accountId, "3");
    vault.holds(accountId, 300_000_000n);
    assert.equal(vault.engine.account(accountId), undefined);
    const debit = { type: "debit", by: BY, accountId, asset: "BTC", reference: `out ${accountId}` } as const;
    vault.refuses({ ...debit, amount: "3.00000001" }, "INSUFFICIENT_BALANCE");
    vault.must({ ...debit, amount: "3" });
    vault.holds(accountId, 0n);
  }
  for (const accountId of [0, OUTSIDE_ACCOUNT, DEPOSITS_ACCOUNT, 6, 99]) {
    const deposit = { type: "deposit", by: BY, accountId, asset: "BTC", amount: "1", reference: "odd" } as const;
    vault.refuses(deposit, "UNKNOWN_ACCOUNT");
  }
});

test("a transaction's cost is paid once, even if the balance becomes negative", () => {
  const vault = new Vault();
  const cost = { type: "payNetworkCost", network: "BTC", txId: "t1", asset: "BTC", amount: "0.5" } as const;
  vault.must(cost);
  vault.holds(TREASURY_ACCOUNT, -50_000_000n);
  vault.restart();
  vault.refuses(cost, "ALREADY_EXISTS");
  vault.refuses({ ...cost, amount: "0.50" }, "ALREADY_EXISTS");
  vault.refuses({ ...cost, amount: "9" }, "REPEAT_DIFFERS");
  vault.must({ ...cost, network: "SIDE", amount: "0" });
  vault.refuses({ ...cost, network: "SIDE" }, "REPEAT_DIFFERS");
  vault.refuses({ ...cost, txId: "t2", asset: "NONE" }, "UNKNOWN_ASSET");
  vault.refuses({ ...cost, txId: "t2", amount: "0.000000001" }, "INVALID_VALUE");
  vault.fund(TREASURY_ACCOUNT, "0.2");
  vault.holds(TREASURY_ACCOUNT, -30_000_000n);
  vault.refuses(
    { type: "debit", by: BY, accountId: TREASURY_ACCOUNT, asset: "BTC", amount: "0.1", reference: "d" },
    "INSUFFICIENT_BALANCE",
  );
});

test("the height of a network can increase and decrease", () => {
  const vault = new Vault();
  assert.equal(vault.engine.funds.networkHeight("BTC"), undefined);
  vault.must({ type: "advanceNetwork", network: "BTC", height: 7, blockHash: "b7" });
  vault.must({ type: "advanceNetwork", network: "BTC", height: 5, blockHash: "c5" });
  vault.restart();
  assert.deepEqual(vault.engine.funds.networkHeight("BTC"), { height: 5, blockHash: "c5" });
  for (let i = 1; i < 1_000; i++) vault.run({ type: "advanceNetwork", network: `n${i}`, height: 0, blockHash: "g" });
  vault.refuses({ type: "advanceNetwork", network: "one more", height: 0, blockHash: "g" }, "TOO_MANY");
  vault.must({ type: "advanceNetwork", network: "n7", height: 1, blockHash: "h" });
});

test("an operator's status message of an account is stored", () => {
  const vault = new Vault();
  const of = { by: BY, accountId: ALICE };
  vault.must({ type: "setTotp", ...of, sealedSecret: "sealed" });
  vault.must({ type: "setAccountStatus", ...of, message: "Order failed", objs: ["5"] });
  vault.must({ type: "setAddressList", ...of, isEnforced: true });
  vault.must({ type: "changeAccount", ...of, confirmsByMail: true });
  vault.restart();
  const { sealedTotp, statusMessage, statusObjs, isAddressListEnforced, confirmsByMail } = vault.engine.account(ALICE)!;
  assert.deepEqual([sealedTotp, statusMessage, statusObjs], ["sealed", "Order failed", ["5"]]);
  assert.ok(isAddressListEnforced && confirmsByMail);
  const nobody = { by: BY, accountId: 999 };
  const address = { network: "BTC", address: "a", tag: "" };
  vault.refuses({ type: "setTotp", ...nobody, sealedSecret: null }, "UNKNOWN_ACCOUNT");
  vault.refuses({ type: "setAccountStatus", ...nobody, message: "", objs: [] }, "UNKNOWN_ACCOUNT");
  vault.refuses({ type: "setAddressList", ...nobody, isEnforced: true }, "UNKNOWN_ACCOUNT");
  vault.refuses({ type: "allowAddress", ...nobody, ...address, name: "" }, "UNKNOWN_ACCOUNT");
  vault.refuses({ type: "disallowAddress", ...nobody, ...address }, "UNKNOWN_ACCOUNT");
});

test("an account's list of addresses", () => {
  const vault = new Vault();
  const friend = { network: "BTC", address: "friend", tag: "" };
  const allow = { type: "allowAddress", by: BY, accountId: ALICE, ...friend, name: "f" } as const;
  const { name: _, ...address } = allow;
  const disallow = { ...address, type: "disallowAddress" } as const;
  vault.refuses(disallow, "UNKNOWN_ADDRESS");
  vault.must(allow);
  vault.refuses({ ...allow, name: "other" }, "ALREADY_EXISTS");
  for (let i = 1; i < 100; i++) vault.must({ ...allow, tag: `${i}` });
  vault.refuses({ ...allow, tag: "100" }, "TOO_MANY");
  vault.restart();
  assert.equal(vault.engine.funds.allowedAddresses(ALICE).length, 100);
  assert.deepEqual(vault.engine.funds.allowedAddresses(ALICE)[0], { ...friend, name: "f" });
  vault.must(disallow);
  vault.refuses(disallow, "UNKNOWN_ADDRESS");
  vault.must({ ...allow, tag: "100" });
});
