/** Email addresses: case folding, pairs from before rules version 4, and how an operator resolves such pairs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Command, foldedEmail } from "@pricetime/engine";
import { openAccount } from "@pricetime/testkit/commands";
import { BY, TestExchange } from "../harness.ts";

const HASH = "0123456789abcdef".repeat(4);
const DAY_MS = 86_400_000;
const idOf = (number: number): string => number.toString(16).padStart(32, "0");

/** Two accounts, 100 and 101, from before rules version 4, and rules version 4. */
function pair(): TestExchange {
  const exchange = new TestExchange(3);
  for (const email of ["Carl@example.com", "carl@example.com"]) exchange.run(openAccount(email));
  invited(exchange, 1, "account:100", "Carl@example.com");
  exchange.run({ type: "adoptRules", edition: 4 });
  return exchange;
}

const invite = (exchange: TestExchange, number: number, holder: string | null, email: string): Command<"invite"> => ({
  ...{ type: "invite", by: BY, invitationId: idOf(number), secretHash: HASH, email, holder },
  ...{ opens: holder === null ? { name: "", makerBps: 0, takerBps: 0 } : null, untilMs: exchange.nowMs + DAY_MS },
});

function invited(exchange: TestExchange, number: number, holder: string | null, email: string): string {
  assert.equal(exchange.answer(invite(exchange, number, holder, email)), "invitationChanged noticeChanged");
  return exchange.answer({
    type: "acceptInvitation",
    invitationId: idOf(number),
    secretHash: HASH,
    sealedPassword: "p",
  });
}

const recovery = (exchange: TestExchange, holder: string, number = 1): Command => ({
  ...{ type: "askRecovery", holder, recoveryId: idOf(number), secretHash: HASH },
  ...{ fromMs: exchange.nowMs, untilMs: exchange.nowMs + DAY_MS },
});

const move = (accountId: number, email: string): Command => ({ type: "changeAccount", by: BY, accountId, email });

const emails = (exchange: TestExchange): string[] => [...exchange.engine.accounts()].map(({ email }) => email);

test("email addresses are stored in lower case, and each has one account", () => {
  const exchange = new TestExchange();
  assert.equal(exchange.answer(openAccount("Carl@Example.com")), "accountOpened");
  assert.match(invited(exchange, 1, null, "New@Example.com"), /accountOpened/);
  assert.deepEqual(emails(exchange), ["carl@example.com", "new@example.com"]);
  for (const email of ["carl@example.com", "CARL@EXAMPLE.COM"]) {
    assert.equal(exchange.answer(openAccount(email)), "ALREADY_EXISTS");
    assert.equal(exchange.answer(invite(exchange, 2, null, email)), "ALREADY_EXISTS");
    assert.equal(exchange.answer(move(101, email)), "ALREADY_EXISTS");
  }
  assert.match(exchange.answer(move(101, "Moved@example.com")), /^accountChanged noticeChanged/);
  assert.equal(exchange.answer(openAccount("NEW@example.com")), "accountOpened", "an address that is free again");
  exchange.run({ type: "openOperator", by: BY, name: "ann", email: "Ann@Example.com", role: "admin" });
  assert.equal(exchange.engine.access.operator("ann")?.email, "ann@example.com");
  exchange.run({ type: "changeOperator", by: BY, name: "ann", email: "ANN@example.org" });
  assert.equal(exchange.engine.access.operator("ann")?.email, "ann@example.org");
  exchange.engine.checkInvariants();
});

test("an account is found by its exact address, in lower case, or as the only match", () => {
  const exchange = pair();
  const found = (email: string): number | undefined => exchange.engine.accountByEmail(email)?.accountId;
  exchange.run(openAccount("dora@example.com"));
  assert.deepEqual(
    ["Carl@example.com", "carl@example.com", "CARL@example.com", "DORA@example.com", "carl@example.net"].map(found),
    [100, 101, 101, 102, undefined],
  );
  const old = new TestExchange(3);
  for (const email of ["Carl@x.org", "CARL@x.org", "Eve@x.org"]) old.run(openAccount(email));
  const ofOld = (email: string): number | undefined => old.engine.accountByEmail(email)?.accountId;
  assert.deepEqual(["CARL@x.org", "carl@x.org", "eve@x.org"].map(ofOld), [101, undefined, 102]);
});

test("two accounts with the same folded address cannot be recovered or invited until an operator changes one", () => {
  const exchange = pair();
  const shared = (): unknown => exchange.engine.sharedEmails().map(({ email, accounts }) => [email, accounts.length]);
  assert.deepEqual(shared(), [["carl@example.com", 2]]);
  for (const again of [false, true]) {
    if (again) exchange.restart();
    assert.equal(exchange.answer(recovery(exchange, "account:100")), "EMAIL_SHARED");
    assert.equal(exchange.answer(invite(exchange, 9, "account:101", "carl@example.com")), "EMAIL_SHARED");
    assert.equal(exchange.answer(invite(exchange, 9, null, "CARL@example.com")), "EMAIL_SHARED");
    assert.equal(exchange.answer(openAccount("carl@example.com")), "ALREADY_EXISTS");
    assert.deepEqual(emails(exchange), ["Carl@example.com", "carl@example.com"]);
  }
  assert.equal(exchange.answer(move(100, "carl@EXAMPLE.com")), "ALREADY_EXISTS", "the other account has it");
  assert.match(exchange.answer(move(100, "Carl.Older@example.com")), /^accountChanged noticeChanged/);
  assert.deepEqual([...exchange.engine.access.notices()].at(-1)?.email, "Carl@example.com", "told at the old address");
  assert.deepEqual(shared(), []);
  exchange.restart();
  assert.match(exchange.answer(recovery(exchange, "account:100")), /recoveryChanged/);
  assert.match(exchange.answer(invite(exchange, 9, "account:101", "CARL@example.com")), /invitationChanged/);
  assert.deepEqual(emails(exchange), ["carl.older@example.com", "carl@example.com"]);
  exchange.engine.checkInvariants();
});

test("earlier links are invalid for both accounts, and end when one address changes", () => {
  const exchange = new TestExchange(3);
  for (const email of ["Carl@example.com", "carl@example.com"]) exchange.run(openAccount(email));
  invited(exchange, 1, "account:100", "Carl@example.com");
  exchange.run(recovery(exchange, "account:100", 5));
  exchange.run(invite(exchange, 6, "account:101", "carl@example.com"));
  exchange.run(invite(exchange, 7, null, "Zoe@example.com"));
  exchange.run({ type: "adoptRules", edition: 4 });
  const accept = (number: number): string =>
    exchange.answer({ type: "acceptInvitation", invitationId: idOf(number), secretHash: HASH, sealedPassword: "p" });
  const recover: Command = { type: "recover", recoveryId: idOf(5), secretHash: HASH, sealedPassword: "q" };
  assert.deepEqual([accept(6), exchange.answer(recover)], ["EMAIL_SHARED", "EMAIL_SHARED"]);
  exchange.run(move(100, "other@example.com"));
  assert.equal(exchange.answer(recover), "UNKNOWN_RECOVERY");
  assert.match(accept(6), /passwordSet/);
  assert.match(accept(7), /accountOpened/);
  assert.equal(exchange.engine.account(102)?.email, "zoe@example.com");
});

test("in older rules versions an address is stored as typed and never changes", () => {
  const exchange = new TestExchange(3);
  exchange.run(openAccount("Carl@example.com"));
  assert.equal(exchange.answer(openAccount("carl@example.com")), "accountOpened");
  assert.equal(exchange.answer(move(100, "x@example.com")), "accountChanged");
  assert.deepEqual(emails(exchange), ["Carl@example.com", "carl@example.com"]);
});

test("only an admin changes an email address", () => {
  const exchange = new TestExchange();
  exchange.run(openAccount("carl@example.com"));
  for (const role of ["support", "treasurer", "admin"] as const) {
    exchange.run({ type: "openOperator", by: BY, name: role, email: `${role}@example.com`, role });
  }
  const by = (name: string): string =>
    exchange.answer({ type: "changeAccount", by: `operator:${name}`, accountId: 100, email: `${name}-1@example.com` });
  assert.deepEqual(["support", "treasurer"].map(by), ["NOT_PERMITTED", "NOT_PERMITTED"]);
  assert.match(by("admin"), /^accountChanged/);
});

test("folding is idempotent and changes only ASCII letters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const folded = foldedEmail(text);
      assert.equal(foldedEmail(folded), folded);
      assert.equal(folded.length, text.length);
      for (let i = 0; i < text.length; i++) {
        if (folded[i] !== text[i]) assert.match(text[i] as string, /^[A-Z]$/);
      }
    }),
  );
  assert.equal(foldedEmail("K\u212A@x"), "k\u212A@x", "the sign of Kelvin is no k");
});
