/** Operator sign-in: invitation, password, code, length of a session, and impersonation attempts. */
import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { afterEach, beforeEach, test } from "node:test";
import { MINUTE_MS, SECOND_MS } from "@pricetime/engine";
import { Secret, TOTP } from "otpauth";
import { until } from "@pricetime/testkit/waiting";
import { GUESS_LIMITS } from "../../../../src/people/sign-in/limits.ts";
import { type AdminOptions, TOKEN } from "../running.ts";
import { callWith, Operators, partsOf, passwordOf, wanted } from "./operators.ts";

let operators: Operators;
beforeEach(async () => {
  operators = await Operators.open();
});
afterEach(() => operators.close());

const signIn = (name: string, more: object = {}) =>
  operators.stranger("POST", "/v1/sign-in", { name, password: passwordOf(name), ...more });

test("an invitation link can be used once", async () => {
  const { venue } = operators;
  await venue.wanted(201, "POST", "/v1/operators", { name: "carol", email: "carol@example.com", role: "support" });
  await wanted(signIn("carol"), 401, "SIGN_IN_FAILED");
  const { link, ...told } = await venue.wanted(201, "POST", "/v1/operators/carol/invitation");
  assert.ok(String(link).startsWith(`${operators.url}/#/invitation?id=`), String(link));
  assert.ok(!("secretHash" in told));
  const { id, secret } = partsOf(String(link));
  const accept = (sent: object) => operators.stranger("POST", "/v1/accept-invitation", sent);
  const password = passwordOf("carol");
  await wanted(accept({ id, secret: "A".repeat(43), password }), 404, "UNKNOWN_INVITATION");
  await wanted(accept({ id: "0".repeat(32), secret, password }), 404, "UNKNOWN_INVITATION");
  await wanted(accept({ id, secret, password: "too short" }), 400, "BAD_REQUEST");
  const accepted = await wanted(accept({ id, secret, password }), 200);
  assert.deepEqual(Object.keys(accepted), ["name", "mark"]);
  await wanted(accept({ id, secret, password }), 404, "UNKNOWN_INVITATION");
  const { token, role, name } = await wanted(signIn("carol"), 200);
  assert.deepEqual([name, role, String(token).length], ["carol", "support", 32 + 1 + 43]);
});

test("the support role opens accounts at standard fee rates only", async () => {
  const [support, admin] = [await operators.hire("sue", "support"), await operators.hire("ada", "admin")];
  const bodies = [
    ["/v1/accounts", { email: "o@example.com", name: "O" }],
    ["/v1/invitations", { email: "n@example.com", name: "N" }],
  ] as const;
  for (const [path, body] of bodies) {
    for (const rates of [{ makerBps: 0 }, { takerBps: 0 }, { makerBps: 0, takerBps: 0 }]) {
      await wanted(support("POST", path, { ...body, ...rates }), 403, "NOT_PERMITTED");
    }
    await wanted(support("POST", path, body), 201);
    await wanted(admin("POST", path, { ...body, email: `2${body.email}`, makerBps: 0, takerBps: 1 }), 201);
  }
});

test("a code used for signing in cannot remove codes", async () => {
  const ada = await operators.hire("ada", "admin");
  const password = passwordOf("ada");
  const { secret, pending } = await wanted(ada("POST", "/v1/me/totp", { password }), 200);
  const totp = new TOTP({ secret: Secret.fromBase32(String(secret)) });
  const codeOf = (): string => totp.generate({ timestamp: operators.clock.world.nowMs() });
  await wanted(ada("POST", "/v1/me/totp/confirm", { pending, code: codeOf() }), 200);
  const first = codeOf();
  await wanted(signIn("ada", { code: first }), 401, "CODE_USED");
  operators.clock.aheadMs += MINUTE_MS;
  const code = codeOf();
  await wanted(signIn("ada", { code }), 200);
  await wanted(ada("POST", "/v1/me/password", { password, newPassword: "another long one", code }), 401, "CODE_USED");
  await wanted(ada("POST", "/v1/me/totp/remove", { password, code }), 401, "CODE_USED");
  operators.clock.aheadMs += MINUTE_MS;
  await wanted(ada("POST", "/v1/me/totp/remove", { password, code: codeOf() }), 200);
});

test("only admins see the link of a customer's invitation, and the admin API does not accept it", async () => {
  const support = await operators.hire("sue", "support");
  const opened = await wanted(support("POST", "/v1/invitations", { email: "n@example.com", name: "N" }), 201);
  assert.match(String(opened["link"]), /^http:\/\/x\/account\/#\/invitation\?id=[0-9a-f]{32}&secret=/);
  assert.deepEqual(opened["opens"], { name: "N", makerBps: 10, takerBps: 20 });
  const own = await wanted(support("POST", "/v1/accounts/100/invitation"), 201);
  assert.equal(own["link"], null, "it would let support act as the customer");
  const admin = await operators.hire("ada", "admin");
  const { link } = await wanted(admin("POST", "/v1/accounts/100/invitation"), 201);
  const sent = { ...partsOf(String(link)), password: passwordOf("n") };
  await wanted(operators.stranger("POST", "/v1/accept-invitation", sent), 404, "UNKNOWN_INVITATION");
  const open = await operators.venue.rows("/v1/invitations");
  assert.deepEqual(
    open.map(({ email, holder, by }) => [email, holder, by]),
    [
      ["n@example.com", null, "operator:sue"],
      ["a@example.com", "account:100", "operator:sue"],
      ["a@example.com", "account:100", "operator:ada"],
    ],
  );
  await wanted(support("DELETE", `/v1/invitations/${String(opened["invitationId"])}`), 200);
  assert.equal((await operators.venue.rows("/v1/invitations")).length, 2);
  assert.ok(!JSON.stringify(open).includes("secret"));
});

test("an operator's commands carry the name in the journal and the audit log", async () => {
  const support = await operators.hire("sue", "support");
  await wanted(support("PATCH", "/v1/accounts/100", { canTrade: false }), 200);
  await wanted(support("PATCH", "/v1/accounts/100", { makerBps: 0 }), 403, "NOT_PERMITTED");
  const [rates, act] = await operators.venue.rows("/v1/audit-log?limit=2");
  assert.deepEqual([act?.["type"], act?.["by"], act?.["outcome"]], ["changeAccount", "operator:sue", "done"]);
  assert.deepEqual([rates?.["by"], rates?.["outcome"]], ["operator:sue", "NOT_PERMITTED"]);
  const commands = await operators.venue.journaled();
  assert.ok(commands.some((one) => one.type === "changeAccount" && one.by === "operator:sue"));
});

test("the log has operators with their commands and rejections", async () => {
  await operators.close();
  const lines: unknown[] = [];
  const info = (line: unknown): void => void lines.push(line);
  operators = await Operators.open({
    log: { info, error: assert.fail } as unknown as NonNullable<AdminOptions["log"]>,
  });
  const sue = await operators.hire("sue", "support");
  lines.length = 0;
  await wanted(sue("PATCH", "/v1/accounts/100", { canTrade: false }), 200);
  await wanted(sue("PUT", "/v1/maintenance", { isOn: true }), 403);
  await wanted(signIn("sue", { password: "not the one it is" }), 401);
  assert.deepEqual(lines, [
    { by: "operator:sue", method: "PATCH", path: "/v1/accounts/100", status: 200 },
    { by: "operator:sue", method: "PUT", path: "/v1/maintenance", refused: "NOT_PERMITTED" },
    { by: "stranger", method: "POST", path: "/v1/sign-in", refused: "SIGN_IN_FAILED" },
  ]);
});

test("an operator cannot act under another name", async () => {
  await operators.invite("sue", "support");
  const token = await operators.tokenOf("sue");
  const named = (shown: string, user: string) =>
    callWith(operators.url, shown, ["GET", "/v1/me"], { "x-pricetime-user": user });
  await wanted(named(token, "dora"), 400, "BAD_REQUEST");
  for (const user of ["operator:sue", "account:100", "dora+operator:sue", "OPERATOR:sue", "configuration"]) {
    await wanted(named(TOKEN, user), 400, "BAD_REQUEST");
  }
  const me = await wanted(named(TOKEN, "dora"), 200);
  assert.deepEqual([me["name"], me["role"], me["isToken"]], ["dora", null, true]);
  const own = await wanted(callWith(operators.url, token, ["GET", "/v1/me"]), 200);
  assert.deepEqual([own["name"], own["role"], own["isToken"]], ["sue", "support", false]);
  assert.deepEqual(own["rights"], ["view", "any", "customers"]);
});

test("guessing is throttled, equally for unknown names, and never permanently", async () => {
  await operators.close();
  // Longer than any hash takes.
  operators = await Operators.open({ guessLimits: { ...GUESS_LIMITS, firstPauseMs: 5 * MINUTE_MS } });
  await operators.invite("sue", "support");
  const { mark } = await wanted(signIn("sue"), 200);
  for (const name of ["sue", "nobody"]) {
    const answers: unknown[] = [];
    for (let n = 0; n < 7; n++) answers.push((await signIn(name, { password: `wrong ${n}` })).body["error"]);
    assert.deepEqual(answers, [...Array<string>(5).fill("SIGN_IN_FAILED"), "TOO_MANY_TRIES", "TOO_MANY_TRIES"]);
    const told = await wanted(signIn(name), 429, "TOO_MANY_TRIES");
    assert.ok(Number(told["retryAfterSeconds"]) > 0);
  }
  await wanted(signIn("sue", { mark }), 200);
  operators.clock.aheadMs += 15 * MINUTE_MS;
  await wanted(signIn("sue"), 200);
});

test("a session ends after 30 idle minutes, at its maximum age, and at sign-out", async () => {
  const { clock } = operators;
  const sue = await operators.hire("sue", "viewer");
  for (let n = 0; n < 25; n++) {
    clock.aheadMs += 29 * MINUTE_MS;
    const { status } = await sue("GET", "/v1/me");
    assert.equal(status, n * 29 + 29 < 12 * 60 ? 200 : 401, `after ${n * 29 + 29} minutes of use`);
  }
  const idle = await operators.signedIn("sue");
  await wanted(idle("GET", "/v1/me"), 200);
  clock.aheadMs += 30 * MINUTE_MS;
  await wanted(idle("GET", "/v1/me"), 401, "UNAUTHORIZED");
  const { access } = operators.venue.admin.engine;
  const open = () => access.sessions("operator:sue", operators.venue.admin.sequencer.nowMs());
  await until("the idle session is closed in the journal", () => open().length === 0);
  const last = await operators.signedIn("sue");
  await wanted(last("POST", "/v1/sign-out"), 200);
  await wanted(last("GET", "/v1/me"), 401, "UNAUTHORIZED");
});

test("signing out clears the browser's cache, but not cookies and storage", async () => {
  await operators.hire("sue", "viewer");
  const authorization = `Bearer ${await operators.tokenOf("sue")}`;
  const answer = await fetch(`${operators.url}/v1/sign-out`, { method: "POST", headers: { authorization } });
  assert.deepEqual([answer.status, answer.headers.get("clear-site-data")], [200, '"cache"']);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const refused = await fetch(`${operators.url}/v1/sign-out`, { method: "POST", headers: { authorization } });
  assert.deepEqual([refused.status, refused.headers.get("clear-site-data")], [401, null]);
});

test("changing the password ends other sessions, and the old password is invalid", async () => {
  const [first, second] = [await operators.hire("sue", "support"), await operators.signedIn("sue")];
  const newPassword = "another horse battery";
  const said = { password: passwordOf("sue"), newPassword };
  await wanted(first("POST", "/v1/me/password", { ...said, password: "not the one it is" }), 401, "SIGN_IN_FAILED");
  await wanted(first("POST", "/v1/me/password", { ...said, newPassword: "short" }), 400, "BAD_REQUEST");
  await wanted(first("POST", "/v1/me/password", said), 200);
  await wanted(second("GET", "/v1/me"), 401);
  await wanted(first("GET", "/v1/me"), 200);
  await wanted(signIn("sue"), 401, "SIGN_IN_FAILED");
  await wanted(signIn("sue", { password: newPassword }), 200);
  await wanted(operators.venue.admin.call("POST", "/v1/me/password", said), 409, "NOT_AN_OPERATOR");
});

test("codes are required once confirmed, each is accepted once, until they are removed", async () => {
  const sue = await operators.hire("sue", "support");
  const password = passwordOf("sue");
  const { secret, uri, pending } = await wanted(sue("POST", "/v1/me/totp", { password }), 200);
  assert.match(String(uri), /^otpauth:\/\/totp\//);
  const totp = new TOTP({ secret: Secret.fromBase32(String(secret)), algorithm: "SHA1", digits: 6, period: 30 });
  const code = () => totp.generate({ timestamp: operators.venue.admin.sequencer.nowMs() });
  const confirm = (call: typeof sue, sent: object) => call("POST", "/v1/me/totp/confirm", sent);
  const wrong = code() === "000000" ? "000001" : "000000";
  await wanted(confirm(sue, { pending, code: wrong }), 401, "CODE_WRONG");
  await wanted(confirm(await operators.hire("tom", "support"), { pending, code: code() }), 400, "BAD_REQUEST");
  await wanted(confirm(sue, { pending: "s1.x", code: code() }), 400, "BAD_REQUEST");
  await wanted(confirm(sue, { pending, code: code() }), 200);
  await wanted(sue("POST", "/v1/me/totp", { password }), 409, "ALREADY_EXISTS");
  await wanted(signIn("sue"), 401, "CODE_REQUIRED");
  await wanted(signIn("sue", { code: wrong }), 401, "CODE_WRONG");
  operators.clock.aheadMs += 31 * SECOND_MS;
  const used = code();
  await wanted(signIn("sue", { code: used }), 200);
  await wanted(signIn("sue", { code: used }), 401, "CODE_USED");
  operators.clock.aheadMs += 31 * SECOND_MS;
  await wanted(sue("POST", "/v1/me/totp/remove", { password, code: code() }), 200);
  await wanted(signIn("sue"), 200);
  const acts = JSON.stringify(await operators.venue.rows("/v1/audit-log?limit=1000"));
  assert.doesNotMatch(acts, /s1\./, "no sealed secret is shown");
});

test("an admin can remove an operator's lost two-factor codes", async () => {
  const sue = await operators.hire("sue", "support");
  const { secret, pending } = await wanted(sue("POST", "/v1/me/totp", { password: passwordOf("sue") }), 200);
  const totp = new TOTP({ secret: Secret.fromBase32(String(secret)), algorithm: "SHA1", digits: 6, period: 30 });
  const code = totp.generate({ timestamp: operators.venue.admin.sequencer.nowMs() });
  await wanted(sue("POST", "/v1/me/totp/confirm", { pending, code }), 200);
  await wanted(sue("DELETE", "/v1/operators/sue/totp"), 403, "NOT_PERMITTED");
  const admin = await operators.hire("ada", "admin");
  const shown = await wanted(admin("DELETE", "/v1/operators/sue/totp"), 200);
  assert.deepEqual([shown["hasTotp"], shown["hasPassword"], shown["sessions"]], [false, true, 1]);
});

test("disabling and demoting take effect at once, also during a request", async () => {
  const [sue, ada] = [await operators.hire("sue", "support"), await operators.hire("ada", "admin")];
  const change = (canTrade: boolean) => sue("PATCH", "/v1/accounts/100", { canTrade });
  await wanted(change(false), 200);
  // Its rights were checked before the demotion is journaled.
  operators.venue.overtake("changeAccount", {
    ...{ type: "changeOperator", by: "operator:ada", name: "sue", role: "viewer" },
  });
  await wanted(change(true), 403, "NOT_PERMITTED");
  await wanted(change(true), 403, "NOT_PERMITTED");
  await wanted(ada("PATCH", "/v1/operators/sue", { isEnabled: false }), 200);
  await wanted(sue("GET", "/v1/me"), 401, "UNAUTHORIZED");
  await wanted(signIn("sue"), 401, "SIGN_IN_FAILED");
});

test("only the admin token can read emails with their links", async () => {
  const admin = await operators.hire("ada", "admin");
  const text = "Follow http://x/account/#/recovery?id=1&secret=2 or http://x/confirm?token=3 today.";
  const mailId = operators.venue.admin.mail.post({ to: "a@example.com", subject: "s", text });
  assert.equal((await wanted(operators.venue.admin.call("GET", `/v1/emails/${mailId}`), 200))["text"], text);
  const shown = await wanted(admin("GET", `/v1/emails/${mailId}`), 200);
  assert.equal(shown["text"], "Follow http://x/account/… or http://x/confirm… today.");
  const [listed] = (await wanted(admin("GET", "/v1/emails"), 200)) as unknown as object[];
  assert.ok(listed !== undefined && !("text" in listed));
});

test("passwords are not accepted over plain HTTP except on loopback", async () => {
  await operators.close();
  operators = await Operators.open({ hosts: ["console.example"] });
  await operators.invite("sue", "support");
  const said = JSON.stringify({ name: "sue", password: passwordOf("sue") });
  const ask = (headers: object): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(
        `${operators.url}/v1/sign-in`,
        { method: "POST", headers: { host: "console.example", ...headers } },
        (answer) => resolve(answer.resume().statusCode ?? 0),
      );
      sent.once("error", reject).end(said);
    });
  assert.equal(await ask({}), 403);
  assert.equal(await ask({ "x-forwarded-proto": "https" }), 200);
});

test("a customer's sessions are shown and ended, and an account can be frozen", async () => {
  const { venue } = operators;
  const sue = await operators.hire("sue", "support");
  await venue.wanted(201, "POST", "/v1/accounts/100/keys", {});
  await venue.openSession();
  const sessions = (await wanted(sue("GET", "/v1/accounts/100/sessions"), 200)) as unknown as Record<string, unknown>[];
  assert.deepEqual(
    sessions.map(({ ip, client }) => [ip, client]),
    [["10.0.0.1", "Firefox"]],
  );
  assert.ok(!JSON.stringify(sessions).includes("Hash"));
  await wanted(sue("DELETE", "/v1/accounts/100/sessions"), 200);
  assert.deepEqual(await venue.rows("/v1/accounts/100/sessions"), []);
  await wanted(sue("POST", "/v1/accounts/100/lock"), 200);
  const { canTrade, canWithdraw } = await venue.wanted(200, "GET", "/v1/accounts/100");
  assert.deepEqual([canTrade, canWithdraw, await venue.rows("/v1/accounts/100/keys")], [false, false, []]);
});
