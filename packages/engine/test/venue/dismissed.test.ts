/** A dismissed unattributed deposit is not reported again, and can still turn out to be a customer's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "@pricetime/engine";
import { ALICE, Vault } from "../funds/vault.ts";

const COIN = { network: "BTC", txId: "a1", output: 0 } as const;
/** An operator has missed that the deposit is a customer's. */
const ADDRESS = `home${ALICE}`;

test("a dismissed deposit is credited if it turns out to be a customer's", () => {
  const vault = new Vault();
  const note: Command<"noteUnknownDeposit"> = {
    ...{ type: "noteUnknownDeposit", ...COIN, by: "admin", address: ADDRESS, tag: "" },
    ...{ coin: "BTC", amount: "1", reason: "unknownAddress" },
  };
  vault.must(note);
  const dismissal: Command<"settleUnknownDeposit"> = {
    ...{ type: "settleUnknownDeposit", ...COIN, by: "admin", how: "dismiss", toAccountId: null },
    ...{ asset: null, amount: null, why: "a guess" },
  };
  vault.must(dismissal);
  vault.refuses(note, "ALREADY_EXISTS");
  vault.refuses(dismissal, "ALREADY_EXISTS");
  vault.refuses({ ...dismissal, why: "another guess" }, "REPEAT_DIFFERS");
  const reported = { asset: "BTC", address: ADDRESS, tag: "", amount: "1" };
  vault.must({ type: "seeDeposit", ...COIN, ...reported });
  vault.must({ type: "finishDeposit", ...COIN, ...reported });
  vault.engine.checkInvariants();
  assert.deepEqual([...vault.engine.venue.unknownDeposits()], []);
});
