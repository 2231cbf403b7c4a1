/** docs/operate/metrics.md names every metric that a node has, with its kind and labels; it cannot drift. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { type Metric, readMetrics } from "./exposition.ts";
import { namedRows } from "./table.ts";

const PAGE = "docs/operate/metrics.md";
/** What only nodes of a cluster have: `packages/server/test/cluster/seen.test.ts` holds those rows. */
const OF_CLUSTERS = /^pricetime_(?:cluster|task)_/;

let exchange: Exchange;
let metrics: Map<string, Metric>;
before(async () => {
  exchange = await startExchange();
  await fetch(`${exchange.rest}/api/v3/time`);
  metrics = readMetrics(await (await fetch(`${exchange.admin}/metrics`)).text());
});
after(() => exchange.stop());

test("every metric of a running node has its row, and no row is of something else", () => {
  assert.ok(metrics.size > 50, "the metrics were not read");
  const written = namedRows(PAGE);
  const missing = [...metrics].filter(([name]) => !written.has(name));
  const rows = missing.map(
    ([name, { kind, labels, help }]) => `| \`${name}\` | ${kind} | ${[...labels].join(", ")} | ${help} |`,
  );
  assert.deepEqual(rows, [], `${PAGE} lacks these rows, whose last cell says what is counted, and in what unit`);
  // What the system tells of a process is told on Linux alone.
  const ours = [...written.keys()].filter((name) => name.startsWith("pricetime_") || process.platform === "linux");
  assert.deepEqual(
    ours.filter((name) => !metrics.has(name) && !OF_CLUSTERS.test(name)),
    [],
  );
});

test("kinds and labels are those of the node", () => {
  const written = namedRows(PAGE);
  for (const [name, { kind, labels }] of metrics) {
    const [writtenKind, writtenLabels = "", meaning = ""] = written.get(name) ?? [];
    assert.equal(writtenKind, kind, name);
    const named = writtenLabels.split(", ").filter((label) => label !== "");
    // One that has nothing to tell yet shows no labels.
    if (labels.size > 0) assert.deepEqual(named.sort(), [...labels].sort(), name);
    assert.notEqual(meaning, "", `${name}: what is counted?`);
  }
});
