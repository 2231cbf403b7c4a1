/** Compares the queries in `deploy/` with a node's `/metrics`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "@pricetime/testkit/venue";
import { parse } from "yaml";

const OWN = /\b(?:pricetime|process|nodejs)_\w+/g;
/** Labels that Prometheus adds. */
export const GIVEN_LABELS = ["instance", "job", "le"];
const ALERTS = join(ROOT, "deploy/prometheus/alerts.yml");

export interface Rule {
  readonly alert: string;
  readonly expr: string;
}

/** The alerts of a group. */
export function alertsOf(wanted: "pricetime" | "pricetime-tls" | "pricetime-cluster"): readonly Rule[] {
  const { groups } = parse(readFileSync(ALERTS, "utf8")) as { groups: { name: string; rules: Rule[] }[] };
  return groups.filter(({ name }) => name === wanted).flatMap(({ rules }) => rules);
}

/** The names of the node's metrics in a query. */
export function namesIn(query: string): readonly string[] {
  return query.match(OWN) ?? [];
}

/** The labels of each metric in Prometheus' text format. */
export function labelsOf(text: string): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label);
    known.set(name, new Set([...(known.get(name) ?? []), ...names]));
  }
  return known;
}

/** The metrics and labels in a query that the node does not have, as messages. */
export function missingIn(query: string, known: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const names = namesIn(query);
  if (names.length === 0 && !query.includes("up{")) return [`no metric: ${query}`];
  const labels = names.flatMap((name) => [...(known.get(name) ?? [])]);
  return [
    ...names.filter((name) => !known.has(name)).map((name) => `${name} is not in /metrics: ${query}`),
    ...labelsIn(query)
      .filter((label) => !labels.includes(label) && !GIVEN_LABELS.includes(label))
      .map((label) => `no label ${label}: ${query}`),
  ];
}

/** Labels in matchers and in `by (…)`. */
function labelsIn(query: string): string[] {
  const matchers = [...query.matchAll(/(\w+)\s*(?:=~|!~|!=|=(?!=))\s*"/g)].map(([, label = ""]) => label);
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(/,\s*/));
  return [...matchers, ...grouped.map((name) => name.trim())];
}
