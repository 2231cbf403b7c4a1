/** Pages of the console in addresses, and the signed-in operator in the tab's storage. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOfHit } from "../../src/console/frame/search.ts";
import { hashOf, placeOf } from "../../src/console/place.ts";
import { linesOf } from "../../src/panels/svg-paths.ts";
import { storedSession } from "../../src/console/admin-client.ts";

test("a page and its address convert into each other", () => {
  const places = [
    { page: "accounts", subject: "a/b c@example.com?#", params: { kind: "order" } },
    { page: "markets", subject: "", params: {} },
    { page: "audit-log", subject: "", params: { account: "ä & 100" } },
  ] as const;
  for (const place of places) assert.deepEqual(placeOf(hashOf(place)), place);
});

test("earlier addresses lead to the renamed pages", () => {
  const renamed = { proposals: "approvals", mail: "emails", acts: "audit-log", venue: "settings", me: "profile" };
  for (const [old, page] of Object.entries(renamed)) assert.equal(placeOf(`#/${old}`).page, page);
});

test("an unknown address is the overview, and nothing throws", () => {
  for (const hash of ["", "#", "#/", "#/nowhere", "#/__proto__", "#javascript:alert(1)"]) {
    assert.equal(placeOf(hash).page, "overview", hash);
  }
  assert.deepEqual(placeOf("#/accounts/%E0%A4%A"), { page: "accounts", subject: "", params: {} });
});

test("the session is stored, deleted, and ignored if it has an invalid form", () => {
  const store = new Map<string, string>();
  const keep = {
    getItem: (name: string) => store.get(name) ?? null,
    setItem: (name: string, value: string) => void store.set(name, value),
    removeItem: (name: string) => void store.delete(name),
  };
  const session = storedSession(keep);
  assert.equal(session.value, null);
  session.value = { token: "secret", operator: "dora", isNamed: true };
  assert.deepEqual(storedSession(keep).value, { token: "secret", operator: "dora", isNamed: true });
  const [name = ""] = store.keys();
  session.value = null;
  assert.equal(store.size, 0);
  for (const kept of [
    "{",
    "1",
    '{"token":1,"operator":"x"}',
    '{"token":"a b","operator":"x"}',
    '{"token":"a","operator":"ä"}',
  ]) {
    store.set(name, kept);
    assert.equal(storedSession(keep).value, null, kept);
  }
});

test("a browser without storage does not prevent signing in", () => {
  const forbid = (): never => {
    throw new Error("forbidden");
  };
  const session = storedSession({ getItem: forbid, setItem: forbid, removeItem: forbid });
  session.value = { token: "secret", operator: "dora", isNamed: false };
  assert.deepEqual(session.value, { token: "secret", operator: "dora", isNamed: false });
});

test("the chart of the last hour has gaps where no value is known, and its newest value at the right", () => {
  assert.equal(linesOf([]), "");
  assert.equal(linesOf([null, null]), "");
  const path = linesOf([1, null, 2, 4]);
  assert.equal((path.match(/M/g) ?? []).length, 2);
  assert.ok(path.endsWith("L240.0 2.0"), path);
});

test("an unattributed deposit leads to the list of unresolved ones, or to all once it is resolved", () => {
  const coin = { kind: "unattributedDeposit", id: "tx:0", accountId: null, email: null, label: "" };
  assert.deepEqual(placeOfHit({ ...coin, status: "seen" }), { page: "deposits", params: {} });
  assert.deepEqual(placeOfHit({ ...coin, accountId: 100, status: "credit" }), {
    page: "deposits",
    params: { status: "all" },
  });
});
