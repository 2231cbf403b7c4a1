/** Compares the engine's view of the wallet with the model. */
import assert from "node:assert/strict";
import { type Engine, TREASURY_ACCOUNT } from "@pricetime/engine";
import { isLocked, type ModelExchange, scaled, withdrawnOver } from "@pricetime/testkit/models";

const MAIL_LIFE_MS = 30 * 60_000;

export function compareWallets(engine: Engine, { wallet, assets, accounts, nowMs }: ModelExchange): void {
  assert.equal(engine.isInMaintenance, wallet.isInMaintenance);
  const emails = [...accounts.values()].map(({ email }) => email);
  assert.deepEqual(
    [...engine.accounts()].map(({ email }) => email),
    emails,
    "email addresses",
  );
  const forms = emails.map((email) => email.toLowerCase());
  const shared = forms.filter((form, at) => forms.indexOf(form) !== at);
  assert.deepEqual(
    engine
      .sharedEmails()
      .map(({ email }) => email)
      .sort(),
    [...new Set(shared)].sort(),
    "shared",
  );
  for (const network of ["ONE", "TWO"]) {
    const expected = wallet.deposits
      .filter((deposit) => deposit.network === network && ["pending", "credited"].includes(deposit.status))
      .map(({ depositId, status }) => `${depositId} ${status}`);
    const open = engine.funds.openDeposits(network).map(({ depositId, status }) => `${depositId} ${status}`);
    assert.deepEqual(open.sort(), expected.sort(), "open deposits");
    const owned = wallet.addresses.filter((address) => address.network === network);
    assert.deepEqual([...engine.funds.depositAddresses(network)], owned, "deposit addresses");
  }
  const expected = wallet.openWithdrawals();
  assert.deepEqual(
    engine.funds.openWithdrawals().map(({ withdrawalId, status, txIds }) => [withdrawalId, status, txIds]),
    expected.map(({ withdrawalId, status, signed }) => [withdrawalId, status, signed.map(({ txId }) => txId)]),
    "open withdrawals",
  );
  const mailed = expected.filter(({ status }) => status === "emailSent").map(({ appliedMs }) => appliedMs);
  assert.ok(engine.nextDueMs() <= Math.min(...mailed) + MAIL_LIFE_MS, "a mail runs out before a tick is due");
  for (const accountId of accounts.keys()) {
    assert.equal(engine.apiTradingLock(accountId, nowMs) !== undefined, isLocked(wallet.exchange, accountId));
    assert.equal(engine.account(accountId)?.canWithdraw, accounts.get(accountId)?.canWithdraw);
    for (const [assetId, { asset, precision }] of assets.entries()) {
      const withdrawable = scaled(engine.funds.withdrawable(accountId, assetId), precision);
      assert.equal(withdrawable, wallet.withdrawable(accountId, asset), `withdrawable ${asset} of ${accountId}`);
    }
  }
  for (const family of [null, ...accounts.keys()]) {
    const sums = engine.funds.withdrawn(family, nowMs);
    const whose = family === null ? null : (accounts.get(family)?.masterId ?? family);
    for (const [assetId, { asset, precision }] of assets.entries()) {
      const { per24h = 0n, per72h = 0n } = sums.get(assetId) ?? {};
      const expectedSums = [24, 72].map((hours) => withdrawnOver(wallet, whose, asset, hours));
      assert.deepEqual(
        [per24h, per72h].map((sum) => scaled(sum, precision)),
        expectedSums,
        `${asset} of ${family}`,
      );
    }
  }
  assert.equal(engine.account(TREASURY_ACCOUNT), undefined, "the venue's accounts are nobody's");
}
