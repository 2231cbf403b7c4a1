/** Published roots of proofs: a chain in the journal in which no proof can be omitted or inserted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command, PublishedProof } from "@pricetime/engine";
import { BY, TestExchange, START_MS } from "./harness.ts";

const [ZEROS, ONE, TWO, OTHER] = ["0", "1", "2", "3"].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
];
const first: Command<"publishProof"> = { type: "publishProof", by: BY, number: 1, seq: 1, root: ONE, previous: ZEROS };
const second: Command<"publishProof"> = { ...first, number: 2, seq: 2, root: TWO, previous: ONE };

test("each published root follows the one before it", () => {
  const exchange = new TestExchange();
  exchange.openAccount("alice");
  exchange.openAccount("bob");
  assert.equal(exchange.engine.venue.lastProof, null);
  assert.equal(exchange.answer(first), "proofPublished");
  exchange.restart();
  assert.deepEqual(exchange.engine.venue.lastProof, {
    ...{ number: 1, seq: 1, root: ONE, previous: ZEROS },
    publishedMs: START_MS,
  });
  assert.equal(exchange.answer(first), "ALREADY_EXISTS");
  assert.equal(exchange.answer({ ...first, root: OTHER }), "ALREADY_EXISTS");
  // A proof is omitted or replaced.
  assert.equal(exchange.answer({ ...second, number: 3 }), "WRONG_STATUS");
  assert.equal(exchange.answer({ ...second, previous: OTHER }), "WRONG_STATUS");
  assert.equal(exchange.answer(second), "proofPublished");
  assert.equal((exchange.engine.venue.lastProof as PublishedProof | null)?.root, TWO);
});

test("a proof is of an earlier entry, and only number 1 has no previous one", () => {
  const exchange = new TestExchange();
  exchange.openAccount("alice");
  const { seq } = exchange.engine;
  assert.equal(exchange.answer({ ...first, seq: seq + 1 }), "INVALID_VALUE");
  assert.equal(exchange.answer({ ...first, previous: OTHER }), "INVALID_VALUE");
  assert.equal(exchange.answer({ ...second, previous: ZEROS }), "INVALID_VALUE");
  assert.equal(exchange.answer({ ...first, root: "x" }), "INVALID_VALUE");
  // The first published proof may have any number.
  assert.equal(exchange.answer({ ...second, number: 7, seq: 1, previous: OTHER }), "proofPublished");
});
