/** Accounts whose email addresses differ in case only: listed, warned about and resolved by an operator. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { SignedInOperator } from "./signed-in-operator.ts";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

const emailsOf = async (): Promise<unknown[]> =>
  (await venue.rows("/v1/shared-emails")).map(({ sharedEmail, accountId, email }) => [sharedEmail, accountId, email]);
const warnings = async (): Promise<Record<string, string>> =>
  ((await venue.wanted(200, "GET", "/readyz"))["warnings"] ?? {}) as Record<string, string>;

test("an account is opened and invited in lower case, and found as it is typed", async () => {
  const opened = await venue.wanted(201, "POST", "/v1/accounts", { email: "Carl@Example.com", name: "Carl" });
  assert.equal(opened["email"], "carl@example.com");
  const again = await venue.wanted(409, "POST", "/v1/accounts", { email: "CARL@example.com", name: "Carl" });
  assert.equal(again["error"], "ALREADY_EXISTS");
  assert.equal((again["record"] as Record<string, unknown>)["accountId"], opened["accountId"]);
  assert.equal((await venue.wanted(200, "GET", "/v1/accounts/CARL@EXAMPLE.COM"))["accountId"], opened["accountId"]);
  const invited = await venue.wanted(201, "POST", "/v1/invitations", { email: "Zoe@Example.com", name: "Zoe" });
  assert.equal(invited["email"], "zoe@example.com");
  await venue.wanted(409, "POST", "/v1/invitations", { email: "Carl@example.com", name: "Carl" });
  assert.deepEqual([await emailsOf(), await warnings()], [[], {}]);
});

test("two accounts with the same address are listed with a warning, and neither can be invited until one changes", async () => {
  await venue.openedBefore("Carl@example.com", "carl@example.com", "Eve@example.com");
  assert.deepEqual(await emailsOf(), [
    ["carl@example.com", 101, "Carl@example.com"],
    ["carl@example.com", 102, "carl@example.com"],
  ]);
  assert.match((await warnings())["sharedEmails"] ?? "", /1 email address is shared .*account shared-emails/);
  for (const [email, accountId] of [
    ["Carl@example.com", 101],
    ["carl@example.com", 102],
    ["eve@example.com", 103],
  ] as const) {
    assert.equal((await venue.wanted(200, "GET", `/v1/accounts/${email}`))["accountId"], accountId);
  }
  const shared = await venue.wanted(409, "POST", "/v1/accounts/101/invitation");
  assert.equal(shared["error"], "EMAIL_SHARED");
  const taken = await venue.wanted(409, "PATCH", "/v1/accounts/101", { email: "EVE@example.com" });
  assert.equal((taken["record"] as Record<string, unknown>)["accountId"], 103);
  const moved = await venue.wanted(200, "PATCH", "/v1/accounts/101", { email: "Carl.Older@example.com" });
  assert.equal(moved["email"], "carl.older@example.com");
  assert.deepEqual([await emailsOf(), await warnings()], [[], {}]);
  for (const accountId of [101, 102]) await venue.wanted(201, "POST", `/v1/accounts/${accountId}/invitation`);
});

test("the support role cannot change an email address, as it decides who sets the password", async () => {
  const sam = await SignedInOperator.open(venue, "sam", "support");
  await sam.wanted(403, "PATCH", "/v1/accounts/100", { email: "sam@example.com" });
  await sam.wanted(200, "PATCH", "/v1/accounts/100", { canDeposit: true });
});
