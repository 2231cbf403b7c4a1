/**
 * All planted bugs. Where the program has two guards against the same fault, both are removed: one alone would suffice,
 * as the other's test shows.
 */
import type { Bug, Hunt } from "./bug.ts";
import type { Edit } from "./edit.ts";

const ETCD = "packages/server/src/cluster/etcd";
const SEQUENCER = "packages/server/src/journal/sequencer";
const CLUSTER = "packages/server/src/cluster";
const FRESH_READS = "packages/server/src/api/fresh-reads.ts";

/** A batch counts whatever its header contains: a batch that a node writes twice counts twice. */
const HEADERS_UNREAD: Edit = {
  file: `${SEQUENCER}/shared-placement.ts`,
  from: "const refusal = engine.nodes.refusal(header);",
  to: "const refusal = bugIsAwake() ? null : engine.nodes.refusal(header);",
};
/** A revision that was already seen is treated as new. */
const REPEATS_TAKEN: Edit = {
  file: `${ETCD}/rows.ts`,
  from: "if (revision <= this.#reached.seenRevision) this.#counters.duplicatesDropped++;",
  to: "if (!bugIsAwake() && revision <= this.#reached.seenRevision) this.#counters.duplicatesDropped++;",
};
const NUMBERS_UNREAD: Edit = {
  file: `${ETCD}/rows.ts`,
  from: "if (number !== last + 1) throw new RowsMissing",
  to: "if (!bugIsAwake() && number !== last + 1) throw new RowsMissing",
};
const GAPS_TAKEN: Edit = {
  file: `${ETCD}/following.ts`,
  from: "row.place.number === this.#last + 1,",
  to: "bugIsAwake() || row.place.number === this.#last + 1,",
};
const resumedAt = (revision: string): Edit => ({
  file: `${ETCD}/following.ts`,
  from: "startRevision: this.#assembler.reached.seenRevision + 1 }",
  to: `startRevision: ${revision} }`,
});

const testOf =
  (file: string) =>
  (test: string): Hunt => ({ test, in: `packages/server/test/${file}.test.ts` });
const submitTest = testOf("cluster/etcd/submit");
const watchTest = testOf("cluster/etcd/watch");
const changedStoreTest = testOf("cluster/etcd/changed-store");
const trimBoundTest = testOf("cluster/etcd/trim-bound");
const placementTest = testOf("journal/sequencer/shared-placement");
const memberTest = testOf("cluster/member");
const freshReadsTest = testOf("api/fresh-reads");

/** Watches end and are resumed in the middle of the log. */
const WATCHES_END: Hunt = {
  faults: ["kill an etcd follower", "kill etcd's leader", "a node's connections to etcd are cut"],
  seconds: 30,
};
const RESUMED = watchTest("a resumed watch requests what follows the last batch");

const ORDER_BUGS: readonly Bug[] = [
  {
    name: "an answer goes out before the row came back",
    edits: [
      {
        file: `${SEQUENCER}/shared-placement.ts`,
        from: "        await this.#place(row);",
        to: "        (this as any).lastPlace = row.place;\n        await this.#place(row);",
      },
      {
        file: `${SEQUENCER}/shared-placement.ts`,
        from: "    over.resolve();\n  }\n\n  async #follow",
        to: `    const place = (this as any).lastPlace;
    if (bugIsAwake() && place !== undefined && this.#submission === submission)
      await this.#place({ id, count: commands.length, timeMs: offer.timeMs, node, bytes, place });
    over.resolve();\n  }\n\n  async #follow`,
      },
    ],
    foundBy: [
      placementTest("time is that of the author and never goes back"),
      { faults: ["a node does not reach one member"], seconds: 15 },
    ],
  },
  {
    name: "a retry without a unique key",
    edits: [
      {
        file: `${ETCD}/submitter.ts`,
        from: 'compare: [{ result: "EQUAL", target: "CREATE", key, createRevision: 0 }],',
        to: 'compare: bugIsAwake() ? [] : [{ result: "EQUAL", target: "CREATE", key, createRevision: 0 }],',
      },
      { file: `${ETCD}/rows.ts`, from: 'batch.version !== "1" || ', to: "" },
      HEADERS_UNREAD,
    ],
    foundBy: [
      submitTest("it is retried, and the batch is there once"),
      {
        faults: ["pause and resume etcd's leader", "nothing that etcd sends", "etcd's leader is cut off"],
        seconds: 40,
      },
    ],
  },
  {
    name: "an event delivered twice counts twice",
    edits: [
      {
        file: `${ETCD}/following.ts`,
        from: "    this.#queue.push(rows);",
        to: "    this.#queue.push(rows.flatMap((row) => (bugIsAwake() && row.place.number % 40 === 0 ? [row, row] : [row])));",
      },
      GAPS_TAKEN,
      HEADERS_UNREAD,
    ],
    foundBy: [
      watchTest("continues after the last received batch"),
      { faults: ["a node does not reach one member"], seconds: 15 },
    ],
  },
];

const WATCH_BUGS: readonly Bug[] = [
  {
    name: "a watch is resumed one revision too far",
    edits: [resumedAt("this.#assembler.reached.seenRevision + (bugIsAwake() ? 2 : 1)"), NUMBERS_UNREAD, GAPS_TAKEN],
    foundBy: [RESUMED, WATCHES_END],
  },
  {
    name: "a watch is resumed after the revision that the member tells of itself",
    edits: [
      {
        file: `${ETCD}/following.ts`,
        from: "    const rows: LogRow[] = [];\n    try {",
        to: "    (this as any).told = Number(response.header.revision);\n    const rows: LogRow[] = [];\n    try {",
      },
      resumedAt("((this as any).told ?? this.#assembler.reached.seenRevision) + 1"),
    ],
    foundBy: [RESUMED],
  },
  {
    name: "a watch is resumed one revision too early, and what comes twice is taken",
    edits: [
      resumedAt("this.#assembler.reached.seenRevision + (bugIsAwake() ? 0 : 1)"),
      REPEATS_TAKEN,
      NUMBERS_UNREAD,
      GAPS_TAKEN,
      HEADERS_UNREAD,
    ],
    foundBy: [RESUMED, WATCHES_END],
  },
  {
    name: "a silent watch is believed",
    edits: [
      { file: `${ETCD}/following.ts`, from: "if (silentMs >= limits.silenceMs)", to: "if (silentMs < 0)" },
      { file: `${ETCD}/following.ts`, from: "if (behindMs > limits.stuckMs)", to: "if (behindMs < 0)" },
    ],
    foundBy: [
      watchTest("a silent watch is abandoned"),
      { faults: ["an etcd member is silent for a while"], seconds: 15 },
    ],
  },
  {
    name: "a store that went back is believed",
    edits: [
      { file: `${ETCD}/rows.ts`, from: "  if (!isSame) throw", to: "  if (false) throw" },
      {
        file: `${ETCD}/rows.ts`,
        from: "if (lastNumber < reached.number) throw",
        to: "if (lastNumber < 0) throw",
      },
    ],
    foundBy: [changedStoreTest("restored")],
  },
];

const TAIL_BUGS: readonly Bug[] = [
  {
    name: "the tail is removed before it is mirrored",
    edits: [
      {
        file: `${ETCD}/tail.ts`,
        from: "const held = living.map(({ number }) => number).toSorted((a, b) => b - a)[mirrors - 1];",
        to: "const held = rows.at(-1)?.number;",
      },
    ],
    foundBy: [trimBoundTest("what one alone holds stays")],
  },
  {
    name: "a batch is removed before its author saw it",
    edits: [{ file: `${ETCD}/tail.ts`, from: "if (!isSeen && nowMs", to: "if (false && nowMs" }],
    foundBy: [trimBoundTest("a row stays until its author holds it")],
  },
];

const HOLDER_BUGS: readonly Bug[] = [
  {
    name: "a holder's number is not looked at",
    edits: [
      {
        file: "packages/engine/src/carry-out.ts",
        from: "state.nodes.role(role)?.number === number ?",
        to: "(bugIsAwake() ? number > 0 : state.nodes.role(role)?.number === number) ?",
      },
    ],
    foundBy: [
      {
        test: "a task is granted to the first request after the last grant, and only the current number is accepted",
        in: "packages/engine/test/nodes.test.ts",
      },
      { faults: ["the owner of a network task"], seconds: 30 },
    ],
  },
];

const CUT_OFF_READS = "a node that is cut off reports the age of its responses";

const READ_BUGS: readonly Bug[] = [
  {
    name: "a read does not wait for what others have answered",
    edits: [
      {
        file: `${CLUSTER}/reads.ts`,
        from: "const isThere = await this.hasAll();",
        to: "if (bugIsAwake()) return 0; const isThere = await this.hasAll();",
      },
    ],
    foundBy: [
      memberTest("a read in progress when the node is cut off"),
      { faults: ["a node's connections to etcd are slow", "a node's connections to etcd are silent"], seconds: 20 },
    ],
  },
  {
    name: "a stale read is not refused",
    edits: [
      { file: `${CLUSTER}/reads.ts`, from: "if (staleMs > limits.maxStaleMs) throw", to: "if (staleMs < 0) throw" },
      { file: FRESH_READS, from: "freshness.staleMs() > maxStaleMs", to: "freshness.staleMs() < 0" },
    ],
    foundBy: [
      memberTest("a node that is cut off rejects commands at once"),
      freshReadsTest(CUT_OFF_READS),
      { faults: ["a node's connections to etcd are silent for long"], seconds: 10 },
    ],
  },
  {
    name: "a stale read does not say so",
    edits: [{ file: FRESH_READS, from: "if (staleMs > 0) headers.push", to: "if (staleMs < 0) headers.push" }],
    foundBy: [freshReadsTest(CUT_OFF_READS), { faults: ["a node's connections to etcd are silent"], seconds: 10 }],
  },
];

export const BUGS: readonly Bug[] = [...ORDER_BUGS, ...WATCH_BUGS, ...TAIL_BUGS, ...HOLDER_BUGS, ...READ_BUGS];
