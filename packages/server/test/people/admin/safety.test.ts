import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

test("a two-factor secret is shown once, stored encrypted, and can be removed", async () => {
  const made = await venue.wanted(201, "POST", "/v1/accounts/a@example.com/totp");
  assert.match(String(made["secret"]), /^[A-Z2-7]{32}$/);
  assert.ok(String(made["uri"]).includes(String(made["secret"])));
  const sealed = venue.admin.engine.account(100)?.sealedTotp ?? "";
  assert.equal(venue.admin.sealer.unseal(sealed), made["secret"]);
  const journal = JSON.stringify(await venue.journaled());
  assert.doesNotMatch(journal, new RegExp(String(made["secret"])));
  const shown = await venue.wanted(200, "GET", "/v1/accounts/100");
  assert.deepEqual([shown["hasTotp"], shown["sealedTotp"]], [true, undefined]);
  assert.doesNotMatch(JSON.stringify(await venue.rows("/v1/accounts")), /sealed/);
  assert.equal((await venue.wanted(409, "POST", "/v1/accounts/100/totp"))["error"], "ALREADY_EXISTS");
  assert.equal(venue.admin.engine.account(100)?.sealedTotp, sealed);
  await venue.wanted(200, "DELETE", "/v1/accounts/100/totp");
  assert.equal((await venue.wanted(200, "GET", "/v1/accounts/100"))["hasTotp"], false);
  assert.notEqual((await venue.wanted(201, "POST", "/v1/accounts/100/totp"))["secret"], made["secret"]);
  await venue.wanted(404, "POST", "/v1/accounts/7/totp");
});

test("of two simultaneous requests for a two-factor secret one succeeds", async () => {
  const sealedSecret = venue.admin.sealer.seal("the first");
  venue.overtake("setTotp", { type: "setTotp", by: "emil", accountId: 100, sealedSecret });
  assert.equal((await venue.wanted(409, "POST", "/v1/accounts/100/totp"))["error"], "ALREADY_EXISTS");
  assert.equal(venue.admin.engine.account(100)?.sealedTotp, sealedSecret);
});

test("withdrawals are limited to the account's address book", async () => {
  const path = "/v1/accounts/100/addresses";
  const home = { network: "HAND", address: "somewhereelse1234", tag: "", name: "home" };
  assert.deepEqual(await venue.wanted(201, "POST", path, { ...home, tag: "7" }), {
    ...{ accountId: 100, isEnforced: false },
    addresses: [{ ...home, tag: "7" }],
  });
  assert.equal((await venue.wanted(200, "PUT", path, { isEnforced: true }))["isEnforced"], true);
  await assert.rejects(venue.withdraw("1"), /ADDRESS_NOT_ALLOWED/);
  await venue.wanted(201, "POST", path, { network: "HAND", address: home.address });
  await venue.withdraw("1");
  const { name: _, ...bare } = home;
  const left = await venue.wanted(200, "DELETE", path, bare);
  assert.deepEqual(left["addresses"], [{ ...home, tag: "7" }]);
  await assert.rejects(venue.withdraw("1"), /ADDRESS_NOT_ALLOWED/);
  assert.deepEqual(await venue.wanted(200, "GET", path), left);
  await venue.wanted(200, "PUT", path, { isEnforced: false });
  await venue.withdraw("1");
  await venue.wanted(400, "PUT", path, {});
  await venue.wanted(400, "POST", path, { network: "HAND" });
  await venue.wanted(404, "GET", "/v1/accounts/7/addresses");
});

test("accountStatus shows what an operator set", async () => {
  const status = { message: "Under review", objs: ["5"] };
  assert.deepEqual(await venue.wanted(200, "PUT", "/v1/accounts/100/status", status), { accountId: 100, ...status });
  const account = venue.admin.engine.account(100);
  assert.deepEqual([account?.statusMessage, account?.statusObjs], ["Under review", ["5"]]);
  await venue.wanted(200, "PUT", "/v1/accounts/100/status", { message: "" });
  assert.equal(venue.admin.engine.account(100)?.statusMessage, "");
  await venue.wanted(400, "PUT", "/v1/accounts/100/status", {});
  await venue.wanted(400, "PUT", "/v1/accounts/100/status", { message: "a\u0000" });
});

test("a lock of API trading is shown and ended", async () => {
  await venue.wanted(201, "POST", "/v1/assets", { asset: "COIN2", name: "C" });
  await venue.wanted(201, "POST", "/v1/symbols", {
    symbol: "CC",
    baseAsset: "COIN",
    quoteAsset: "COIN2",
    acceptRounding: true,
  });
  const path = "/v1/accounts/100/api-trading";
  assert.deepEqual(await venue.wanted(200, "GET", path), { accountId: 100, isLocked: false });
  await venue.run({ type: "lockApiTrading", accountId: 100, symbol: "CC", indicator: "GCR" });
  const locked = await venue.wanted(200, "GET", path);
  assert.deepEqual([locked["isLocked"], locked["symbol"], locked["indicator"]], [true, "CC", "GCR"]);
  assert.equal((await venue.wanted(200, "DELETE", `${path}/lock`))["isLocked"], false);
  assert.equal((await venue.wanted(200, "GET", path))["isLocked"], false);
  assert.equal((await venue.wanted(409, "DELETE", `${path}/lock`))["error"], "WRONG_STATUS");
});

test("sub-accounts belong to a master and can be disabled and enabled", async () => {
  const sub = await venue.wanted(201, "POST", "/v1/accounts", { email: "s@example.com", name: "S", master: 100 });
  assert.deepEqual([sub["masterId"], sub["isEnabled"]], [100, true]);
  const subs = await venue.rows("/v1/accounts/a@example.com/sub-accounts");
  assert.deepEqual(
    subs.map(({ email }) => email),
    ["s@example.com"],
  );
  const shut = await venue.wanted(200, "PATCH", "/v1/accounts/s@example.com", {
    isEnabled: false,
    confirmsByEmail: true,
  });
  assert.deepEqual([shut["isEnabled"], shut["confirmsByEmail"]], [false, true]);
  const third = { email: "t@example.com", name: "T", master: "s@example.com" };
  await venue.wanted(409, "POST", "/v1/accounts", third);
  await venue.wanted(404, "POST", "/v1/accounts", { ...third, master: "none@example.com" });
});
