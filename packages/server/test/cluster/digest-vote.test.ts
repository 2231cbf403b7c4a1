/** Which node is wrong, by the published event digests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DigestVote, RowDigests } from "../../src/cluster/peers.ts";

const LIMITS = { digestPatienceMs: 300, digestWordMs: 1_000 };

test("of two nodes that differ, both stop at once", () => {
  const vote = new DigestVote(LIMITS);
  vote.record("n2", 10, true, 0);
  assert.deepEqual(vote.decide(["n2"], 0), { differing: [], seq: 0, isOurs: false });
  vote.record("n2", 20, false, 5);
  vote.record("n2", 30, false, 6);
  assert.deepEqual(vote.decide(["n2"], 6), { differing: ["n2"], seq: 20, isOurs: true });
});

test("one of three differs: the two that agree continue, whichever digest they receive first", () => {
  const [early, late] = [new DigestVote(LIMITS), new DigestVote(LIMITS)];
  early.record("n2", 25, true, 0);
  early.record("n3", 20, false, 1);
  assert.deepEqual(early.decide(["n2", "n3"], 1), { differing: ["n3"], seq: 20, isOurs: false });
  late.record("n2", 19, true, 0);
  late.record("n3", 20, false, 1);
  assert.equal(late.decide(["n2", "n3"], 1).isOurs, false, "that n2 agreed before says nothing, so it is waited for");
  late.record("n2", 20, true, 2);
  assert.equal(late.decide(["n2", "n3"], 900).isOurs, false);
});

test("the wrong node of three waits for both others, within the time limit", () => {
  const vote = new DigestVote(LIMITS);
  vote.record("n2", 20, false, 0);
  assert.equal(vote.decide(["n2", "n3"], 0).isOurs, false);
  vote.record("n3", 22, false, 1);
  assert.deepEqual(vote.decide(["n2", "n3"], 1), { differing: ["n2", "n3"], seq: 20, isOurs: true });
  const alone = new DigestVote(LIMITS);
  alone.record("n3", 19, true, 0);
  alone.record("n2", 20, false, 0);
  assert.equal(alone.decide(["n2", "n3"], 0).isOurs, false);
  assert.equal(alone.decide(["n2", "n3"], 299).isOurs, false);
  alone.record("n2", 21, false, 250);
  assert.equal(alone.decide(["n2", "n3"], 300).isOurs, true);
});

test("digests expire, and a rebuilt node counts again", () => {
  const vote = new DigestVote(LIMITS);
  vote.record("n2", 20, true, 0);
  vote.record("n3", 20, false, 0);
  vote.record("n3", 30, true, 10);
  assert.deepEqual(vote.decide(["n2", "n3"], 10).differing, []);
  vote.record("n3", 40, false, 20);
  assert.deepEqual(vote.decide(["n2", "n3"], 1_021).differing, []);
});

test("digests are compared only at the ends of the last batches", () => {
  const digests = new RowDigests(3);
  assert.equal(digests.agree(1, "a"), undefined);
  for (const [seq, digest] of [
    [4, "a"],
    [6, "b"],
    [9, "c"],
    [10, "d"],
  ] as const)
    digests.note(seq, digest);
  assert.deepEqual(
    [digests.agree(4, "a"), digests.agree(6, "b"), digests.agree(9, "c"), digests.agree(10, "d")],
    [undefined, true, true, true],
  );
  assert.deepEqual([digests.agree(9, "x"), digests.agree(8, "c")], [false, false], "no row ends with entry 8");
});
