/** Customers change and recover passwords and two-factor codes; nothing can be used twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NoticeRecord } from "@pricetime/engine";
import { LOCK_LINK_LIFE_MS } from "../../../src/people/mail/links.ts";
import { AccountVenue, type Browser, PASSWORD, refusal } from "./account-venue.ts";

const EMAIL = "ann@example.com";
const OTHER = "another long password";
const STEP_MS = 30_000;
const DAY_MS = 86_400_000;
const signIn = { email: EMAIL, password: PASSWORD };

/** The parameters of the link in an email. */
function lockLink(
  venue: AccountVenue,
  account: number,
  { noticeId, createdMs }: NoticeRecord,
): { account: number; notification: number; until: number; secret: string } {
  const until = createdMs + LOCK_LINK_LIFE_MS;
  return {
    account,
    notification: noticeId,
    until,
    secret: venue.link("freeze", `${account}:${noticeId}:${until}`).secret,
  };
}

/** Switches two-factor codes on and waits for the next code. Returns the secret. */
async function withCodes(venue: AccountVenue, browser: Browser): Promise<string> {
  const { secret, uri, pending } = (await browser.post("totp", { password: PASSWORD })).json;
  assert.match(uri, /^otpauth:\/\/totp\/.*secret=/);
  const confirmed = await browser.post("totp/confirm", { pending, code: venue.code(secret) });
  assert.equal(confirmed.status, 200, confirmed.text);
  venue.nowMs += STEP_MS;
  return secret as string;
}

test("changing a password needs the old one, ends all other sessions and sends an email", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const other = venue.browser();
  await other.post("sign-in", signIn);
  const change = (password: string, newPassword: string) => browser.post("password", { password, newPassword });
  assert.deepEqual(refusal(await change("not the password", OTHER)), [401, "SIGN_IN_FAILED"]);
  assert.deepEqual(refusal(await change(PASSWORD, "too short")), [400, "INVALID_PASSWORD"]);
  assert.equal((await change(PASSWORD, OTHER)).status, 200);
  assert.equal((await browser.get("session")).status, 200);
  assert.equal((await other.get("session")).status, 401);
  assert.deepEqual(refusal(await other.post("sign-in", signIn)), [401, "SIGN_IN_FAILED"]);
  assert.equal((await other.post("sign-in", { ...signIn, password: OTHER })).status, 200);
  assert.ok(venue.letters(EMAIL).some(({ kind }) => kind === "passwordChanged"));
});

test("of two simultaneous password changes one succeeds", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const change = (newPassword: string) => browser.post("password", { password: PASSWORD, newPassword });
  const answers = await Promise.all([change("one more password"), change("still another password")]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test("with two-factor codes on, signing in needs the password and then an unused code", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const secret = await withCodes(venue, browser);
  const tries = venue.browser();
  assert.deepEqual(refusal(await tries.post("sign-in", { ...signIn, password: "not the password" })), [
    401,
    "SIGN_IN_FAILED",
  ]);
  assert.deepEqual(refusal(await tries.post("sign-in", signIn)), [401, "CODE_REQUIRED"]);
  const code = venue.code(secret);
  assert.equal((await tries.post("sign-in", { ...signIn, code })).status, 200);
  assert.deepEqual(refusal(await tries.post("sign-in", { ...signIn, code })), [401, "CODE_USED"], "used");
  const earlier = venue.code(secret, -STEP_MS);
  assert.deepEqual(refusal(await tries.post("sign-in", { ...signIn, code: earlier })), [401, "CODE_USED"], "older");
  const next = venue.code(secret, STEP_MS);
  assert.equal((await tries.post("sign-in", { ...signIn, code: next })).status, 200);
});

test("a code used for signing in cannot remove codes or change the password", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const secret = await withCodes(venue, browser);
  const thief = venue.browser();
  const code = venue.code(secret);
  assert.equal((await thief.post("sign-in", { ...signIn, code })).status, 200);
  const used = [401, "CODE_USED"];
  assert.deepEqual(refusal(await thief.post("totp/remove", { password: PASSWORD, code })), used);
  assert.deepEqual(refusal(await thief.post("password", { password: PASSWORD, newPassword: OTHER, code })), used);
  venue.nowMs += STEP_MS;
  const next = venue.code(secret);
  assert.equal((await browser.post("totp/remove", { password: PASSWORD, code: next })).status, 200);
});

test("each code is accepted once across all routes, and the rejection says when the next code starts", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const { secret, pending } = (await browser.post("totp", { password: PASSWORD })).json;
  const put = (path: string, body: object) => browser.send("PUT", `/account/v1/${path}`, JSON.stringify(body));
  const key = { permissions: ["WITHDRAW"], ipAllowList: ["203.0.113.7"] };
  const acts: readonly ((code: string) => ReturnType<Browser["get"]>)[] = [
    (code) => browser.post("totp/confirm", { pending, code }),
    (code) => browser.post("keys", { ...key, code }),
    (code) => browser.post("addresses", { network: "BTC", address: "friend", name: "f", code }),
    (code) => put("addresses/enforced", { isEnforced: true, code }),
    (code) => put("addresses/enforced", { isEnforced: false, code }),
    (code) => browser.post("password", { password: PASSWORD, newPassword: OTHER, code }),
    (code) => venue.browser().post("sign-in", { ...signIn, password: OTHER, code }),
    (code) => browser.post("totp/remove", { password: OTHER, code }),
  ];
  let before = "";
  for (const [place, act] of acts.entries()) {
    if (before !== "") {
      venue.nowMs = Math.ceil(venue.nowMs / STEP_MS) * STEP_MS - 11_500;
      const again = await act(before);
      assert.deepEqual(refusal(again), [401, "CODE_USED"], `${place}`);
      assert.match(again.json.message, /already used.*The next code appears in 12 s\./, `${place}`);
      assert.equal(again.headers["retry-after"], "12");
      venue.nowMs += 12_000;
      assert.match((await act(before)).json.message, /Enter the code that your app shows now/, `${place}`);
    }
    before = venue.code(secret);
    const done = await act(before);
    assert.equal(done.status, 200, `${place} ${done.text}`);
  }
});

test("of two simultaneous requests with one code the first in the journal succeeds", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const code = venue.code(await withCodes(venue, browser));
  const address = { network: "BTC", address: "friend", name: "f", code };
  const answers = await Promise.all([browser.post("keys", { code }), browser.post("addresses", address)]);
  const [taken, refused] = answers.sort((a, b) => a.status - b.status);
  assert.equal(taken?.status, 200, taken?.text);
  assert.deepEqual(refused && refusal(refused), [401, "CODE_USED"]);
});

test("the client's clock may be off by one step", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const secret = await withCodes(venue, browser);
  const at = async (aheadMs: number): Promise<number> => {
    venue.nowMs += 10 * STEP_MS;
    return (await venue.browser().post("sign-in", { ...signIn, code: venue.code(secret, aheadMs) })).status;
  };
  assert.deepEqual(
    [await at(-2 * STEP_MS), await at(-STEP_MS), await at(0), await at(STEP_MS), await at(2 * STEP_MS)],
    [...[401, 200, 200, 200, 401]],
  );
});

test("one code opens one session, also in simultaneous requests", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const code = venue.code(await withCodes(venue, browser));
  const answers = await Promise.all([1, 2, 3].map(() => venue.browser().post("sign-in", { ...signIn, code })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
});

test("after a few wrong codes none is accepted for a while, even with the password", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const secret = await withCodes(venue, browser);
  const statuses: string[] = [];
  for (let i = 0; i < 12; i++) {
    const answer = await venue.browser().post("sign-in", { ...signIn, code: "000000" });
    // A request without a code does not reset the count.
    await venue.browser().post("sign-in", signIn);
    statuses.push(refusal(answer)[1]);
  }
  assert.deepEqual(
    statuses.slice(0, 5),
    Array.from({ length: 5 }, () => "CODE_WRONG"),
  );
  assert.equal(statuses[11], "TOO_MANY_TRIES");
  venue.nowMs += STEP_MS;
  const right = await venue.browser().post("sign-in", { ...signIn, code: venue.code(secret) });
  assert.deepEqual(refusal(right), [401, "CODE_WRONG"], "even the right one");
});

test("an unconfirmed secret has no effect, and only the same session can confirm it in time", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const stranger = await venue.customer("bob@example.com");
  const { secret, pending } = (await browser.post("totp", { password: PASSWORD })).json;
  assert.equal((await venue.browser().post("sign-in", signIn)).status, 200, "not switched on yet");
  assert.deepEqual(refusal(await browser.post("totp/confirm", { pending, code: "000000" })), [401, "CODE_WRONG"]);
  const confirm = { pending, code: venue.code(secret) };
  assert.deepEqual(refusal(await stranger.post("totp/confirm", confirm)), [404, "UNKNOWN_LINK"]);
  assert.deepEqual(refusal(await browser.post("totp/confirm", { ...confirm, pending: "made up" })), [
    404,
    "UNKNOWN_LINK",
  ]);
  venue.nowMs += 15 * 60_000;
  const late = { pending, code: venue.code(secret) };
  assert.deepEqual(refusal(await browser.post("totp/confirm", late)), [404, "UNKNOWN_LINK"]);
});

test("switching codes off and changing the password need password and code", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const secret = await withCodes(venue, browser);
  assert.deepEqual(refusal(await browser.post("totp", { password: PASSWORD })), [409, "ALREADY_EXISTS"]);
  const change = { password: PASSWORD, newPassword: OTHER };
  assert.deepEqual(refusal(await browser.post("password", change)), [401, "CODE_REQUIRED"]);
  assert.equal((await browser.post("password", { ...change, code: venue.code(secret) })).status, 200);
  venue.nowMs += STEP_MS;
  const off = { password: OTHER, code: venue.code(secret) };
  assert.deepEqual(refusal(await browser.post("totp/remove", { ...off, code: "000000" })), [401, "CODE_WRONG"]);
  assert.equal((await browser.post("totp/remove", off)).status, 200);
  assert.equal((await venue.browser().post("sign-in", { ...signIn, password: OTHER })).status, 200);
});

interface Asked {
  readonly id: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Requests a recovery and reads the email. */
async function recovery(venue: AccountVenue): Promise<Asked> {
  await venue.browser().post("password-reset", { email: EMAIL });
  const { facts } = venue.letters(EMAIL).findLast(({ kind }) => kind === "recovery") ?? assert.fail("no letter");
  return { id: facts["recoveryId"] ?? "", fromMs: Number(facts["fromMs"]), untilMs: Number(facts["untilMs"]) };
}

test("a password is recovered once by the emailed link after a delay; all sessions end, and withdrawals are delayed", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const { id, fromMs, untilMs } = await recovery(venue);
  assert.equal(fromMs, venue.nowMs + DAY_MS);
  const link = venue.link("recovery", id);
  const stranger = venue.browser();
  assert.deepEqual((await stranger.post("password-reset/check", link)).json, { fromMs, untilMs });
  const complete = () => stranger.post("password-reset/complete", { ...link, password: OTHER });
  venue.nowMs = fromMs - 1;
  assert.deepEqual(refusal(await complete()), [409, "TOO_SOON"]);
  venue.nowMs = fromMs;
  assert.equal((await browser.get("session")).status, 200);
  const wrong = await stranger.post("password-reset/complete", {
    ...link,
    secret: venue.link("cancelRecovery", id).secret,
    password: OTHER,
  });
  assert.deepEqual(refusal(wrong), [404, "UNKNOWN_PASSWORD_RESET"], "another link of the same letter");
  assert.equal((await complete()).status, 200);
  assert.equal((await browser.get("session")).status, 401);
  assert.deepEqual(refusal(await complete()), [404, "UNKNOWN_PASSWORD_RESET"], "replayed");
  assert.equal((await stranger.post("sign-in", { ...signIn, password: OTHER })).status, 200);
  const { accountId } = venue.engine.accountByEmail(EMAIL) ?? assert.fail();
  assert.equal(venue.engine.access.heldUntilMs(`account:${accountId}`), fromMs + DAY_MS);
});

test("a repeated recovery request neither delays the first link nor sends another, and a link expires", async () => {
  const venue = await AccountVenue.start();
  await venue.customer(EMAIL);
  const first = await recovery(venue);
  venue.nowMs += 3_600_000;
  assert.deepEqual(await recovery(venue), first);
  venue.nowMs = first.untilMs;
  const link = venue.link("recovery", first.id);
  assert.deepEqual(refusal(await venue.browser().post("password-reset/check", link)), [404, "UNKNOWN_PASSWORD_RESET"]);
  const late = await venue.browser().post("password-reset/complete", { ...link, password: OTHER });
  assert.deepEqual(refusal(late), [404, "UNKNOWN_PASSWORD_RESET"]);
});

test("a recovery is cancelled by the link in the email or by changing the password", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const { id } = await recovery(venue);
  const stranger = venue.browser();
  const byLink = await stranger.post("password-reset/cancel", venue.link("recovery", id));
  assert.deepEqual(refusal(byLink), [404, "UNKNOWN_PASSWORD_RESET"], "the link that recovers does not cancel");
  assert.equal((await stranger.post("password-reset/cancel", venue.link("cancelRecovery", id))).status, 200);
  assert.deepEqual(refusal(await stranger.post("password-reset/check", venue.link("recovery", id))), [
    404,
    "UNKNOWN_PASSWORD_RESET",
  ]);
  const again = await recovery(venue);
  assert.notEqual(again.id, id);
  await browser.post("password", { password: PASSWORD, newPassword: OTHER });
  const look = await stranger.post("password-reset/check", venue.link("recovery", again.id));
  assert.deepEqual(refusal(look), [404, "UNKNOWN_PASSWORD_RESET"]);
});

test("the link of a security email locks the account: sessions and API keys end", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const { accountId } = venue.engine.accountByEmail(EMAIL) ?? assert.fail();
  const key = venue.key(accountId);
  const notice = venue.letters(EMAIL).findLast(({ kind }) => kind === "newSignIn") ?? assert.fail();
  const link = lockLink(venue, accountId, notice);
  const stranger = venue.browser();
  for (const made of [{ notification: link.notification + 1 }, { until: link.until + 1 }, { account: accountId + 1 }]) {
    assert.deepEqual(refusal(await stranger.post("lock", { ...link, ...made })), [404, "UNKNOWN_LINK"]);
  }
  assert.equal((await stranger.post("lock", link)).status, 200);
  assert.equal((await browser.get("session")).status, 401);
  assert.equal(venue.engine.apiKey(key.apiKey), undefined);
  assert.equal(venue.engine.account(accountId)?.canWithdraw, false);
});

test("the link that locks an account expires after 30 days, and the error then says what to do", async () => {
  const venue = await AccountVenue.start();
  const browser = await venue.customer(EMAIL);
  const { accountId } = venue.engine.accountByEmail(EMAIL) ?? assert.fail();
  const notice = venue.letters(EMAIL).findLast(({ kind }) => kind === "newSignIn") ?? assert.fail();
  const link = lockLink(venue, accountId, notice);
  assert.equal(link.until - notice.createdMs, 30 * 86_400_000);
  venue.nowMs = link.until;
  const over = await browser.post("lock", link);
  assert.deepEqual(refusal(over), [410, "LINK_EXPIRED"]);
  assert.match(over.json.message, /change your password/);
  assert.equal(venue.engine.account(accountId)?.canWithdraw, true);
  const later = { ...link, until: link.until + 1 };
  assert.deepEqual(refusal(await browser.post("lock", later)), [404, "UNKNOWN_LINK"], "nobody gives it more time");
  venue.nowMs = link.until - 1;
  assert.equal((await browser.post("lock", link)).status, 200);
});

test("an operator's invitation is not accepted by the account API", async () => {
  const venue = await AccountVenue.start();
  venue.act({ type: "openOperator", by: "test", name: "carol", email: "carol@example.com", role: "admin" });
  const link = venue.link("invitation", "ab".repeat(16));
  const secretHash = venue.room.links.hashOf(link.secret);
  const untilMs = venue.nowMs + DAY_MS;
  const invitation = { invitationId: link.id, secretHash, email: "carol@example.com", holder: "operator:carol" };
  venue.act({ type: "invite", by: "test", ...invitation, opens: null, untilMs });
  const answer = await venue.browser().post("invitation/accept", { ...link, password: PASSWORD });
  assert.deepEqual(refusal(answer), [404, "UNKNOWN_INVITATION"]);
});
