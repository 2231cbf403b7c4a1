/** Customers' own settings: profile, keys, address book, pending deposits, withdrawals. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import type { Permission } from "@pricetime/engine";
import { networkOf, requestWithdrawal } from "@pricetime/testkit/commands";
import { sealed } from "@pricetime/testkit/gateway-venue";
import { newTotpSecret } from "../../../../src/platform/secrets/totp.ts";
import { MACHINE } from "../../../../src/platform/world/machine.ts";
import { AccountVenue, type Browser, refusal } from "../account-venue.ts";

const DAY_MS = 86_400_000;

interface Started {
  readonly venue: AccountVenue;
  readonly alice: Browser;
  readonly bob: Browser;
  readonly aliceId: number;
  readonly bobId: number;
}

async function start(): Promise<Started> {
  const venue = await AccountVenue.start();
  const [alice, bob] = [await venue.customer("alice@example.org"), await venue.customer("bob@example.org")];
  const id = (email: string): number => venue.engine.accountByEmail(email)?.accountId ?? assert.fail();
  return { venue, alice, bob, aliceId: id("alice@example.org"), bobId: id("bob@example.org") };
}

const put = (browser: Browser, path: string, body: object) =>
  browser.send("PUT", `/account/v1/${path}`, JSON.stringify(body));
const remove = (browser: Browser, path: string, body?: object) =>
  browser.send("DELETE", `/account/v1/${path}`, body && JSON.stringify(body));

/** Turns two-factor codes on; returns the next code. */
function withCodes(venue: AccountVenue, accountId: number): () => string {
  const { secret } = newTotpSecret("a", MACHINE);
  venue.act({ type: "setTotp", by: "test", accountId, sealedSecret: sealed(secret) });
  return () => venue.code(secret);
}

test("every settings route needs a session", async () => {
  const { venue } = await start();
  const stranger = venue.browser();
  for (const path of [
    "profile",
    "keys",
    "addresses",
    "deposits",
    "dust",
    "statement?month=2021-02",
    "proof",
    "withdrawal-limits",
  ]) {
    assert.deepEqual(refusal(await stranger.get(path)), [401, "NO_SESSION"], path);
  }
});

test("the profile lists permissions and sub-accounts", async () => {
  const { venue, alice, aliceId } = await start();
  const subId = venue.openAccount("sub@example.org", aliceId);
  venue.act({ type: "changeAccount", by: "test", accountId: aliceId, canTrade: false, confirmsByMail: true });
  const { json } = await alice.get("profile");
  const state = { isEnabled: true, paysInDiscountAsset: false };
  assert.deepEqual(json, {
    ...{ accountId: aliceId, email: "alice@example.org", name: "invited", makerBps: 10, takerBps: 10 },
    ...{ canTrade: false, canWithdraw: true, canDeposit: true, confirmsByEmail: true },
    ...{ isAddressListEnforced: false, addressListEndsMs: null, addressWaitMs: DAY_MS },
    ...{ hasTotp: false, language: "en", heldUntilMs: 0 },
    ...{ paysInDiscountAsset: false, commissionDiscount: null },
    subAccounts: [{ accountId: subId, email: "sub@example.org", name: "sub@example.org", ...state }],
  });
});

test("a customer sets the language of emails, and nothing else with it", async () => {
  const { venue, alice, aliceId } = await start();
  assert.equal((await put(alice, "language", { language: "de" })).status, 200);
  assert.equal((await alice.get("profile")).json.language, "de");
  assert.deepEqual(venue.commands.at(-1), {
    ...{ type: "changeAccount", by: `account:${aliceId}`, accountId: aliceId, language: "de" },
  });
  for (const body of [{ language: "xx" }, { language: "de", takerBps: 0 }, {}]) {
    assert.deepEqual(refusal(await put(alice, "language", body)), [400, "BAD_REQUEST"]);
  }
});

test("a key's secret is shown once and works; other accounts' keys are unknown", async () => {
  const { venue, alice, bob, aliceId } = await start();
  venue.give(aliceId, "BTC", "1");
  const made = await alice.post("keys", { label: "bot", ipAllowList: ["127.0.0.1", "::1"] });
  assert.equal(made.status, 200, made.text);
  const { apiKey, secretKey } = made.json;
  const signed = await venue.signed("GET", "/api/v3/account", {}, { key: { accountId: aliceId, apiKey, secretKey } });
  assert.equal(signed.status, 200, signed.body);
  const listed = await alice.get("keys");
  assert.ok(!listed.text.includes(secretKey) && !listed.text.includes(sealed(secretKey)));
  const [key] = listed.json;
  assert.deepEqual([key.apiKey, key.label, key.ipAllowList], [apiKey, "bot", ["127.0.0.1", "::1"]]);
  assert.deepEqual(key.permissions, ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA"]);
  assert.deepEqual((await bob.get("keys")).json, []);
  for (const unknown of [apiKey, "x".repeat(64)]) {
    assert.deepEqual(refusal(await remove(bob, `keys/${unknown}`)), [404, "UNKNOWN_API_KEY"]);
  }
  assert.equal((await remove(alice, `keys/${apiKey}`)).status, 200);
  assert.deepEqual((await alice.get("keys")).json, []);
  const { by } = venue.commands.findLast(({ type }) => type === "deleteApiKey") as { by?: string };
  assert.equal(by, `account:${aliceId}`);
});

test("the switch for fees in the discount asset", async () => {
  const { venue, alice, aliceId } = await start();
  const shown = async () => {
    const { paysInDiscountAsset, commissionDiscount } = (await alice.get("profile")).json;
    return { paysInDiscountAsset, commissionDiscount };
  };
  assert.deepEqual(await shown(), { paysInDiscountAsset: false, commissionDiscount: null });
  const discount = { asset: "KRW", factorBps: 7500, excludedSymbols: ["BTCKRW"] };
  venue.act({ type: "setCommissionDiscount", by: "test", discount });
  assert.equal((await put(alice, "commission-discount", { isOn: true })).status, 200);
  const { seq } = venue.engine;
  assert.equal((await put(alice, "commission-discount", { isOn: true })).status, 200);
  assert.equal(venue.engine.seq, seq, "unchanged");
  const commissionDiscount = { asset: "KRW", factorBps: 7500 };
  assert.deepEqual(await shown(), { paysInDiscountAsset: true, commissionDiscount });
  assert.equal(venue.engine.account(aliceId)?.paysInDiscountAsset, true);
  assert.equal((await put(alice, "commission-discount", { isOn: "no" })).status, 400);
  assert.equal((await put(alice, "commission-discount", { isOn: false })).status, 200);
  assert.deepEqual(await shown(), { paysInDiscountAsset: false, commissionDiscount });
  const subId = venue.openAccount("sub@example.org", aliceId);
  const strangerId = venue.openAccount("other@example.org");
  assert.equal((await put(alice, `commission-discount?account=${subId}`, { isOn: true })).status, 200);
  const { subAccounts } = (await alice.get("profile")).json;
  assert.deepEqual(
    subAccounts.map(({ paysInDiscountAsset }: { paysInDiscountAsset: boolean }) => paysInDiscountAsset),
    [true],
  );
  assert.deepEqual(await shown(), { paysInDiscountAsset: false, commissionDiscount });
  const foreign = await put(alice, `commission-discount?account=${strangerId}`, { isOn: true });
  assert.deepEqual(refusal(foreign), [404, "UNKNOWN_ACCOUNT"]);
});

test("only small balances are offered for conversion, and none without rules", async () => {
  const { venue, alice, aliceId } = await start();
  for (const [asset, amount] of [
    ["BTC", "2004"],
    ["ETH", "0.001"],
    ["KRW", "5"],
  ] as const) {
    venue.give(aliceId, asset, amount);
  }
  assert.deepEqual((await alice.get("dust")).json, { rules: null, balances: [] });
  const rules = { dustAsset: "KRW", limitAsset: "BTC", limit: "0.001", chargeBps: 200, pauseMs: 0 };
  venue.act({ type: "setDustRules", by: "test", rules });
  assert.deepEqual((await alice.get("dust")).json, { rules, balances: [] }, "nothing has a price");
  for (const [symbol, price, quantity] of [
    ["BTCKRW", 50_000_000, "0.000002"],
    ["ETHBTC", "0.05", 1],
  ] as const) {
    for (const side of ["SELL", "BUY"]) await venue.order({ symbol, side, price, quantity }, { key: venue.maker });
  }
  assert.deepEqual((await alice.get("dust")).json, { rules, balances: [{ asset: "ETH", free: "0.00100000" }] });
});

test("an Ed25519 key has no secret", async () => {
  const { alice } = await start();
  const { publicKey } = generateKeyPairSync("ed25519");
  const pem = publicKey.export({ type: "spki", format: "pem" });
  const made = await alice.post("keys", { publicKey: pem });
  assert.deepEqual(Object.keys(made.json), ["apiKey"]);
  const der = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  assert.equal((await alice.get("keys")).json[0].publicKey, der);
  for (const modulusLength of [2048, 4096, 1024, 3072]) {
    const { publicKey: rsa } = generateKeyPairSync("rsa", { modulusLength });
    const created = await alice.post("keys", { publicKey: rsa.export({ type: "spki", format: "pem" }) });
    if (modulusLength % 2048 !== 0) assert.deepEqual(refusal(created), [400, "BAD_REQUEST"], `${modulusLength} bits`);
    else assert.ok(!("secretKey" in created.json), `${modulusLength} bits`);
  }
  assert.deepEqual(refusal(await alice.post("keys", { publicKey: "-----BEGIN" })), [400, "BAD_REQUEST"]);
});

test("a withdrawal key needs addresses and codes and cannot belong to a sub-account", async () => {
  const { venue, alice, aliceId, bobId } = await start();
  const subId = venue.openAccount("sub@example.org", aliceId);
  const withdraws = { permissions: ["USER_DATA", "WITHDRAW"] };
  assert.deepEqual(refusal(await alice.post("keys", withdraws)), [400, "IP_ALLOW_LIST_REQUIRED"]);
  const bound = { ...withdraws, ipAllowList: ["203.0.113.7"] };
  assert.deepEqual(refusal(await alice.post("keys", { ...bound, accountId: subId })), [403, "NOT_PERMITTED"]);
  assert.deepEqual(refusal(await alice.post("keys", { ...bound, accountId: bobId })), [404, "UNKNOWN_ACCOUNT"]);
  assert.deepEqual(
    refusal(await alice.post("keys", bound)),
    [403, "TWO_FACTOR_REQUIRED"],
    "a session alone is not enough",
  );
  const direct = { type: "createApiKey", apiKey: "z".repeat(64), sealedSecret: "s", label: "" } as const;
  const asEngine = (of: { accountId: number; permissions: readonly Permission[]; ipAllowList: readonly string[] }) =>
    venue.apply({ ...direct, ...of, by: `account:${aliceId}` }).events;
  const refused = [{ type: "rejected", reason: "NOT_PERMITTED" }];
  const one = { accountId: aliceId, permissions: ["WITHDRAW"], ipAllowList: ["203.0.113.7"] } as const;
  assert.deepEqual(asEngine(one), refused);
  assert.equal((await alice.post("keys", { accountId: subId })).status, 200);
  const codeNow = withCodes(venue, aliceId);
  assert.equal((await alice.post("keys", { ...bound, code: codeNow() })).status, 200);
  assert.equal((await alice.get(`keys?account=${subId}`)).json.length, 1);
  assert.deepEqual(refusal(await alice.get(`keys?account=${bobId}`)), [404, "UNKNOWN_ACCOUNT"]);
  for (const of of [
    { accountId: aliceId, permissions: ["WITHDRAW"], ipAllowList: [] },
    { accountId: subId, permissions: ["WITHDRAW"], ipAllowList: ["203.0.113.7"] },
    { accountId: bobId, permissions: [], ipAllowList: [] },
  ] as const) {
    assert.deepEqual(asEngine(of), refused);
  }
});

test("keys, addresses and turning off the address book need an unused code if the account has codes", async () => {
  const { venue, alice, aliceId } = await start();
  const codeNow = withCodes(venue, aliceId);
  const acts: [string, (code?: string) => ReturnType<Browser["get"]>][] = [
    ["keys", (code) => alice.post("keys", { ...(code !== undefined && { code }) })],
    ["addresses", (code) => alice.post("addresses", { network: "BTC", address: "friend", name: "f", code })],
    ["enforced", (code) => put(alice, "addresses/enforced", { isEnforced: true, code })],
  ];
  for (const [what, act] of acts) {
    assert.deepEqual(refusal(await act()), [401, "CODE_REQUIRED"], what);
    assert.deepEqual(refusal(await act("000000")), [401, "CODE_WRONG"], what);
    const right = await act(codeNow());
    assert.equal(right.status, 200, `${what} ${right.text}`);
    assert.deepEqual(refusal(await act(codeNow())), [401, "CODE_USED"], what);
    venue.nowMs += 30_000;
  }
  // A code that approved a withdrawal cannot be used again.
  const used = codeNow();
  venue.give(aliceId, "BTC", "1");
  const { sealedTotp } = venue.engine.account(aliceId) ?? assert.fail();
  const totpStep = Math.floor(venue.nowMs / 30_000);
  const of = { withdrawalId: "1".repeat(32), accountId: aliceId, asset: "BTC", amount: "0.1", address: "friend" };
  venue.act({ ...requestWithdrawal(of), confirmationHash: "ab".repeat(32), totpStep, totpSecret: sealedTotp ?? "" });
  assert.deepEqual(refusal(await alice.post("keys", { code: used })), [401, "CODE_USED"]);
});

test("with the address book on, a new address and turning it off are delayed", async () => {
  const { venue, alice, bob, aliceId } = await start();
  venue.give(aliceId, "BTC", "9");
  const friend = { network: "BTC", address: "friend", tag: "" };
  const thief = { network: "BTC", address: "thief", tag: "" };
  assert.deepEqual((await alice.post("addresses", { ...friend, name: "f" })).json, { ...friend, name: "f", fromMs: 0 });
  assert.deepEqual(refusal(await alice.post("addresses", { ...friend, name: "g" })), [409, "ALREADY_EXISTS"]);
  assert.deepEqual(refusal(await alice.post("addresses", { ...friend, address: "nowhere", name: "" })), [
    400,
    "INVALID_ADDRESS",
  ]);
  assert.deepEqual((await put(alice, "addresses/enforced", { isEnforced: true })).json, {
    isAddressListEnforced: true,
    addressListEndsMs: null,
  });
  const fromMs = venue.nowMs + DAY_MS;
  assert.equal((await alice.post("addresses", { ...thief, name: "t" })).json.fromMs, fromMs);
  assert.deepEqual(
    (await alice.get("addresses")).json.map((each: { fromMs: number }) => each.fromMs),
    [0, fromMs],
  );
  assert.deepEqual((await bob.get("addresses")).json, []);
  let n = 0;
  const pay = (address: string): string => {
    const withdrawalId = String(++n).padStart(32, "0");
    const { events } = venue.apply({
      ...requestWithdrawal({ withdrawalId, accountId: aliceId, asset: "BTC", amount: "1", address }),
      confirmationHash: "ab".repeat(32),
    });
    return events[0]?.type === "rejected" ? events[0].reason : "taken";
  };
  assert.equal(pay("thief"), "ADDRESS_NOT_ALLOWED");
  assert.equal(pay("friend"), "taken");
  // Turning the address book off has the same delay.
  assert.deepEqual((await put(alice, "addresses/enforced", { isEnforced: false })).json, {
    isAddressListEnforced: true,
    addressListEndsMs: fromMs,
  });
  assert.equal(pay("stranger"), "ADDRESS_NOT_ALLOWED");
  venue.nowMs = fromMs;
  assert.equal(pay("thief"), "taken");
  assert.equal(pay("stranger"), "taken");
  const { json } = await alice.get("profile");
  assert.deepEqual([json.isAddressListEnforced, json.addressListEndsMs], [false, null]);
  assert.equal((await remove(alice, "addresses", friend)).status, 200);
  assert.deepEqual(refusal(await remove(alice, "addresses", friend)), [404, "UNKNOWN_ADDRESS"]);
});

test("pending deposits show their confirmations, from the journal if the chain is not read", async () => {
  const { venue, alice, bob, aliceId } = await start();
  const depths = { creditConfirmations: 2, finalConfirmations: 6 };
  venue.act({ type: "setAssetNetworks", by: "test", asset: "BTC", networks: [networkOf("BTC", depths)] });
  const address = `BTC-${aliceId}`;
  venue.act({ type: "assignDepositAddress", accountId: aliceId, network: "BTC", address, tag: "" });
  for (const output of [0, 1, 2]) {
    const coin = { network: "BTC", txId: "tx", output, asset: "BTC", address, tag: "", amount: "0.5" };
    venue.act({ type: "seeDeposit", ...coin });
    if (output > 0) venue.act({ type: "creditDeposit", ...coin });
    if (output > 1) venue.act({ type: "finishDeposit", ...coin });
  }
  const { json } = await alice.get("deposits");
  type Shown = { txId: string; amount: string; asset: string; isCredited: boolean; confirmations: number };
  assert.deepEqual(
    (json as Shown[]).map(({ txId, amount, asset, isCredited, confirmations }) => [
      ...[txId, amount, asset],
      ...[isCredited, confirmations],
    ]),
    [
      ["tx", "0.50000000", "BTC", false, 0],
      ["tx", "0.50000000", "BTC", true, 2],
    ],
  );
  assert.deepEqual([json[0].creditConfirmations, json[0].finalConfirmations], [2, 6]);
  assert.deepEqual((await bob.get("deposits")).json, []);
});

test("customers see their own withdrawal limits and remainders, not the venue-wide limits", async () => {
  const { venue, alice, bob, aliceId } = await start();
  const subId = venue.openAccount("sub@example.org", aliceId);
  venue.give(subId, "BTC", "9");
  assert.deepEqual((await alice.get("withdrawal-limits")).json, []);
  const limits = { account: { per24h: "5" }, allCustomers: { per24h: "7", per72h: "8" } };
  venue.act({ type: "setWithdrawalLimits", by: "test", asset: "BTC", limits });
  const withdrawal = { withdrawalId: "1".repeat(32), accountId: subId, asset: "BTC", amount: "2" };
  venue.act(requestWithdrawal({ ...withdrawal, address: "stranger" }));
  const row = (used: string, left: string) => ({
    ...{ asset: "BTC", isOwn: false, limit24h: "5", withdrawn24h: used, left24h: left },
    ...{ limit72h: null, withdrawn72h: used, left72h: null },
  });
  const shared = [row("2.00000000", "3.00000000")];
  assert.deepEqual((await alice.get("withdrawal-limits")).json, shared, "a sub-account counts with its master");
  assert.deepEqual((await alice.get(`withdrawal-limits?account=${subId}`)).json, shared);
  assert.deepEqual((await bob.get("withdrawal-limits")).json, [row("0.00000000", "5.00000000")]);
  assert.deepEqual(refusal(await bob.get(`withdrawal-limits?account=${subId}`)), [404, "UNKNOWN_ACCOUNT"]);
  venue.act({ type: "setWithdrawalLimits", by: "test", asset: "BTC", limits: { allCustomers: { per24h: "3" } } });
  assert.deepEqual((await alice.get("withdrawal-limits")).json, []);
});

test("only its owner can cancel a withdrawal, as long as that is possible", async () => {
  const { venue, alice, bob, aliceId } = await start();
  const subId = venue.openAccount("sub@example.org", aliceId);
  venue.give(aliceId, "BTC", "9");
  venue.give(subId, "BTC", "9");
  const paid = "9".repeat(32);
  venue.act(
    requestWithdrawal({ withdrawalId: paid, accountId: aliceId, asset: "BTC", amount: "1", address: "stranger" }),
  );
  for (const accountId of [aliceId, subId]) {
    venue.act({ type: "changeAccount", by: "test", accountId, confirmsByMail: true });
  }
  const ask = (accountId: number, n: number): string => {
    const withdrawalId = String(n).padStart(32, "0");
    const asked = requestWithdrawal({ withdrawalId, accountId, asset: "BTC", amount: "1", address: "stranger" });
    venue.act({ ...asked, confirmationHash: "ab".repeat(32) });
    return withdrawalId;
  };
  const [own, subs] = [ask(aliceId, 1), ask(subId, 2)];
  assert.deepEqual(refusal(await bob.post(`withdrawals/${own}/cancel`)), [404, "UNKNOWN_WITHDRAWAL"]);
  assert.deepEqual(refusal(await bob.post(`withdrawals/${"f".repeat(32)}/cancel`)), [404, "UNKNOWN_WITHDRAWAL"]);
  for (const id of [own, subs]) {
    const cancelled = await alice.post(`withdrawals/${id}/cancel`);
    assert.equal(cancelled.status, 200, cancelled.text);
    assert.deepEqual(refusal(await alice.post(`withdrawals/${id}/cancel`)), [404, "UNKNOWN_WITHDRAWAL"]);
  }
  // The payment is on its way.
  assert.deepEqual(refusal(await alice.post(`withdrawals/${paid}/cancel`)), [409, "WRONG_STATUS"]);
  assert.equal(venue.engine.balance(aliceId, 0).locked, 100_000_000n);
});
