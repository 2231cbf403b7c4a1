/** Email addresses: case folding, pairs from before rules version 4, and how an operator resolves such pairs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Command, foldedEmail } from "@pricetime/engine";
import { openAccount } from "@pricetime/testkit/commands";
import { BY, Desk } from "../harness.ts";

const HASH = "0123456789abcdef".repeat(4);
const DAY_MS = 86_400_000;
const idOf = (number: number): string => number.toString(16).padStart(32, "0");

/** Two accounts, 100 and 101, from before rules version 4, and rules version 4. */
function pair(): Desk {
  const desk = new Desk(3);
  for (const email of ["Carl@example.com", "carl@example.com"]) desk.run(openAccount(email));
  invited(desk, 1, "account:100", "Carl@example.com");
  desk.run({ type: "adoptRules", edition: 4 });
  return desk;
}

const invite = (desk: Desk, number: number, holder: string | null, email: string): Command<"invite"> => ({
  ...{ type: "invite", by: BY, invitationId: idOf(number), secretHash: HASH, email, holder },
  ...{ opens: holder === null ? { name: "", makerBps: 0, takerBps: 0 } : null, untilMs: desk.nowMs + DAY_MS },
});

function invited(desk: Desk, number: number, holder: string | null, email: string): string {
  assert.equal(desk.answer(invite(desk, number, holder, email)), "invitationChanged noticeChanged");
  return desk.answer({ type: "acceptInvitation", invitationId: idOf(number), secretHash: HASH, sealedPassword: "p" });
}

const recovery = (desk: Desk, holder: string, number = 1): Command => ({
  ...{ type: "askRecovery", holder, recoveryId: idOf(number), secretHash: HASH },
  ...{ fromMs: desk.nowMs, untilMs: desk.nowMs + DAY_MS },
});

const move = (accountId: number, email: string): Command => ({ type: "changeAccount", by: BY, accountId, email });

const emails = (desk: Desk): string[] => [...desk.engine.accounts()].map(({ email }) => email);

test("email addresses are stored in lower case, and each has one account", () => {
  const desk = new Desk();
  assert.equal(desk.answer(openAccount("Carl@Example.com")), "accountOpened");
  assert.match(invited(desk, 1, null, "New@Example.com"), /accountOpened/);
  assert.deepEqual(emails(desk), ["carl@example.com", "new@example.com"]);
  for (const email of ["carl@example.com", "CARL@EXAMPLE.COM"]) {
    assert.equal(desk.answer(openAccount(email)), "ALREADY_EXISTS");
    assert.equal(desk.answer(invite(desk, 2, null, email)), "ALREADY_EXISTS");
    assert.equal(desk.answer(move(101, email)), "ALREADY_EXISTS");
  }
  assert.match(desk.answer(move(101, "Moved@example.com")), /^accountChanged noticeChanged/);
  assert.equal(desk.answer(openAccount("NEW@example.com")), "accountOpened", "an address that is free again");
  desk.run({ type: "openOperator", by: BY, name: "ann", email: "Ann@Example.com", role: "admin" });
  assert.equal(desk.engine.access.operator("ann")?.email, "ann@example.com");
  desk.run({ type: "changeOperator", by: BY, name: "ann", email: "ANN@example.org" });
  assert.equal(desk.engine.access.operator("ann")?.email, "ann@example.org");
  desk.engine.checkInvariants();
});

test("an account is found by its exact address, in lower case, or as the only match", () => {
  const desk = pair();
  const found = (email: string): number | undefined => desk.engine.accountByEmail(email)?.accountId;
  desk.run(openAccount("dora@example.com"));
  assert.deepEqual(
    ["Carl@example.com", "carl@example.com", "CARL@example.com", "DORA@example.com", "carl@example.net"].map(found),
    [100, 101, 101, 102, undefined],
  );
  const old = new Desk(3);
  for (const email of ["Carl@x.org", "CARL@x.org", "Eve@x.org"]) old.run(openAccount(email));
  const ofOld = (email: string): number | undefined => old.engine.accountByEmail(email)?.accountId;
  assert.deepEqual(["CARL@x.org", "carl@x.org", "eve@x.org"].map(ofOld), [101, undefined, 102]);
});

test("two accounts with the same folded address cannot be recovered or invited until an operator changes one", () => {
  const desk = pair();
  const shared = (): unknown => desk.engine.sharedEmails().map(({ email, accounts }) => [email, accounts.length]);
  assert.deepEqual(shared(), [["carl@example.com", 2]]);
  for (const again of [false, true]) {
    if (again) desk.restart();
    assert.equal(desk.answer(recovery(desk, "account:100")), "EMAIL_SHARED");
    assert.equal(desk.answer(invite(desk, 9, "account:101", "carl@example.com")), "EMAIL_SHARED");
    assert.equal(desk.answer(invite(desk, 9, null, "CARL@example.com")), "EMAIL_SHARED");
    assert.equal(desk.answer(openAccount("carl@example.com")), "ALREADY_EXISTS");
    assert.deepEqual(emails(desk), ["Carl@example.com", "carl@example.com"]);
  }
  assert.equal(desk.answer(move(100, "carl@EXAMPLE.com")), "ALREADY_EXISTS", "the other account has it");
  assert.match(desk.answer(move(100, "Carl.Older@example.com")), /^accountChanged noticeChanged/);
  assert.deepEqual([...desk.engine.access.notices()].at(-1)?.email, "Carl@example.com", "told at the old address");
  assert.deepEqual(shared(), []);
  desk.restart();
  assert.match(desk.answer(recovery(desk, "account:100")), /recoveryChanged/);
  assert.match(desk.answer(invite(desk, 9, "account:101", "CARL@example.com")), /invitationChanged/);
  assert.deepEqual(emails(desk), ["carl.older@example.com", "carl@example.com"]);
  desk.engine.checkInvariants();
});

test("earlier links are invalid for both accounts, and end when one address changes", () => {
  const desk = new Desk(3);
  for (const email of ["Carl@example.com", "carl@example.com"]) desk.run(openAccount(email));
  invited(desk, 1, "account:100", "Carl@example.com");
  desk.run(recovery(desk, "account:100", 5));
  desk.run(invite(desk, 6, "account:101", "carl@example.com"));
  desk.run(invite(desk, 7, null, "Zoe@example.com"));
  desk.run({ type: "adoptRules", edition: 4 });
  const accept = (number: number): string =>
    desk.answer({ type: "acceptInvitation", invitationId: idOf(number), secretHash: HASH, sealedPassword: "p" });
  const recover: Command = { type: "recover", recoveryId: idOf(5), secretHash: HASH, sealedPassword: "q" };
  assert.deepEqual([accept(6), desk.answer(recover)], ["EMAIL_SHARED", "EMAIL_SHARED"]);
  desk.run(move(100, "other@example.com"));
  assert.equal(desk.answer(recover), "UNKNOWN_RECOVERY");
  assert.match(accept(6), /passwordSet/);
  assert.match(accept(7), /accountOpened/);
  assert.equal(desk.engine.account(102)?.email, "zoe@example.com");
});

test("in older rules versions an address is stored as typed and never changes", () => {
  const desk = new Desk(3);
  desk.run(openAccount("Carl@example.com"));
  assert.equal(desk.answer(openAccount("carl@example.com")), "accountOpened");
  assert.equal(desk.answer(move(100, "x@example.com")), "accountChanged");
  assert.deepEqual(emails(desk), ["Carl@example.com", "carl@example.com"]);
});

test("only an admin changes an email address", () => {
  const desk = new Desk();
  desk.run(openAccount("carl@example.com"));
  for (const role of ["support", "treasurer", "admin"] as const) {
    desk.run({ type: "openOperator", by: BY, name: role, email: `${role}@example.com`, role });
  }
  const by = (name: string): string =>
    desk.answer({ type: "changeAccount", by: `operator:${name}`, accountId: 100, email: `${name}-1@example.com` });
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
