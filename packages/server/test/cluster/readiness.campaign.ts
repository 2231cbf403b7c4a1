/**
 * What programs report in /readyz and in their logs about problems of a cluster: members of etcd with known bugs, a
 * broken link, a wrong clock.
 */
import assert from "node:assert/strict";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type EtcdCluster, Link, noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, type Readiness, readiness, startExchange, STEERED } from "@pricetime/testkit/venue";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { isSupported } from "../../src/cluster/etcd/upkeep.ts";

/** More than a cluster allows between its nodes, and less than a jump of the clock. */
const AHEAD_MS = 6_000;
const HOUR_MS = 3_600_000;

describe("what nodes say of their troubles", { skip: noEtcd }, () => {
  const folder = temporaryFolder();
  let etcd: EtcdCluster;
  /** The link between the first node and etcd. */
  let link: Link;
  let one: Exchange;
  let two: Exchange;

  const steeringOf = (node: string): string => join(folder, `${node}-clock.json`);
  const setClock = (node: string, aheadMs: number): void => {
    writeFileSync(`${steeringOf(node)}.new`, JSON.stringify({ clockMs: aheadMs }));
    // Renamed, because the process may read it at any time.
    renameSync(`${steeringOf(node)}.new`, steeringOf(node));
  };

  function start(node: string, endpoint: string): Promise<Exchange> {
    const config = join(folder, "config.yaml");
    writeFileSync(config, `wallet: { sandboxFolder: ${join(folder, "sandbox")} }\n`);
    setClock(node, 0);
    return startExchange({
      args: ["--node", node, "--cluster", endpoint, "--config", config, "--bots", "off"],
      dataFolder: join(folder, node),
      nodeArgs: STEERED,
      under: ["env", `TEST_STEERING_FILE=${steeringOf(node)}`],
    });
  }

  const isReady = ({ status }: Readiness): boolean => status === 200;
  const isUnready = ({ status }: Readiness): boolean => status === 503;

  before(async () => {
    etcd = await startEtcd();
    const [endpoint = ""] = etcd.endpoints;
    link = await Link.open(endpoint);
    one = await start("n1", link.url);
    two = await start("n2", endpoint);
  });
  after(async () => {
    await Promise.all([one?.kill(), two?.kill()]);
    await link?.close();
    await etcd?.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  test("members of etcd with known bugs: which member and version, while the node serves", async (t) => {
    const [member] = etcd.members;
    const told = await (await fetch(`${member?.url}/version`)).json();
    const { etcdserver: version } = told as { readonly etcdserver: string };
    if (isSupported(version)) return t.skip(`etcd here is ${version}, which is supported`);
    for (const [node, url] of [
      [one, link.url],
      [two, member?.url],
    ] as const) {
      const line = `etcd ${url} runs ${version}, which has known faults; supported is 3.5.33, 3.6.14 or newer`;
      // A busy member may respond late, which is another warning meanwhile.
      await untilAnswer(
        "the warning, and it serves",
        () => readiness(node),
        (answer) => isReady(answer) && Object.values(answer.body.warnings ?? {}).includes(line),
      );
      const logged =
        node
          .output()
          .split("\n")
          .find((each) => each.includes(line)) ?? "{}";
      assert.equal((JSON.parse(logged) as { level?: string }).level, "warn", "it is in the log");
    }
  });

  test("a broken link to etcd: 'contact', until it works again", async () => {
    await untilAnswer("it is ready", () => readiness(one), isReady);
    link.cut();
    const { body } = await untilAnswer("it is not ready", () => readiness(one), isUnready);
    assert.equal(body["contact"], "the node is cut off from the others");
    await untilAnswer("the other serves", () => readiness(two), isReady);
    link.heal();
    const again = await untilAnswer("it is ready again", () => readiness(one), isReady);
    assert.equal(again.body["contact"], undefined);
  });

  test("a clock that is ahead of the others: 'clock', until it is right", async () => {
    await untilAnswer("it is ready", () => readiness(two), isReady);
    setClock("n2", AHEAD_MS);
    const { body } = await untilAnswer("it is not ready", () => readiness(two), isUnready);
    const [, ms] = /^this node's clock is (\d+) ms ahead of the others'$/.exec(String(body["clock"])) ?? [];
    assert.ok(Math.abs(Number(ms) - AHEAD_MS) < 3_000, String(body["clock"]));
    await untilAnswer("the other serves", () => readiness(one), isReady);
    setClock("n2", 0);
    const again = await untilAnswer("it is ready again", () => readiness(two), isReady);
    assert.equal(again.body["clock"], undefined);
  });

  test("a clock that jumps: 'clock' among the warnings, and the node serves by its own time", async () => {
    setClock("n2", HOUR_MS);
    const { body } = await untilAnswer(
      "a warning, and it serves",
      () => readiness(two),
      (answer) => isReady(answer) && answer.body.warnings?.["clock"] !== undefined,
    );
    assert.match(body.warnings?.["clock"] ?? "", /^the wall clock has jumped and is 3600 s ahead;/);
    setClock("n2", 0);
    await untilAnswer(
      "no warning",
      () => readiness(two),
      ({ body: { warnings } }) => warnings?.["clock"] === undefined,
    );
  });
});
