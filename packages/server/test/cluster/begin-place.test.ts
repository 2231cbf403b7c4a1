/** From where a node follows the log, by what its journal holds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { beginPlace } from "../../src/cluster/begin-place.ts";
import { EMPTY_HEAD, type JournalHead } from "../../src/journal/port.ts";

const HASH = "ab".repeat(32);
const epoch = { epoch: "e1", baseSeq: 40, baseChainHash: HASH, priorEpoch: "" };
const head = (lastSeq: number, chainHash = HASH): JournalHead => ({ lastSeq, lastTimeMs: 1, chainHash });
const place = (seq: number, of = "e1") => ({ epoch: of, number: 3, revision: 9, seq });

test("a journal that ends at its place goes on from there, one that ends at the base from the first row", () => {
  assert.deepEqual(beginPlace(head(52, "cd"), place(52), epoch), { type: "follow", place: place(52) });
  assert.deepEqual(beginPlace(head(40), null, epoch), { type: "follow", place: null });
  assert.deepEqual(beginPlace(head(40), place(40, "e0"), epoch), { type: "follow", place: null }, "a new epoch");
  const first = { ...epoch, baseSeq: 0, baseChainHash: EMPTY_HEAD.chainHash };
  assert.deepEqual(beginPlace(EMPTY_HEAD, null, first), { type: "follow", place: null });
});

test("a journal that is shorter than the base needs another's, one that went on after its place is looked at", () => {
  assert.deepEqual(beginPlace(EMPTY_HEAD, null, epoch), { type: "behind" });
  assert.deepEqual(beginPlace(head(39), place(39, "e0"), epoch), { type: "behind" });
  assert.deepEqual(beginPlace(head(60), place(52), epoch), { type: "beyond", place: place(52) });
});

test("a journal that is longer than the base, or another, is told so", () => {
  const whyOf = (of: JournalHead, at = place(of.lastSeq, "e0")): string => {
    const begin = beginPlace(of, at, epoch);
    return begin.type === "foreign" ? begin.why : begin.type;
  };
  assert.match(whyOf(head(40, "cd".repeat(32))), /begins after entry 40, and this node's journal is another journal/);
  assert.match(whyOf(head(41)), /this node's journal goes on to entry 41/);
});
