/**
 * JSON commands may contain any value. Whatever value any of their fields has, at any depth, the engine returns a
 * result, the sums hold, and the state can be saved and restored. MALFORMED_EVERY: one of so many values is tried in
 * each field, others in the next; malformed.campaign.ts tries all values in each field.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Command, decodeCommands, encodeCommands, Engine } from "@pricetime/engine";
import { SAMPLES } from "@pricetime/testkit/samples";
import { BY, symbolSpec } from "./harness.ts";
import { ALICE, BOB, COIN, REPORTED, idOf, Vault } from "./funds/vault.ts";

const EVERY = Number(process.env["MALFORMED_EVERY"] ?? 8);
/** The number of random sequences. */
const RUNS = Math.ceil(600 / EVERY);

/** Packed commands, whose layout determines their form. */
const PACKED: ReadonlySet<Command["type"]> = new Set([
  "tick",
  "adoptRules",
  "placeOrder",
  "placeOco",
  "placeOto",
  "cancelOrder",
  "cancelOpenOrders",
  "cancelOrderList",
  "cancelReplace",
  "amendOrder",
  "openListenKey",
  "keepListenKey",
  "closeListenKey",
  "nodeBatch",
  "asHolder",
] as const);

/** JSON commands: a sequence that succeeds, and at least one of every type. */
const vault = new Vault();
const address = { network: "SIDE", address: "a", tag: "" };
const LAWFUL: readonly Command[] = [
  { type: "assignDepositAddress", accountId: ALICE, ...address },
  vault.see(),
  { type: "creditDeposit", ...COIN, ...REPORTED, by: BY },
  { type: "finishDeposit", ...COIN, ...REPORTED },
  vault.see({ txId: "tx2" }),
  { type: "dropDeposit", ...COIN, ...REPORTED, txId: "tx2" },
  { type: "setTotp", by: BY, accountId: ALICE, sealedSecret: "sealed" },
  vault.request({ totpStep: 5, totpSecret: "sealed", name: "n", withdrawOrderId: "w" }),
  { type: "signWithdrawal", withdrawalId: idOf(1), txId: "p", nonce: 0, signedTx: "raw" },
  { type: "completeWithdrawal", withdrawalId: idOf(1), txId: "p", by: BY },
  { type: "changeAccount", by: BY, accountId: BOB, confirmsByMail: true, canTrade: true, isEnabled: true },
  vault.request({ withdrawalId: idOf(2), accountId: BOB }),
  { type: "confirmWithdrawal", withdrawalId: idOf(2), confirmationHash: vault.request().confirmationHash },
  { type: "failWithdrawal", withdrawalId: idOf(2), why: "" },
  vault.request({ withdrawalId: idOf(3), accountId: BOB }),
  { type: "cancelWithdrawal", accountId: BOB, withdrawalId: idOf(3) },
  ...Object.values(SAMPLES)
    .flat()
    .filter(({ type }) => !PACKED.has(type)),
];

/** The path of every value in a command. */
function places(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], junk: unknown): unknown {
  if (key === undefined) return junk;
  if (Array.isArray(value)) return value.map((inner, at) => (String(at) === key ? replaced(inner, rest, junk) : inner));
  const record = value as Readonly<Record<string, unknown>>;
  return { ...record, [key]: replaced(record[key], rest, junk) };
}

const JUNK: readonly unknown[] = [
  ...[null, undefined, true, false, 0, 1, -1, 1.5, 2 ** 53, 1e300, 99_999],
  ...["", " ", "0", "-1", "1e30", "0x", "constructor", "__proto__", "length", "\n", "\u0000", "\ud800", "₿"],
  ..."BTC,USDT,0.1,1.000000001,99999999999999999999,stranger".split(","),
  ...["x".repeat(127), "x".repeat(129), "x".repeat(257), "x".repeat(20_000), "f".repeat(32), "f".repeat(64)],
  ...[[], {}, [null], [[]], [""], { length: 1 }, Array.from({ length: 1_000 }, () => "a"), { network: "BTC" }],
];

/** A command with one or two changed values, as read from the journal. */
const malformed = fc
  .tuple(fc.constantFrom(...LAWFUL), fc.array(fc.tuple(fc.nat(), fc.constantFrom(...JUNK)), { maxLength: 2 }))
  .map(([command, changes]) => {
    let changed: unknown = command;
    for (const [at, junk] of changes) {
      const all = places(changed).filter(([first]) => first !== undefined && first !== "type");
      changed = replaced(changed, all[at % all.length]!, junk);
    }
    return decodeCommands(encodeCommands([changed as Command]), 1)[0]!;
  });

function opening(): Engine {
  const exchange = new Vault();
  exchange.must({ type: "listSymbol", by: BY, symbol: symbolSpec("BTCUSDT", "BTC/USDT") });
  for (const accountId of [ALICE, BOB, 4, 5]) exchange.fund(accountId, "9");
  return exchange.engine;
}

function apply(engine: Engine, command: Command): string {
  const events = engine.apply({ seq: engine.seq + 1, timeMs: engine.timeMs + 1_000, command });
  const [first] = events;
  assert.ok(first !== undefined, `no answer to ${command.type}`);
  if (first.type !== "rejected") return "done";
  assert.equal(events.length, 1);
  return first.reason;
}

test("any value in one field of each command gives a result, and the sums hold", () => {
  const answers = new Map<string, number>();
  let next = 0;
  for (const [at, command] of LAWFUL.entries()) {
    const prepared = opening();
    for (const before of LAWFUL.slice(Math.max(0, at - 10), at)) apply(prepared, before);
    const start = prepared.snapshot();
    for (const place of places(command)) {
      if (place.length === 0 || place[0] === "type") continue;
      for (const junk of JUNK) {
        if (next++ % EVERY !== 0) continue;
        const engine = Engine.restore(start);
        const changed = replaced(command, place, junk) as Command;
        const answer = apply(engine, decodeCommands(encodeCommands([changed]), 1)[0]!);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
        engine.checkInvariants();
      }
    }
  }
  // Values of another type, or texts without a limit, are rejected for their form.
  assert.ok((answers.get("INVALID_VALUE") ?? 0) > 1_000 / EVERY);
  assert.ok((answers.get("done") ?? 0) > 100 / EVERY);
});

test("sequences of valid and malformed commands leave a valid state", () => {
  let done = 0;
  const run = fc.property(fc.array(malformed, { minLength: 1, maxLength: 60, size: "max" }), (commands) => {
    const engine = opening();
    for (const command of commands) if (apply(engine, command) === "done") done++;
    engine.checkInvariants();
    const restored = Engine.restore(engine.snapshot());
    restored.checkInvariants();
    assert.deepEqual(restored.snapshot(), engine.snapshot());
    assert.equal(restored.eventDigest(), engine.eventDigest());
  });
  fc.assert(run, { numRuns: RUNS });
  assert.ok(done > RUNS, `hardly anything was done: ${done}`);
});

test("every JSON command is checked, and its samples pass the check", () => {
  for (const [type, samples] of Object.entries(SAMPLES)) {
    for (const command of samples) {
      if (PACKED.has(command.type)) continue;
      const engine = opening();
      const bare = apply(engine, { type } as Command);
      assert.equal(bare, "INVALID_VALUE", `${type} without fields`);
    }
  }
});
