/**
 * Trailing zeros do not count as decimals: `20.00000000` of an asset with two decimals is 20. In journals of rules
 * versions 1 to 3, zeros beyond the precision are still rejected.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Command, decimalsNeeded, type Event, NEWEST_EDITION, TREASURY_ACCOUNT } from "@pricetime/engine";
import {
  byTwo,
  deposit,
  listAsset,
  listSymbol,
  networkOf,
  openAccount,
  requestWithdrawal,
  TWO_OPERATORS,
} from "@pricetime/testkit/commands";
import { ALICE, BOB, idOf, NETWORK, SUB, Vault } from "./funds/vault.ts";
import { BY } from "./harness.ts";

const ASSET = "CENT";
const PRECISION = 2;
const MOST_PLACES = 20;

/** One command for each field that contains a decimal. */
const COMMANDS: Readonly<Record<string, (amount: string) => Command | Command[]>> = {
  deposit: (amount) => deposit(ALICE, ASSET, amount, "more"),
  debit: (amount) => ({ type: "debit", by: BY, accountId: ALICE, asset: ASSET, amount, reference: "less" }),
  adjust: (amount) =>
    byTwo(1, {
      ...{ type: "adjust", accountId: ALICE, asset: ASSET, direction: "credit", amount, house: "treasury" },
      ...{ category: "goodwill", why: "an outage", reference: "7", by: BY },
    }),
  seeDeposit: (amount) => ({
    ...{
      type: "seeDeposit",
      network: "BTC",
      txId: "t1",
      output: 0,
      asset: ASSET,
      address: `home${ALICE}`,
      tag: "",
      amount,
    },
  }),
  settleUnknownDeposit: (amount) =>
    byTwo(1, {
      ...{ type: "settleUnknownDeposit", network: "BTC", txId: "lost", output: 0, how: "credit", toAccountId: ALICE },
      ...{ asset: ASSET, amount, why: "it is hers", by: BY },
    }),
  setApprovalRules: (amount) => ({
    ...{
      type: "setApprovalRules",
      by: BY,
      rules: { approvals: 1, acts: [], withdrawalsAbove: [{ asset: ASSET, amount }] },
    },
  }),
  requestWithdrawal: (amount) =>
    requestWithdrawal({
      withdrawalId: idOf(1),
      accountId: ALICE,
      asset: ASSET,
      network: "BTC",
      address: "away",
      amount,
    }),
  transfer: (amount) => ({
    ...{ type: "transfer", accountId: ALICE, fromAccountId: ALICE, toAccountId: SUB, asset: ASSET, amount },
  }),
  distributeDividend: (amount) => ({
    ...{ type: "distributeDividend", by: BY, heldAsset: "BTC", paidAsset: ASSET, amount, info: "x", reference: "d" },
  }),
  payNetworkCost: (amount) => ({ type: "payNetworkCost", network: "BTC", txId: "paid", asset: ASSET, amount }),
  setDustRules: (limit) => ({
    ...{ type: "setDustRules", by: BY },
    rules: { dustAsset: "BTC", chargeBps: 0, limitAsset: ASSET, limit, pauseMs: 0 },
  }),
  ...Object.fromEntries(
    (["withdrawFee", "withdrawMin", "withdrawMax", "withdrawStep", "depositMin", "approvalAbove"] as const).flatMap(
      (field) => [
        [
          `setAssetNetworks ${field}`,
          (amount: string): Command => ({
            ...{ type: "setAssetNetworks", by: BY, asset: ASSET, networks: [{ ...NETWORK, [field]: amount }] },
          }),
        ],
        [
          `listAsset ${field}`,
          (amount: string): Command => listAsset("NEW", PRECISION, [networkOf("BTC", { [field]: amount })]),
        ],
      ],
    ),
  ),
  "listSymbol minNotional": (minNotional) =>
    listSymbol(`BTC/${ASSET}`, { minNotional: { minNotional, applyToMarket: true, avgPriceMins: 5 } }),
  "setSymbolFilters minNotional": (minNotional) => ({
    ...{ type: "setSymbolFilters", by: BY, symbol: `USDT${ASSET}` },
    filters: { minNotional: { minNotional, applyToMarket: true, avgPriceMins: 5 } },
  }),
};
/** The precision of `CENT` does not limit these. */
const OF_EIGHT: Readonly<Record<string, (decimal: string) => Command | Command[]>> = {
  "listSymbol multiplierUp": (multiplierUp) =>
    listSymbol(`BTC/${ASSET}`, { percentPrice: { multiplierUp, multiplierDown: "0", avgPriceMins: 5 } }),
  "listSymbol multiplierDown": (multiplierDown) =>
    listSymbol(`BTC/${ASSET}`, { percentPrice: { multiplierUp: "5", multiplierDown, avgPriceMins: 5 } }),
};
const ALL = Object.entries({ ...COMMANDS, ...OF_EIGHT });

function open(edition: number): Vault {
  const vault = new Vault(undefined, edition);
  vault.must(listAsset(ASSET, PRECISION, [NETWORK]));
  vault.must(listSymbol(`USDT/${ASSET}`));
  vault.must(openAccount("dora"));
  for (const accountId of [ALICE, BOB, TREASURY_ACCOUNT]) vault.must(deposit(accountId, ASSET, "1000"));
  vault.must(deposit(BOB, "BTC", "1"));
  vault.must({
    ...{ type: "noteUnknownDeposit", network: "BTC", txId: "lost", output: 0, address: "x", tag: "", coin: ASSET },
    ...{ amount: "1", reason: "unknownAddress", by: BY },
  });
  for (const operator of TWO_OPERATORS) vault.must(operator);
  return vault;
}

/** Runs one or several commands, and returns all events. */
function run(vault: Vault, commands: Command | Command[]): readonly Event[] {
  return [commands].flat().flatMap((command) => vault.run(command));
}

/** The events as text. An approval request contains the decimal as sent. */
function withoutZeros(events: readonly Event[]): string {
  return JSON.stringify(events, (_, value: unknown) => {
    if (typeof value === "bigint") return `${value}n`;
    return typeof value === "string" ? value.replace(/^([0-9]+)(\.[0-9]*?)0*$/, "$1$2").replace(/\.$/, "") : value;
  });
}

function isInvalid(events: readonly Event[]): boolean {
  return events.some((event) => event.type === "rejected" && event.reason === "INVALID_VALUE");
}

const decimal = fc
  .tuple(fc.nat({ max: 2000 }), fc.stringMatching(/^([0-9]{0,3}[1-9])?$/))
  .map(([whole, part]) => (part === "" ? String(whole) : `${whole}.${part}`));
const zeros = fc.nat({ max: MOST_PLACES });

function padded(text: string, count: number): string {
  const places = text.split(".")[1]?.length ?? 0;
  const more = Math.min(count, MOST_PLACES - places);
  return more === 0 ? text : `${text}${places === 0 ? "." : ""}${"0".repeat(more)}`;
}

test("a decimal and the same with trailing zeros have equal outcomes in every command", () => {
  const done = new Set<string>();
  fc.assert(
    fc.property(fc.constantFrom(...ALL), decimal, zeros, ([name, command], text, count) => {
      const [plain, longer] = [open(NEWEST_EDITION), open(NEWEST_EDITION)];
      const events = run(plain, command(text));
      const others = run(longer, command(padded(text, count)));
      assert.equal(withoutZeros(others), withoutZeros(events), `${name} ${padded(text, count)}`);
      longer.restart();
      if (events.every(({ type }) => type !== "rejected")) done.add(name);
    }),
    { numRuns: 1500 },
  );
  assert.deepEqual(
    ALL.map(([name]) => name).filter((name) => !done.has(name)),
    [],
    "every command was carried out at least once",
  );
});

test("non-zero digits beyond the precision are rejected", () => {
  for (const [name, command] of Object.entries(COMMANDS)) {
    for (const text of ["1.001", "1.001000", "0.00500000"]) {
      assert.ok(isInvalid(run(open(NEWEST_EDITION), command(text))), `${name} ${text}`);
    }
  }
});

test("in rules version 3, zeros beyond the precision are rejected", () => {
  for (const [name, command] of ALL) {
    const places = name in OF_EIGHT ? 8 : PRECISION;
    const [exact, longer] = [padded("1", places), padded("1", places + 1)];
    assert.equal(decimalsNeeded(longer), 0);
    assert.ok(!isInvalid(run(open(3), command(exact))), `${name} ${exact}`);
    assert.ok(isInvalid(run(open(3), command(longer))), `${name} ${longer}`);
  }
});
