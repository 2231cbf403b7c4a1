/** The limits of every text and number in the wallet's commands: the last accepted and the first rejected value. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "@pricetime/engine";
import { BY, symbolSpec } from "../harness.ts";
import { ALICE, idOf, Vault } from "./vault.ts";

const vault = new Vault();
const request = vault.request();
const see = vault.see();
const assign: Command = { type: "assignDepositAddress", accountId: ALICE, network: "SIDE", address: "a", tag: "" };
const sign: Command = { type: "signWithdrawal", withdrawalId: idOf(1), txId: "p", nonce: 0, signedTx: "raw" };
const complete: Command = { type: "completeWithdrawal", withdrawalId: idOf(1), txId: "p" };
const advance: Command = { type: "advanceNetwork", network: "BTC", height: 0, blockHash: "b" };
const status: Command = { type: "setAccountStatus", by: BY, accountId: ALICE, message: "", objs: [] };
const totp: Command = { type: "setTotp", by: BY, accountId: ALICE, sealedSecret: null };
const allow: Command = {
  type: "allowAddress",
  by: BY,
  accountId: ALICE,
  network: "BTC",
  address: "a",
  tag: "",
  name: "",
};
const lock: Command = { type: "lockApiTrading", accountId: ALICE, symbol: "BTCUSDT", indicator: "UFR" };
const x = (length: number) => "x".repeat(length);

/** A command, one of its fields, accepted values and rejected values. */
const ROWS: readonly (readonly [Command, string, readonly unknown[], readonly unknown[]])[] = [
  [
    request,
    "withdrawalId",
    [idOf(9), "f".repeat(32)],
    ["", idOf(9).slice(1), `${idOf(9)}0`, "F".repeat(32), "g".repeat(32)],
  ],
  [request, "confirmationHash", ["", "0".repeat(64)], ["0".repeat(63), "0".repeat(65), "F".repeat(64), null]],
  [request, "totpSecret", ["x", "x".repeat(1024)], ["", "x".repeat(1025), 1, null]],
  [request, "totpStep", [null, 0, 2 ** 53 - 2], [-1, 0.5, 2 ** 53, "1"]],
  [request, "withdrawOrderId", ["", x(64)], [x(65), "a\nb", 7]],
  [request, "name", ["", x(256), "дом ₿"], [x(257), "a\u0000", "\u007f"]],
  [request, "address", ["a", x(128), "!~"], ["", x(129), "a b", "ä", "a\n", 1]],
  [request, "tag", ["", x(128), "a b"], [x(129), "ä", "\t", 1, null]],
  [see, "txId", ["a", x(128)], ["", x(129), "a b"]],
  [see, "output", [0, 2 ** 53 - 2], [-1, 0.5, 2 ** 53, "0", null]],
  [assign, "address", ["b", x(128)], ["", x(129), " "]],
  [assign, "tag", ["1", x(128)], [x(129), "\n"]],
  [assign, "accountId", [ALICE], [-1, 100.5, "100", null, "length"]],
  [sign, "txId", ["q", x(128)], ["", x(129), "a b"]],
  [sign, "nonce", [0, 2 ** 53 - 2], [-1, 0.5, 2 ** 53, null]],
  [sign, "signedTx", ["0", x(8192)], ["", x(8193), "a\nb", null]],
  [complete, "txId", ["q", x(128)], ["", x(129)]],
  [advance, "network", ["N", x(256)], ["", x(257), "a\nb"]],
  [advance, "height", [0, 2 ** 53 - 2], [-1, 0.5]],
  [advance, "blockHash", ["a", x(128)], ["", x(129)]],
  [status, "message", ["", x(256)], [x(257), "a\nb", null]],
  [status, "objs", [[], Array(20).fill(x(256))], [Array(21).fill(""), [x(257)], [1], "5", {}]],
  [totp, "sealedSecret", [null, "s", x(1024)], ["", x(1025), 7]],
  [allow, "name", ["", x(256)], [x(257), "\r"]],
  [lock, "indicator", ["UFR", "IFER", "GCR"], ["", "ufr", "XYZ", null]],
];

/** Rejected for another reason than its form, or executed. */
function isTaken(command: Command, field: string, value: unknown): boolean {
  const exchange = new Vault();
  exchange.must({ type: "listSymbol", by: BY, symbol: symbolSpec("BTCUSDT", "BTC/USDT") });
  exchange.fund(ALICE, "9");
  if (command.type === "signWithdrawal" || command.type === "completeWithdrawal") exchange.must(request);
  const answer = exchange.answer({ ...command, [field]: value });
  exchange.engine.checkInvariants();
  exchange.restart();
  return answer !== "INVALID_VALUE";
}

for (const [command, field, good, bad] of ROWS) {
  test(`${field} of ${command.type}`, () => {
    for (const value of good) assert.ok(isTaken(command, field, value), `${JSON.stringify(value).slice(0, 80)}`);
    for (const value of bad) assert.ok(!isTaken(command, field, value), `${JSON.stringify(value).slice(0, 80)}`);
  });
}

test("at most a hundred assets in one conversion", () => {
  const exchange = new Vault();
  exchange.must({ type: "setDustRules", by: BY, rules: { ...RULES } });
  const assets = (count: number) => Array.from({ length: count }, (_, i) => `A${i}`);
  assert.equal(exchange.answer({ type: "convertDust", accountId: ALICE, assets: assets(100) }), "UNKNOWN_ASSET");
  assert.equal(exchange.answer({ type: "convertDust", accountId: ALICE, assets: assets(101) }), "INVALID_VALUE");
});

const RULES = { dustAsset: "USDT", chargeBps: 0, limitAsset: "BTC", limit: "1", pauseMs: 0 } as const;
