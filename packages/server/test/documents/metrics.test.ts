/** docs/operate/metrics.md names every metric that a node has, with its kind and labels; it cannot drift. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Exchange, startExchange } from "@pricetime/testkit/venue";
import { namedRows } from "./table.ts";

const PAGE = "docs/operate/metrics.md";
/** Of every histogram; they are part of the format. */
const OF_BUCKETS = "le";

interface Metric {
  readonly kind: string;
  readonly help: string;
  readonly labels: Set<string>;
}

let exchange: Exchange;
let metrics: Map<string, Metric>;
before(async () => {
  exchange = await startExchange();
  await fetch(`${exchange.rest}/api/v3/time`);
  metrics = read(await (await fetch(`${exchange.admin}/metrics`)).text());
});
after(() => exchange.stop());

/** Prometheus' text format: `# HELP name text`, `# TYPE name kind`, `name{label="value"} 1`. */
function read(text: string): Map<string, Metric> {
  const found = new Map<string, Metric>();
  const helps = new Map<string, string>();
  for (const line of text.split("\n")) {
    const help = /^# HELP (?<name>\S+) (?<text>.*)$/.exec(line)?.groups;
    const type = /^# TYPE (?<name>\S+) (?<kind>\S+)$/.exec(line)?.groups;
    const sample = /^(?<name>[a-z_0-9]+)(?:\{(?<labels>.*)\})? \S+$/.exec(line)?.groups;
    if (help !== undefined) helps.set(help["name"] ?? "", help["text"] ?? "");
    if (type !== undefined) {
      const { name = "", kind = "" } = type;
      found.set(name, { kind, help: helps.get(name) ?? "", labels: new Set() });
    }
    if (sample === undefined) continue;
    const { name = "", labels = "" } = sample;
    const metric = found.get(name) ?? found.get(name.replace(/_(?:bucket|sum|count)$/, ""));
    assert.ok(metric, `no TYPE stands before ${name}`);
    for (const [, label = ""] of labels.matchAll(/([a-z_]+)="/g)) if (label !== OF_BUCKETS) metric.labels.add(label);
  }
  return found;
}

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
    ours.filter((name) => !metrics.has(name)),
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
