/** deploy/prometheus and deploy/grafana: a real Prometheus, which scrapes a real node, answers every query. */
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { Authority, noOpenssl } from "@pricetime/testkit/authority";
import { scratchFolder, temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, ROOT, startExchange } from "@pricetime/testkit/venue";
import { comes, untilAnswer } from "@pricetime/testkit/waiting";
import { alertsOf, GIVEN_LABELS, labelsOf, missingIn, namesIn } from "./queries.ts";
import { background, type Background, freePort, lacks, run } from "./tools.ts";

const FOLDER = join(ROOT, "deploy/prometheus");
const DASHBOARD = join(ROOT, "deploy/grafana/pricetime.json");
const PATIENCE_MS = 40_000;

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
interface Dashboard {
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly { readonly name: string; readonly expr: string }[] };
}

const rules = alertsOf("pricetime");
const dashboard = JSON.parse(readFileSync(DASHBOARD, "utf8")) as Dashboard;
const targets = dashboard.panels.flatMap(({ title, targets: all = [] }) => all.map((each) => ({ title, ...each })));
/** Replaces variables as Grafana does. */
const filledIn = (expr: string): string => expr.replaceAll("$__rate_interval", "8s").replaceAll("$instance", ".*");

suite("metrics", () => {
  let exchange: Exchange;
  /** The labels of each metric, by its name. */
  let known: Map<string, Set<string>>;
  before(async () => {
    exchange = await startExchange();
    // The metric of a used part exists only if there is a limit.
    const limits = { allCustomers: { per24h: "100" } };
    await operate(exchange, "PUT", "/v1/assets/BTC/withdrawal-limits", limits);
    known = labelsOf(await (await fetch(`${exchange.admin}/metrics`)).text());
  });
  after(() => exchange.stop());

  test("the node has every queried metric and label", () => {
    assert.ok(targets.length > 40 && rules.length > 10);
    const queries = [...targets, ...rules, ...dashboard.annotations.list].map(({ expr }) => filledIn(expr));
    assert.deepEqual(
      queries.flatMap((query) => missingIn(query, known)),
      [],
    );
    for (const { expr, legendFormat } of targets)
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(GIVEN_LABELS.includes(label) || namesIn(expr).some((name) => known.get(name)?.has(label)));
  });

  test("a node with TLS has the metrics of the certificate alerts", { skip: noOpenssl }, async (t) => {
    const { certFile, keyFile } = new Authority(scratchFolder(t)).issue("node", ["IP:127.0.0.1"]);
    const node = await startExchange({ args: ["--bots", "off", "--tls-cert", certFile, "--tls-key", keyFile] });
    t.after(() => node.stop());
    const has = labelsOf(await (await fetch(`${node.admin}/metrics`)).text());
    const asked = alertsOf("pricetime-tls");
    assert.ok(asked.length > 0);
    assert.deepEqual(
      asked.flatMap(({ expr }) => missingIn(expr, has)),
      [],
    );
  });

  test("promtool accepts the configuration and the alerts, and the tests of the alerts pass", {
    skip: lacks("promtool"),
  }, () => {
    run("promtool", ["check", "config", "prometheus.yml"], { cwd: FOLDER });
    run("promtool", ["test", "rules", "alerts.test.yml"], { cwd: FOLDER });
  });

  test("Prometheus answers every query of the dashboard", {
    skip: lacks("prometheus"),
  }, async (t) => {
    const folder = temporaryFolder();
    const config = readFileSync(join(FOLDER, "prometheus.yml"), "utf8");
    assert.match(config, /scrape_interval: 15s/);
    const quick = config.replaceAll("15s", "1s").replace("127.0.0.1:8081", new URL(exchange.admin).host);
    writeFileSync(join(folder, "prometheus.yml"), quick.replace("alerts.yml", join(FOLDER, "alerts.yml")));
    const address = `127.0.0.1:${await freePort()}`;
    const storage = ["--storage.tsdb.path", join(folder, "data"), "--web.listen-address", address];
    const prometheus = background("prometheus", ["--config.file", join(folder, "prometheus.yml"), ...storage]);
    try {
      const wanted = targets.map(({ title, expr }) => ({ title, expr: filledIn(expr) }));
      await untilAnswered(prometheus, `http://${address}`, wanted);
      const { alerts: firing } = await ask<{ alerts: { labels: { alertname: string }; state: string }[] }>(
        `http://${address}/api/v1/alerts`,
      );
      assert.deepEqual(
        firing.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname),
        [],
      );
      t.diagnostic(`${wanted.length} queries of ${dashboard.panels.length} panels have values`);
    } finally {
      await prometheus.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

async function ask<T>(url: string): Promise<T> {
  const answer = (await (await fetch(url)).json()) as { status: string; error?: string; data: T };
  assert.equal(answer.status, "success", `${url}: ${answer.error}`);
  return answer.data;
}

/** Waits until each query has a value: rates have none before the second scrape. An invalid query fails at once. */
async function untilAnswered(
  prometheus: Background,
  address: string,
  queries: readonly { title: string; expr: string }[],
): Promise<void> {
  const valueless = async (query: (typeof queries)[number]): Promise<string[]> => {
    const parameters = new URLSearchParams({ query: query.expr });
    const { result } = await ask<{ result: unknown[] }>(`${address}/api/v1/query?${parameters}`);
    return result.length === 0 ? [`${query.title}: ${query.expr}`] : [];
  };
  const withoutValue = async (): Promise<string[]> => {
    assert.ok(prometheus.isRunning(), prometheus.output());
    return (await Promise.all(queries.map(valueless))).flat();
  };
  const isReady = async (): Promise<boolean> => (await fetch(`${address}/-/ready`)).ok;
  assert.ok(await comes(isReady, { withinMs: PATIENCE_MS, everyMs: 100 }), prometheus.output());
  await untilAnswer("all queries have values", withoutValue, ({ length }) => length === 0, {
    withinMs: PATIENCE_MS,
    everyMs: 500,
  });
}
