/** Hostile input to the account API gets a documented error, never a 500. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Dice } from "@pricetime/testkit/dice";
import { AccountVenue, SESSION } from "./account-venue.ts";

const PATHS = [
  ...["venue", "sign-up", "sign-in", "sign-out", "session", "sessions", "sessions/close-others", "password", "totp"],
  ...["totp/confirm", "totp/remove", "invitation/check", "invitation/accept", "password-reset", "password-reset/check"],
  ...[
    "password-reset/complete",
    "password-reset/cancel",
    "lock",
    "ticket",
    "",
    "nothing",
    "sessions/..%2f",
    "sessions/%00",
    "%zz",
  ],
];
const METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH"];
const NAMES = ["email", "password", "code", "id", "secret", "name", "pending", "account", "notice", "__proto__", "x"];
const TEXTS = [
  ...["", " ", "a@b.example", "A".repeat(43), "ab".repeat(16), "000000", "\u0000", "\ud800", "'; DROP TABLE --"],
  ...["<script>", "account:100", "operator:carol", "__proto__", "x".repeat(3000), "\r\nSet-Cookie: a=b"],
];

function hostileValue(dice: Dice, depth = 0): unknown {
  const choice = dice.below(8);
  if (choice < 4) return TEXTS[dice.below(TEXTS.length)];
  if (choice === 4) return [null, true, -1, 1.5, 1e308, 100, Number.MAX_SAFE_INTEGER][dice.below(7)];
  if (depth > 2) return null;
  if (choice === 5) return Array.from({ length: dice.below(4) }, () => hostileValue(dice, depth + 1));
  return hostileBody(dice, depth + 1);
}

function hostileBody(dice: Dice, depth = 0): Record<string, unknown> {
  const names = Array.from({ length: dice.below(5) }, () => NAMES[dice.below(NAMES.length)] ?? "x");
  return Object.fromEntries(names.map((name) => [name, hostileValue(dice, depth)]));
}

function hostileText(dice: Dice): string {
  const json = JSON.stringify(hostileBody(dice));
  if (!dice.oneIn(5)) return json;
  const cut = dice.below(json.length);
  return dice.oneIn(2) ? json.slice(0, cut) : `${json.slice(0, cut)}\u00ff{${json.slice(cut)}`;
}

test("hostile bodies, paths, methods and cookies", { timeout: 120_000 }, async (t) => {
  const seed = 20;
  t.diagnostic(`seed ${seed}`);
  const dice = new Dice(seed);
  const venue = await AccountVenue.start({ accounts: { signUp: "open" } });
  const signedIn = await venue.customer("ann@example.com");
  const stranger = venue.browser();
  const statuses = new Map<number, number>();
  for (let i = 0; i < 600; i++) {
    const browser = dice.oneIn(2) ? signedIn.copy() : stranger.copy();
    if (dice.oneIn(10)) browser.cookies.set(SESSION, (TEXTS[dice.below(TEXTS.length)] ?? "").replace(/[^!-~]/g, "."));
    const method = METHODS[dice.below(METHODS.length)] ?? "GET";
    const path = `/account/v1/${PATHS[dice.below(PATHS.length)]}`;
    const body = method === "GET" || method === "HEAD" ? undefined : hostileText(dice);
    const { status, json, text } = await browser.send(method, path, body);
    const told = `${method} ${path} ${body}: ${status} ${text}`;
    assert.ok(status < 500 || json?.error === "BUSY", told);
    if (status >= 400 && method !== "HEAD") assert.match(String(json?.error), /^[A-Z_]+$/, told);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  for (const status of [200, 400, 401, 404, 405]) assert.ok((statuses.get(status) ?? 0) > 0, `no ${status}`);
});
