/** Accounts, API keys and listen keys: their validity and expiry. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, LISTEN_KEY_LIFE_MS } from "@pricetime/engine";
import { BY, TestExchange, START_MS, symbolSpec } from "./harness.ts";

function exchange(): TestExchange {
  const made = new TestExchange();
  made.listAssets(["BTC", 8], ["USDT", 8]);
  made.openAccount("alice@example.org");
  made.openAccount("bob@example.org");
  return made;
}

test("accounts are numbered from 100 and found by email address", () => {
  const { engine } = exchange();
  assert.equal(engine.account(100)?.email, "alice@example.org");
  assert.equal(engine.accountByEmail("bob@example.org")?.accountId, 101);
  assert.equal(engine.account(102), undefined);
  assert.deepEqual(
    [...engine.accounts()].map(({ accountId }) => accountId),
    [100, 101],
  );
});

test("an email address has one account", () => {
  const made = exchange();
  const again = { type: "openAccount", by: BY, email: "bob@example.org", name: "", makerBps: 0, takerBps: 0 } as const;
  assert.equal(made.answer(again), "ALREADY_EXISTS");
  assert.equal(made.answer({ ...again, email: "" }), "INVALID_VALUE");
  assert.equal(made.answer({ ...again, email: "new", makerBps: 10_001 }), "INVALID_VALUE");
  assert.equal(made.answer({ ...again, email: "new", takerBps: 0.5 }), "INVALID_VALUE");
});

test("a change of an account affects only the given fields", () => {
  const made = exchange();
  assert.equal(made.answer({ type: "changeAccount", by: BY, accountId: 100, takerBps: 7 }), "accountChanged");
  assert.equal(made.answer({ type: "changeAccount", by: BY, accountId: 100, canWithdraw: false }), "accountChanged");
  made.restart();
  const account = made.engine.account(100)!;
  assert.deepEqual([account.makerBps, account.takerBps], [0, 7]);
  assert.deepEqual([account.canTrade, account.canWithdraw, account.canDeposit], [true, false, true]);
  assert.equal(made.answer({ type: "changeAccount", by: BY, accountId: 99, takerBps: 7 }), "UNKNOWN_ACCOUNT");
});

test("fees of a symbol override those of the account", () => {
  const made = exchange();
  made.run({ type: "listSymbol", by: BY, symbol: symbolSpec("BTCUSDT", "BTC/USDT") });
  made.run({ type: "changeAccount", by: BY, accountId: 100, makerBps: 1, takerBps: 2 });
  made.run({ type: "setSymbolFee", by: BY, accountId: 100, symbol: "BTCUSDT", makerBps: 3, takerBps: 4 });
  made.restart();
  assert.deepEqual({ ...made.engine.fees(100, 0) }, { makerBps: 3, takerBps: 4 });
  made.run({ type: "setSymbolFee", by: BY, accountId: 100, symbol: "BTCUSDT", makerBps: null, takerBps: null });
  const { makerBps, takerBps } = made.engine.fees(100, 0);
  assert.deepEqual([makerBps, takerBps], [1, 2]);
  const act = { type: "setSymbolFee", by: BY, makerBps: 1, takerBps: null } as const;
  assert.equal(made.answer({ ...act, accountId: 100, symbol: "BTCUSDT" }), "INVALID_VALUE");
  assert.equal(made.answer({ ...act, accountId: 100, symbol: "X" }), "UNKNOWN_SYMBOL");
  assert.equal(made.answer({ ...act, accountId: 99, symbol: "BTCUSDT" }), "UNKNOWN_ACCOUNT");
});

test("an account has the time of its last change of balance", () => {
  const made = exchange();
  const deposit = { type: "deposit", by: BY, accountId: 100, asset: "BTC", amount: "1" } as const;
  made.nowMs += 5000;
  made.run({ ...deposit, reference: "r" });
  made.nowMs += 5000;
  assert.equal(made.answer({ ...deposit, reference: "r" }), "ALREADY_EXISTS");
  made.run({ type: "changeAccount", by: BY, accountId: 100, takerBps: 1 });
  made.restart();
  assert.equal(made.engine.account(100)?.updateTimeMs, START_MS + 5000);
  assert.equal(made.engine.account(100)?.createdMs, START_MS);
});

const KEY: Command<"createApiKey"> = {
  type: "createApiKey",
  by: BY,
  accountId: 100,
  apiKey: "k".repeat(64),
  sealedSecret: "sealed",
  permissions: ["TRADE", "USER_DATA"],
  ipAllowList: ["192.0.2.1"],
  label: "robot",
};

test("an API key exists until it is deleted", () => {
  const made = exchange();
  assert.equal(made.answer(KEY), "apiKeyCreated");
  assert.equal(made.answer({ ...KEY, apiKey: "2".repeat(64), accountId: 101 }), "apiKeyCreated");
  assert.equal(made.answer({ ...KEY, accountId: 101 }), "ALREADY_EXISTS");
  made.restart();
  const { type: _, by: __, ...fields } = KEY;
  assert.deepEqual(made.engine.apiKey(KEY.apiKey), { ...fields, createdMs: START_MS });
  assert.deepEqual(
    made.engine.apiKeys(101).map(({ apiKey }) => apiKey),
    ["2".repeat(64)],
  );
  assert.equal(made.answer({ type: "deleteApiKey", by: BY, apiKey: KEY.apiKey }), "apiKeyDeleted");
  assert.equal(made.answer({ type: "deleteApiKey", by: BY, apiKey: KEY.apiKey }), "UNKNOWN_API_KEY");
  assert.equal(made.engine.apiKey(KEY.apiKey), undefined);
  assert.deepEqual(made.engine.apiKeys(100), []);
});

test("a journal is bound to one master key permanently", () => {
  const made = exchange();
  const bind = (keyCheck: string): string => made.answer({ type: "bindMasterKey", by: BY, keyCheck });
  assert.equal(made.engine.masterKeyCheck, "");
  for (const bad of ["", "a".repeat(63), "A".repeat(64), "a".repeat(65)]) assert.equal(bind(bad), "INVALID_VALUE");
  const unbound = made.engine.eventDigest();
  assert.equal(bind("a".repeat(64)), "masterKeyBound");
  assert.notEqual(made.engine.eventDigest(), unbound);
  for (const other of ["b".repeat(64), "a".repeat(64)]) assert.equal(bind(other), "ALREADY_EXISTS");
  made.restart();
  assert.equal(made.engine.masterKeyCheck, "a".repeat(64));
  assert.equal(bind("b".repeat(64)), "ALREADY_EXISTS");
});

test("journals that differ only in the master key have different hashes", () => {
  const hashes = ["a", "b"].map((digit) => {
    const made = exchange();
    made.answer({ type: "bindMasterKey", by: BY, keyCheck: digit.repeat(64) });
    return made.engine.eventDigest();
  });
  assert.notEqual(hashes[0], hashes[1]);
});

test("invalid API keys are rejected", () => {
  const made = exchange();
  assert.equal(made.answer({ ...KEY, accountId: 5 }), "UNKNOWN_ACCOUNT");
  assert.equal(made.answer({ ...KEY, apiKey: "short" }), "INVALID_VALUE");
  assert.equal(made.answer({ ...KEY, permissions: ["ALL" as never] }), "INVALID_VALUE");
  for (let i = 0; i < 100; i++) {
    assert.equal(made.answer({ ...KEY, apiKey: `${i}`.padStart(64, "0") }), "apiKeyCreated");
  }
  assert.equal(made.answer(KEY), "TOO_MANY");
});

const open = (accountId: number, listenKey: string) => ({ type: "openListenKey", accountId, listenKey }) as const;
const keep = (accountId: number, listenKey: string) => ({ type: "keepListenKey", accountId, listenKey }) as const;
const close = (accountId: number, listenKey: string) => ({ type: "closeListenKey", accountId, listenKey }) as const;

test("a listen key expires 60 minutes after its last extension", () => {
  const made = exchange();
  const endsMs = START_MS + LISTEN_KEY_LIFE_MS;
  assert.equal(LISTEN_KEY_LIFE_MS, 3_600_000);
  assert.deepEqual(made.run(open(100, "A")), [
    { type: "listenKeyOpened", accountId: 100, listenKey: "A", expiresMs: endsMs },
  ]);
  assert.equal(made.engine.nextDueMs(), endsMs);
  assert.equal(made.engine.listenKeyAccount("A", endsMs - 1), 100);
  assert.equal(made.engine.listenKeyAccount("A", endsMs), undefined);
  made.nowMs += 1000;
  made.run(keep(100, "A"));
  made.restart();
  assert.equal(made.engine.listenKeyAccount("A", endsMs), 100);
  made.nowMs = endsMs + 999;
  assert.equal(made.answer({ type: "tick" }), "done");
  made.nowMs += 1;
  assert.deepEqual(made.run({ type: "tick" }), [
    { type: "listenKeyClosed", accountId: 100, listenKey: "A", expired: true },
    { type: "done" },
  ]);
  assert.equal(made.engine.nextDueMs(), Number.POSITIVE_INFINITY);
});

test("opening an open user stream returns the same key and extends it", () => {
  const made = exchange();
  made.run(open(100, "A"));
  made.nowMs += 60_000;
  assert.deepEqual(made.run(open(100, "B")), [
    { type: "listenKeyOpened", accountId: 100, listenKey: "A", expiresMs: made.nowMs + LISTEN_KEY_LIFE_MS },
  ]);
  assert.equal(made.engine.listenKeyAccount("B", made.nowMs), undefined);
});

test("an expired listen key cannot be extended or closed, and a new one replaces it", () => {
  const made = exchange();
  made.run(open(100, "A"));
  made.nowMs += LISTEN_KEY_LIFE_MS;
  assert.equal(made.answer(keep(100, "A")), "UNKNOWN_LISTEN_KEY");
  assert.equal(made.answer(close(100, "A")), "UNKNOWN_LISTEN_KEY");
  assert.deepEqual(made.run(open(100, "B")), [
    { type: "listenKeyClosed", accountId: 100, listenKey: "A", expired: true },
    { type: "listenKeyOpened", accountId: 100, listenKey: "B", expiresMs: made.nowMs + LISTEN_KEY_LIFE_MS },
  ]);
});

test("only the owner extends and closes a listen key", () => {
  const made = exchange();
  made.run(open(100, "A"));
  assert.equal(made.answer(keep(101, "A")), "UNKNOWN_LISTEN_KEY");
  assert.equal(made.answer(close(101, "A")), "UNKNOWN_LISTEN_KEY");
  assert.equal(made.answer(open(101, "A")), "ALREADY_EXISTS");
  assert.equal(made.answer(open(5, "C")), "UNKNOWN_ACCOUNT");
  assert.deepEqual(made.run(close(100, "A")), [
    { type: "listenKeyClosed", accountId: 100, listenKey: "A", expired: false },
  ]);
  assert.equal(made.answer(keep(100, "A")), "UNKNOWN_LISTEN_KEY");
});

test("a listen key of another account is rejected before the old key ends", () => {
  const made = exchange();
  made.run(open(100, "A"));
  made.nowMs += LISTEN_KEY_LIFE_MS - 1;
  made.run(open(101, "B"));
  made.nowMs += 1;
  assert.equal(made.answer(open(100, "B")), "ALREADY_EXISTS");
  assert.equal(made.answer({ type: "tick" }), "listenKeyClosed done");
});

test("extended listen keys expire later, in order of expiry", () => {
  const made = exchange();
  made.run(open(100, "A"));
  made.nowMs += 10;
  made.run(open(101, "B"));
  made.nowMs += 10;
  made.run(keep(100, "A"));
  assert.equal(made.engine.nextDueMs(), START_MS + 10 + LISTEN_KEY_LIFE_MS);
  made.nowMs += LISTEN_KEY_LIFE_MS;
  const ended = made
    .run({ type: "tick" })
    .flatMap((event) => (event.type === "listenKeyClosed" ? event.listenKey : []));
  assert.deepEqual(ended, ["B", "A"]);
});

test("time never decreases", () => {
  const made = exchange();
  made.nowMs -= 10_000;
  assert.equal(made.answer(open(100, "A")), "listenKeyOpened");
  assert.equal(made.engine.timeMs, START_MS);
  assert.equal(made.engine.nextDueMs(), START_MS + LISTEN_KEY_LIFE_MS);
});

test("entries must have no gaps", () => {
  const made = exchange();
  const { seq } = made.engine;
  assert.throws(() => made.engine.apply({ seq, timeMs: made.nowMs, command: { type: "tick" } }));
  assert.throws(() => made.engine.apply({ seq: seq + 2, timeMs: made.nowMs, command: { type: "tick" } }));
  assert.equal(made.engine.seq, seq);
});
