/** Queued emails about keys, codes and addresses, which are sent to the holder for actions of a session. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Command, NoticeRecord } from "@pricetime/engine";
import { openAccount } from "@pricetime/testkit/commands";
import { BY, TestExchange } from "../harness.ts";

const KEY = "k".repeat(64);
let exchange = new TestExchange();

beforeEach(() => {
  exchange = new TestExchange();
  exchange.listAssets(["BTC", 8]);
  exchange.openAccount("alice@example.org");
  assert.equal(exchange.answer(openAccount("alice-sub@example.org", { masterId: 100 })), "accountOpened");
  exchange.run({ type: "openOperator", by: BY, name: "carol", email: "carol@example.org", role: "admin" });
});

function owed(): readonly Omit<NoticeRecord, "createdMs" | "status">[] {
  return [...exchange.engine.access.notices()].map(({ noticeId, kind, email, facts }) => ({
    noticeId,
    kind,
    email,
    facts,
  }));
}

const key = (by: string, accountId: number): Command<"createApiKey"> => ({
  ...{ type: "createApiKey", by, accountId, apiKey: KEY, sealedSecret: "s" },
  ...{ permissions: ["USER_DATA", "TRADE"], ipAllowList: [], label: "bot" },
});
const ADDRESS = { network: "BTC", address: "bc1q", tag: "", name: "cold" };

test("an email reports a key that a customer creates, also for a sub-account", () => {
  for (const [index, accountId] of [100, 101].entries()) {
    assert.equal(
      exchange.answer({ ...key("account:100", accountId), apiKey: `${index}`.repeat(64) }),
      "apiKeyCreated noticeChanged",
    );
    const facts = { holder: "account:100", account: `${accountId}`, by: "account:100", label: "bot" };
    const permissions = "USER_DATA, TRADE";
    const notice = {
      noticeId: index + 1,
      kind: "apiKeyCreated",
      email: "alice@example.org",
      facts: { ...facts, permissions },
    };
    assert.deepEqual(owed()[index], notice);
  }
});

test("an email reports a new or removed two-factor secret, also if an operator removes it", () => {
  const totp = { type: "setTotp", accountId: 100 } as const;
  assert.equal(exchange.answer({ ...totp, by: "account:100", sealedSecret: "s" }), "accountChanged noticeChanged");
  assert.equal(exchange.answer({ ...totp, by: "operator:carol", sealedSecret: null }), "accountChanged noticeChanged");
  assert.deepEqual(
    owed().map(({ kind, email, facts }) => [kind, email, facts["change"], facts["by"]]),
    [
      ["totpChanged", "alice@example.org", "set", "account:100"],
      ["totpChanged", "alice@example.org", "removed", "operator:carol"],
    ],
  );
});

test("an email reports every change of an operator's secret", () => {
  const totp = { type: "setOperatorTotp", name: "carol" } as const;
  assert.equal(exchange.answer({ ...totp, by: "operator:carol", sealedSecret: "s" }), "operatorChanged noticeChanged");
  assert.equal(exchange.answer({ ...totp, by: BY, sealedSecret: null }), "operatorChanged noticeChanged");
  assert.deepEqual(
    owed().map(({ email, facts }) => [email, facts["holder"], facts["change"], facts["by"]]),
    [
      ["carol@example.org", "operator:carol", "set", "operator:carol"],
      ["carol@example.org", "operator:carol", "removed", BY],
    ],
  );
});

test("an email reports a new allowed address", () => {
  const command: Command = { type: "allowAddress", by: "account:100", accountId: 100, ...ADDRESS };
  assert.equal(exchange.answer(command), "accountChanged noticeChanged");
  const [notice] = owed();
  assert.equal(notice?.kind, "addressAdded");
  assert.deepEqual(notice.facts, { holder: "account:100", account: "100", by: "account:100", ...ADDRESS });
});

test("an email reports the end of an enforced allowlist, not its start", () => {
  const of = { type: "setAddressList", by: "account:100", accountId: 100 } as const;
  const fromMs = exchange.nowMs + 1000;
  assert.equal(exchange.answer({ ...of, isEnforced: false }), "accountChanged");
  assert.equal(exchange.answer({ ...of, isEnforced: true }), "accountChanged");
  assert.equal(exchange.answer({ ...of, isEnforced: false, fromMs }), "accountChanged noticeChanged");
  const facts = { holder: "account:100", account: "100", by: "account:100", fromMs: String(fromMs) };
  assert.deepEqual(
    owed().map((notice) => [notice.kind, notice.facts]),
    [["addressListEnded", facts]],
  );
});

test("actions of the admin token queue no email, so old journals lead to the same state", () => {
  for (const by of [BY, "admin", "account", "account:", "account:0", "operator", "operator:", ""]) {
    exchange.run({ ...key(by, 100), apiKey: KEY });
    exchange.run({ type: "deleteApiKey", by, apiKey: KEY });
    exchange.run({ type: "setTotp", by, accountId: 100, sealedSecret: "s" });
    exchange.run({ type: "setTotp", by, accountId: 100, sealedSecret: null });
    exchange.run({ type: "allowAddress", by, accountId: 100, ...ADDRESS });
    exchange.run({ type: "disallowAddress", by, accountId: 100, ...ADDRESS });
  }
  assert.deepEqual(owed(), []);
});

test("a rejected command queues no email", () => {
  assert.equal(exchange.answer({ ...key("account:100", 100), apiKey: "short" }), "INVALID_VALUE");
  assert.equal(
    exchange.answer({ type: "setTotp", by: "operator:carol", accountId: 7, sealedSecret: "s" }),
    "UNKNOWN_ACCOUNT",
  );
  assert.deepEqual(owed(), []);
});
