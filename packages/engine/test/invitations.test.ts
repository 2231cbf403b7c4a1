/** Invitations: the invited person chooses a password and a display name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SIGN_UP } from "@pricetime/engine";
import { MAX_INVITATIONS_AT_SIGN_UP } from "../src/limits.ts";
import { BY, TestExchange, START_MS } from "./harness.ts";

const DAY_MS = 86_400_000;
const SECRET_HASH = "ab".repeat(32);

function invited(): TestExchange {
  const exchange = new TestExchange();
  const opens = { name: "as invited", makerBps: 1, takerBps: 2 };
  for (const id of ["11", "22"]) {
    const invitation = { invitationId: id.repeat(16), secretHash: SECRET_HASH, email: `${id}@example.org` };
    const untilMs = START_MS + DAY_MS;
    assert.equal(
      exchange.answer({ type: "invite", by: BY, ...invitation, holder: null, opens, untilMs }),
      "invitationChanged noticeChanged",
    );
  }
  return exchange;
}

test("the display name of a new customer is that of the invitation or the chosen one", () => {
  const exchange = invited();
  const accept = { type: "acceptInvitation", secretHash: SECRET_HASH, sealedPassword: "s1.x" } as const;
  exchange.run({ ...accept, invitationId: "11".repeat(16) });
  exchange.run({ ...accept, invitationId: "22".repeat(16), name: "Ann" });
  exchange.restart();
  assert.equal(exchange.engine.accountByEmail("11@example.org")?.name, "as invited");
  assert.equal(exchange.engine.accountByEmail("22@example.org")?.name, "Ann");
  assert.equal(exchange.engine.access.sealedPassword("account:100"), "s1.x");
});

test("sign-ups by visitors leave room for others and for operators' invitations", () => {
  const exchange = new TestExchange();
  const opens = { name: "", makerBps: 1, takerBps: 2 };
  const invite = (by: string, number: number): string => {
    const invitationId = number.toString(16).padStart(32, "0");
    const email = `${number}@example.org`;
    const fields = { invitationId, secretHash: SECRET_HASH, email, holder: null, opens, untilMs: START_MS + DAY_MS };
    return exchange.answer({ type: "invite", by, ...fields });
  };
  for (let number = 0; number < MAX_INVITATIONS_AT_SIGN_UP; number++) invite(SIGN_UP, number);
  assert.equal(invite(SIGN_UP, MAX_INVITATIONS_AT_SIGN_UP), "invitationChanged invitationChanged noticeChanged");
  assert.equal(exchange.engine.access.invitation("0".repeat(32), START_MS), undefined, "the oldest has made room");
  assert.match(invite(BY, MAX_INVITATIONS_AT_SIGN_UP + 1), /invitationChanged/);
});

test("an invitation expires by a tick that is due", () => {
  const exchange = invited();
  assert.equal(exchange.engine.nextDueMs(), START_MS + DAY_MS);
  exchange.nowMs = START_MS + DAY_MS;
  assert.match(exchange.answer({ type: "tick" }), /invitationChanged/);
  assert.deepEqual([...exchange.engine.access.invitations()], []);
  assert.equal(exchange.engine.nextDueMs(), Number.POSITIVE_INFINITY);
});

test("a link sent to an operator's previous address is invalid", () => {
  const exchange = new TestExchange();
  const [name, holder] = ["ann", "operator:ann"];
  exchange.run({ type: "openOperator", by: BY, name, email: "wrong@example.org", role: "admin" });
  const invitation = { invitationId: "11".repeat(16), secretHash: SECRET_HASH, email: "wrong@example.org", holder };
  exchange.run({ type: "invite", by: BY, ...invitation, opens: null, untilMs: START_MS + DAY_MS });
  assert.equal(
    exchange.answer({ type: "changeOperator", by: BY, name, email: "right@example.org" }),
    "operatorChanged invitationChanged",
  );
  const accept = { type: "acceptInvitation", secretHash: SECRET_HASH, sealedPassword: "s1.x" } as const;
  assert.match(exchange.answer({ ...accept, invitationId: invitation.invitationId }), /UNKNOWN_INVITATION/);
  assert.equal(exchange.engine.access.sealedPassword(holder), undefined);
});
