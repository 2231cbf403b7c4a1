/** What operators and monitoring see of a cluster: /readyz, /metrics, the admin API. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type EtcdCluster, noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { ROOT } from "@pricetime/testkit/venue";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { parse } from "yaml";
import type { ClusterBody } from "../../src/people/admin/overview-routes.ts";
import { readMetrics } from "../documents/exposition.ts";
import { namedRows } from "../documents/table.ts";
import { clientAt, Nodes, type RunningNode, statusOf as status } from "./rig.ts";

interface Alerts {
  readonly groups: readonly { readonly name: string; readonly rules: readonly { readonly expr: string }[] }[];
}

const OF_CLUSTERS = /^pricetime_(?:cluster|task)_/;

describe("what is seen of a cluster", { skip: noEtcd }, () => {
  let etcd: EtcdCluster;
  let pair: Nodes;
  let [one, two]: RunningNode[] = [];
  before(async () => {
    etcd = await startEtcd();
    pair = new Nodes(null, etcd);
    [one, two] = [await pair.start("n1"), await pair.start("n2")];
  });
  after(async () => {
    await pair.stop();
    await etcd.stop();
  });

  test("each node reports all nodes, their positions, and the owners of tasks", async () => {
    assert.ok(one !== undefined && two !== undefined);
    const atTwo = two;
    const isWhole = ({ nodes: all, tasks }: ClusterBody): boolean =>
      all.length === 2 && all.every(({ isLive }) => isLive) && tasks.some(({ task }) => task === "network:BTC");
    const seen = await untilAnswer("both nodes and the roles", () => status(atTwo), isWhole);
    assert.deepEqual(
      seen.nodes.map(({ node, isThis, admin }) => [node, isThis, admin]),
      [
        ["n1", false, one.admin],
        ["n2", true, two.admin],
      ],
    );
    assert.equal(seen.tasks.find(({ task }) => task === "network:BTC")?.node, "n1");
    assert.equal(seen.epoch, (await status(one)).epoch);

    const { status: code, text } = await (async () => {
      const response = await fetch(`${two.admin}/readyz`);
      return { status: response.status, text: await response.text() };
    })();
    assert.equal(code, 200, text);
    const ready = JSON.parse(text) as { tasks: Record<string, string> };
    assert.equal(ready.tasks["network:BTC"], "n1");
  });

  test("a full tail is a reason in /readyz, until nodes have taken it", async (t) => {
    const nodes = new Nodes(t, etcd);
    const maxTailBytes = 150_000;
    const one = await nodes.start("n1", { limits: "off", maxTailBytes });
    const client = clientAt(t, one);
    const order = {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      quantity: "0.01",
      price: "20000",
    };
    const place = async (): Promise<number> => (await client.signed("POST", "/api/v3/order", order)).status;
    const readiness = async (): Promise<{ status: number; text: string }> => {
      const response = await fetch(`${one.admin}/readyz`);
      return { status: response.status, text: await response.text() };
    };
    const isFull = async (): Promise<string> =>
      /^pricetime_cluster_tail_full (\d)$/m.exec(await (await fetch(`${one.admin}/metrics`)).text())?.[1] ?? "";
    assert.equal((await readiness()).status, 200);
    assert.equal(await isFull(), "0");
    let placed = 0;
    while ((await place()) === 200) assert.ok(++placed < 1000, "the tail does not fill");
    const { status: code, text } = await readiness();
    assert.equal(code, 503, text);
    const { tail } = JSON.parse(text) as { tail: string };
    assert.match(tail, /^the log holds \d+ rows that nodes have not taken yet/);
    assert.equal(await isFull(), "1");

    await nodes.start("n2", { limits: "off", maxTailBytes });
    await untilAnswer("it is ready again", readiness, ({ status: now }) => now === 200);
    assert.equal(await place(), 200);
  });

  test("every cluster metric is documented, and no other", async (t) => {
    const node = one ?? assert.fail();
    await clientAt(t, node).signed("GET", "/api/v3/account");
    const read = async (): Promise<ReturnType<typeof readMetrics>> =>
      readMetrics(await (await fetch(`${node.admin}/metrics`)).text());
    const all = await untilAnswer("the other's position", read, (metrics) =>
      Boolean(metrics.get("pricetime_cluster_position_rows")?.labels.size),
    );
    const written = namedRows("docs/operate/metrics.md");
    const ours = [...all].filter(([name]) => OF_CLUSTERS.test(name));
    assert.deepEqual(
      [...written.keys()].filter((name) => OF_CLUSTERS.test(name)).sort(),
      ours.map(([name]) => name).sort(),
    );
    for (const [name, { kind, labels }] of ours) {
      const [writtenKind, writtenLabels = ""] = written.get(name) ?? [];
      assert.equal(writtenKind, kind, name);
      // A metric without values has no labels: no node had to catch up here.
      if (labels.size > 0) assert.equal(writtenLabels, [...labels].join(", "), name);
    }
    const { groups } = parse(readFileSync(join(ROOT, "deploy/prometheus/alerts.yml"), "utf8")) as Alerts;
    const rules = groups.find(({ name }) => name === "pricetime-cluster")?.rules ?? [];
    assert.ok(rules.length > 4);
    for (const { expr } of rules)
      for (const name of expr.match(/pricetime_[a-z_]+/g) ?? []) assert.ok(all.has(name), `${name} is not in /metrics`);
  });
});
