import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { AdminVenue } from "./admin-venue.ts";

let venue: AdminVenue;
beforeEach(async () => {
  venue = await AdminVenue.open();
});
afterEach(() => venue.close());

test("maintenance is switched on and off", async () => {
  assert.deepEqual(await venue.wanted(200, "GET", "/v1/maintenance"), { isOn: false });
  assert.deepEqual(await venue.wanted(200, "PUT", "/v1/maintenance", { isOn: true }), { isOn: true });
  await assert.rejects(venue.withdraw("1"), /MAINTENANCE/);
  assert.deepEqual(await venue.wanted(200, "PUT", "/v1/maintenance", { isOn: false }), { isOn: false });
  await venue.withdraw("1");
  await venue.wanted(400, "PUT", "/v1/maintenance", { isOn: "yes" });
});

test("the configuration's defaults that operator actions depend on are returned, and no secret of it", async () => {
  assert.deepEqual(await venue.wanted(200, "GET", "/v1/configuration"), {
    fees: { makerBps: 10, takerBps: 20 },
    invitationLifeMs: 604_800_000,
    hasMailServer: false,
    publicUrl: "http://x",
  });
});

test("the rules of dust are set whole, and only for assets that are listed", async () => {
  assert.equal((await venue.wanted(404, "GET", "/v1/dust-rules"))["error"], "DUST_NOT_OFFERED");
  const rules = { dustAsset: "COIN", chargeBps: 200, limitAsset: "COIN", limit: "0.5", pauseMs: 1000 };
  assert.deepEqual(await venue.wanted(200, "PUT", "/v1/dust-rules", rules), rules);
  assert.deepEqual(await venue.wanted(200, "GET", "/v1/dust-rules"), rules);
  await venue.wanted(404, "PUT", "/v1/dust-rules", { ...rules, dustAsset: "NONE" });
  await venue.wanted(400, "PUT", "/v1/dust-rules", { ...rules, limit: "0.000000001" });
  await venue.wanted(400, "PUT", "/v1/dust-rules", { ...rules, chargeBps: 10_001 });
  assert.deepEqual(await venue.wanted(200, "GET", "/v1/dust-rules"), rules);
});

test("the discount on commission is set and removed, and only for assets and symbols that are listed", async () => {
  const path = "/v1/commission-discount";
  assert.deepEqual(await venue.wanted(200, "GET", path), { discount: null });
  const discount = { asset: "COIN", factorBps: 8000, excludedSymbols: [] };
  assert.deepEqual(await venue.wanted(200, "PUT", path, discount), { discount });
  await venue.wanted(404, "PUT", path, { ...discount, asset: "NONE" });
  await venue.wanted(404, "PUT", path, { ...discount, excludedSymbols: ["NOSUCH"] });
  for (const factorBps of [0, 10_000, 1.5]) await venue.wanted(400, "PUT", path, { ...discount, factorBps });
  assert.deepEqual(await venue.wanted(200, "GET", path), { discount });
  assert.deepEqual(await venue.wanted(200, "PUT", path, { asset: "COIN" }), {
    discount: { ...discount, factorBps: 7500 },
  });
  assert.deepEqual(await venue.wanted(200, "DELETE", path), { discount: null });
});

test("the venue's own accounts are funded and emptied by name", async () => {
  const move = { asset: "COIN", amount: "5" };
  for (const account of ["treasury", "dust"]) {
    await venue.wanted(201, "POST", "/v1/deposits", { ...move, account, reference: `to ${account}` });
  }
  const debit = { ...move, amount: "2", account: "treasury", reference: "out" };
  assert.equal((await venue.wanted(201, "POST", "/v1/debits", debit))["free"], "3.00000000");
  assert.deepEqual(await venue.rows("/v1/house-accounts"), [
    { account: "treasury", asset: "COIN", free: "3.00000000" },
    { account: "dust", asset: "COIN", free: "5.00000000" },
  ]);
  await venue.wanted(409, "POST", "/v1/debits", { ...debit, amount: "9", reference: "more" });
  await venue.wanted(404, "POST", "/v1/deposits", { ...move, account: "outside", reference: "odd" });
  await venue.wanted(404, "POST", "/v1/deposits", { ...move, account: 1, reference: "odder" });
});

test("a dividend is paid pro rata, once, and never more than the treasury has", async () => {
  await venue.wanted(201, "POST", "/v1/accounts", { email: "b@example.com", name: "B" });
  await venue.wanted(201, "POST", "/v1/deposits", { account: 101, asset: "COIN", amount: "5", reference: "b" });
  await venue.wanted(201, "POST", "/v1/assets", { asset: "GIFT", name: "Gift", precision: 0 });
  const dividend = { heldAsset: "COIN", paidAsset: "GIFT", amount: "100", info: "COIN distribution", reference: "d1" };
  assert.equal((await venue.wanted(409, "POST", "/v1/dividends", dividend))["error"], "TREASURY_SHORT");
  await venue.wanted(201, "POST", "/v1/deposits", {
    account: "treasury",
    asset: "GIFT",
    amount: "100",
    reference: "t",
  });
  const paid = await venue.wanted(201, "POST", "/v1/dividends", dividend);
  assert.deepEqual([paid["holders"], paid["paid"], paid["tranId"]], [2, "99.00000000", 1]);
  const other = await venue.wanted(409, "POST", "/v1/dividends", { ...dividend, amount: "7" });
  assert.equal(other["error"], "REPEAT_DIFFERS");
  assert.deepEqual(await venue.rows("/v1/house-accounts"), [
    { account: "treasury", asset: "GIFT", free: "1.00000000" },
  ]);
  const nobody = { ...dividend, heldAsset: "GIFT", paidAsset: "NONE", reference: "d2" };
  await venue.wanted(404, "POST", "/v1/dividends", nobody);
});

test("how an asset moves is set anew, whole", async () => {
  const networks = [{ network: "HAND", isDefault: true, withdrawFee: "0.5", isTagged: true, depositTip: "Closed" }];
  const set = await venue.wanted(200, "PUT", "/v1/assets/COIN/networks", networks);
  const [network] = set["networks"] as Record<string, unknown>[];
  assert.deepEqual([network?.["withdrawFee"], network?.["isTagged"], network?.["depositEnabled"]], ["0.5", true, true]);
  assert.equal((await venue.rows("/v1/assets"))[0]?.["networks"] instanceof Array, true);
  await assert.rejects(venue.withdraw("1", "SAND"), /UNKNOWN_NETWORK/);
  await venue.wanted(400, "PUT", "/v1/assets/COIN/networks", [...networks, ...networks]);
  await venue.wanted(400, "PUT", "/v1/assets/COIN/networks", [{ network: "HAND", finalConfirmations: 0 }]);
  await venue.wanted(404, "PUT", "/v1/assets/NONE/networks", networks);
});

test("mails are listed without their text, newest first, and shown with it", async () => {
  const ids = ["one", "two"].map((subject) =>
    venue.admin.mail.post({ to: "a@example.com", subject, text: "a secret" }),
  );
  const rows = await venue.rows("/v1/emails");
  assert.deepEqual(rows.map(({ subject }) => subject).toSorted(), ["one", "two"]);
  assert.doesNotMatch(JSON.stringify(rows), /a secret/);
  assert.deepEqual([rows[0]?.["status"], rows[0]?.["to"]], ["kept", "a@example.com"]);
  assert.equal((await venue.wanted(200, "GET", `/v1/emails/${ids[0]}`))["text"], "a secret");
  assert.equal((await venue.rows("/v1/emails?limit=1")).length, 1);
  assert.equal((await venue.wanted(404, "GET", "/v1/emails/none"))["error"], "UNKNOWN_EMAIL");
  const kept = await venue.wanted(409, "POST", `/v1/emails/${ids[0]}/resend`);
  assert.deepEqual(
    [kept["error"], /Only failed emails can be resent/.test(String(kept["message"]))],
    ["NOT_POSSIBLE", true],
  );
  assert.equal((await venue.wanted(404, "POST", "/v1/emails/none/resend"))["error"], "UNKNOWN_EMAIL");
});
