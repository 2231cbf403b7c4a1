/** What a node says of itself in Prometheus' text format. */
import assert from "node:assert/strict";

/** The label of every histogram's buckets; it is part of the format. */
const OF_BUCKETS = "le";

export interface Metric {
  readonly kind: string;
  readonly help: string;
  readonly labels: Set<string>;
}

/** Prometheus' text format: `# HELP name text`, `# TYPE name kind`, `name{label="value"} 1`. */
export function readMetrics(text: string): Map<string, Metric> {
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
