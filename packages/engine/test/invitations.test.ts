/** Invitations: the invited person chooses a password and a display name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SIGN_UP } from "@pricetime/engine";
import { MAX_INVITATIONS_AT_SIGN_UP } from "../src/limits.ts";
import { BY, Desk, START_MS } from "./harness.ts";

const DAY_MS = 86_400_000;
const SECRET_HASH = "ab".repeat(32);

function invited(): Desk {
  const desk = new Desk();
  const opens = { name: "as invited", makerBps: 1, takerBps: 2 };
  for (const id of ["11", "22"]) {
    const invitation = { invitationId: id.repeat(16), secretHash: SECRET_HASH, email: `${id}@example.org` };
    const untilMs = START_MS + DAY_MS;
    assert.equal(
      desk.answer({ type: "invite", by: BY, ...invitation, holder: null, opens, untilMs }),
      "invitationChanged noticeChanged",
    );
  }
  return desk;
}

test("the display name of a new customer is that of the invitation or the chosen one", () => {
  const desk = invited();
  const accept = { type: "acceptInvitation", secretHash: SECRET_HASH, sealedPassword: "s1.x" } as const;
  desk.run({ ...accept, invitationId: "11".repeat(16) });
  desk.run({ ...accept, invitationId: "22".repeat(16), name: "Ann" });
  desk.restart();
  assert.equal(desk.engine.accountByEmail("11@example.org")?.name, "as invited");
  assert.equal(desk.engine.accountByEmail("22@example.org")?.name, "Ann");
  assert.equal(desk.engine.access.sealedPassword("account:100"), "s1.x");
});

test("sign-ups by visitors leave room for others and for operators' invitations", () => {
  const desk = new Desk();
  const opens = { name: "", makerBps: 1, takerBps: 2 };
  const invite = (by: string, number: number): string => {
    const invitationId = number.toString(16).padStart(32, "0");
    const email = `${number}@example.org`;
    const fields = { invitationId, secretHash: SECRET_HASH, email, holder: null, opens, untilMs: START_MS + DAY_MS };
    return desk.answer({ type: "invite", by, ...fields });
  };
  for (let number = 0; number < MAX_INVITATIONS_AT_SIGN_UP; number++) invite(SIGN_UP, number);
  assert.equal(invite(SIGN_UP, MAX_INVITATIONS_AT_SIGN_UP), "invitationChanged invitationChanged noticeChanged");
  assert.equal(desk.engine.access.invitation("0".repeat(32), START_MS), undefined, "the oldest has made room");
  assert.match(invite(BY, MAX_INVITATIONS_AT_SIGN_UP + 1), /invitationChanged/);
});

test("an invitation expires by a tick that is due", () => {
  const desk = invited();
  assert.equal(desk.engine.nextDueMs(), START_MS + DAY_MS);
  desk.nowMs = START_MS + DAY_MS;
  assert.match(desk.answer({ type: "tick" }), /invitationChanged/);
  assert.deepEqual([...desk.engine.access.invitations()], []);
  assert.equal(desk.engine.nextDueMs(), Number.POSITIVE_INFINITY);
});

test("a link sent to an operator's previous address is invalid", () => {
  const desk = new Desk();
  const [name, holder] = ["ann", "operator:ann"];
  desk.run({ type: "openOperator", by: BY, name, email: "wrong@example.org", role: "admin" });
  const invitation = { invitationId: "11".repeat(16), secretHash: SECRET_HASH, email: "wrong@example.org", holder };
  desk.run({ type: "invite", by: BY, ...invitation, opens: null, untilMs: START_MS + DAY_MS });
  assert.equal(
    desk.answer({ type: "changeOperator", by: BY, name, email: "right@example.org" }),
    "operatorChanged invitationChanged",
  );
  const accept = { type: "acceptInvitation", secretHash: SECRET_HASH, sealedPassword: "s1.x" } as const;
  assert.match(desk.answer({ ...accept, invitationId: invitation.invitationId }), /UNKNOWN_INVITATION/);
  assert.equal(desk.engine.access.sealedPassword(holder), undefined);
});
