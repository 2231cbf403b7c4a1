/** Passwords, sessions, invitations and recoveries: what each step requires, ends, and queues as emails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "@pricetime/engine";
import { openAccount } from "@pricetime/testkit/commands";
import {
  MAX_INVITATION_LIFE_MS,
  MAX_RECOVERY_LIFE_MS,
  MAX_SESSION_LIFE_MS,
  MAX_SESSIONS_A_HOLDER,
  RECOVERY_HOLD_MS,
} from "../../src/limits.ts";
import { ALICE as ALICE_ID, HASH as VAULT_HASH, SUB, Vault } from "../funds/vault.ts";
import { BY, TestExchange } from "../harness.ts";

const HOUR_MS = 3_600_000;
const ALICE = "account:100";
const HASH = "ab".repeat(32);
const OTHER = "cd".repeat(32);
const idOf = (number: number): string => String(number).padStart(32, "0");

class Door extends TestExchange {
  constructor() {
    super();
    this.openAccount("alice@example.org");
    this.run({ type: "openOperator", by: BY, name: "carol", email: "carol@example.org", role: "support" });
    this.invite(1, ALICE);
    this.accept(1, "p1");
    this.settleLetters();
  }

  settleLetters(): void {
    for (const { noticeId } of [...this.engine.access.notices()]) {
      this.run({ type: "changeNotice", noticeId, from: "waiting", to: "sent" });
    }
  }

  /** Kinds of the queued emails. */
  get owed(): string {
    return [...this.engine.access.notices()].map(({ kind, email }) => `${kind} ${email}`).join();
  }

  invite(number: number, holder: string | null, untilMs = this.nowMs + HOUR_MS): string {
    const email = holder === ALICE ? "alice@example.org" : holder === null ? "new@example.org" : "carol@example.org";
    const opens = holder === null ? { name: "New", makerBps: 1, takerBps: 2 } : null;
    const fields = { invitationId: idOf(number), secretHash: HASH, email, holder, opens, untilMs };
    return this.answer({ type: "invite", by: BY, ...fields });
  }

  accept(number: number, sealedPassword: string, secretHash = HASH): string {
    return this.answer({ type: "acceptInvitation", invitationId: idOf(number), secretHash, sealedPassword });
  }

  open(number: number, fields: Partial<Command<"openSession">> = {}): string {
    const own = { sessionId: idOf(number), secretHash: HASH, sealedPassword: "p1", totpStep: null };
    const where = { untilMs: this.nowMs + HOUR_MS, ip: "203.0.113.9", client: "Firefox" };
    return this.answer({ type: "openSession", holder: ALICE, ...own, ...where, ...fields });
  }

  get sessions(): readonly string[] {
    return this.engine.access.sessions(ALICE, this.nowMs).map(({ sessionId }) => String(Number(sessionId)));
  }

  ask(number: number, fromMs = this.nowMs + HOUR_MS, untilMs = this.nowMs + 2 * HOUR_MS): string {
    const fields = { recoveryId: idOf(number), secretHash: HASH, fromMs, untilMs };
    return this.answer({ type: "askRecovery", holder: ALICE, ...fields });
  }

  recover(number: number, secretHash = HASH): string {
    return this.answer({ type: "recover", recoveryId: idOf(number), secretHash, sealedPassword: "p9" });
  }

  setPassword(was: string, except: string | null = null): string {
    return this.answer({ type: "setPassword", by: ALICE, holder: ALICE, was, sealedPassword: "p2", except });
  }
}

test("a session is opened with the current password and code", () => {
  const door = new Door();
  const late = door.nowMs + MAX_SESSION_LIFE_MS + 1;
  const cases: readonly (readonly [Partial<Command<"openSession">>, string])[] = [
    [{ sealedPassword: "p0" }, "PASSWORD_DIFFERS"],
    [{ holder: "account:7" }, "UNKNOWN_ACCOUNT"],
    [{ holder: "operator:nobody" }, "UNKNOWN_ACCOUNT"],
    [{ holder: "operator:carol" }, "PASSWORD_DIFFERS"],
    [{ untilMs: door.nowMs }, "INVALID_VALUE"],
    [{ untilMs: late }, "INVALID_VALUE"],
    [{ secretHash: "short" }, "INVALID_VALUE"],
    [{}, "sessionOpened noticeChanged"],
    [{}, "ALREADY_EXISTS"],
  ];
  for (const [fields, answer] of cases) assert.equal(door.open(1, fields), answer, JSON.stringify(fields));
  door.run({ type: "setTotp", by: BY, accountId: 100, sealedSecret: "t1" });
  const coded: readonly (readonly [Partial<Command<"openSession">>, string])[] = [
    [{}, "TOTP_REQUIRED"],
    [{ totpStep: 7, totpSecret: "t0" }, "TOTP_DIFFERS"],
    [{ totpStep: 7 }, "TOTP_DIFFERS"],
    [{ totpStep: 7, totpSecret: "t1" }, "sessionOpened"],
    [{ totpStep: 7, totpSecret: "t1", sessionId: idOf(3) }, "TOTP_REUSED"],
    [{ totpStep: 6, totpSecret: "t1", sessionId: idOf(3) }, "TOTP_REUSED"],
    [{ totpStep: 8, totpSecret: "t1", sessionId: idOf(3) }, "sessionOpened"],
  ];
  for (const [fields, answer] of coded) assert.equal(door.open(2, fields), answer, JSON.stringify(fields));
});

test("an email reports a sign-in from a new address only", () => {
  const door = new Door();
  door.open(1);
  assert.equal(door.owed, "newSignIn alice@example.org");
  door.settleLetters();
  door.open(2);
  assert.equal(door.owed, "");
  for (const [index, fields] of [{ ip: "203.0.113.8" }, { client: "curl" }].entries()) {
    door.open(3 + index, fields);
    assert.equal(door.owed, "newSignIn alice@example.org");
    door.settleLetters();
  }
});

test("a sub-account and a disabled operator cannot sign in", () => {
  const door = new Door();
  door.run(openAccount("sub@example.org", { masterId: 100 }));
  assert.equal(door.open(1, { holder: "account:101" }), "UNKNOWN_ACCOUNT");
  door.invite(2, "operator:carol");
  door.accept(2, "pc");
  assert.match(door.open(1, { holder: "operator:carol", sealedPassword: "pc" }), /^sessionOpened/);
  const leaves: Command = { type: "changeOperator", by: BY, name: "carol", isEnabled: false };
  assert.equal(door.answer(leaves), "operatorChanged sessionClosed");
  assert.equal(door.open(2, { holder: "operator:carol", sealedPassword: "pc" }), "NOT_PERMITTED");
});

test("a session beyond the maximum ends an expired one, otherwise the oldest", () => {
  const door = new Door();
  door.open(1, { untilMs: door.nowMs + 2 * HOUR_MS });
  door.open(2, { untilMs: door.nowMs + 1 });
  for (let number = 3; number <= MAX_SESSIONS_A_HOLDER; number++) door.open(number);
  door.nowMs += 1;
  assert.equal(door.open(21), "sessionClosed sessionOpened");
  assert.equal(door.sessions.includes("1"), true);
  assert.equal(door.open(22), "sessionClosed sessionOpened");
  assert.deepEqual([door.sessions.includes("1"), door.sessions.length], [false, MAX_SESSIONS_A_HOLDER]);
});

test("a session is renewed only with its newest secret, and ends at its time", () => {
  const door = new Door();
  door.open(1);
  const renew = (secretHash: string, newSecretHash: string): string =>
    door.answer({ type: "renewSession", sessionId: idOf(1), secretHash, newSecretHash });
  assert.deepEqual(
    [renew(OTHER, HASH), renew(HASH, OTHER), renew(HASH, OTHER)],
    ["WRONG_CONFIRMATION", "done", "WRONG_CONFIRMATION"],
  );
  const session = door.engine.access.session(idOf(1), door.nowMs);
  assert.deepEqual([session?.secretHash, session?.previousHash], [OTHER, HASH]);
  door.nowMs += HOUR_MS - 1;
  assert.equal(renew(OTHER, HASH), "done");
  door.nowMs += 1;
  assert.equal(renew(HASH, OTHER), "UNKNOWN_SESSION");
  assert.equal(door.engine.access.session(idOf(1), door.nowMs), undefined);
});

test("a new password ends a recovery and all other sessions; of two concurrent changes one is executed", () => {
  const door = new Door();
  for (const number of [1, 2, 3]) door.open(number);
  door.ask(5);
  door.settleLetters();
  assert.equal(door.setPassword("p0"), "PASSWORD_DIFFERS");
  assert.match(door.setPassword("p1", idOf(2)), /^passwordSet sessionClosed sessionClosed recoveryChanged/);
  assert.deepEqual([door.sessions, door.owed], [["2"], "passwordChanged alice@example.org"]);
  assert.equal(door.setPassword("p1"), "PASSWORD_DIFFERS");
  assert.equal(door.open(4), "PASSWORD_DIFFERS");
  door.nowMs += HOUR_MS;
  assert.equal(door.recover(5), "UNKNOWN_RECOVERY");
  assert.equal(door.engine.access.heldUntilMs(ALICE), 0);
});

test("a recovery is valid once, between its times, with its secret; withdrawals are then held for a day", () => {
  const door = new Door();
  const [askedMs, far] = [door.nowMs, door.nowMs + MAX_RECOVERY_LIFE_MS + 1];
  assert.equal(door.ask(1, door.nowMs + 1, door.nowMs + 1), "INVALID_VALUE");
  assert.equal(door.ask(1, door.nowMs + 1, far), "INVALID_VALUE");
  assert.equal(door.ask(1), "recoveryChanged noticeChanged");
  assert.equal(door.ask(2), "ALREADY_EXISTS", "nobody puts the first off by asking again");
  door.open(1);
  door.nowMs = askedMs + HOUR_MS - 1;
  assert.deepEqual(
    [door.recover(1), door.recover(1, OTHER), door.recover(2)],
    ["TOO_SOON", "WRONG_CONFIRMATION", "UNKNOWN_RECOVERY"],
  );
  door.nowMs = askedMs + HOUR_MS;
  door.settleLetters();
  assert.equal(door.recover(1), "passwordSet recoveryChanged sessionClosed noticeChanged");
  assert.deepEqual([door.sessions, door.owed], [[], "recovered alice@example.org"]);
  assert.equal(door.engine.access.heldUntilMs(ALICE), door.nowMs + RECOVERY_HOLD_MS);
  assert.equal(door.recover(1), "UNKNOWN_RECOVERY");
  assert.equal(door.open(2), "PASSWORD_DIFFERS");
  assert.equal(door.open(2, { sealedPassword: "p9" }), "sessionOpened noticeChanged");
});

test("an expired, cancelled or unknown recovery is rejected", () => {
  const door = new Door();
  door.ask(1);
  door.nowMs += 2 * HOUR_MS;
  assert.equal(door.recover(1), "UNKNOWN_RECOVERY");
  assert.equal(door.ask(2), "recoveryChanged noticeChanged", "after its end another may be asked for");
  assert.equal(door.answer({ type: "cancelRecovery", by: "account:7", recoveryId: idOf(2) }), "NOT_PERMITTED");
  assert.equal(door.answer({ type: "cancelRecovery", by: ALICE, recoveryId: idOf(2) }), "recoveryChanged");
  door.nowMs += HOUR_MS;
  assert.equal(door.recover(2), "UNKNOWN_RECOVERY");
  const strangers = { recoveryId: idOf(3), secretHash: HASH, fromMs: door.nowMs, untilMs: door.nowMs + 1 };
  for (const holder of ["account:7", "operator:carol", "operator:nobody"]) {
    assert.equal(door.answer({ type: "askRecovery", holder, ...strangers }), "UNKNOWN_ACCOUNT", holder);
  }
});

test("an invitation is valid once, until its end, with its secret", () => {
  const door = new Door();
  assert.equal(door.invite(2, null, door.nowMs), "INVALID_VALUE");
  assert.equal(door.invite(2, null, door.nowMs + MAX_INVITATION_LIFE_MS + 1), "INVALID_VALUE");
  assert.equal(door.invite(2, null), "invitationChanged noticeChanged");
  assert.equal(door.invite(2, null), "ALREADY_EXISTS");
  assert.deepEqual([door.accept(2, "pn", OTHER), door.accept(7, "pn")], ["WRONG_CONFIRMATION", "UNKNOWN_INVITATION"]);
  assert.equal(door.accept(2, "pn"), "accountOpened invitationChanged passwordSet");
  assert.equal(door.engine.accountByEmail("new@example.org")?.accountId, 101);
  assert.deepEqual([door.accept(2, "pn"), door.invite(3, null)], ["UNKNOWN_INVITATION", "ALREADY_EXISTS"]);
  door.invite(4, ALICE);
  door.nowMs += HOUR_MS;
  assert.equal(door.accept(4, "p4"), "UNKNOWN_INVITATION");
  assert.match(door.answer({ type: "tick" }), /^invitationChanged/);
  assert.deepEqual([...door.engine.access.invitations()], []);
});

test("an invitation that replaces a password is reported by email, and holds withdrawals like a recovery", () => {
  const door = new Door();
  assert.equal(door.engine.access.heldUntilMs(ALICE), 0, "the first password holds nothing");
  door.open(1);
  door.ask(5);
  door.invite(2, ALICE);
  door.settleLetters();
  assert.equal(door.accept(2, "p2"), "sessionClosed recoveryChanged invitationChanged passwordSet noticeChanged");
  assert.equal(door.owed, "recovered alice@example.org");
  assert.equal(door.engine.access.heldUntilMs(ALICE), door.nowMs + RECOVERY_HOLD_MS);
});

test("locking an account affects sub-accounts, user streams and unpaid withdrawals", () => {
  const vault = new Vault();
  vault.fund(ALICE_ID, "40");
  vault.fund(SUB, "5");
  vault.setNetwork({ approvalAbove: "9" });
  const key = { sealedSecret: "s", permissions: ["TRADE" as const], ipAllowList: [], label: "" };
  for (const [accountId, letter] of [
    [ALICE_ID, "a"],
    [SUB, "b"],
  ] as const) {
    vault.must({ type: "createApiKey", by: BY, accountId, apiKey: letter.repeat(64), ...key });
    vault.must({ type: "openListenKey", accountId, listenKey: letter.repeat(64) });
  }
  vault.must(vault.request({ withdrawalId: idOf(1), isBySession: true }));
  vault.must(vault.request({ withdrawalId: idOf(2), amount: "10" }));
  vault.must(vault.request({ withdrawalId: idOf(3) }));
  vault.must(vault.request({ withdrawalId: idOf(4), accountId: SUB, amount: "1", isBySession: true }));
  vault.must({ type: "freezeAccount", by: BY, accountId: ALICE_ID });
  const { engine } = vault;
  for (const accountId of [ALICE_ID, SUB]) {
    const { canTrade, canWithdraw } = engine.account(accountId) ?? {};
    assert.deepEqual([canTrade, canWithdraw, engine.apiKeys(accountId)], [false, false, []]);
  }
  assert.deepEqual(
    engine.funds.openWithdrawals().map(({ withdrawalId }) => withdrawalId),
    [idOf(3)],
    "what is being paid is left to operators",
  );
  const confirm = { type: "confirmWithdrawal", withdrawalId: idOf(1), confirmationHash: VAULT_HASH } as const;
  assert.equal(vault.answer(confirm), "WRONG_STATUS");
  const keep = { type: "keepListenKey", accountId: SUB, listenKey: "b".repeat(64) } as const;
  assert.equal(vault.answer(keep), "UNKNOWN_LISTEN_KEY");
  vault.holds(SUB, 500_000_000n);
  engine.checkInvariants();
});

test("a locked account has no sessions and keys, and cannot trade or withdraw", () => {
  const door = new Door();
  door.open(1);
  const key = { apiKey: "k".repeat(64), sealedSecret: "s", permissions: [], ipAllowList: [], label: "" };
  door.run({ type: "createApiKey", by: ALICE, accountId: 100, ...key });
  door.settleLetters();
  const answer = door.answer({ type: "freezeAccount", by: ALICE, accountId: 100 });
  assert.equal(answer, "accountChanged apiKeyDeleted sessionClosed accountFrozen noticeChanged");
  const account = door.engine.account(100);
  assert.deepEqual(
    [account?.canTrade, account?.canWithdraw, door.sessions, door.owed],
    [false, false, [], "frozen alice@example.org"],
  );
  const thaw: Command = { type: "changeAccount", by: ALICE, accountId: 100, canTrade: true };
  assert.equal(door.answer(thaw), "NOT_PERMITTED", "only an operator opens it again");
  assert.equal(door.answer({ ...thaw, by: "operator:carol" }), "accountChanged");
});
