/** Customers' access: invitation, sign-up, password, two-factor code, sessions, recovery of a lost password. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import type { SignInWork } from "@pricetime/protocol";
import { solved } from "@pricetime/testkit/sign-in-work";
import type { Page } from "playwright-core";
import { besides } from "../pages/browser.ts";
import { rigOf, skip } from "../pages/rig.ts";
import { accept, newCustomer, signIn, visit } from "./account.ts";
import { go, overviewOf } from "../pages/opened.ts";
import { freshCode, letterTo, linkIn, openVenue, PASSWORD } from "./venue.ts";

const { venue, browser } = await rigOf(() => openVenue());
const NEW_PASSWORD = "staple battery horse correct";

const form = (page: Page, name: string) => page.getByRole("form", { name });

test("an exchange with open sign-up sends an email to any address, and its link opens an account", {
  skip,
}, async () => {
  const opened = await visit(browser, venue);
  const { page } = opened;
  await page.getByRole("link", { name: "Open an account" }).click();
  await form(page, "Open an account").getByLabel("Email").fill("stranger@example.com");
  await page.getByRole("button", { name: "Send email" }).click();
  await page.getByText("We have sent an email to stranger@example.com.").waitFor();
  const link = linkIn(await letterTo(venue, "stranger@example.com", "#/invitation"), "invitation");
  await page.goto(link);
  await page.getByText("This invitation is for stranger@example.com.").waitFor();
  // The secret is neither in the address nor in the browser's history.
  assert.ok(!page.url().includes("secret"), page.url());
  await accept(opened, "Stranger");
  await overviewOf(opened);
  assert.deepEqual(opened.complaints, []);
  assert.deepEqual(await opened.violations(), []);
  await opened.close();
});

test("a wrong password is rejected; the session of the right one survives a reload and ends with signing out", {
  skip,
}, async () => {
  const first = await newCustomer(browser, venue, "again@example.com");
  await first.close();
  const opened = await visit(browser, venue);
  const { page } = opened;
  await signIn(opened, "again@example.com", "not the password at all");
  await page.getByRole("alert").getByText("The password is wrong, or this account does not exist.").waitFor();
  await signIn(opened, "again@example.com");
  await overviewOf(opened);
  await page.reload();
  await overviewOf(opened);
  // Scripts cannot read anything of the session.
  assert.equal(await page.evaluate("document.cookie"), "");
  await page.getByRole("button", { name: "Sign out" }).click();
  await form(page, "Sign in").waitFor();
  await page.reload();
  await form(page, "Sign in").waitFor();
  assert.deepEqual(besides(opened.complaints, [401, "/account/v1/sign-in"]), []);
  await opened.close();
});

/**
 * Tries a password from a loopback address, as if from a separate machine. Returns the proof of work that the answer
 * requires.
 */
async function guess(email: string, from: string, more: object = {}): Promise<SignInWork | undefined> {
  const headers = { "content-type": "application/json", "x-pricetime-page": "account" };
  const { hostname, port } = new URL(venue.exchange.rest);
  const options = { hostname, port, path: "/account/v1/sign-in", method: "POST", headers, localAddress: from };
  const { status, text } = await new Promise<{ status: number | undefined; text: string }>((done, failed) => {
    const sent = request({ ...options, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.on("end", () => done({ status: answer.statusCode, text }));
    });
    sent.on("error", failed).end(JSON.stringify({ email, password: "not the password", ...more }));
  });
  assert.ok(status === 401 || status === 429, `${status} ${text}`);
  return JSON.parse(text).work;
}

test("while strangers guess the password, a new browser computes the required proof of work, and shows so", {
  skip,
}, async () => {
  const email = "guessed@example.com";
  const first = await newCustomer(browser, venue, email);
  // The address of a session would be known.
  await first.page.getByRole("button", { name: "Sign out" }).click();
  await form(first.page, "Sign in").waitFor();
  await first.close();
  const triesOfAddress = Array.from({ length: 5 }, (_, i) => i);
  const addresses = Array.from({ length: 20 }, (_, i) => `127.0.1.${i + 1}`);
  await Promise.all(
    addresses.map(async (from) => {
      for (const _ of triesOfAddress) assert.equal(await guess(email, from), undefined);
    }),
  );
  // Each guess with proof of work makes the next one harder, up to a difficulty that takes visible time.
  for (const i of triesOfAddress) {
    const work = await guess(email, `127.0.2.${i + 1}`);
    assert.ok(work !== undefined);
    assert.equal(await guess(email, `127.0.2.${i + 1}`, { work: solved(work) }), undefined);
  }

  const opened = await visit(browser, venue);
  const { page } = opened;
  const sent: string[] = [];
  page.on("request", (one) => {
    if (one.url().endsWith("/account/v1/sign-in")) sent.push(one.postData() ?? "");
  });
  await page.evaluate(`
    window.painted = new Set();
    const look = () => {
      window.painted.add(document.querySelector("form [role=status]")?.textContent ?? "");
      requestAnimationFrame(look);
    };
    look();
  `);
  await signIn(opened, email);
  await overviewOf(opened);
  const painted = await page.evaluate<string[]>("[...window.painted]");
  assert.ok(
    painted.filter((text) => /completing a security check: \d+ of 16\.$/.test(text)).length > 1,
    JSON.stringify(painted),
  );
  assert.deepEqual(
    sent.map((body) => JSON.parse(body).work?.nonces.length),
    [undefined, 16],
  );
  assert.deepEqual(besides(opened.complaints, [429, "/account/v1/sign-in"], [401, "/account/v1/sign-in"]), []);
  assert.deepEqual(await opened.violations(), []);
  await opened.close();
});

test("two-factor codes: enabled with the secret of the QR code, required at the sign-in, disabled", {
  skip,
}, async () => {
  const opened = await newCustomer(browser, venue, "codes@example.com");
  const { page } = opened;
  await go(opened, "#/security");
  const pane = page.getByRole("region", { name: "Two-factor authentication" });
  await pane.getByLabel("Current password").fill(PASSWORD);
  await pane.getByRole("button", { name: "Set up" }).click();
  await pane.getByRole("img", { name: "QR code of the secret" }).waitFor();
  const secret = await pane.locator("[data-secret=secret]").innerText();
  await pane.getByRole("textbox", { name: "Two-factor code" }).fill("000000");
  await pane.getByRole("button", { name: "Turn on" }).click();
  await pane.getByRole("alert").getByText("The two-factor code is wrong.").waitFor();
  const first = await freshCode(secret);
  await pane.getByRole("textbox", { name: "Two-factor code" }).fill(first);
  await pane.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("Two-factor authentication is on.").waitFor();

  const other = await visit(browser, venue);
  await signIn(other, "codes@example.com");
  const code = other.page.getByRole("textbox", { name: "Two-factor code" });
  // A used code is reported as used, with the time of the next one.
  await code.fill(first);
  await other.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await other.page.getByRole("alert").getByText("This two-factor code was already used").waitFor();
  assert.match(await other.page.getByRole("alert").innerText(), /already used\. .* (appears in \d+ s|shows now)\./);
  await code.fill(await freshCode(secret));
  await other.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await overviewOf(other);
  assert.deepEqual(besides(other.complaints, [401, "/account/v1/sign-in"]), []);
  await other.close();

  await pane.getByLabel("Current password").fill(PASSWORD);
  await pane.getByRole("textbox", { name: "Two-factor code" }).fill(await freshCode(secret));
  await pane.getByRole("button", { name: "Turn off" }).click();
  await page.getByText("Two-factor authentication is off.").waitFor();
  await opened.close();
});

test("sessions are listed, and ending one signs it out in its browser", { skip }, async () => {
  const one = await newCustomer(browser, venue, "sessions@example.com");
  const other = await visit(browser, venue);
  await signIn(other, "sessions@example.com");
  await overviewOf(other);
  await go(one, "#/security");
  const list = one.page.getByRole("region", { name: "Sessions" }).first();
  await list.getByText("Current").waitFor();
  const end = list.getByRole("button", { name: /^End session of/ });
  assert.equal(await end.count(), 1);
  await end.click();
  await one.page.getByText("Session ended.").waitFor();
  await end.waitFor({ state: "detached" });
  // The other browser notices with its next request.
  await go(other, "#/fees");
  await form(other.page, "Sign in").waitFor();
  await other.page.getByText("You were signed out.").waitFor();
  // Then all sessions at once.
  await signIn(other, "sessions@example.com");
  await other.page.getByRole("heading", { level: 1, name: "Fees" }).waitFor();
  await one.page.getByRole("button", { name: "End all other sessions" }).click();
  await one.page.getByText("All other sessions have ended.").waitFor();
  await go(other, "#/overview");
  await form(other.page, "Sign in").waitFor();
  await other.close();
  await one.close();
});

test("a lost password: the link in the email sets a new one, and the old one is rejected", { skip }, async () => {
  const first = await newCustomer(browser, venue, "lost@example.com");
  await first.close();
  const opened = await visit(browser, venue);
  const { page } = opened;
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await form(page, "Forgot password?").getByLabel("Email").fill("lost@example.com");
  await page.getByRole("button", { name: "Send email" }).click();
  await page.getByText("we have sent an email").waitFor();
  const letter = await letterTo(venue, "lost@example.com", "#/recovery");
  await page.goto(linkIn(letter, "recovery"));
  const set = form(page, "Reset password");
  await set.getByLabel("New password").fill("short");
  await set.getByLabel("Repeat the password").fill("short");
  await set.getByRole("button", { name: "Set password" }).click();
  await set.getByRole("alert").getByText("12 to 256 characters").waitFor();
  await set.getByLabel("New password").fill(NEW_PASSWORD);
  await set.getByLabel("Repeat the password").fill(PASSWORD);
  await set.getByRole("button", { name: "Set password" }).click();
  await set.getByRole("alert").getByText("do not match").waitFor();
  await set.getByLabel("Repeat the password").fill(NEW_PASSWORD);
  await set.getByRole("button", { name: "Set password" }).click();
  await page.getByText("Your password has been reset.").waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await signIn(opened, "lost@example.com");
  await page.getByRole("alert").getByText("The password is wrong, or this account does not exist.").waitFor();
  await signIn(opened, "lost@example.com", NEW_PASSWORD);
  await overviewOf(opened);
  await page.getByText("Withdrawals are suspended until").waitFor();
  await opened.close();
});

test("an email's link stops a recovery that somebody else requested, and another freezes the account", {
  skip,
}, async () => {
  const opened = await newCustomer(browser, venue, "thief@example.com");
  const { page } = opened;
  const stranger = await visit(browser, venue, `${venue.exchange.rest}/account/#/lost`);
  await stranger.page.getByLabel("Email").fill("thief@example.com");
  await stranger.page.getByRole("button", { name: "Send email" }).click();
  await stranger.page.getByText("we have sent an email").waitFor();
  const letter = await letterTo(venue, "thief@example.com", "#/cancel-recovery");
  await page.goto(linkIn(letter, "cancel-recovery"));
  await page.getByRole("button", { name: "Cancel reset" }).click();
  await page.getByText("The reset is canceled.").waitFor();
  await stranger.page.goto(linkIn(letter, "recovery"));
  await stranger.page.getByRole("alert").getByText("This link has expired, was canceled or is incomplete.").waitFor();
  // A sign-in from an unknown browser is reported by email.
  await stranger.page.goto(`${venue.exchange.rest}/account/`);
  await signIn(stranger, "thief@example.com");
  await overviewOf(stranger);
  const warning = await letterTo(venue, "thief@example.com", "#/lock-account");
  await page.goto(linkIn(warning, "lock-account"));
  await page.getByRole("button", { name: "Lock account now" }).click();
  await page.getByText("Your account is locked.").waitFor();
  await go(stranger, "#/fees");
  await form(stranger.page, "Sign in").waitFor();
  await stranger.close();
  await opened.close();
});
