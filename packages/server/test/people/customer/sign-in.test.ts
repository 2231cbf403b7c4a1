/** Signing in: cookies, renewal and end of sessions, and reuse of a stolen old secret. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AccountVenue, AccountVenue as Venue, MARK, PASSWORD, refusal, SESSION } from "./account-venue.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
/** A header that makes Node's parser handle the request instead of ours. */
const OTHER_LANE = { te: "trailers" };

const EMAIL = "ann@example.com";
const signIn = { email: EMAIL, password: PASSWORD };

function sessionsOf(venue: AccountVenue): number {
  const { accountId = 0 } = venue.engine.accountByEmail(EMAIL) ?? {};
  return venue.engine.access.sessions(`account:${accountId}`, venue.nowMs).length;
}

test("an invitation leads to a session, through both HTTP parsers", async () => {
  for (const lane of [{}, OTHER_LANE]) {
    const venue = await Venue.start();
    const link = venue.invite(EMAIL);
    const browser = venue.browser({ headers: lane });
    const look = await browser.post("invitation/check", link);
    assert.deepEqual(look.json, { email: EMAIL, isNew: true, name: "invited", untilMs: venue.nowMs + DAY_MS });
    const accepted = await browser.post("invitation/accept", { ...link, password: PASSWORD, name: "Ann" });
    assert.equal(accepted.status, 200, accepted.text);
    const session = (await browser.get("session")).json;
    const { accountId = 0 } = venue.engine.accountByEmail(EMAIL) ?? {};
    assert.deepEqual([session.accountId, session.email, session.name], [accountId, EMAIL, "Ann"]);
    assert.deepEqual(refusal(await browser.post("invitation/check", link)), [404, "UNKNOWN_INVITATION"], "good once");
    const left = await browser.post("sign-out");
    assert.deepEqual([left.status, left.headers["clear-site-data"]], [200, '"cache"']);
    assert.equal(browser.cookies.has(SESSION), false);
    assert.deepEqual(refusal(await browser.get("session")), [401, "NO_SESSION"]);
    const again = await browser.post("sign-in", signIn);
    assert.deepEqual(again.json, { accountId, email: EMAIL, name: "Ann" });
    const lanes = venue.gateway.edge.requestsByLane;
    assert.equal(lane === OTHER_LANE ? lanes.direct : lanes.node, 0);
  }
});

test("cookies are host-only, HttpOnly and SameSite, and answers are not cached", async () => {
  const venue = await Venue.start();
  await venue.customer(EMAIL);
  const browser = venue.browser();
  const answer = await browser.post("sign-in", signIn);
  const [session = "", mark = "", ...more] = answer.setCookies;
  const scope = /^; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=\d+$/;
  assert.match(session, /^__Host-pricetime-account=[0-9a-f]{32}\.[A-Za-z0-9_-]{43};/);
  assert.match(session.slice(session.indexOf(";")), scope);
  assert.match(mark, /^__Host-pricetime-known=[0-9a-f]{32}\.[A-Za-z0-9_-]{43};/);
  assert.match(mark.slice(mark.indexOf(";")), scope);
  assert.deepEqual(more, []);
  assert.equal(answer.headers["cache-control"], "no-store");
  assert.equal(answer.headers["access-control-allow-origin"], undefined);
  assert.equal(answer.headers["access-control-allow-credentials"], undefined);
  assert.equal(answer.headers["cross-origin-resource-policy"], "same-origin");
});

test("the journal contains no passwords or secrets", async () => {
  const venue = await Venue.start();
  const browser = await venue.customer(EMAIL);
  await browser.post("sign-in", signIn);
  const journaled = JSON.stringify(venue.commands, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}` : value,
  );
  const secret = browser.cookies.get(SESSION)?.split(".")[1] ?? assert.fail();
  assert.ok(journaled.includes("openSession") && journaled.includes("acceptInvitation"));
  assert.ok(!journaled.includes(PASSWORD) && !journaled.includes(secret));
});

test("signing in replaces the session, and a foreign cookie is never adopted", async () => {
  const venue = await Venue.start();
  const browser = await venue.customer(EMAIL);
  const before = browser.cookies.get(SESSION) ?? assert.fail();
  await browser.post("sign-in", signIn);
  const after = browser.cookies.get(SESSION) ?? assert.fail();
  assert.notEqual(after, before);
  const thief = venue.browser();
  thief.cookies.set(SESSION, before);
  assert.deepEqual(refusal(await thief.get("session")), [401, "NO_SESSION"], "the session of before is over");
  const planted = `${"ab".repeat(16)}.${"A".repeat(43)}`;
  const victim = venue.browser();
  victim.cookies.set(SESSION, planted);
  await victim.post("sign-in", signIn);
  assert.notEqual(victim.cookies.get(SESSION)?.slice(0, 32), planted.slice(0, 32));
  const attacker = venue.browser();
  attacker.cookies.set(SESSION, planted);
  assert.deepEqual(refusal(await attacker.get("session")), [401, "NO_SESSION"]);
});

test("a secret is renewed after an hour; the old one works for a minute and ends the session later", async () => {
  const venue = await Venue.start();
  const browser = await venue.customer(EMAIL);
  const first = browser.cookies.get(SESSION);
  venue.nowMs += HOUR_MS - 1;
  await browser.get("session");
  assert.equal(browser.cookies.get(SESSION), first, "not yet");
  venue.nowMs += 1;
  const late = browser.copy();
  await browser.get("session");
  assert.notEqual(browser.cookies.get(SESSION), first);
  venue.nowMs += MINUTE_MS;
  const answer = await late.get("session");
  assert.deepEqual([answer.status, answer.setCookies], [200, []], "a tab with the old cookie goes on");
  venue.nowMs += 1;
  assert.deepEqual(refusal(await late.get("sessions")), [401, "NO_SESSION"], "a thief of the old one ends the session");
  assert.deepEqual(refusal(await browser.get("session")), [401, "NO_SESSION"]);
});

test("an old secret at a REST endpoint ends the session as well", async () => {
  const venue = await Venue.start();
  const browser = await venue.customer(EMAIL);
  venue.nowMs += HOUR_MS;
  const late = browser.copy();
  await browser.get("session");
  venue.nowMs += MINUTE_MS + 1;
  assert.equal((await late.send("GET", "/api/v3/account")).status, 401);
  assert.equal((await browser.send("GET", "/api/v3/account")).status, 401);
});

test("at a renewal with two tabs one renews, both continue, and the new cookie remains", async () => {
  const venue = await Venue.start();
  const browser = await venue.customer(EMAIL);
  venue.nowMs += HOUR_MS;
  const tab = browser.copy();
  const [one, other] = await Promise.all([browser.get("session"), tab.get("session")]);
  assert.deepEqual([one.status, other.status], [200, 200]);
  assert.equal(one.setCookies.length + other.setCookies.length, 1);
  const renewed =
    browser.cookies.get(SESSION) === tab.cookies.get(SESSION) ? assert.fail() : one.setCookies.length === 1;
  const [newer, older] = renewed ? [browser, tab] : [tab, browser];
  assert.equal((await older.get("sessions")).status, 200);
  venue.nowMs += 2 * MINUTE_MS;
  assert.equal((await newer.get("sessions")).status, 200);
});

test("a session's id without its secret cannot end the session", async () => {
  const venue = await Venue.start();
  const browser = await venue.customer(EMAIL);
  const stranger = venue.browser();
  stranger.cookies.set(SESSION, `${browser.cookies.get(SESSION)?.slice(0, 32)}.${"A".repeat(43)}`);
  assert.deepEqual(refusal(await stranger.get("session")), [401, "NO_SESSION"]);
  assert.equal((await browser.get("session")).status, 200);
});

test("a session expires", async () => {
  const venue = await Venue.start({ accounts: { sessionLifeMs: DAY_MS } });
  const browser = await venue.customer(EMAIL);
  venue.nowMs += DAY_MS - 1;
  const { untilMs } = (await browser.get("session")).json;
  assert.equal(untilMs, venue.nowMs + 1, "renewing does not make it longer");
  venue.nowMs += 1;
  assert.deepEqual(refusal(await browser.get("session")), [401, "NO_SESSION"]);
});

test("a customer lists and ends only their own sessions, one or all others", async () => {
  const venue = await Venue.start();
  const [one, other, third] = [await venue.customer(EMAIL), venue.browser(), venue.browser()];
  await other.post("sign-in", signIn);
  await third.post("sign-in", signIn);
  const listed = (await one.get("sessions")).json as {
    sessionId: string;
    isThis: boolean;
    ip: string;
    client: string;
  }[];
  assert.deepEqual(listed.map(({ isThis }) => isThis).sort(), [false, false, true]);
  assert.deepEqual([listed[0]?.ip, listed[0]?.client], ["127.0.0.1", "a test"]);
  const stranger = await venue.customer("bob@example.com");
  const ofOther = other.cookies.get(SESSION)?.slice(0, 32);
  const remove = `/account/v1/sessions/${ofOther}`;
  assert.deepEqual(refusal(await stranger.send("DELETE", remove)), [404, "UNKNOWN_SESSION"]);
  assert.equal((await one.send("DELETE", remove)).status, 200);
  assert.equal((await other.get("session")).status, 401);
  assert.equal((await one.post("sessions/close-others")).status, 200);
  assert.equal((await third.get("session")).status, 401);
  assert.equal((await one.get("session")).status, 200);
  assert.equal(sessionsOf(venue), 1);
});

test("a known-browser mark survives a new sign-in and is not valid for another account", async () => {
  const venue = await Venue.start();
  const browser = await venue.customer(EMAIL);
  const mark = browser.cookies.get(MARK);
  const again = await browser.post("sign-in", signIn);
  assert.equal(again.setCookies.length, 1);
  assert.equal(browser.cookies.get(MARK), mark);
  await venue.customer("bob@example.com", browser);
  assert.notEqual(browser.cookies.get(MARK), mark);
});
