/** Addresses of the account pages, and the links in emails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hashOf, isOutside, OUTSIDE_PAGES, PAGES, placeOf } from "../../src/customer/place.ts";

test("the address of every page leads to the page with its parameters", () => {
  for (const page of [...PAGES, ...OUTSIDE_PAGES]) {
    const params = { coin: "BTC", text: "a&b=c #?" };
    assert.deepEqual(placeOf(hashOf(page, params)), { page, params });
  }
  assert.equal(hashOf("withdraw"), "#/withdraw");
  assert.equal(hashOf("deposit", { coin: "", network: "ETH" }), "#/deposit?network=ETH");
});

test("links in emails lead to their pages, also with the old name of the lock page", () => {
  const { page, params } = placeOf("#/invitation?id=00ff&secret=a_b-c");
  assert.deepEqual([page, params], ["invitation", { id: "00ff", secret: "a_b-c" }]);
  assert.ok(isOutside(page));
  for (const name of ["recovery", "cancel-recovery", "lock-account", "freeze"])
    assert.ok(isOutside(placeOf(`#/${name}?id=1`).page));
  assert.ok(!isOutside("overview"));
});

test("an unknown address is the overview", () => {
  for (const hash of ["", "#", "#/", "#/nowhere", "#/constructor", "#/%", "#/<img>"]) {
    assert.equal(placeOf(hash).page, "overview", hash);
  }
});
