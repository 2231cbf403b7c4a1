/** A port mounts only routes whose right it can check, so no admin route is on the public port. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PAGE_PORT } from "../../../src/lab/page-access.ts";
import { latencyRoutes } from "../../../src/lab/latency.ts";
import { scenarioRoutes } from "../../../src/lab/scenario/scenario.ts";
import type { AdminNode } from "../../../src/people/admin/node.ts";
import { route } from "../../../src/people/admin/router.ts";
import { ADMIN_PORT, adminRoutes } from "../../../src/people/admin/server.ts";
import { ACCOUNT_PORT, ACCOUNT_ROUTES } from "../../../src/people/customer/account-api.ts";
import { ok } from "../../../src/people/http/answer.ts";
import type { Described } from "../../../src/people/http/route.ts";
import { type Port, RouteTable } from "../../../src/people/http/route-table.ts";
import { AccountVenue } from "../customer/account-venue.ts";

const adminOnly = adminRoutes({} as AdminNode);
const ofLab = [...latencyRoutes({} as never), ...scenarioRoutes()];

/** The routes that a port would mount. */
function mountable(routes: readonly Described[], port: Port): string[] {
  return routes.flatMap((one) => {
    try {
      // The missing weight is not the reason.
      return new RouteTable([{ ...one, weight: 1 }], port).routes.map(({ method, pattern }) => `${method} ${pattern}`);
    } catch (error) {
      assert.match(String(error), /does not grant/);
      return [];
    }
  });
}

test("no route of the admin API or of a lab can be mounted on the public port", () => {
  assert.ok(adminOnly.length > 50 && ofLab.length > 4);
  assert.deepEqual(mountable([...adminOnly, ...ofLab], ACCOUNT_PORT), []);
});

test("where pages control a lab, only routes of the lab can be mounted", () => {
  assert.deepEqual(mountable([...adminOnly, ...ACCOUNT_ROUTES], PAGE_PORT), []);
  assert.equal(mountable(ofLab, PAGE_PORT).length, ofLab.length);
});

test("no route of the account API can be mounted on the admin port, which would not check its session", () => {
  assert.deepEqual(mountable(ACCOUNT_ROUTES, ADMIN_PORT), []);
});

test("a route without a right, or with an unknown right, cannot be mounted", () => {
  const summary = "Lists things.";
  // @ts-expect-error: the types require a right, too.
  const without = route({ endpoint: "GET /v1/lab/things", summary, handle: () => ok([]) });
  const unknown = { method: "GET", pattern: "/v1/lab/things", summary, needs: "anything" } as const;
  for (const port of [ADMIN_PORT, ACCOUNT_PORT, PAGE_PORT]) assert.deepEqual(mountable([without, unknown], port), []);
});

test("a public port does not mount a route without a weight", () => {
  const row = { method: "GET", pattern: "/things", summary: "Lists things.", needs: "session" } as const;
  assert.throws(() => new RouteTable([row], ACCOUNT_PORT), /GET \/things has no weight/);
});

test("the public port of a venue serves no admin route", async () => {
  const venue = await AccountVenue.start();
  for (const { method, pattern } of adminOnly) {
    const path = pattern.replaceAll(/:\w+/g, "1");
    for (const address of [path, `/account${path}`, `/account/v1${path}`]) {
      const headers = { authorization: "Bearer token", "x-pricetime-page": "account" };
      const answer = await venue.browser({ headers }).send(method, address, method === "GET" ? undefined : "{}");
      assert.ok(answer.status >= 400 && answer.json?.error !== "UNAUTHORIZED", `${method} ${address}: ${answer.text}`);
    }
  }
});
