/**
 * Emails of withdrawals: of two nodes that claim one, only one gets it; their states are removed when the link expires.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, type LetterStatus, LETTER_STATUSES } from "@pricetime/engine";
import { BY } from "../harness.ts";
import { ALICE, HASH, idOf, Vault } from "./vault.ts";

const withdrawalId = idOf(1);
const MINUTE_MS = 60_000;

function change(from: LetterStatus, to: LetterStatus, by?: string): Command<"changeLetter"> {
  return { type: "changeLetter", withdrawalId, from, to, ...(by === undefined ? {} : { by }) };
}

function requested(): Vault {
  const vault = new Vault();
  vault.setNetwork({ confirmsByMail: true });
  vault.fund(ALICE, "5");
  vault.must(vault.request());
  return vault;
}

test("the state of an email changes only from the expected state", () => {
  const vault = requested();
  let at: LetterStatus = "waiting";
  const ways: readonly LetterStatus[] = [
    "claimed",
    "waiting",
    "claimed",
    "unknown",
    "waiting",
    "claimed",
    "sent",
    "failed",
  ];
  for (const to of ways) {
    for (const other of LETTER_STATUSES.filter((status) => status !== at))
      vault.refuses(change(other, to), "WRONG_STATUS");
    assert.deepEqual(vault.run(change(at, to)), [{ type: "letterChanged", withdrawalId, status: to }]);
    vault.restart();
    assert.equal(vault.engine.funds.letter(withdrawalId), to);
    vault.engine.checkInvariants();
    at = to;
  }
  assert.deepEqual(vault.run(change("failed", "waiting", BY)), [
    { type: "letterChanged", withdrawalId, status: "waiting" },
  ]);
  vault.refuses(change("claimed", "claimed"), "WRONG_STATUS");
  vault.refuses({ ...change("waiting", "claimed"), to: "lost" as LetterStatus }, "INVALID_VALUE");
  vault.refuses({ ...change("waiting", "claimed"), withdrawalId: idOf(2) }, "UNKNOWN_WITHDRAWAL");
});

test("a snapshot does not contain emails that are back in their initial state", () => {
  const [plain, changed] = [requested(), requested()];
  changed.must(change("waiting", "claimed"));
  assert.notDeepEqual(changed.engine.stateHash(), plain.engine.stateHash());
  changed.must(change("claimed", "waiting"));
  const words = (vault: Vault): string => Buffer.from(vault.engine.snapshot()).toString("latin1");
  assert.ok(!words(changed).includes("letter"));
});

test("the state of an email is removed when the withdrawal no longer waits for its link", () => {
  const ends: readonly ((vault: Vault) => void)[] = [
    (vault) => vault.must({ type: "confirmWithdrawal", withdrawalId, confirmationHash: HASH }),
    (vault) => vault.must({ type: "cancelWithdrawal", accountId: ALICE, withdrawalId }),
    (vault) => {
      vault.nowMs += 31 * MINUTE_MS;
      vault.run({ type: "tick" });
    },
  ];
  for (const end of ends) {
    const vault = requested();
    vault.must(change("waiting", "claimed"));
    end(vault);
    assert.equal(vault.engine.funds.letter(withdrawalId), "waiting");
    vault.refuses(change("waiting", "claimed"), "WRONG_STATUS");
    vault.refuses(change("claimed", "sent"), "WRONG_STATUS");
    vault.restart();
    vault.engine.checkInvariants();
  }
});
