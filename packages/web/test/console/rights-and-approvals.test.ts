/** Rights, approval requests and invitations in the console, without a node. */
import assert from "node:assert/strict";
import { waitsForText } from "../../src/console/forms/subjects.ts";
import { test } from "node:test";
import type { Sent } from "../../src/console/admin-client.ts";
import { signal } from "@preact/signals";
import { bodyNow, firstDraft, readyOf, withActionShape, withKnown } from "../../src/console/forms/draft.ts";
import { differencesOf } from "../../src/console/forms/differences.ts";
import {
  APPROVE,
  CHANGE,
  concerns,
  isOver,
  nowIn,
  pathOfNow,
  requestIdIn,
  REJECT,
  valuesIn,
  thenOf,
} from "../../src/console/forms/approval-request.ts";
import { invitationOf } from "../../src/console/place.ts";
import { mayDo } from "../../src/console/context.ts";
import { decideAll } from "../../src/console/pages/withdrawal-data.ts";
import { type Json, type Operation, operationsOf, type Schema } from "../../src/console/openapi.ts";
import type { Me, OpenWithdrawal } from "@pricetime/server/answers";
import { Denied } from "../../src/pages/request.ts";

const CAROL: Me = {
  name: "carol",
  role: "treasurer",
  rights: ["view", "any", "money"],
  isToken: false,
  hasTotp: false,
};

function operation(key: string, body: Schema | null = null, needs?: string): Operation {
  const [method = "", path = ""] = key.split(" ");
  const described = {
    ...(needs !== undefined && { "x-needs": needs }),
    ...(body !== null && { requestBody: { content: { "application/json": { schema: body } } } }),
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
      ...{ name, in: "path" as const, required: true, schema: { type: "string" } },
    })),
  };
  const made = operationsOf({ paths: { [path]: { [method.toLowerCase()]: described } } }).get(key);
  return made ?? assert.fail(key);
}

test("an action has a button for operators who have the right that the document requires", () => {
  const all = [
    operation("POST /v1/withdrawals/{withdrawal}/approve", null, "money"),
    operation("PATCH /v1/accounts/{account}", null, "customers"),
    operation("POST /v1/approval-requests", null, "any"),
    operation("POST /v1/lab/reset", null, "token"),
    operation("GET /healthz"),
  ];
  const operations = signal(new Map(all.map((one) => [one.key, one])));
  const offered = (me: Me | null): string[] =>
    all.map(({ key }) => key).filter((key) => mayDo({ operations, me: signal(me) }, key));
  assert.deepEqual(offered(CAROL), [all[0]?.key, all[2]?.key, all[4]?.key]);
  const rights = ["view", "any", "customers", "money", "venue", "token"];
  const token: Me = { name: "dora", role: null, rights, isToken: true, hasTotp: false };
  assert.deepEqual(
    offered(token),
    all.map(({ key }) => key).filter((key) => key !== "POST /v1/approval-requests"),
    "the admin token is no person",
  );
  assert.deepEqual(offered(null), ["GET /healthz"]);
  assert.ok(!mayDo({ operations, me: signal(CAROL) }, "POST /v1/not-there"));
});

test("the link of an invitation is parsed, and no other address", () => {
  assert.deepEqual(invitationOf("#/invitation?id=ab&secret=x-_y"), { id: "ab", secret: "x-_y" });
  assert.deepEqual(invitationOf("#/invitation?"), { id: "", secret: "" });
  for (const hash of ["", "#/", "#/overview", "#/invitations?id=1", "#/accounts/invitation?id=1"]) {
    assert.equal(invitationOf(hash), null, hash);
  }
});

const ACT = { type: "adjust", by: "operator:carol", accountId: 100, amount: "1000", isNew: true, more: null } as const;
const CHANGE_BODY: Schema = {
  type: "object",
  properties: { version: { type: "integer" }, action: { type: "object" }, why: { type: "string", minLength: 1 } },
  required: ["version", "action", "why"],
};

test("the form of a change is derived from the action, keeps its type and author, and sends the displayed version", () => {
  const openForm = {
    key: CHANGE,
    given: { request: "p" },
    now: { action: ACT, why: "because" },
    fixed: { version: 3 },
  };
  const shaped = withKnown(withActionShape(operation(CHANGE, CHANGE_BODY, "any"), openForm), openForm);
  const draft = firstDraft(shaped, openForm);
  const untouched = readyOf(shaped, openForm, draft);
  assert.deepEqual(untouched.faults, []);
  assert.equal(untouched.path, "/v1/approval-requests/p");
  assert.deepEqual(untouched.sent.body, { version: 3, action: ACT, why: "because" });
  assert.deepEqual(differencesOf(bodyNow(shaped, openForm), untouched.whole), []);
  const changed = readyOf(shaped, openForm, {
    ...draft,
    body: { version: 3, action: { ...ACT, amount: "2000" }, why: "x" },
  });
  assert.deepEqual(
    differencesOf(bodyNow(shaped, openForm), changed.whole).map(({ at }) => at),
    ["action.amount", "why"],
  );
  const { action: act } = shaped.body?.properties ?? {};
  assert.deepEqual([act?.properties?.["type"]?.const, act?.properties?.["by"]?.const], ["adjust", "operator:carol"]);
});

test("an approval sends the displayed version and has no other field", () => {
  const body: Schema = { type: "object", properties: { version: { type: "integer" } }, required: ["version"] };
  const openForm = { key: APPROVE, given: { request: "p" }, fixed: { version: 2 } };
  const known = withKnown(operation(APPROVE, body, "any"), openForm);
  const ready = readyOf(known, openForm, firstDraft(known, openForm));
  assert.deepEqual([ready.sent.body, ready.faults], [{ version: 2 }, []]);
});

test("a parameter whose values the page knows is a choice", () => {
  const key = "PUT /v1/suspensions/{scope}";
  const known = withKnown(operation(key), { key, given: {}, choices: { scope: ["trading", "asset:BTC"] } });
  assert.deepEqual(known.parameters[0]?.schema.enum, ["trading", "asset:BTC"]);
  assert.equal(firstDraft(known, { key, given: {} }).path["scope"], "trading");
});

const shown = (act: { type: string } & Record<string, Json>, answer: Json) => {
  const now = nowIn(act, answer);
  return now === undefined ? undefined : differencesOf(now, thenOf(act));
};

test("a requested action is shown as a difference from the current values", () => {
  const change = { type: "changeAccount", by: "operator:a", accountId: 100, makerBps: 5, canTrade: true };
  assert.equal(pathOfNow(change), "/v1/accounts/100");
  assert.deepEqual(shown(change, { accountId: 100, makerBps: 10, canTrade: true, email: "x" }), [
    { at: "makerBps", before: "10", after: "5" },
  ]);
  const role = { type: "changeOperator", by: "operator:a", name: "eve", role: "admin" };
  assert.deepEqual(
    shown(role, [
      { name: "bob", role: "viewer" },
      { name: "eve", role: "support" },
    ]),
    [{ at: "role", before: "support", after: "admin" }],
  );
  const halt = { type: "setSymbolStatus", by: "operator:a", symbol: "BTC/USDT", status: "HALT" };
  assert.equal(pathOfNow(halt), "/v1/symbols/BTC%2FUSDT");
  assert.deepEqual(shown(halt, { status: "TRADING" }), [{ at: "status", before: "TRADING", after: "HALT" }]);
  const pay = { type: "approveWithdrawal", by: "operator:a", withdrawalId: "w1" };
  assert.equal(pathOfNow(pay), null, "a withdrawal is shown, not a difference");
  assert.deepEqual(valuesIn(pay), {});
  assert.equal(pathOfNow({ type: "adjust" }), null);
  assert.deepEqual([concerns(halt), concerns({ type: "setMaintenance", isOn: true })], ["BTC/USDT", ""]);
});

test("the outcome of an action is recognized: a pending approval request, or a completed one", () => {
  assert.equal(requestIdIn({ request: { requestId: "p" } }), "p");
  assert.equal(requestIdIn({ seq: 1 }), undefined);
  assert.deepEqual(
    [isOver({ key: APPROVE }, { status: "waiting" }), isOver({ key: APPROVE }, { status: "done" })],
    [false, true],
  );
  assert.deepEqual([isOver({ key: REJECT }, { status: "rejected" }), isOver({ key: CHANGE }, {})], [true, false]);
});

test("of several withdrawals, each is approved as shown, and those above the limit are returned with the actions", async () => {
  const told: (Json | undefined)[] = [];
  const bodies: unknown[] = [];
  const action = { type: "approveWithdrawal", withdrawalId: "b" };
  const ask = async (_: string, path: string, sent?: Sent): Promise<never> => {
    bodies.push(sent?.body);
    if (!path.includes("/b/")) return undefined as never;
    throw new Denied("two", { code: "NEEDS_APPROVAL", status: 409, isUnknown: false, action });
  };
  const shown = { amount: "5", fee: "0.1", address: "there", tag: "" };
  const withdrawals = ["a", "b"].map((withdrawalId) => ({ withdrawalId, ...shown }) as OpenWithdrawal);
  await decideAll({ ask }, withdrawals, { what: "approve" }, ({ denied }) => told.push(denied?.action));
  assert.deepEqual(told, [undefined, action]);
  assert.deepEqual(bodies, [shown, shown]);
});

test("the reason why a withdrawal waits names each exceeded limit with the sum", () => {
  const payment = { asset: "EUR", network: "BANK", status: "awaitingApproval", isSuspended: false } as OpenWithdrawal;
  const reason = { rule: "account", hours: 24, limit: "5000", sum: "6000.00" } as const;
  const network = { rule: "network", hours: 0, limit: "1000", sum: "1500.00" } as const;
  assert.equal(
    waitsForText({ ...payment, approvalReasons: [network, reason] }),
    "Approval by an operator: the amount is above the threshold of 1,000 EUR on BANK. " +
      "Approval by an operator: the account's withdrawals over 24 hours, 6,000.00 EUR, are above its limit of 5,000 EUR",
  );
  const budget = { rule: "allCustomers", hours: 72, limit: "9", sum: "10" } as const;
  assert.match(
    waitsForText({ ...payment, approvalReasons: [budget] }),
    /all customers' withdrawals over 72 hours, 10 EUR/,
  );
  assert.equal(waitsForText({ ...payment, approvalReasons: [] }), "Approval by an operator");
  const dual = { rule: "dualApproval", hours: 0, limit: "9", sum: "10" } as const;
  assert.equal(
    waitsForText({ ...payment, approvalReasons: [dual] }),
    "Approval by two operators: the amount is above 9 EUR",
  );
  assert.equal(waitsForText({ ...payment, status: "processing", approvalReasons: [reason] }), "Payment");
});
