/** Two-factor codes for changes to one's own account: each code is valid once, and only for the current secret. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "@pricetime/engine";
import { TestExchange } from "../harness.ts";

const HASH = "ab".repeat(32);
const UNTIL_MS = 1_000_000;

/** Alice with a password, a session, and codes from the secret `t1`. */
function withCodes(): TestExchange {
  const exchange = new TestExchange();
  exchange.openAccount("alice@example.org");
  const invitationId = "1".repeat(32);
  const holder = "account:100";
  const untilMs = exchange.engine.timeMs + UNTIL_MS;
  exchange.run({
    ...{ type: "invite", by: "test", invitationId, secretHash: HASH, email: "alice@example.org", holder },
    ...{ opens: null, untilMs },
  });
  exchange.run({ type: "acceptInvitation", invitationId, secretHash: HASH, sealedPassword: "p1" });
  const first = { totpStep: 5, totpSecret: "t1" };
  exchange.run({ type: "setTotp", by: holder, accountId: 100, sealedSecret: "t1", ...first });
  return exchange;
}

const BY = "account:100";
const PLACE = { network: "BTC", tag: "", name: "" } as const;
const KEY = {
  type: "createApiKey",
  by: BY,
  accountId: 100,
  sealedSecret: "s",
  permissions: [],
  ipAllowList: [],
} as const;

/** Every command that takes a code, in an order in which all succeed. */
const ACTS: readonly Command[] = [
  { ...KEY, apiKey: "k".repeat(64), label: "" },
  { type: "allowAddress", by: BY, accountId: 100, ...PLACE, address: "friend" },
  { type: "setAddressList", by: BY, accountId: 100, isEnforced: true },
  { type: "setPassword", by: BY, holder: BY, was: "p1", sealedPassword: "p2", except: null },
  { type: "setTotp", by: BY, accountId: 100, sealedSecret: null },
];

test("each command needs an unused code of the current secret", () => {
  const exchange = withCodes();
  let last = 5;
  for (const act of ACTS) {
    const tried = (totpStep: number | undefined, totpSecret = "t1"): string =>
      exchange.answer({ ...act, ...(totpStep !== undefined && { totpStep, totpSecret }) });
    assert.equal(tried(undefined), "TOTP_REQUIRED", act.type);
    assert.equal(tried(last), "TOTP_REUSED", act.type);
    assert.equal(tried(last - 1), "TOTP_REUSED", act.type);
    assert.equal(tried(last + 1, "t0"), "TOTP_DIFFERS", act.type);
    last++;
    assert.doesNotMatch(tried(last), /^[A-Z]/, act.type);
    assert.equal(exchange.engine.access.totpStep(100), last, act.type);
  }
});

test("the code of a rejected command stays valid, and its step is not stored with a key", () => {
  const exchange = withCodes();
  const code = { totpStep: 6, totpSecret: "t1" };
  const key = { ...KEY, ...code, apiKey: "k".repeat(64), label: "" };
  assert.equal(exchange.answer({ ...key, apiKey: "short" }), "INVALID_VALUE");
  assert.equal(exchange.engine.access.totpStep(100), 5);
  assert.equal(exchange.answer(key), "apiKeyCreated noticeChanged");
  assert.deepEqual(
    Object.keys(exchange.engine.apiKey(key.apiKey) ?? {}).filter((field) => field.startsWith("totp")),
    [],
  );
});

test("a code is valid for a sign-in or a command, not both; an operator's action for a customer uses none", () => {
  const exchange = withCodes();
  const code = { totpStep: 6, totpSecret: "t1" };
  const session = { holder: BY, sessionId: "2".repeat(32), secretHash: HASH, sealedPassword: "p1" };
  const untilMs = exchange.engine.timeMs + UNTIL_MS;
  assert.match(
    exchange.answer({ type: "openSession", ...session, ...code, untilMs, ip: "", client: "" }),
    /^sessionOpened/,
  );
  const address = { type: "allowAddress", accountId: 100, ...PLACE, address: "friend" } as const;
  assert.equal(exchange.answer({ ...address, by: BY, ...code }), "TOTP_REUSED");
  assert.equal(exchange.answer({ ...address, by: "support", totpStep: 9, totpSecret: "t1" }), "INVALID_VALUE");
  assert.equal(exchange.answer({ ...address, by: "support" }), "accountChanged");
});

test("the first code of a new secret must match it, once sign-in is in use", () => {
  const exchange = withCodes();
  exchange.run({ type: "setTotp", by: "support", accountId: 100, sealedSecret: null });
  const begin = { type: "setTotp", by: BY, accountId: 100, sealedSecret: "t2" } as const;
  assert.equal(exchange.answer({ ...begin, totpStep: 9, totpSecret: "t1" }), "TOTP_DIFFERS");
  assert.match(exchange.answer({ ...begin, totpStep: 9, totpSecret: "t2" }), /^accountChanged/);
  assert.equal(exchange.engine.access.totpStep(100), 9);
  const early = new TestExchange();
  early.openAccount("alice@example.org");
  early.run({ type: "setTotp", by: "support", accountId: 100, sealedSecret: "t1" });
  const key = { ...KEY, apiKey: "k".repeat(64), label: "" };
  assert.doesNotMatch(early.answer(key), /^[A-Z]/, "names in old journals say nothing of who signed in");
});
