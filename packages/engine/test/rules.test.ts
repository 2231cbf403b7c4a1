/** Rules versions: a journal begins with the first and changes only to later ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ADOPT_NEWEST_RULES,
  decodeCommands,
  encodeCommands,
  Engine,
  FIRST_EDITION,
  MalformedBytes,
  NEWEST_EDITION,
} from "@pricetime/engine";
import { TestExchange } from "./harness.ts";

test("a journal without a rules version follows the first one", () => {
  assert.equal(new Engine().edition, FIRST_EDITION);
  assert.ok(NEWEST_EDITION > FIRST_EDITION);
});

test("rules versions only increase, and a snapshot contains the current one", () => {
  const exchange = new TestExchange(FIRST_EDITION);
  assert.equal(exchange.answer({ type: "adoptRules", edition: FIRST_EDITION }), "ALREADY_EXISTS");
  const before = exchange.engine.eventDigest();
  assert.equal(exchange.answer(ADOPT_NEWEST_RULES), "rulesAdopted");
  assert.notEqual(exchange.engine.eventDigest(), before);
  exchange.restart();
  assert.equal(exchange.engine.edition, NEWEST_EDITION);
  for (const edition of [FIRST_EDITION, NEWEST_EDITION]) {
    assert.equal(exchange.answer({ type: "adoptRules", edition }), "ALREADY_EXISTS");
  }
  assert.equal(exchange.engine.edition, NEWEST_EDITION);
});

test("an unknown rules version is rejected as a command and when a journal is read", () => {
  const exchange = new TestExchange(FIRST_EDITION);
  for (const edition of [NEWEST_EDITION + 1, 0, -1, 1.5, Number.NaN]) {
    assert.equal(exchange.answer({ type: "adoptRules", edition }), "INVALID_VALUE");
  }
  const newer = encodeCommands([{ type: "adoptRules", edition: NEWEST_EDITION + 1 }]);
  assert.throws(
    () => decodeCommands(newer, 1),
    (error: Error) =>
      error instanceof MalformedBytes && /edition \d+ of the rules, which this release/.test(error.message),
  );
});

test("a snapshot with an unknown rules version is rejected", () => {
  const exchange = new TestExchange();
  const bytes = exchange.engine.snapshot().slice();
  // The number after the layout.
  assert.equal(bytes[1], NEWEST_EDITION);
  bytes[1] = NEWEST_EDITION + 1;
  assert.throws(() => Engine.restore(bytes), /does not know edition/);
});
