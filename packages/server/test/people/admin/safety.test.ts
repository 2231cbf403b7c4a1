import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Desk } from "./wallet-desk.ts";

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
});
afterEach(() => desk.close());

test("a two-factor secret is shown once, kept sealed, and can be taken away", async () => {
  const made = await desk.wanted(201, "POST", "/v1/accounts/a@example.com/totp");
  assert.match(String(made["secret"]), /^[A-Z2-7]{32}$/);
  assert.ok(String(made["uri"]).includes(String(made["secret"])));
  const sealed = desk.admin.engine.account(100)?.sealedTotp ?? "";
  assert.equal(desk.admin.sealer.unseal(sealed), made["secret"]);
  const journal = JSON.stringify(await desk.journaled());
  assert.doesNotMatch(journal, new RegExp(String(made["secret"])));
  const shown = await desk.wanted(200, "GET", "/v1/accounts/100");
  assert.deepEqual([shown["hasTotp"], shown["sealedTotp"]], [true, undefined]);
  assert.doesNotMatch(JSON.stringify(await desk.rows("/v1/accounts")), /sealed/);
  assert.equal((await desk.wanted(409, "POST", "/v1/accounts/100/totp"))["error"], "ALREADY_EXISTS");
  assert.equal(desk.admin.engine.account(100)?.sealedTotp, sealed);
  await desk.wanted(200, "DELETE", "/v1/accounts/100/totp");
  assert.equal((await desk.wanted(200, "GET", "/v1/accounts/100"))["hasTotp"], false);
  assert.notEqual((await desk.wanted(201, "POST", "/v1/accounts/100/totp"))["secret"], made["secret"]);
  await desk.wanted(404, "POST", "/v1/accounts/7/totp");
});

test("of two operators who make a two-factor secret at the same time one is refused, and the other's counts", async () => {
  const sealedSecret = desk.admin.sealer.seal("the first");
  desk.overtake("setTotp", { type: "setTotp", by: "emil", accountId: 100, sealedSecret });
  assert.equal((await desk.wanted(409, "POST", "/v1/accounts/100/totp"))["error"], "ALREADY_EXISTS");
  assert.equal(desk.admin.engine.account(100)?.sealedTotp, sealedSecret);
});

test("withdrawals are held to the account's list of addresses", async () => {
  const path = "/v1/accounts/100/addresses";
  const home = { network: "HAND", address: "somewhereelse1234", tag: "", name: "home" };
  assert.deepEqual(await desk.wanted(201, "POST", path, { ...home, tag: "7" }), {
    ...{ accountId: 100, isEnforced: false },
    addresses: [{ ...home, tag: "7" }],
  });
  assert.equal((await desk.wanted(200, "PUT", path, { isEnforced: true }))["isEnforced"], true);
  await assert.rejects(desk.withdraw("1"), /ADDRESS_NOT_ALLOWED/);
  await desk.wanted(201, "POST", path, { network: "HAND", address: home.address });
  await desk.withdraw("1");
  const { name: _, ...bare } = home;
  const left = await desk.wanted(200, "DELETE", path, bare);
  assert.deepEqual(left["addresses"], [{ ...home, tag: "7" }]);
  await assert.rejects(desk.withdraw("1"), /ADDRESS_NOT_ALLOWED/);
  assert.deepEqual(await desk.wanted(200, "GET", path), left);
  await desk.wanted(200, "PUT", path, { isEnforced: false });
  await desk.withdraw("1");
  await desk.wanted(400, "PUT", path, {});
  await desk.wanted(400, "POST", path, { network: "HAND" });
  await desk.wanted(404, "GET", "/v1/accounts/7/addresses");
});

test("accountStatus shows what an operator set", async () => {
  const status = { message: "Under review", objs: ["5"] };
  assert.deepEqual(await desk.wanted(200, "PUT", "/v1/accounts/100/status", status), { accountId: 100, ...status });
  const account = desk.admin.engine.account(100);
  assert.deepEqual([account?.statusMessage, account?.statusObjs], ["Under review", ["5"]]);
  await desk.wanted(200, "PUT", "/v1/accounts/100/status", { message: "" });
  assert.equal(desk.admin.engine.account(100)?.statusMessage, "");
  await desk.wanted(400, "PUT", "/v1/accounts/100/status", {});
  await desk.wanted(400, "PUT", "/v1/accounts/100/status", { message: "a\u0000" });
});

test("a lock of trading by API is shown and ended", async () => {
  await desk.wanted(201, "POST", "/v1/assets", { asset: "COIN2", name: "C" });
  await desk.wanted(201, "POST", "/v1/symbols", {
    symbol: "CC",
    baseAsset: "COIN",
    quoteAsset: "COIN2",
    acceptRounding: true,
  });
  const path = "/v1/accounts/100/api-trading";
  assert.deepEqual(await desk.wanted(200, "GET", path), { accountId: 100, isLocked: false });
  await desk.run({ type: "lockApiTrading", accountId: 100, symbol: "CC", indicator: "GCR" });
  const locked = await desk.wanted(200, "GET", path);
  assert.deepEqual([locked["isLocked"], locked["symbol"], locked["indicator"]], [true, "CC", "GCR"]);
  assert.equal((await desk.wanted(200, "DELETE", `${path}/lock`))["isLocked"], false);
  assert.equal((await desk.wanted(200, "GET", path))["isLocked"], false);
  assert.equal((await desk.wanted(409, "DELETE", `${path}/lock`))["error"], "WRONG_STATUS");
});

test("sub-accounts belong to a master, and are shut and opened", async () => {
  const sub = await desk.wanted(201, "POST", "/v1/accounts", { email: "s@example.com", name: "S", master: 100 });
  assert.deepEqual([sub["masterId"], sub["isEnabled"]], [100, true]);
  const subs = await desk.rows("/v1/accounts/a@example.com/sub-accounts");
  assert.deepEqual(
    subs.map(({ email }) => email),
    ["s@example.com"],
  );
  const shut = await desk.wanted(200, "PATCH", "/v1/accounts/s@example.com", {
    isEnabled: false,
    confirmsByEmail: true,
  });
  assert.deepEqual([shut["isEnabled"], shut["confirmsByEmail"]], [false, true]);
  const third = { email: "t@example.com", name: "T", master: "s@example.com" };
  await desk.wanted(409, "POST", "/v1/accounts", third);
  await desk.wanted(404, "POST", "/v1/accounts", { ...third, master: "none@example.com" });
});
