/** Which batches may be removed from the store. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type TailRow, trimBound, type TrimInput } from "../../../src/cluster/etcd/tail.ts";

const limits = { liveMs: 5, awayPatienceMs: 600, authorPatienceMs: 60, maxTailBytes: 100 };
const node = (name: string, number: number, silentMs = 0) => ({ node: name, number, silentMs });
const row = (number: number, by = "n1", sinceMs = 0): TailRow => ({
  ...{ number, revision: number, id: `${by}/x/${number}`, node: by, bytes: 1, sinceMs },
});
const rows = Array.from({ length: 10 }, (_, i) => row(i + 1));

const cases: [what: string, question: Partial<TrimInput>, bound: number][] = [
  ["what all hold may go", { nodes: [node("n1", 7), node("n2", 8)] }, 7],
  ["what one alone holds stays", { nodes: [node("n1", 7)] }, 0],
  ["unless one is enough", { nodes: [node("n1", 7)], mirrors: 1 }, 7],
  ["a node that does not live is no mirror", { nodes: [node("n1", 7), node("n2", 8, 5)] }, 0],
  ["one that lags is waited for", { nodes: [node("n1", 7), node("n2", 8), node("n3", 2)] }, 2],
  ["and so is one that is away", { nodes: [node("n1", 7), node("n2", 8), node("n3", 2, 599)] }, 2],
  ["but not for ever", { nodes: [node("n1", 7), node("n2", 8), node("n3", 2, 600)] }, 7],
  ["nor when the tail is half full", { nodes: [node("n1", 7), node("n2", 8), node("n3", 2)], tailBytes: 50 }, 7],
  [
    "also then enough must hold it",
    { nodes: [node("n1", 7), node("n2", 4), node("n3", 2)], mirrors: 3, tailBytes: 99 },
    2,
  ],
  [
    "a row stays until its author holds it",
    { nodes: [node("n1", 4), node("n2", 8), node("n3", 8)], tailBytes: 99, nowMs: 59 },
    4,
  ],
  [
    "which is not waited for for ever",
    { nodes: [node("n1", 4), node("n2", 8), node("n3", 8)], tailBytes: 99, nowMs: 60 },
    8,
  ],
  ["an author that was never heard of counts as one that holds nothing", { rows: [row(1), row(2, "n9")] }, 1],
  ["what has gone stays gone", { nodes: [node("n1", 3), node("n2", 3)], trimmed: 5 }, 5],
];
for (const [what, question, bound] of cases) {
  test(what, () => {
    const nodes = [node("n1", 9), node("n2", 9)];
    const full = { nodes, rows, trimmed: 0, tailBytes: 10, nowMs: 0, mirrors: 2, limits, ...question };
    assert.equal(trimBound(full), bound);
  });
}
