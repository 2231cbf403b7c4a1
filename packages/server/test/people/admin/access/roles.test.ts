/** Every route of the admin API with every kind of caller: who is allowed and who is not. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { HOUR_MS, OPERATOR_ROLES, type OperatorRole } from "@pricetime/engine";
import type { AdminNode } from "../../../../src/people/admin/node.ts";
import type { AdminRoute } from "../../../../src/people/admin/router.ts";
import { adminRoutes } from "../../../../src/people/admin/routes.ts";
import { NODE_TOKEN, TOKEN, type Reply } from "../running.ts";
import { callWith, Operators } from "./operators.ts";

const routes = adminRoutes({} as AdminNode);

/** The rights of each role, deliberately repeated here. */
const ALLOWED: Readonly<Record<OperatorRole, readonly string[]>> = {
  viewer: ["nothing", "view"],
  support: ["nothing", "view", "any", "customers"],
  treasurer: ["nothing", "view", "any", "money"],
  admin: ["nothing", "view", "any", "customers", "money", "venue"],
};

/** The right of each route that changes something, deliberately repeated here. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  nothing: ["POST /v1/accept-invitation", "POST /v1/sign-in"],
  view: [
    "POST /v1/me/password",
    "POST /v1/me/totp",
    "POST /v1/me/totp/confirm",
    "POST /v1/me/totp/remove",
    "POST /v1/sign-out",
    "POST /v1/symbols/:symbol/filters/preview",
  ],
  any: [
    "DELETE /v1/emergency-override",
    "DELETE /v1/suspensions/:scope",
    "POST /v1/accounts/:account/adjustments",
    "POST /v1/approval-requests",
    "POST /v1/approval-requests/:request/approve",
    "POST /v1/approval-requests/:request/reject",
    "POST /v1/emails/:email/resend",
    "POST /v1/unattributed-deposits/resolve",
    "PUT /v1/approval-requests/:request",
    "PUT /v1/suspensions/:scope",
  ],
  customers: [
    "DELETE /v1/accounts/:account/addresses",
    "DELETE /v1/accounts/:account/api-trading/lock",
    "DELETE /v1/accounts/:account/sessions",
    "DELETE /v1/accounts/:account/totp",
    "DELETE /v1/invitations/:invitation",
    "DELETE /v1/keys/:apiKey",
    "PATCH /v1/accounts/:account",
    "POST /v1/accounts",
    "POST /v1/accounts/:account/addresses",
    "POST /v1/accounts/:account/deposit-addresses",
    "POST /v1/accounts/:account/invitation",
    "POST /v1/accounts/:account/lock",
    "POST /v1/accounts/:account/notes",
    "POST /v1/accounts/:account/open-orders/end",
    "POST /v1/invitations",
    "POST /v1/orders/:order/end",
    "POST /v1/withdrawals/:withdrawal/cancel",
    "PUT /v1/accounts/:account/addresses",
    "PUT /v1/accounts/:account/status",
  ],
  money: [
    "DELETE /v1/accounts/:account/withdrawal-limits/:asset",
    "POST /v1/debits",
    "POST /v1/deposits",
    "POST /v1/dividends",
    "POST /v1/networks/:network/deposits",
    "POST /v1/networks/:network/deposits/drop",
    "POST /v1/networks/:network/rescan",
    "POST /v1/networks/:network/sandbox/faucet",
    "POST /v1/networks/:network/sandbox/fault",
    "POST /v1/networks/:network/sandbox/mine",
    "POST /v1/networks/:network/sandbox/reorg",
    "POST /v1/networks/:network/sweep",
    "POST /v1/networks/:network/top-up",
    "POST /v1/networks/:network/unattributed-deposits",
    "POST /v1/proofs",
    "POST /v1/proofs/:seq/publish",
    "POST /v1/proofs/:seq/reserves",
    "POST /v1/withdrawals/:withdrawal/approve",
    "POST /v1/withdrawals/:withdrawal/complete",
    "POST /v1/withdrawals/:withdrawal/fail",
    "POST /v1/withdrawals/:withdrawal/raise-fee",
    "POST /v1/withdrawals/:withdrawal/reject",
    "PUT /v1/accounts/:account/withdrawal-limits/:asset",
    "PUT /v1/assets/:asset/networks",
    "PUT /v1/assets/:asset/withdrawal-limits",
    "PUT /v1/dust-rules",
  ],
  venue: [
    "DELETE /v1/accounts/:account/fees/:symbol",
    "DELETE /v1/commission-discount",
    "DELETE /v1/operators/:operator/totp",
    "DELETE /v1/symbols/:symbol/price-range",
    "GET /v1/emails/:email",
    "PATCH /v1/operators/:operator",
    "POST /v1/accounts/:account/keys",
    "POST /v1/accounts/:account/totp",
    "POST /v1/assets",
    "POST /v1/emergency-override",
    "POST /v1/operators",
    "POST /v1/operators/:operator/invitation",
    "POST /v1/symbols",
    "POST /v1/symbols/:symbol/backfilled-candles",
    "POST /v1/symbols/:symbol/delisting/withdraw",
    "POST /v1/symbols/:symbol/open-orders/end",
    "PUT /v1/accounts/:account/fees/:symbol",
    "PUT /v1/approval-rules",
    "PUT /v1/commission-discount",
    "PUT /v1/exchange-filters",
    "PUT /v1/maintenance",
    "PUT /v1/symbols/:symbol/delisting",
    "PUT /v1/symbols/:symbol/filters",
    "PUT /v1/symbols/:symbol/price-range",
    "PUT /v1/symbols/:symbol/self-trade-prevention",
    "PUT /v1/symbols/:symbol/status",
  ],
  token: ["GET /v1/journal/rows", "GET /v1/journal/snapshot"],
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
  await operators.venue.wanted(200, "PATCH", "/v1/operators/gone", { isEnabled: false });
});
after(() => operators.close());

/** Requests that fail after the check of rights, so that nothing changes. */
function ask({ method, pattern, body, maxBytes }: AdminRoute, token: string | undefined): Promise<Reply> {
  const path = pattern.replaceAll(/:\w+/g, "none");
  const isSent = (body !== undefined || maxBytes !== undefined) && method !== "GET";
  return callWith(operators.url, token, [method, path, isSent ? { surely: "unknown" } : undefined]);
}

const named = ({ method, pattern }: AdminRoute): string => `${method} ${pattern}`;
/** Routes that end the caller's session or change what the test reads. */
const isLast = ({ pattern }: AdminRoute): boolean => pattern === "/v1/sign-out";

test("every route has the right that this list gives it", () => {
  const found: Record<string, string[]> = {};
  for (const route of routes) {
    if (route.method !== "GET" || route.needs !== "view") (found[route.needs] ??= []).push(named(route));
  }
  for (const list of Object.values(found)) list.sort();
  assert.deepEqual(found, NEEDS);
});

for (const role of OPERATOR_ROLES) {
  test(`a ${role} gets what the role allows, and 403 for everything else`, async () => {
    for (const route of routes.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
      const { status, body } = await ask(route, tokens.get(role));
      const isLet = ALLOWED[role].includes(route.needs);
      const told = `${named(route)}: ${status} ${JSON.stringify(body)}`;
      if (isLet) assert.ok(status !== 401 && status !== 403 && body["error"] !== "NOT_PERMITTED", told);
      else assert.deepEqual([status, body["error"]], [403, "NOT_PERMITTED"], told);
    }
    tokens.set(role, await operators.tokenOf(`the-${role}`));
  });
}

test("a disabled operator, an ended session, a wrong token, a node and no token get 401 everywhere", async () => {
  const [id] = (tokens.get("admin") ?? "").split(".");
  const wrong = { disabled: tokens.get("disabled"), forged: `${id}.${"A".repeat(43)}`, other: "x", nobody: undefined };
  for (const route of routes) {
    if (route.needs === "nothing") continue;
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

test("the admin token is accepted everywhere", async () => {
  for (const route of routes) {
    const { status } = await ask(route, TOKEN);
    assert.ok(
      status !== 401 && (status !== 403 || route.pattern.includes("approval-requests")),
      `${named(route)}: ${status}`,
    );
  }
});

test("idle sessions and sessions past their maximum age get 401 everywhere", async () => {
  operators.clock.aheadMs += HOUR_MS;
  for (const route of routes) {
    if (route.needs === "nothing") continue;
    const { status, body } = await ask(route, tokens.get("admin"));
    assert.deepEqual([status, body["error"]], [401, "UNAUTHORIZED"], named(route));
  }
});
