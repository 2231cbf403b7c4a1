/** Password guessing: it does not reveal which accounts exist, and slows down only the guesser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SignInWork } from "@pricetime/protocol";
import { solved } from "@pricetime/testkit/sign-in-work";
import { until } from "@pricetime/testkit/waiting";
import { DEFAULT_LIMITS } from "../../../src/api/edge/rate-limit-rules.ts";
import { GUESS_LIMITS, HASH_COST } from "../../../src/people/sign-in/limits.ts";
import { AccountVenue, type Browser, type PageAnswer, PASSWORD, refusal } from "./account-venue.ts";

const EMAIL = "ann@example.com";
const PROXY = { trustedProxies: ["127.0.0.1"] };

/** A browser with another address, as reported by a trusted proxy. */
function browserAt(venue: AccountVenue, ip: string, like?: Browser): Browser {
  const headers = {
    ...{ host: "exchange.example.com", origin: "https://exchange.example.com" },
    ...{ "x-forwarded-proto": "https", "x-forwarded-for": ip },
  };
  return like === undefined ? venue.browser({ headers }) : like.copy(headers);
}

/** A request weight of 300 a minute. */
const LIMITS = {
  ...DEFAULT_LIMITS,
  rules: [{ rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: 300 }] as const,
};

const wrong = (email = EMAIL) => ({ email, password: "not the password" });
const right = { email: EMAIL, password: PASSWORD };

test("an unknown address and a wrong password get the same answer, timing and pauses", async () => {
  const venue = await AccountVenue.start({ ...PROXY, hashCost: HASH_COST });
  await venue.customer(EMAIL, browserAt(venue, "192.0.2.1"));
  const times: Record<string, number[]> = { [EMAIL]: [], "nobody@example.com": [] };
  const answers: Record<string, unknown[]> = { [EMAIL]: [], "nobody@example.com": [] };
  for (let i = 0; i <= GUESS_LIMITS.freeTries; i++) {
    for (const email of Object.keys(times)) {
      const browser = browserAt(venue, "198.51.100.1");
      const begun = performance.now();
      const { status, text, headers } = await browser.post("sign-in", wrong(email));
      if (i > 0 && status === 401) times[email]?.push(performance.now() - begun);
      answers[email]?.push([status, text, headers["retry-after"], headers["set-cookie"]]);
    }
  }
  assert.deepEqual(answers[EMAIL], answers["nobody@example.com"]);
  assert.deepEqual(
    (answers[EMAIL] ?? []).map((answer) => (answer as unknown[])[0]),
    [401, 401, 401, 401, 401, 429],
  );
  const [known = 0, unknown = 0] = Object.values(times).map((all) => Math.min(...all));
  // Without hashing it would take less than a tenth of the time.
  assert.ok(known > 5 && unknown > known / 4 && unknown < known * 4, `${known} ms and ${unknown} ms`);
});

test("upper and lower case do not evade a pause", async () => {
  const venue = await AccountVenue.start();
  await venue.customer(EMAIL);
  const browser = venue.browser();
  const names = ["ann@example.com", "ANN@example.com", " ann@EXAMPLE.com", "Ann@example.com ", "aNN@example.com"];
  // The address is known from a session of the customer, but still counts as one sender.
  for (const email of names) assert.equal((await browser.post("sign-in", wrong(email))).status, 401);
  const refused = await browser.post("sign-in", wrong("anN@example.com"));
  assert.deepEqual(refusal(refused), [429, "TOO_MANY_TRIES"]);
  assert.equal(refused.headers["retry-after"], "2");
});

test("guessing from one address does not delay other addresses or the customer's known browser", async () => {
  const venue = await AccountVenue.start(PROXY);
  const home = await venue.customer(EMAIL, browserAt(venue, "192.0.2.1"));
  const guesser = browserAt(venue, "198.51.100.1");
  for (let i = 0; i < 20; i++) await guesser.post("sign-in", wrong());
  assert.deepEqual(refusal(await guesser.post("sign-in", right)), [429, "TOO_MANY_TRIES"], "right or not");
  assert.equal((await browserAt(venue, "203.0.113.9").post("sign-in", right)).status, 200, "from elsewhere");
  assert.equal((await browserAt(venue, "198.51.100.1", home).post("sign-in", right)).status, 200, "a known browser");
});

test("guesses from many addresses do not lock out known addresses or browsers, and nobody permanently", async () => {
  const guessLimits = { ...GUESS_LIMITS, freeTriesOfStrangers: 12 };
  const venue = await AccountVenue.start({ ...PROXY, guessLimits });
  const home = await venue.customer(EMAIL, browserAt(venue, "192.0.2.1"));
  const addresses = Array.from({ length: guessLimits.freeTriesOfStrangers }, (_, i) => `10.1.${i}.1`);
  for (let i = 0; i < addresses.length; i += 4) {
    await Promise.all(addresses.slice(i, i + 4).map((ip) => browserAt(venue, ip).post("sign-in", wrong())));
  }
  const stranger = await browserAt(venue, "203.0.113.1").post("sign-in", right);
  assert.deepEqual(refusal(stranger), [429, "TOO_MANY_TRIES"]);
  assert.equal((await browserAt(venue, "192.0.2.1").post("sign-in", right)).status, 200, "the address of a session");
  assert.equal((await browserAt(venue, "203.0.113.2", home).post("sign-in", right)).status, 200, "a known browser");
  venue.nowMs += GUESS_LIMITS.strangersPauseMs;
  assert.equal((await browserAt(venue, "203.0.113.3").post("sign-in", right)).status, 200, "after a minute");
});

/** Proof-of-work limits that fit in a test. */
const LITTLE_WORK = { ...GUESS_LIMITS, firstWorkBits: 3, mostWorkBits: 7 };

/** Signs in as the account page does, including the proof of work. */
async function signInWorking(browser: Browser, body: object): Promise<{ steps: number; answer: PageAnswer }> {
  let answer = await browser.post("sign-in", body);
  let steps = 1;
  for (let work = workOf(answer); work !== undefined && steps < 10; work = workOf(answer), steps++) {
    answer = await browser.post("sign-in", { ...body, work: solved(work) });
  }
  return { steps, answer };
}

const workOf = ({ json }: PageAnswer): SignInWork | undefined => json?.work;

test("permanent guessing from twenty addresses does not lock out the right password at a new address", async () => {
  const venue = await AccountVenue.start({ ...PROXY, guessLimits: LITTLE_WORK });
  await venue.customer(EMAIL, browserAt(venue, "192.0.2.1"));
  const over = new AbortController();
  const guess = async (address: number): Promise<void> => {
    const browser = browserAt(venue, `198.51.100.${address}`);
    while (!over.signal.aborted) {
      // Some guessers do the work, too, which raises the difficulty for all.
      if (address % 5 === 0) await signInWorking(browser, wrong());
      else await browser.post("sign-in", wrong());
      // Short pauses, so that guessing continues.
      venue.nowMs += 500;
    }
  };
  const guessers = Array.from({ length: 20 }, (_, address) => guess(address + 1));
  const isHeldUp = async (): Promise<boolean> =>
    refusal(await browserAt(venue, "203.0.113.250").post("sign-in", wrong()))[1] === "TOO_MANY_TRIES";
  await until("strangers share what is left", isHeldUp);
  const seen: number[] = [];
  for (let i = 0; i < 5; i++) {
    const { steps, answer } = await signInWorking(browserAt(venue, `203.0.113.${i}`), right);
    assert.equal(answer.status, 200, answer.text);
    seen.push(steps);
  }
  over.abort();
  await Promise.all(guessers);
  assert.ok(Math.max(...seen) <= 6 && Math.max(...seen) > 1, seen.join(" "));
});

test("a proof of work allows one attempt, which still needs password and code", async () => {
  const guessLimits = { ...LITTLE_WORK, freeTriesOfStrangers: 12, freeTries: 1 };
  const venue = await AccountVenue.start({ ...PROXY, guessLimits });
  const home = await venue.customer(EMAIL, browserAt(venue, "192.0.2.1"));
  const { secret, pending } = (await home.post("totp", { password: PASSWORD })).json;
  assert.equal((await home.post("totp/confirm", { pending, code: venue.code(secret) })).status, 200);
  venue.nowMs += 60_000;
  for (let i = 0; i < 12; i++) await browserAt(venue, `10.2.${i}.1`).post("sign-in", wrong());
  const browser = browserAt(venue, "203.0.113.1");
  const asked = await browser.post("sign-in", right);
  assert.deepEqual(refusal(asked), [429, "TOO_MANY_TRIES"]);
  const work = solved(workOf(asked) ?? assert.fail());
  assert.deepEqual(refusal(await browser.post("sign-in", { ...right, work })), [401, "CODE_REQUIRED"]);
  assert.equal((await browser.post("sign-in", { ...right, work, code: venue.code(secret) })).status, 200);
  // A challenge cannot be used twice.
  const again = await browserAt(venue, "203.0.113.2").post("sign-in", { ...right, work });
  assert.deepEqual(refusal(again), [429, "TOO_MANY_TRIES"]);
  const nobodys = await browserAt(venue, "203.0.113.3").post("sign-in", { ...wrong(), work: solved(workOf(again)!) });
  assert.deepEqual(refusal(nobodys), [401, "SIGN_IN_FAILED"], "it is no password");
});

test("another person's recovery requests do not use up the customer's emails", async () => {
  const venue = await AccountVenue.start(PROXY);
  await venue.customer(EMAIL, browserAt(venue, "192.0.2.1"));
  const thief = browserAt(venue, "198.51.100.9");
  for (let i = 0; i < 10; i++) assert.equal((await thief.post("password-reset", { email: EMAIL })).status, 202);
  const letters = (): number => venue.letters(EMAIL).filter(({ kind }) => kind === "recovery").length;
  assert.equal(letters(), 1);
  // The customer cancels the thief's recovery and requests one a moment later.
  const { accountId } = venue.engine.accountByEmail(EMAIL) ?? assert.fail();
  const { recoveryId } = venue.engine.access.recoveryOf(`account:${accountId}`) ?? assert.fail();
  const cancel = venue.link("cancelRecovery", recoveryId);
  assert.equal((await browserAt(venue, "192.0.2.1").post("password-reset/cancel", cancel)).status, 200);
  assert.equal((await browserAt(venue, "192.0.2.1").post("password-reset", { email: EMAIL })).status, 202);
  assert.equal(letters(), 2);
});

test("simultaneous guesses gain nothing over sequential ones", async () => {
  const venue = await AccountVenue.start();
  await venue.customer(EMAIL);
  const browser = venue.browser();
  const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post("sign-in", wrong())));
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, GUESS_LIMITS.freeTries);
  assert.equal(statuses.filter((status) => status === 429).length, 20 - GUESS_LIMITS.freeTries);
});

test("sign-up and recovery answers do not reveal accounts; only the emails differ", async () => {
  const venue = await AccountVenue.start({ accounts: { signUp: "open" } });
  await venue.customer(EMAIL);
  const [known, unknown] = [EMAIL, "new@example.com"];
  const browser = venue.browser();
  for (const path of ["sign-up", "password-reset"]) {
    const answers = [await browser.post(path, { email: known }), await browser.post(path, { email: unknown })];
    assert.deepEqual(
      answers.map(({ status, text }) => [status, text]),
      [
        [202, "{}"],
        [202, "{}"],
      ],
      path,
    );
  }
  const kinds = (email: string): string[] => venue.letters(email).map(({ kind }) => kind);
  assert.deepEqual(kinds(known).slice(-2), ["alreadyKnown", "recovery"]);
  assert.deepEqual(kinds(unknown), ["invitation"]);
});

test("emails are limited per recipient and per requesting address", async () => {
  const venue = await AccountVenue.start({ accounts: { signUp: "open" }, ...PROXY });
  for (let i = 0; i < 10; i++) {
    const answer = await browserAt(venue, `10.0.${i}.1`).post("sign-up", { email: "victim@example.com" });
    assert.equal(answer.status, 202);
  }
  assert.equal(venue.letters("victim@example.com").length, 3);
  const statuses: number[] = [];
  const one = browserAt(venue, "192.0.2.7");
  for (let i = 0; i < 25; i++) statuses.push((await one.post("sign-up", { email: `a${i}@example.com` })).status);
  assert.deepEqual([statuses.indexOf(429), new Set(statuses.slice(20))], [20, new Set([429])]);
});

test("sign-up requests for an address do not block its recovery", async () => {
  const venue = await AccountVenue.start({ accounts: { signUp: "open" }, ...PROXY });
  await venue.customer(EMAIL, browserAt(venue, "192.0.2.1"));
  const thief = browserAt(venue, "198.51.100.9");
  for (let i = 0; i < 5; i++) await thief.post("sign-up", { email: EMAIL });
  assert.equal((await browserAt(venue, "192.0.2.1").post("password-reset", { email: EMAIL })).status, 202);
  assert.ok(venue.letters(EMAIL).some(({ kind }) => kind === "recovery"));
});

test("an attempt rejected for concurrency does not count as wrong", async () => {
  const venue = await AccountVenue.start();
  await venue.customer(EMAIL);
  const browser = venue.browser();
  const crowd = Array.from({ length: 6 }, (_, i) => venue.browser().post("sign-in", wrong(`n${i}@example.com`)));
  const refused: unknown[] = [];
  for (let i = 0; i < GUESS_LIMITS.freeTries + 1; i++) refused.push(refusal(await browser.post("sign-in", right)));
  await Promise.all(crowd);
  assert.ok(!refused.some((one) => JSON.stringify(one).includes("TOO_MANY_TRIES")), JSON.stringify(refused));
});

test("sign-up is rejected where accounts need an invitation", async () => {
  const venue = await AccountVenue.start();
  const browser = venue.browser();
  assert.deepEqual((await browser.get("venue")).json, {
    ...{ signUp: "invitation", passwordMin: 12, passwordMax: 256, passwordResetDelayMs: 86_400_000 },
    hasMailServer: false,
  });
  assert.deepEqual(refusal(await browser.post("sign-up", { email: EMAIL })), [403, "SIGN_UP_CLOSED"]);
  assert.equal(venue.letters(EMAIL).length, 0);
});

test("sign-in requests count against the address's usual request weight", async () => {
  const venue = await AccountVenue.start({ limits: LIMITS });
  const browser = venue.browser();
  const weightOf = async (path: string, body?: object): Promise<number> => {
    const used = async (): Promise<number> => Number((await browser.get("venue")).headers["x-mbx-used-weight-1m"]);
    const before = await used();
    await browser.post(path, body);
    return (await used()) - before - 1;
  };
  assert.deepEqual([await weightOf("sign-in", wrong()), await weightOf("password")], [25, 50]);
  assert.deepEqual([await weightOf("password-reset", { email: EMAIL }), await weightOf("nothing")], [40, 1]);
  const statuses: number[] = [];
  for (let i = 0; i < 10; i++) statuses.push((await browser.post("sign-in", wrong(`a${i}@example.com`))).status);
  assert.ok(statuses.includes(429) || statuses.includes(418), statuses.join(" "));
});
