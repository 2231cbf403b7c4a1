/** Every route of the admin API, times everybody who may ask: who gets past the door, and who does not. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HOUR_MS, OPERATOR_ROLES, type OperatorRole } from "@pricetime/engine";
import type { AdminNode } from "../../../src/admin/node.ts";
import { needOf, type Route } from "../../../src/admin/router.ts";
import { adminRoutes } from "../../../src/admin/door/routes.ts";
import { NODE_TOKEN, TOKEN, type Reply } from "../running.ts";
import { callWith, Operators } from "./operators.ts";

const routes = adminRoutes({} as AdminNode);

/** What each role may ask for, written down once more. */
const ALLOWED: Readonly<Record<OperatorRole, readonly string[]>> = {
  viewer: ["nothing", "view"],
  support: ["nothing", "view", "any", "customers"],
  treasurer: ["nothing", "view", "any", "money"],
  admin: ["nothing", "view", "any", "customers", "money", "venue"],
};

let operators: Operators;
const tokens = new Map<string, string>();
before(async () => {
  operators = await Operators.open();
  for (const role of OPERATOR_ROLES) {
    await operators.invite(`the-${role}`, role);
    tokens.set(role, await operators.tokenOf(`the-${role}`));
  }
  await operators.invite("gone", "admin");
  tokens.set("disabled", await operators.tokenOf("gone"));
  await operators.desk.wanted(200, "PATCH", "/v1/operators/gone", { isEnabled: false });
});
after(() => operators.close());

/** Names what is not there, and sends what no route takes: whoever is let in is told so, and nothing happens. */
function ask({ method, pattern, body, maxBytes }: Route, token: string | undefined): Promise<Reply> {
  const path = pattern.replaceAll(/:\w+/g, "none");
  const isSent = (body !== undefined || maxBytes !== undefined) && method !== "GET";
  return callWith(operators.url, token, [method, path, isSent ? { surely: "unknown" } : undefined]);
}

const named = ({ method, pattern }: Route): string => `${method} ${pattern}`;
/** These end the session that asks, or change what is looked at. */
const isLast = ({ pattern }: Route): boolean => pattern === "/v1/sign-out";

test("every route says what it needs, and none but the way in is open", () => {
  for (const route of routes) {
    assert.ok(route.needs !== undefined, named(route));
    if (route.method !== "GET") assert.notEqual(route.needs, "token", named(route));
  }
  const open = routes.filter((route) => needOf(route) === "nothing").map(named);
  assert.deepEqual(open, ["POST /v1/sign-in", "POST /v1/accept-invitation"]);
  const ofToken = routes.filter((route) => needOf(route) === "token").map(named);
  assert.equal(needOf({}), "token", "a route that does not say, as those of a lab, is the admin token's");
  assert.deepEqual(ofToken, ["GET /v1/journal/rows", "GET /v1/journal/snapshot"]);
});

test("what changes anything needs more than a look; what is read needs no more, but for letters", () => {
  const changing = routes.filter(({ method }) => method !== "GET");
  const forAll = changing.filter(({ needs }) => needs === "view" || needs === "nothing").map(named);
  assert.deepEqual(forAll, [
    "POST /v1/symbols/:symbol/filters/preview",
    "POST /v1/sign-in",
    "POST /v1/sign-out",
    "POST /v1/accept-invitation",
    ...["POST /v1/me/password", "POST /v1/me/totp", "POST /v1/me/totp/confirm", "POST /v1/me/totp/remove"],
  ]);
  const reading = routes.filter(({ method, needs }) => method === "GET" && needs !== "view").map(named);
  assert.deepEqual(reading, ["GET /v1/mails/:mail", "GET /v1/journal/rows", "GET /v1/journal/snapshot"]);
});

for (const role of OPERATOR_ROLES) {
  test(`a ${role} gets what the role allows, and 403 for everything else`, async () => {
    for (const route of routes.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
      const { status, body } = await ask(route, tokens.get(role));
      const isLet = ALLOWED[role].includes(needOf(route));
      const told = `${named(route)}: ${status} ${JSON.stringify(body)}`;
      if (isLet) assert.ok(status !== 401 && status !== 403 && body["error"] !== "NOT_PERMITTED", told);
      else assert.deepEqual([status, body["error"]], [403, "NOT_PERMITTED"], told);
    }
    tokens.set(role, await operators.tokenOf(`the-${role}`));
  });
}

test("a disabled operator, a session that is over, a wrong token, a node and nobody get 401 everywhere", async () => {
  const [id] = (tokens.get("admin") ?? "").split(".");
  const wrong = { disabled: tokens.get("disabled"), forged: `${id}.${"A".repeat(43)}`, other: "x", nobody: undefined };
  for (const route of routes) {
    if (needOf(route) === "nothing") continue;
    for (const [who, token] of Object.entries(wrong)) {
      const { status, body } = await ask(route, token);
      assert.deepEqual([status, body["error"]], [401, "UNAUTHORIZED"], `${who}: ${named(route)}`);
    }
    const { status } = await ask(route, NODE_TOKEN);
    assert.equal(status === 401, route.isForNodes !== true, `node: ${named(route)}: ${status}`);
  }
  assert.equal((await callWith(operators.url, undefined, ["GET", "/v1/no-such-thing"])).status, 401);
  assert.equal((await callWith(operators.url, tokens.get("viewer"), ["GET", "/v1/no-such-thing"])).status, 404);
});

test("the admin token is let in everywhere", async () => {
  for (const route of routes) {
    const { status } = await ask(route, TOKEN);
    assert.ok(status !== 401 && (status !== 403 || route.pattern.includes("proposals")), `${named(route)}: ${status}`);
  }
});

test("sessions that are over get 401 everywhere: idle ones, and used ones after a shift", async () => {
  operators.clock.aheadMs += HOUR_MS;
  for (const route of routes) {
    if (needOf(route) === "nothing") continue;
    const { status, body } = await ask(route, tokens.get("admin"));
    assert.deepEqual([status, body["error"]], [401, "UNAUTHORIZED"], named(route));
  }
});
