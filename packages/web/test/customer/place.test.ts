/** Addresses of the customers' pages, and links of letters. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hashOf, isOutside, OUTSIDE_PAGES, PAGES, placeOf } from "../../src/customer/place.ts";

test("every page's address leads to it, with what is asked of it", () => {
  for (const page of [...PAGES, ...OUTSIDE_PAGES]) {
    const params = { coin: "BTC", text: "a&b=c #?" };
    assert.deepEqual(placeOf(hashOf(page, params)), { page, params });
  }
  assert.equal(hashOf("withdraw"), "#/withdraw");
  assert.equal(hashOf("deposit", { coin: "", network: "ETH" }), "#/deposit?network=ETH");
});

test("links of emails lead to their pages, and so does the old name of the lock page", () => {
  const { page, params } = placeOf("#/invitation?id=00ff&secret=a_b-c");
  assert.deepEqual([page, params], ["invitation", { id: "00ff", secret: "a_b-c" }]);
  assert.ok(isOutside(page));
  for (const name of ["recovery", "cancel-recovery", "lock-account", "freeze"])
    assert.ok(isOutside(placeOf(`#/${name}?id=1`).page));
  assert.ok(!isOutside("overview"));
});

test("what cannot be read is the overview", () => {
  for (const hash of ["", "#", "#/", "#/nowhere", "#/constructor", "#/%", "#/<img>"]) {
    assert.equal(placeOf(hash).page, "overview", hash);
  }
});
