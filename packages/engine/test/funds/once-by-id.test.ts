/**
 * Every command that is executed once by its id: it is executed, then repeated with equal and with different contents,
 * before and after a restart. Money moves once, an equal repeat gets another reason than a different one, and nothing
 * else changes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Command, TREASURY_ACCOUNT } from "@pricetime/engine";
import { BY } from "../harness.ts";
import { ALICE, BOB, COIN, idOf, REPORTED, Vault } from "./vault.ts";

const EQUAL = "ALREADY_EXISTS";
const DIFFERENT = "REPEAT_DIFFERS";
const NOT_KEPT = "CONTENTS_NOT_KEPT";

interface Entrance {
  /** Commands that must precede it. */
  readonly before: readonly Command[];
  readonly first: Command;
  /** The same contents in another notation, where there is one. */
  readonly equal: readonly Command[];
  /** Each differs in one field. */
  readonly different: readonly Command[];
  /** Executed only with dual approval. */
  readonly isForTwo?: true;
}

/** One command for each field, with another value in it. */
function othersOf(first: Command, fields: Readonly<Record<string, unknown>>): Command[] {
  return Object.entries(fields).map(([name, value]) => ({ ...first, [name]: value }));
}

const vault = new Vault();
const move = { accountId: ALICE, asset: "BTC", amount: "2", reference: "r", by: BY } as const;
const dividend: Command<"distributeDividend"> = {
  ...{ type: "distributeDividend", by: BY, reference: "d", heldAsset: "USDT", paidAsset: "BTC", amount: "1" },
  info: "gift",
};
const cost: Command<"payNetworkCost"> = {
  type: "payNetworkCost",
  network: "BTC",
  txId: "t1",
  asset: "BTC",
  amount: "0.5",
};
const note: Command<"noteUnknownDeposit"> = {
  ...{ type: "noteUnknownDeposit", network: "BTC", txId: "lost", output: 0, address: "nowhere", tag: "" },
  ...{ coin: "BTC", amount: "1.5", reason: "unknownAddress" },
};
const request = vault.request({ withdrawOrderId: "w", name: "home" });
const adjustment: Command<"adjust"> = {
  ...{ type: "adjust", by: "carol", accountId: ALICE, asset: "BTC", direction: "credit", amount: "2" },
  ...{ house: "treasury", category: "goodwill", why: "an outage", reference: "a" },
};
const settlement: Command<"settleUnknownDeposit"> = {
  ...{ type: "settleUnknownDeposit", by: "carol", network: "BTC", txId: "lost", output: 0, how: "credit" },
  ...{ toAccountId: ALICE, asset: "BTC", amount: "1.5", why: "a typing error" },
};
const fund: Command = { type: "deposit", by: BY, accountId: ALICE, asset: "BTC", amount: "20", reference: "fund" };
const hold: Command = { type: "deposit", by: BY, accountId: BOB, asset: "USDT", amount: "9", reference: "hold" };
const treasury: Command = { ...fund, accountId: TREASURY_ACCOUNT, reference: "treasury" };
const elsewhere = { address: `home${BOB}`, tag: "7", amount: "3", asset: "USDT" };
const step = (type: "creditDeposit" | "finishDeposit" | "dropDeposit") => ({ type, ...COIN, ...REPORTED }) as const;

const ENTRANCES: Readonly<Record<string, Entrance>> = {
  deposit: {
    before: [],
    first: { type: "deposit", ...move },
    equal: [{ type: "deposit", ...move, amount: "2.000", by: "somebody else" }],
    different: [
      { type: "debit", ...move },
      ...othersOf({ type: "deposit", ...move }, { accountId: BOB, asset: "USDT", amount: "3" }),
    ],
  },
  debit: {
    before: [fund],
    first: { type: "debit", ...move },
    equal: [{ type: "debit", ...move, amount: "2.0" }],
    different: [
      { type: "deposit", ...move },
      ...othersOf({ type: "debit", ...move }, { accountId: BOB, asset: "USDT", amount: "99" }),
    ],
  },
  adjust: {
    before: [],
    first: adjustment,
    equal: [{ ...adjustment, amount: "2.0", by: "dave" }],
    different: [
      ...othersOf(adjustment, { accountId: BOB, asset: "USDT", direction: "debit", amount: "3", house: "dust" }),
      ...othersOf(adjustment, { category: "other", why: "no outage" }),
    ],
    isForTwo: true,
  },
  distributeDividend: {
    before: [hold, treasury],
    first: dividend,
    equal: [{ ...dividend, amount: "1.00", by: "somebody else" }],
    different: othersOf(dividend, { heldAsset: "BTC", paidAsset: "USDT", amount: "2", info: "loan" }),
  },
  payNetworkCost: {
    before: [],
    first: cost,
    equal: [{ ...cost, amount: "0.50" }],
    different: othersOf(cost, { asset: "USDT", amount: "0.6" }),
  },
  seeDeposit: {
    before: [],
    first: vault.see(),
    equal: [vault.see({ amount: "2.0", by: "carol" })],
    different: othersOf(vault.see(), elsewhere),
  },
  creditDeposit: {
    before: [vault.see()],
    first: step("creditDeposit"),
    equal: [{ ...step("creditDeposit"), amount: "2.000" }, vault.see()],
    different: [...othersOf(step("creditDeposit"), elsewhere), ...othersOf(step("finishDeposit"), elsewhere)],
  },
  finishDeposit: {
    before: [vault.see()],
    first: step("finishDeposit"),
    equal: [step("finishDeposit"), step("creditDeposit"), vault.see({ amount: "2.0" })],
    different: [...othersOf(step("finishDeposit"), elsewhere), ...othersOf(vault.see(), elsewhere)],
  },
  dropDeposit: {
    before: [vault.see()],
    first: step("dropDeposit"),
    equal: [step("dropDeposit")],
    different: [...othersOf(step("dropDeposit"), elsewhere), ...othersOf(step("finishDeposit"), elsewhere)],
  },
  requestWithdrawal: {
    before: [fund],
    first: request,
    equal: [{ ...request, withdrawalId: idOf(2), amount: "3.00", totpStep: 7, confirmationHash: "" }],
    different: othersOf(
      { ...request, withdrawalId: idOf(2) },
      { address: "another", tag: "7", amount: "4", name: "work", network: "SIDE" },
    ),
  },
  noteUnknownDeposit: {
    before: [],
    first: note,
    equal: [{ ...note, amount: "1.50", by: "carol" }],
    different: othersOf(note, { address: "there", tag: "7", coin: "USDT", amount: "2", reason: "other" }),
  },
  settleUnknownDeposit: {
    before: [note],
    first: settlement,
    equal: [{ ...settlement, amount: "1.50", by: "dave" }],
    different: [
      ...othersOf(settlement, { toAccountId: BOB, asset: "USDT", amount: "2", why: "a guess" }),
      { ...settlement, how: "keep", toAccountId: null },
      { ...settlement, how: "dismiss", toAccountId: null, asset: null, amount: null },
      { ...note, amount: "2" },
    ],
    isForTwo: true,
  },
};

/** The vault after the command; if it needs dual approval, it is approved. */
function carriedOut({ before, first, isForTwo }: Entrance, edition?: number): Vault {
  const exchange = new Vault(undefined, edition);
  for (const command of before) exchange.must(command);
  answer(exchange, first, isForTwo);
  return exchange;
}

function answer(exchange: Vault, command: Command, isForTwo: true | undefined): string {
  if (isForTwo === undefined) return exchange.answer(command);
  exchange.engine.state.approvedId = "approved";
  const [event] = exchange.run(command);
  exchange.engine.state.approvedId = null;
  return event?.type === "rejected" ? event.reason : (event?.type ?? "nothing");
}

/** Rejected for this reason, without any visible change. */
function repeats(exchange: Vault, entrance: Entrance, command: Command, reason: string): void {
  const before = exchange.portrait();
  assert.equal(answer(exchange, command, entrance.isForTwo), reason, JSON.stringify(command));
  assert.deepEqual(exchange.portrait(), before, `${command.type} was rejected and changed something`);
}

for (const [name, entrance] of Object.entries(ENTRANCES)) {
  test(`${name}: an equal repeat is told from a different one, in any order, and neither moves anything`, () => {
    const { equal, different } = entrance;
    const again = [entrance.first, ...equal];
    const all = [...again.map((one) => [one, EQUAL] as const), ...different.map((one) => [one, DIFFERENT] as const)];
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: 1 }), fc.nat(all.length), (repeated, restartAt) => {
        const exchange = carriedOut(entrance);
        for (const [i, [command, reason]] of repeated.entries()) {
          if (i === restartAt) exchange.restart();
          const isSame = name === "dropDeposit" && command.type === "finishDeposit" && reason === EQUAL;
          repeats(exchange, entrance, command, isSame ? "WRONG_STATUS" : reason);
        }
        exchange.engine.checkInvariants();
      }),
      { numRuns: 25 },
    );
  });

  test(`${name}: by the rules of version 3 repeats are compared by the id alone, and afterwards nothing is known`, () => {
    const { equal, different } = entrance;
    const [first] = equal as [Command];
    const exchange = carriedOut(entrance, 3);
    const isOpen = name === "seeDeposit" || name === "creditDeposit" || name === "noteUnknownDeposit";
    const old = answer(exchange, first, entrance.isForTwo);
    assert.match(old, /^(ALREADY_EXISTS|WRONG_STATUS|UNKNOWN_DEPOSIT)$/);
    exchange.must({ type: "adoptRules", edition: 4 });
    exchange.restart();
    // An open deposit still has its record, which can be compared.
    repeats(exchange, entrance, first, isOpen ? EQUAL : NOT_KEPT);
    for (const command of different) repeats(exchange, entrance, command, isOpen ? DIFFERENT : NOT_KEPT);
  });
}

test("equal reports take a deposit from pending to success, and each may be repeated", () => {
  const exchange = new Vault();
  exchange.must(vault.see());
  for (const type of ["creditDeposit", "finishDeposit"] as const) {
    exchange.refuses({ ...step(type), amount: "700000" }, DIFFERENT);
    exchange.must(step(type));
    exchange.refuses(step(type), EQUAL);
  }
  exchange.refuses(step("dropDeposit"), "WRONG_STATUS");
  exchange.refuses({ ...step("dropDeposit"), amount: "1" }, DIFFERENT);
  exchange.holds(ALICE, 200_000_000n);
});

test("a dropped deposit can be reported with other contents; reports with the old ones are then rejected", () => {
  const exchange = new Vault();
  exchange.must(vault.see());
  exchange.refuses({ ...step("dropDeposit"), amount: "1" }, DIFFERENT);
  exchange.must(step("dropDeposit"));
  exchange.refuses(step("finishDeposit"), "WRONG_STATUS");
  const right = { address: `home${BOB}`, amount: "7" };
  exchange.must(vault.see(right));
  exchange.refuses(vault.see(), DIFFERENT);
  exchange.must({ ...step("finishDeposit"), ...right });
  exchange.refuses(vault.see(), DIFFERENT);
  exchange.holds(ALICE, 0n);
  exchange.holds(BOB, 700_000_000n);
});

test("a step without contents is rejected, and accepted in rules version 3", () => {
  const [now, then] = [new Vault(), new Vault(undefined, 3)];
  for (const exchange of [now, then]) exchange.must(vault.see());
  now.refuses({ type: "finishDeposit", ...COIN }, DIFFERENT);
  then.must({ type: "finishDeposit", ...COIN });
});

test("a settled unattributed deposit cannot become a customer's deposit, and the other way round", () => {
  const exchange = carriedOut(ENTRANCES["settleUnknownDeposit"] as Entrance);
  const { network, txId, output } = note;
  exchange.refuses(vault.see({ network, txId, output }), DIFFERENT);
  const other = new Vault();
  other.must(vault.see());
  other.refuses({ ...note, ...COIN }, DIFFERENT);
});
