/** Reasons for which a withdrawal is rejected without moving money. Interface 4.5. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AssetNetwork, type Command, FIRST_EDITION, type PlaceOrder, type RejectReason } from "@pricetime/engine";
import { placeOrder } from "@pricetime/testkit/commands";
import { BY, symbolSpec } from "../harness.ts";
import { ALICE, BOB, BTC, CAROL, COIN, idOf, NETWORK, REPORTED, SUB, Vault } from "./vault.ts";

interface Row {
  readonly what: string;
  readonly reason: RejectReason;
  readonly asks?: Partial<Command<"requestWithdrawal">>;
  readonly network?: Partial<AssetNetwork>;
  readonly before?: readonly Command[];
}

const account = (change: object): Command => ({ type: "changeAccount", by: BY, accountId: ALICE, ...change });

const ROWS: readonly Row[] = [
  { what: "maintenance", reason: "MAINTENANCE", before: [{ type: "setMaintenance", by: BY, isOn: true }] },
  { what: "an unknown account", reason: "UNKNOWN_ACCOUNT", asks: { accountId: 999 } },
  { what: "the venue's own money", reason: "UNKNOWN_ACCOUNT", asks: { accountId: 4 } },
  { what: "an unknown asset", reason: "UNKNOWN_ASSET", asks: { asset: "DOGE" } },
  { what: "an asset without networks", reason: "UNKNOWN_NETWORK", asks: { asset: "USDT" } },
  { what: "an unknown network", reason: "UNKNOWN_NETWORK", asks: { network: "MOON" } },
  { what: "a closed network", reason: "WITHDRAWAL_SUSPENDED", network: { withdrawEnabled: false } },
  { what: "a barred account", reason: "ACCOUNT_MAY_NOT_WITHDRAW", before: [account({ canWithdraw: false })] },
  { what: "nothing", reason: "INVALID_VALUE", asks: { amount: "0.00000000" } },
  { what: "a negative amount", reason: "INVALID_VALUE", asks: { amount: "-1" } },
  { what: "more digits than the asset has", reason: "INVALID_VALUE", asks: { amount: "1.000000001" } },
  { what: "1e30", reason: "INVALID_VALUE", asks: { amount: "1e30" } },
  { what: "31 digits", reason: "INVALID_VALUE", asks: { amount: `1${"0".repeat(30)}` } },
  { what: "words", reason: "INVALID_VALUE", asks: { amount: "all" } },
  { what: "below the minimum", reason: "WITHDRAWAL_BELOW_MINIMUM", asks: { amount: "0.49999999" } },
  { what: "above the maximum", reason: "WITHDRAWAL_ABOVE_MAXIMUM", asks: { amount: "50.00000001" } },
  {
    what: "an odd amount",
    reason: "WITHDRAWAL_NOT_A_MULTIPLE",
    network: { withdrawStep: "0.01" },
    asks: { amount: "1.001" },
  },
  {
    what: "no more than the fee",
    reason: "WITHDRAWAL_BELOW_FEE",
    network: { withdrawMin: "0" },
    asks: { amount: "0.1" },
  },
  { what: "more than is free", reason: "INSUFFICIENT_BALANCE", asks: { amount: "5.00000001" } },
  { what: "its own address", reason: "ADDRESS_IS_OWN", asks: { address: `home${ALICE}` } },
  { what: "its sub-account's address", reason: "ADDRESS_IS_OWN", asks: { address: `home${SUB}` } },
  {
    what: "an address that is not on its list",
    reason: "ADDRESS_NOT_ALLOWED",
    before: [
      { type: "setAddressList", by: BY, accountId: ALICE, isEnforced: true },
      { type: "allowAddress", by: BY, accountId: ALICE, network: "BTC", address: "stranger", tag: "1", name: "" },
      { type: "allowAddress", by: BY, accountId: ALICE, network: "SIDE", address: "stranger", tag: "", name: "" },
      { type: "allowAddress", by: BY, accountId: BOB, network: "BTC", address: "stranger", tag: "", name: "" },
    ],
  },
  {
    what: "no second factor",
    reason: "TOTP_REQUIRED",
    before: [{ type: "setTotp", by: BY, accountId: ALICE, sealedSecret: "s" }],
  },
  {
    what: "no secret to mail",
    reason: "INVALID_VALUE",
    network: { confirmsByMail: true },
    asks: { confirmationHash: "" },
  },
];

for (const { what, reason, asks, network, before = [] } of ROWS) {
  test(`refused for ${what}`, () => {
    const vault = new Vault();
    if (network !== undefined) vault.setNetwork(network);
    vault.fund(ALICE, "5");
    for (const command of before) vault.must(command);
    vault.refuses(vault.request(asks), reason);
    vault.holds(ALICE, 500_000_000n);
  });
}

test("the limits are accepted: minimum, maximum, a multiple, the complete balance", () => {
  for (const [amount, change, funds] of [
    ["0.5", {}, "5"],
    ["50", {}, "50"],
    ["500", { withdrawMax: "0" }, "500"],
    ["1.25", { withdrawStep: "0.25" }, "5"],
    ["0.10000001", { withdrawMin: "0" }, "5"],
    ["5", {}, "5"],
  ] as const) {
    const vault = new Vault();
    vault.setNetwork(change);
    vault.fund(ALICE, funds);
    vault.must(vault.request({ amount }));
    assert.equal(vault.engine.funds.openWithdrawals().length, 1);
  }
});

test("the default network", () => {
  for (const [networks, expected] of [
    [
      [
        { ...NETWORK, isDefault: false },
        { ...NETWORK, network: "SIDE" },
      ],
      "SIDE",
    ],
    [
      [
        { ...NETWORK, network: "SIDE", isDefault: false },
        { ...NETWORK, isDefault: false },
      ],
      "SIDE",
    ],
  ] as const) {
    const vault = new Vault();
    vault.must({ type: "setAssetNetworks", by: BY, asset: "BTC", networks });
    vault.fund(ALICE, "5");
    vault.must(vault.request());
    assert.equal(vault.engine.funds.withdrawal(idOf(1))?.network, expected);
  }
});

test("the fee is fixed at the time of the request", () => {
  const vault = new Vault();
  vault.fund(ALICE, "5");
  vault.must(vault.request());
  vault.setNetwork({ withdrawFee: "2", withdrawMin: "4", withdrawEnabled: false });
  vault.must({ type: "completeWithdrawal", withdrawalId: idOf(1), txId: "p" });
  vault.holds(2, 10_000_000n);
});

test("a withdrawal to another customer is paid like any other", () => {
  const vault = new Vault();
  vault.fund(ALICE, "5");
  vault.must(vault.request({ address: `home${BOB}` }));
  vault.fund(SUB, "5");
  vault.refuses(vault.request({ withdrawalId: idOf(2), accountId: SUB, address: `home${ALICE}` }), "ADDRESS_IS_OWN");
});

test("the case of a hexadecimal address does not matter", () => {
  const vault = new Vault();
  const [mixed, lower] = ["0x6915f16F8791d0A1CC2BF47C13a6B2a92000504b", "0x6915f16f8791d0a1cc2bf47c13a6b2a92000504b"];
  const assigned = { network: "SIDE", address: mixed, tag: "" };
  vault.must({ type: "assignDepositAddress", accountId: ALICE, ...assigned });
  vault.refuses({ type: "assignDepositAddress", accountId: BOB, ...assigned, address: lower }, "ALREADY_EXISTS");
  vault.fund(ALICE, "5");
  for (const address of [mixed, lower]) vault.refuses(vault.request({ network: "SIDE", address }), "ADDRESS_IS_OWN");
  const coin = { network: "SIDE", txId: `0x${"AB".repeat(32)}`, address: lower };
  vault.must(vault.see(coin));
  vault.refuses(vault.see({ ...coin, txId: coin.txId.toLowerCase() }), "ALREADY_EXISTS");
  // In other encodings, case matters.
  vault.refuses(vault.request({ address: `home${ALICE}` }), "ADDRESS_IS_OWN");
  vault.must(vault.request({ address: `HOME${ALICE}` }));
});

test("each two-factor time step is valid once, and none before it", () => {
  const vault = new Vault();
  vault.fund(ALICE, "5");
  const ask = (number: number, totpStep: number | null, amount = "1") =>
    vault.request({ withdrawalId: idOf(number), totpStep, totpSecret, amount });
  let totpSecret = "sealed";
  vault.must(ask(1, 50));
  vault.must({ type: "setTotp", by: BY, accountId: ALICE, sealedSecret: "sealed" });
  // A step sent while no code was required does not count, nor does one whose request was rejected.
  vault.refuses(ask(2, 50, "9"), "INSUFFICIENT_BALANCE");
  vault.must(ask(2, 50));
  vault.refuses(ask(3, 50), "TOTP_REUSED");
  vault.refuses(ask(3, 49), "TOTP_REUSED");
  vault.restart();
  vault.refuses(ask(3, 50), "TOTP_REUSED");
  vault.refuses(ask(3, null), "TOTP_REQUIRED");
  vault.must(ask(3, 51));
  vault.must({ type: "setTotp", by: BY, accountId: ALICE, sealedSecret: null });
  vault.must(ask(4, null));
  // Used steps stay used after the secret changes.
  vault.must({ type: "setTotp", by: BY, accountId: ALICE, sealedSecret: "other" });
  vault.refuses(ask(5, 52), "TOTP_DIFFERS");
  totpSecret = "other";
  vault.refuses(ask(5, 51), "TOTP_REUSED");
  vault.must(ask(5, 52));
});

test("a code of a removed secret is invalid", () => {
  const vault = new Vault();
  vault.fund(ALICE, "5");
  vault.must({ type: "setTotp", by: BY, accountId: ALICE, sealedSecret: "stolen" });
  const checked = vault.request({ totpStep: 50, totpSecret: "stolen" });
  vault.must({ type: "setTotp", by: BY, accountId: ALICE, sealedSecret: null });
  vault.must({ type: "setTotp", by: BY, accountId: ALICE, sealedSecret: "new" });
  vault.refuses(checked, "TOTP_DIFFERS");
  const { totpSecret: _, ...unsaid } = checked;
  vault.refuses(unsaid, "TOTP_DIFFERS");
});

test("a second two-factor secret does not replace the first", () => {
  const vault = new Vault();
  const set = (sealedSecret: string | null) => ({ type: "setTotp", by: BY, accountId: ALICE, sealedSecret }) as const;
  vault.must(set(null));
  vault.must(set("first"));
  vault.refuses(set("second"), "ALREADY_EXISTS");
  vault.refuses(set("first"), "ALREADY_EXISTS");
  vault.must(set(null));
  vault.must(set("second"));
  const old = new Vault(undefined, FIRST_EDITION);
  old.must(set("first"));
  old.must(set("second"));
});

test("ids are unique: the exchange's permanently, the client's per account", () => {
  const vault = new Vault();
  vault.fund(ALICE, "5");
  vault.fund(BOB, "5");
  vault.must(vault.request({ amount: "1", withdrawOrderId: "mine" }));
  vault.refuses(vault.request({ withdrawalId: idOf(2), amount: "1", withdrawOrderId: "mine" }), "ALREADY_EXISTS");
  vault.must(vault.request({ withdrawalId: idOf(3), accountId: BOB, amount: "1", withdrawOrderId: "mine" }));
  vault.must({ type: "failWithdrawal", withdrawalId: idOf(1), why: "" });
  vault.restart();
  vault.refuses(vault.request({ amount: "1" }), "ALREADY_EXISTS");
  vault.refuses(vault.request({ withdrawalId: idOf(2), amount: "1", withdrawOrderId: "mine" }), "ALREADY_EXISTS");
  vault.must(vault.request({ withdrawalId: idOf(2), amount: "1" }));
  vault.must(vault.request({ withdrawalId: idOf(4), amount: "1" }));
});

test("at most a hundred open withdrawals of an account", () => {
  const vault = new Vault();
  vault.setNetwork({ withdrawMin: "0", withdrawFee: "0" });
  vault.fund(ALICE, "5");
  for (let i = 1; i <= 100; i++) vault.must(vault.request({ withdrawalId: idOf(i), amount: "0.01" }));
  vault.restart();
  vault.refuses(vault.request({ withdrawalId: idOf(101), amount: "0.01" }), "TOO_MANY");
  vault.must({ type: "failWithdrawal", withdrawalId: idOf(7), why: "" });
  vault.must(vault.request({ withdrawalId: idOf(101), amount: "0.01" }));
  vault.refuses(vault.request({ withdrawalId: idOf(102), amount: "0.01" }), "TOO_MANY");
});

test("an allowed address is paid, with its tag and on its network", () => {
  const vault = new Vault();
  vault.fund(ALICE, "5");
  vault.must({ type: "setAddressList", by: BY, accountId: ALICE, isEnforced: true });
  const listed = { network: "SIDE", address: "friend", tag: "9" };
  vault.must({ type: "allowAddress", by: BY, accountId: ALICE, ...listed, name: "f" });
  vault.restart();
  vault.must(vault.request(listed));
  vault.must({ type: "disallowAddress", by: BY, accountId: ALICE, ...listed });
  vault.refuses(vault.request({ ...listed, withdrawalId: idOf(2), amount: "1" }), "ADDRESS_NOT_ALLOWED");
  vault.must({ type: "setAddressList", by: BY, accountId: ALICE, isEnforced: false });
  vault.must(vault.request({ ...listed, withdrawalId: idOf(2), amount: "1" }));
});

test("a new address is allowed from its time on, and a disabled allowlist applies until its end", () => {
  const vault = new Vault();
  vault.fund(ALICE, "9");
  const of = { by: BY, accountId: ALICE } as const;
  const listed = { network: "SIDE", address: "friend", tag: "9" };
  const other = { network: "SIDE", address: "stranger", tag: "9" };
  const fromMs = vault.nowMs + 1000;
  vault.must({ type: "setAddressList", ...of, isEnforced: true });
  vault.refuses({ type: "allowAddress", ...of, ...listed, name: "f", fromMs: vault.nowMs + 3e9 }, "INVALID_VALUE");
  vault.must({ type: "allowAddress", ...of, ...listed, name: "f", fromMs });
  vault.restart();
  assert.deepEqual(vault.engine.funds.allowedAddresses(ALICE), [{ ...listed, name: "f", fromMs }]);
  vault.nowMs = fromMs - 1;
  vault.refuses(vault.request({ ...listed, amount: "1" }), "ADDRESS_NOT_ALLOWED");
  vault.nowMs = fromMs;
  vault.must(vault.request({ ...listed, amount: "1" }));

  const endsMs = fromMs + 1000;
  vault.refuses({ type: "setAddressList", ...of, isEnforced: true, fromMs: endsMs }, "INVALID_VALUE");
  vault.refuses({ type: "setAddressList", ...of, isEnforced: false, fromMs: vault.nowMs + 3e9 }, "INVALID_VALUE");
  vault.must({ type: "setAddressList", ...of, isEnforced: false, fromMs: endsMs });
  vault.restart();
  const { isAddressListEnforced, addressListEndsMs } = vault.engine.account(ALICE)!;
  assert.deepEqual([isAddressListEnforced, addressListEndsMs], [true, endsMs]);
  vault.refuses(vault.request({ ...other, withdrawalId: idOf(2), amount: "1" }), "ADDRESS_NOT_ALLOWED");
  vault.nowMs = endsMs;
  vault.must(vault.request({ ...other, withdrawalId: idOf(2), amount: "1" }));
  // The allowlist can be enforced again at once.
  vault.must({ type: "setAddressList", ...of, isEnforced: true });
  vault.refuses(vault.request({ ...other, withdrawalId: idOf(3), amount: "1" }), "ADDRESS_NOT_ALLOWED");
  // An allowlist that is not enforced ends at once.
  vault.must({ type: "setAddressList", ...of, isEnforced: false });
  vault.must({ type: "setAddressList", ...of, isEnforced: false, fromMs: endsMs + 1000 });
  assert.equal(vault.engine.account(ALICE)?.isAddressListEnforced, false);
});

test("amounts locked by orders cannot be withdrawn, and the other way round", () => {
  const vault = new Vault();
  vault.must({ type: "listSymbol", by: BY, symbol: symbolSpec("BTCUSDT", "BTC/USDT") });
  vault.fund(ALICE, "5");
  const order: PlaceOrder = placeOrder({
    accountId: ALICE,
    side: "SELL",
    priceTicks: 100,
    quantityLots: 300_000_000,
    clientOrderId: "a",
  });
  vault.must(order);
  vault.refuses(vault.request({ amount: "2.00000001" }), "INSUFFICIENT_BALANCE");
  vault.must(vault.request({ amount: "2" }));
  vault.holds(ALICE, 0n, 500_000_000n);
  vault.refuses({ ...order, quantityLots: 1, clientOrderId: "b" }, "INSUFFICIENT_BALANCE");
});

test("a disabled sub-account cannot withdraw", () => {
  const vault = new Vault();
  vault.fund(SUB, "5");
  vault.must({ type: "changeAccount", by: BY, accountId: SUB, isEnabled: false });
  vault.refuses(vault.request({ accountId: SUB }), "ACCOUNT_MAY_NOT_WITHDRAW");
});

test("a credited deposit can be traded, and withdrawn once it is final", () => {
  const vault = new Vault();
  vault.fund(ALICE, "1");
  vault.must(vault.see({ amount: "4" }));
  assert.equal(vault.engine.funds.withdrawable(ALICE, BTC), 100_000_000n);
  vault.must({ type: "creditDeposit", ...COIN, ...REPORTED, amount: "4" });
  vault.holds(ALICE, 500_000_000n);
  assert.equal(vault.engine.funds.withdrawable(ALICE, BTC), 100_000_000n);
  vault.restart();
  vault.refuses(vault.request({ amount: "1.00000001" }), "INSUFFICIENT_BALANCE");
  const toSub = { fromAccountId: ALICE, toAccountId: SUB, asset: "BTC" };
  vault.refuses({ type: "transfer", accountId: ALICE, ...toSub, amount: "1.00000001" }, "INSUFFICIENT_BALANCE");
  vault.must({ type: "debit", by: BY, accountId: ALICE, asset: "BTC", amount: "3", reference: "spent" });
  assert.equal(vault.engine.funds.withdrawable(ALICE, BTC), 0n);
  vault.must({ type: "finishDeposit", ...COIN, ...REPORTED, amount: "4" });
  assert.equal(vault.engine.funds.withdrawable(ALICE, BTC), 200_000_000n);
  vault.must(vault.request({ amount: "2" }));
  vault.holds(CAROL, 0n);
});
