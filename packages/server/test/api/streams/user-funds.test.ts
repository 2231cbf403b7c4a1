/** User streams report changes of funds other than by trading. Interface S.13, 6.6 and 6.7. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DUST_ACCOUNT, TREASURY_ACCOUNT } from "@pricetime/engine";
import { byTwo, networkOf, requestWithdrawal, TWO_OPERATORS } from "@pricetime/testkit/commands";
import { type Message, story, UserVenue } from "./user-venue.ts";

const NETWORK = networkOf("ETH", { withdrawFee: "0.1", withdrawMin: "0", withdrawMax: "0" });

class FundsVenue extends UserVenue {
  readonly accountId = this.trader.accountId;

  constructor() {
    super();
    this.act({ type: "setAssetNetworks", by: "test", asset: "ETH", networks: [NETWORK] });
    const address = { network: "ETH", address: "mine", tag: "" };
    this.act({ type: "assignDepositAddress", accountId: this.accountId, ...address });
  }

  request(withdrawalId: string): void {
    this.act(
      requestWithdrawal({ withdrawalId, accountId: this.accountId, asset: "ETH", address: "theirs", amount: "2" }),
    );
  }
}

const BALANCES = ["outboundAccountInfo", "outboundAccountPosition"];

/** The messages since the last call. */
function heard(messages: Message[]): string[] {
  return story(messages.splice(0));
}
const position = (messages: readonly Message[]): unknown => messages.at(-1)?.["B"];

test("a deposit: silent while pending, then the amount, then the balances", () => {
  const venue = new FundsVenue();
  const messages = venue.record(venue.trader);
  const strangers = venue.record(venue.maker);
  const coin = { network: "ETH", txId: "0x1", output: 0, asset: "ETH", address: "mine", tag: "", amount: "3" };
  venue.act({ type: "seeDeposit", ...coin });
  assert.deepEqual(heard(messages), []);
  venue.act({ type: "creditDeposit", ...coin });
  assert.deepEqual(messages[0], {
    e: "balanceUpdate",
    E: venue.engine.timeMs,
    a: "ETH",
    d: "3.00000000",
    T: venue.engine.timeMs,
  });
  assert.deepEqual(position(messages), [{ a: "ETH", f: "1003.00000000", l: "0.00000000" }]);
  assert.deepEqual(heard(messages), ["ETH 3.00000000", ...BALANCES]);
  venue.act({ type: "dropDeposit", ...coin });
  const info = messages.find(({ e }) => e === "outboundAccountInfo");
  assert.equal(info?.["W"], venue.engine.account(venue.accountId)?.canWithdraw);
  assert.deepEqual(heard(messages), ["ETH -3.00000000", ...BALANCES]);
  assert.deepEqual(strangers, []);
});

test("a withdrawal: locked when requested, deducted when completed, free again when it fails", () => {
  const venue = new FundsVenue();
  const messages = venue.record(venue.trader);
  const [one, two] = ["1".repeat(32), "2".repeat(32)];
  venue.request(one);
  assert.deepEqual(position(messages), [{ a: "ETH", f: "998.00000000", l: "2.00000000" }]);
  assert.deepEqual(heard(messages), BALANCES);
  venue.act({ type: "signWithdrawal", withdrawalId: one, txId: "0x1", nonce: 0, signedTx: "0x2" });
  messages.splice(0);
  venue.act({ type: "completeWithdrawal", withdrawalId: one, txId: "0x1" });
  assert.deepEqual(position(messages), [{ a: "ETH", f: "998.00000000", l: "0.00000000" }]);
  assert.deepEqual(heard(messages), ["ETH -2.00000000", ...BALANCES]);
  venue.request(two);
  messages.splice(0);
  venue.act({ type: "failWithdrawal", withdrawalId: two, why: "never" });
  assert.deepEqual(position(messages), [{ a: "ETH", f: "998.00000000", l: "0.00000000" }]);
  assert.deepEqual(heard(messages), BALANCES);
});

test("a transfer is reported to both sides", () => {
  const venue = new FundsVenue();
  const subId = venue.openAccount("sub@example.org", venue.accountId);
  const [master, sub] = [venue.record(venue.trader), venue.record(venue.key(subId))];
  const { accountId } = venue;
  const move = { type: "transfer", accountId, asset: "ETH", amount: "1000" } as const;
  venue.act({ ...move, fromAccountId: accountId, toAccountId: subId });
  const zeroed = master.find(({ e }) => e === "outboundAccountInfo")?.["B"] as { a: string; f: string }[];
  assert.equal(zeroed.find(({ a }) => a === "ETH")?.f, "0.00000000", "just zeroed, and told");
  assert.deepEqual(heard(master), ["ETH -1000.00000000", ...BALANCES]);
  assert.deepEqual(position(sub), [{ a: "ETH", f: "1000.00000000", l: "0.00000000" }]);
  assert.deepEqual(heard(sub), ["ETH 1000.00000000", ...BALANCES]);
});

test("dust is reported per asset, balances once", async () => {
  const venue = new FundsVenue();
  const { accountId } = venue;
  for (const side of ["SELL", "BUY"]) {
    await venue.placed({ symbol: "ETHBTC", side, price: "0.05", quantity: 1 }, venue.maker);
  }
  const rules = { dustAsset: "BTC", chargeBps: 200, limitAsset: "BTC", limit: "0.001", pauseMs: 0 };
  venue.act({ type: "setDustRules", by: "test", rules });
  venue.act({ type: "deposit", by: "test", accountId: DUST_ACCOUNT, asset: "BTC", amount: "1", reference: "fund" });
  venue.act({ type: "debit", by: "test", accountId, asset: "ETH", amount: "999.99", reference: "off" });
  const messages = venue.record(venue.trader);
  venue.act({ type: "convertDust", accountId, assets: ["ETH"] });
  assert.deepEqual(position(messages), [
    { a: "BTC", f: "100.00049000", l: "0.00000000" },
    { a: "ETH", f: "0.00000000", l: "0.00000000" },
  ]);
  assert.deepEqual(heard(messages), ["ETH -0.01000000", "BTC 0.00049000", ...BALANCES]);
});

test("a dividend is reported to every holder", () => {
  const venue = new FundsVenue();
  const by = "test";
  venue.act({ type: "deposit", by, accountId: TREASURY_ACCOUNT, asset: "KRW", amount: "10", reference: "treasury" });
  const ears = [venue.record(venue.trader), venue.record(venue.maker)];
  venue.act({
    type: "distributeDividend",
    by,
    reference: "first",
    heldAsset: "ETH",
    paidAsset: "KRW",
    amount: "10",
    info: "KRW distribution",
  });
  for (const recorder of ears) assert.deepEqual(heard(recorder), ["KRW 5.00000000", ...BALANCES]);
});

test("adjustments and unattributed deposits are reported like other funds", () => {
  const venue = new FundsVenue();
  const { accountId } = venue;
  for (const command of TWO_OPERATORS) venue.act(command);
  const messages = venue.record(venue.trader);
  const strangers = venue.record(venue.maker);
  const adjust = (number: number, direction: "credit" | "debit", amount: string): void => {
    const why = { house: "treasury", category: "correction", why: "a test", reference: `ticket ${number}` } as const;
    const act = { type: "adjust", by: "", accountId, asset: "ETH", direction, amount, ...why } as const;
    for (const command of byTwo(number, act)) venue.act(command);
  };
  adjust(1, "credit", "1.5");
  assert.deepEqual(position(messages), [{ a: "ETH", f: "1001.50000000", l: "0.00000000" }]);
  assert.deepEqual(heard(messages), ["ETH 1.50000000", ...BALANCES]);
  adjust(2, "debit", "0.5");
  assert.deepEqual(heard(messages), ["ETH -0.50000000", ...BALANCES]);
  const coin = { network: "ETH", txId: "0x1", output: 0 };
  const seen = { ...coin, address: "other", tag: "", coin: "0xdead", amount: "7", reason: "unknownAsset" } as const;
  venue.act({ type: "noteUnknownDeposit", ...seen });
  const how = { how: "credit", toAccountId: accountId, asset: "ETH", amount: "7", why: "a test" } as const;
  for (const command of byTwo(3, { type: "settleUnknownDeposit", by: "", ...coin, ...how })) venue.act(command);
  assert.deepEqual(position(messages), [{ a: "ETH", f: "1008.00000000", l: "0.00000000" }]);
  assert.deepEqual(heard(messages), ["ETH 7.00000000", ...BALANCES]);
  assert.deepEqual(strangers, []);
});
