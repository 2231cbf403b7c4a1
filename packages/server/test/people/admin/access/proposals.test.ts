/** Commands that need a second operator, from the rejection to the approval, and how the rules are ended. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { BREAK_GLASS_DELAY_MS, DAY_MS, MAX_PROPOSALS_OF_AUTHOR, PROPOSAL_LIFE_MS } from "@pricetime/engine";
import { until } from "@pricetime/testkit/waiting";
import type { Reply } from "../running.ts";
import { type Call, Operators, passwordOf, wanted } from "./operators.ts";

let operators: Operators;
let ada: Call;
let bo: Call;
let tom: Call;
beforeEach(async () => {
  operators = await Operators.open();
  ada = await operators.hire("ada", "admin");
  bo = await operators.hire("bo", "admin");
  tom = await operators.hire("tom", "treasurer");
});
afterEach(() => operators.close());

const token: Call = (...request) => operators.venue.admin.call(...request);
const setRules = (rules: object): Promise<Reply["body"]> => wanted(token("PUT", "/v1/approval-rules", rules), 200);
const LIMIT = { withdrawalsAbove: [{ asset: "COIN", amount: "5" }] };
const DEPOSITS = { actions: ["deposit"] };
const coins = (amount = "3", reference = "r1") => ({ account: 100, asset: "COIN", amount, reference });

/** The proposal that the rejection of a command suggests. */
async function actOf(refused: Promise<Reply>): Promise<Record<string, unknown>> {
  const { action } = await wanted(refused, 409, "NEEDS_APPROVAL");
  return action as Record<string, unknown>;
}

async function propose(by: Call, act: object, why = "so"): Promise<string> {
  const { requestId, version } = await wanted(by("POST", "/v1/approval-requests", { action: act, why }), 201);
  assert.equal(version, 1);
  return String(requestId);
}

const approve = (by: Call, id: string, version = 1) => by("POST", `/v1/approval-requests/${id}/approve`, { version });

test("a withdrawal above the limit needs two operators, also with the admin token", async () => {
  await setRules(LIMIT);
  const { venue } = operators;
  const small = await venue.withdraw("1");
  await wanted(token("POST", `/v1/withdrawals/${small}/approve`), 409, "WRONG_STATUS");
  const id = await venue.withdraw("6");
  const alone = (by: Call) => by("POST", `/v1/withdrawals/${id}/approve`);
  for (const by of [ada, tom, token]) await wanted(alone(by), 409, "NEEDS_APPROVAL");
  const act = await actOf(alone(tom));
  assert.deepEqual(act, { type: "approveWithdrawal", withdrawalId: id, by: "operator:tom" });
  const proposal = await propose(tom, act, "above the limit");
  assert.equal((await wanted(token("GET", `/v1/withdrawals/${id}`), 200))["needsDualApproval"], true);
  const again = (by: Call) => by("POST", "/v1/approval-requests", { action: act, why: "once more" });
  assert.equal((await wanted(again(ada), 409, "ALREADY_EXISTS"))["request"], proposal);
  const [listed] = await venue.rows("/v1/approval-requests");
  assert.deepEqual(
    [listed?.["requestId"], listed?.["authors"], listed?.["approvals"], listed?.["approvalsNeeded"], listed?.["needs"]],
    [proposal, ["operator:tom"], [], 1, "money"],
  );
  await wanted(approve(tom, proposal), 403, "OWN_APPROVAL_REQUEST");
  await wanted(approve(token, proposal), 403, "NOT_PERMITTED");
  assert.equal(venue.admin.engine.funds.withdrawal(id)?.status, "awaitingApproval");
  const done = await wanted(approve(ada, proposal), 200);
  assert.deepEqual([done["status"], done["approvals"]], ["done", ["operator:ada"]]);
  await wanted(again(tom), 409, "WRONG_STATUS");
  assert.notEqual(venue.admin.engine.funds.withdrawal(id)?.status, "awaitingApproval");
  assert.deepEqual(await venue.rows("/v1/approval-requests"), []);
  const acts = await venue.rows("/v1/audit-log?account=100&limit=3");
  assert.deepEqual(
    acts.map(({ type, by, outcome }) => [type, by, outcome]),
    [
      ["approveProposal", "operator:ada", "done"],
      ["deposit", "dora", "done"],
      ["openAccount", "dora", "done"],
    ],
  );
  const all = await venue.rows("/v1/audit-log?limit=4");
  assert.deepEqual(
    all.map(({ type, by, outcome }) => [type, by, outcome]),
    [
      ["approveProposal", "operator:ada", "done"],
      ["approveProposal", "operator:tom", "OWN_APPROVAL_REQUEST"],
      ["propose", "operator:tom", "done"],
      ["approveWithdrawal", "operator:tom", "NEEDS_APPROVAL"],
    ],
  );
  for (const details of [all[0]?.["details"], all[2]?.["details"]]) {
    assert.deepEqual((details as { act: object }).act, act, "the act is told whole");
  }
  // Withdrawals of a day count together, so a smaller one needs two operators as well.
  const split = await venue.withdraw("0.5");
  const shown = await venue.wanted(200, "GET", `/v1/withdrawals/${split}`);
  assert.deepEqual(shown["approvalReasons"], [{ rule: "dualApproval", hours: 24, limit: "5", sum: "7.50000000" }]);
  await wanted(token("POST", `/v1/withdrawals/${split}/approve`), 409, "NEEDS_APPROVAL");
});

test("no request is changed to approve a withdrawal for which another one is open, or that is decided", async () => {
  await setRules(LIMIT);
  const act = { type: "approveWithdrawal", withdrawalId: await operators.venue.withdraw("6") };
  const open = await propose(tom, act);
  const other = await propose(ada, { type: "liftStop", scope: "withdrawals" });
  const change = (id: string) => ada("PUT", `/v1/approval-requests/${id}`, { version: 1, action: act, why: "changed" });
  assert.equal((await wanted(change(other), 409, "ALREADY_EXISTS"))["request"], open);
  await wanted(change(open), 200);
  await wanted(approve(bo, open, 2), 200);
  await wanted(change(other), 409, "WRONG_STATUS");
});

test("an author cannot approve a proposal, and nobody can approve an old version", async () => {
  await setRules(DEPOSITS);
  const act = await actOf(tom("POST", "/v1/deposits", coins()));
  const id = await propose(tom, act);
  const path = `/v1/approval-requests/${id}`;
  const changed = { ...act, amount: "4" };
  await wanted(ada("PUT", path, { version: 1, action: changed, why: "four" }), 200);
  await wanted(approve(ada, id, 2), 403, "OWN_APPROVAL_REQUEST");
  await wanted(approve(tom, id, 2), 403, "OWN_APPROVAL_REQUEST");
  await wanted(approve(bo, id, 1), 409, "APPROVAL_REQUEST_CHANGED");
  await wanted(bo("PUT", path, { version: 1, action: changed, why: "late" }), 409, "APPROVAL_REQUEST_CHANGED");
  await wanted(approve(bo, id, 2), 200);
  assert.equal(await operators.venue.balance(), "14.00000000 0.00000000");
  const acts = await operators.venue.rows("/v1/audit-log?account=100");
  const done = acts.filter(({ outcome }) => outcome === "done").map(({ type, by }) => `${String(type)} ${String(by)}`);
  const wantedActs = ["approveProposal operator:bo", "changeProposal operator:ada", "propose operator:tom"];
  assert.deepEqual(done.slice(0, 3), wantedActs, "what was proposed for an account is among its acts");
});

test("a change clears earlier approvals", async () => {
  const cy = await operators.hire("cy", "admin");
  await setRules({ ...DEPOSITS, approvals: 2 });
  const act = await actOf(tom("POST", "/v1/deposits", coins()));
  const id = await propose(tom, act);
  assert.equal((await wanted(approve(ada, id), 200))["status"], "waiting");
  await wanted(approve(ada, id), 409, "ALREADY_EXISTS");
  const changed = await wanted(
    tom("PUT", `/v1/approval-requests/${id}`, { version: 1, action: act, why: "as I meant" }),
    200,
  );
  assert.deepEqual([changed["version"], changed["approvals"]], [2, []]);
  await wanted(approve(ada, id, 2), 200);
  // An approval counts only while its operator still has the right.
  await wanted(bo("PATCH", "/v1/operators/ada", { isEnabled: false }), 200);
  assert.equal((await wanted(approve(bo, id, 2), 200))["status"], "waiting");
  assert.equal((await wanted(approve(cy, id, 2), 200))["status"], "done");
  assert.equal(await operators.venue.balance(), "13.00000000 0.00000000");
});

test("a command that fails at the approval leaves the proposal open and shows the reason", async () => {
  await setRules({ actions: ["debit"] });
  const act = await actOf(tom("POST", "/v1/debits", coins("50")));
  const id = await propose(tom, act);
  await wanted(approve(ada, id), 409, "INSUFFICIENT_BALANCE");
  const kept = await wanted(ada("GET", `/v1/approval-requests/${id}`), 200);
  assert.deepEqual([kept["version"], kept["approvals"]], [1, []]);
  await wanted(token("POST", "/v1/deposits", coins("40", "r2")), 201);
  await wanted(approve(ada, id), 200);
  assert.equal(await operators.venue.balance(), "undefined undefined", "all fifty are gone");
});

test("a proposal ends when it expires, is rejected or is withdrawn by its author", async () => {
  await setRules(DEPOSITS);
  const act = await actOf(tom("POST", "/v1/deposits", coins()));
  const [old, rejected, own] = [await propose(tom, act), await propose(tom, act), await propose(tom, act)];
  const sue = await operators.hireBy([ada, bo], "sue", "support");
  const reject = (by: Call, id: string) => by("POST", `/v1/approval-requests/${id}/reject`, { why: "no" });
  await wanted(reject(sue, rejected), 403, "NOT_PERMITTED");
  assert.equal((await wanted(reject(ada, rejected), 200))["status"], "rejected");
  await wanted(approve(bo, rejected), 404, "UNKNOWN_APPROVAL_REQUEST");
  await wanted(reject(tom, own), 200);
  operators.clock.aheadMs += PROPOSAL_LIFE_MS + 1;
  const later = await operators.signedIn("ada");
  assert.deepEqual(await operators.venue.rows("/v1/approval-requests"), []);
  await wanted(approve(later, old), 404, "UNKNOWN_APPROVAL_REQUEST");
  assert.equal(await operators.venue.balance(), "10.00000000 0.00000000");
});

test("once rules exist, changing them and creating operators need two operators", async () => {
  await setRules(DEPOSITS);
  const none = { approvals: 1, withdrawalsAbove: [], actions: [] };
  for (const by of [ada, token]) {
    await wanted(by("PUT", "/v1/approval-rules", none), 409, "NEEDS_APPROVAL");
    await wanted(
      by("POST", "/v1/operators", { name: "eve", email: "e@example.com", role: "admin" }),
      409,
      "NEEDS_APPROVAL",
    );
    await wanted(by("PATCH", "/v1/operators/tom", { role: "admin" }), 409, "NEEDS_APPROVAL");
    await wanted(by("PATCH", "/v1/operators/tom", { email: "eve@example.com" }), 409, "NEEDS_APPROVAL");
    await wanted(by("POST", "/v1/operators/bo/invitation"), 409, "NEEDS_APPROVAL");
    await wanted(by("DELETE", "/v1/operators/bo/totp"), 409, "NEEDS_APPROVAL");
  }
  await wanted(tom("PUT", "/v1/approval-rules", none), 403, "NOT_PERMITTED");
  const id = await propose(ada, await actOf(ada("PUT", "/v1/approval-rules", none)));
  await wanted(approve(bo, id), 200);
  assert.deepEqual(await wanted(token("GET", "/v1/approval-rules"), 200), none);
});

test("rules that nobody could meet or end are rejected", async () => {
  await wanted(token("PUT", "/v1/approval-rules", { ...DEPOSITS, approvals: 2 }), 409, "TOO_FEW_OPERATORS");
  for (const act of ["approveProposal", "stopBreakGlass", "setStop", "nothing"]) {
    await wanted(token("PUT", "/v1/approval-rules", { actions: [act] }), 400, "BAD_REQUEST");
  }
  const unknown = { withdrawalsAbove: [{ asset: "NONE", amount: "5" }] };
  await wanted(token("PUT", "/v1/approval-rules", unknown), 404, "UNKNOWN_ASSET");
});

test("a proposal cannot contain a secret, another author or a password command", async () => {
  await setRules({ actions: ["createApiKey", "deposit"] });
  const proposed = (act: object) => ada("POST", "/v1/approval-requests", { action: act, why: "so" });
  const { action } = await wanted(ada("POST", "/v1/operators/bo/invitation"), 409, "NEEDS_APPROVAL");
  const invite = action as Record<string, unknown>;
  await wanted(proposed({ ...invite, secretHash: "ab".repeat(32) }), 400, "BAD_REQUEST");
  await wanted(proposed({ ...invite, invitationId: "0".repeat(32) }), 400, "BAD_REQUEST");
  await wanted(proposed({ ...invite, invitationId: { toString: "no text" } }), 400, "BAD_REQUEST");
  const key = await wanted(ada("POST", "/v1/accounts/100/keys", {}), 409, "NEEDS_APPROVAL");
  assert.ok(!("action" in key), "a secret that nobody would know is not proposed");
  const sealed = { type: "createApiKey", accountId: 100, apiKey: "k", sealedSecret: "s1.x", permissions: [] };
  await wanted(proposed({ ...sealed, ipAllowList: [], label: "" }), 400, "BAD_REQUEST");
  const password = { type: "setPassword", holder: "account:100", was: "s1.a", sealedPassword: "s1.b", except: null };
  await wanted(proposed(password), 400, "BAD_REQUEST");
  await wanted(proposed({ type: "approveProposal", proposalId: "0".repeat(32), version: 1 }), 400, "BAD_REQUEST");
  await wanted(proposed({ type: "deposit", accountId: 100 }), 400, "INVALID_VALUE");
  const foreign = { type: "deposit", accountId: 100, asset: "COIN", amount: "1", reference: "x", by: "operator:bo" };
  await wanted(proposed({ ...foreign, account: "alice" }), 400, "INVALID_VALUE");
  const { authors, action: kept } = await wanted(proposed(foreign), 201);
  assert.deepEqual([authors, (kept as { by: string }).by], [["operator:ada"], "operator:ada"]);
});

test("an operator invited by proposal sets a password by the emailed link, which its approvers do not see", async () => {
  await setRules(DEPOSITS);
  const act = await actOf(ada("POST", "/v1/operators/bo/invitation"));
  const done = await wanted(approve(tom, await propose(ada, act)), 403, "NOT_PERMITTED");
  assert.ok(!("link" in done));
  const [{ requestId }] = (await operators.venue.rows("/v1/approval-requests")) as [{ requestId: string }];
  const answer = await wanted(approve(bo, requestId), 200);
  assert.ok(!JSON.stringify(answer).includes("secret="));
  const id = String(act["invitationId"]);
  const secret = operators.linkSecret(id);
  const sent = { id, secret, password: passwordOf("new bo") };
  await wanted(operators.stranger("POST", "/v1/accept-invitation", sent), 200);
  await wanted(bo("GET", "/v1/me"), 401, "UNAUTHORIZED");
});

test("proposals of one operator are limited, and removed when the operator is disabled", async () => {
  const sue = await operators.hire("sue", "support");
  const lift = (name: string) => ({ type: "liftStop", by: `operator:${name}`, scope: "withdrawals" });
  const ids: string[] = [];
  for (let i = 0; i < MAX_PROPOSALS_OF_AUTHOR; i++) ids.push(await propose(sue, lift("sue")));
  const { message } = await wanted(
    sue("POST", "/v1/approval-requests", { action: lift("sue"), why: "so" }),
    409,
    "TOO_MANY",
  );
  assert.match(String(message), /^At most 1000 approval requests can be waiting, 100 of one author\./);
  const toms = await propose(tom, lift("tom"));
  await wanted(ada("PATCH", "/v1/operators/sue", { isEnabled: false }), 200);
  const left = await operators.venue.rows("/v1/approval-requests");
  assert.deepEqual(
    left.map(({ requestId }) => requestId),
    [toms],
  );
  const [act] = await operators.venue.rows("/v1/audit-log?limit=1");
  assert.equal(act?.["by"], "operator:ada");
  assert.partialDeepStrictEqual(act?.["details"], { cancelledProposals: ids });
});

test("manual network steps that need two operators are rejected like other commands", async () => {
  await setRules({ actions: ["seeDeposit"] });
  const coin = { txId: "tx-1", asset: "COIN", amount: "3", address: "hand-1" };
  await operators.venue.wanted(201, "POST", "/v1/accounts/100/deposit-addresses", { network: "HAND" });
  const act = await actOf(tom("POST", "/v1/networks/HAND/deposits", coin));
  await wanted(approve(ada, await propose(tom, act)), 200);
  const [open] = await operators.venue.rows("/v1/pending-deposits");
  assert.deepEqual([open?.["txId"], open?.["amount"]], ["tx-1", "3.00000000"]);
});

test("the rules end a day after the announcement unless it is cancelled", async () => {
  const { clock, venue } = operators;
  await setRules(DEPOSITS);
  const rules = async (): Promise<unknown> => (await wanted(token("GET", "/v1/approval-rules"), 200))["actions"];
  await wanted(tom("POST", "/v1/emergency-override", { why: "bo is gone" }), 403, "NOT_PERMITTED");
  const { emergencyOverride } = await wanted(ada("POST", "/v1/emergency-override", { why: "bo is gone" }), 201);
  const { by, why, sinceMs, fromMs } = emergencyOverride as Record<string, unknown>;
  assert.deepEqual([by, why, Number(fromMs) - Number(sinceMs)], ["operator:ada", "bo is gone", BREAK_GLASS_DELAY_MS]);
  const told = [...venue.admin.engine.access.notices()].filter(({ kind }) => kind === "breakGlass");
  assert.deepEqual(
    told.map(({ email }) => email).toSorted(),
    ["ada", "bo", "tom"].map((name) => `${name}@example.com`),
  );
  await wanted(ada("POST", "/v1/emergency-override", { why: "again" }), 409, "ALREADY_EXISTS");
  await wanted(tom("POST", "/v1/deposits", coins()), 409, "NEEDS_APPROVAL");
  assert.deepEqual(await wanted(tom("DELETE", "/v1/emergency-override"), 200), { emergencyOverride: null });
  await wanted(tom("DELETE", "/v1/emergency-override"), 409, "WRONG_STATUS");
  clock.aheadMs += 2 * DAY_MS;
  const later = await operators.signedIn("ada");
  await wanted(later("POST", "/v1/deposits", coins()), 409, "NEEDS_APPROVAL");
  await wanted(later("POST", "/v1/emergency-override", { why: "she is gone" }), 201);
  clock.aheadMs += DAY_MS + 1;
  await until("the rules end", async () => ((await rules()) as string[]).length === 0);
  await wanted((await operators.signedIn("tom"))("POST", "/v1/deposits", coins()), 201);
});
