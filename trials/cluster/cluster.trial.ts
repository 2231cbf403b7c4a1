/**
 * `npm run cluster` as README and cluster/README.md describe it: started, used through the proxy, its parts killed and
 * restarted by name, all of it killed at once, stopped, and started again in the same folder.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import { inTheEnd, temporaryFolder } from "@pricetime/testkit/scratch";
import { type DemoAccount, ROOT } from "@pricetime/testkit/venue";
import { comes, until, untilAnswer } from "@pricetime/testkit/waiting";
import { WebSocket } from "ws";
import { alertsOf, labelsOf, missingIn } from "../deploy/queries.ts";
import { background, freePort } from "../deploy/tools.ts";
import { lacking } from "../tools.ts";
import { isAlive, kill, UserCluster } from "./machine.ts";
import { reconcile, RESTING, Trader } from "./trader.ts";

/** More than documented, for a busy machine; the failover campaign measures the documented limit. */
const MOST_GAP_MS = 10_000;
const BEFORE_MS = 1000;
const AFTER_MS = 4000;

/** A task that every cluster has. */
const TASK = "tradingRules";
/** How soon another node owns the task. If etcd's leader is killed too, its successor renews leases for their full time. */
const HANDOVERS: readonly (readonly [withLeader: boolean, limitMs: number])[] = [
  [false, 10_000],
  [true, 25_000],
];
/** The factor for a busy machine: role.test.ts checks the limit itself in virtual time. */
const BUSY = 3;
const isNamed = (name: string | undefined): boolean => name !== undefined;

const pings = (rest: string): Promise<boolean> => {
  const asked = fetch(`${rest}/api/v3/ping`);
  return asked.then(
    ({ ok }) => ok,
    () => false,
  );
};

interface Found {
  readonly status: string;
}

suite("a cluster on one machine", { skip: lacking(["etcd"]) }, () => {
  const home = temporaryFolder();
  const cluster = new UserCluster(join(home, "cluster"));
  let alice: DemoAccount;

  before(async () => {
    await cluster.start("--port", "0", "--bots", "off", "--limits", "off");
    const [first] = cluster.file.accounts;
    alice = first ?? assert.fail("cluster.json has no account");
  });
  after(async () => {
    kill(...cluster.pids());
    await cluster.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  });

  /** The running node that reports that it owns the task. */
  async function ownerOf(): Promise<string | undefined> {
    for (const { name, admin, pid } of cluster.file.nodes) {
      if (!isAlive(pid)) continue;
      const text = await fetch(`${admin}/metrics`, { signal: AbortSignal.timeout(1000) }).then(
        (answer) => answer.text(),
        () => "",
      );
      if (text.includes(`\npricetime_task_owned{task="${TASK}"} 1\n`)) return name;
    }
    return undefined;
  }

  /** Starts a trader and waits for its first accepted order, which may take long just after a start. */
  async function startTrader(name: string): Promise<Trader> {
    const trader = new Trader(cluster.file.proxy, alice, name);
    const what = (): string => `orders are accepted; rejected: ${JSON.stringify([...trader.rejections])}`;
    await until(what, () => trader.acknowledged.length > 0);
    await sleep(BEFORE_MS);
    return trader;
  }

  /**
   * Kills processes while a client trades: no acknowledged order is lost, and orders are accepted again. Returns the
   * longest time between two accepted orders.
   */
  async function killWhileTrading(name: string, killed: readonly number[]): Promise<number> {
    const trader = await startTrader(name);
    trader.watch();
    kill(...killed);
    const count = trader.acknowledged.length;
    await sleep(AFTER_MS);
    await until("orders are accepted again", () => trader.acknowledged.length > count, { withinMs: MOST_GAP_MS });
    const gapMs = trader.longestGapMs;
    await trader.stop();
    const living = cluster.file.nodes.filter(({ pid }) => isAlive(pid));
    await Promise.all(living.map(({ rest }) => reconcile(rest, alice, trader)));
    return gapMs;
  }

  test("cluster.json has all addresses, and only its owner can read it", async () => {
    const { proxy, etcd, nodes, accounts } = cluster.file;
    assert.equal(statSync(join(cluster.folder, "cluster.json")).mode & 0o777, 0o600);
    assert.deepEqual(
      [etcd.map(({ name }) => name), nodes.map(({ name }) => name)],
      [
        ["e1", "e2", "e3"],
        ["n1", "n2", "n3"],
      ],
    );
    assert.deepEqual(
      accounts.map(({ name }) => name),
      ["alice", "bob", "carol"],
    );
    for (const { pid } of [...etcd, ...nodes]) assert.ok(isAlive(pid));
    for (const { admin, adminToken, rest, ws } of nodes) {
      assert.equal((await fetch(`${admin}/readyz`)).status, 200);
      const headers = { authorization: `Bearer ${adminToken}` };
      assert.equal((await fetch(`${admin}/v1/accounts`, { headers })).status, 200);
      assert.equal((await fetch(`${rest}/api/v3/ping`)).status, 200);
      assert.equal(ws, rest.replace("http", "ws"));
    }
    assert.equal((await fetch(`${proxy}/api/v3/ping`)).status, 200);
  });

  test("every node has an order that was placed through the proxy, and another node cancels it", async () => {
    const [one, two, three] = cluster.file.nodes.map(({ rest }) => new Client(rest, alice));
    const proxy = new Client(cluster.file.proxy, alice);
    assert.ok(one && two && three);
    const placed = await proxy.signed<{ orderId: number }>("POST", "/api/v3/order", RESTING);
    assert.equal(placed.status, 200, placed.text);
    const { orderId } = placed.json;
    for (const client of [one, two, three]) {
      const found = await client.signed<Found>("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId });
      assert.equal(found.json.status, "NEW", found.text);
    }
    assert.equal((await two.signed("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId })).status, 200);
    for (const client of [one, three]) {
      const found = await client.signed<Found>("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId });
      assert.equal(found.json.status, "CANCELED", found.text);
    }
    for (const client of [one, two, three, proxy]) client.close();
  });

  test("the nodes have the metrics of the cluster alerts", async () => {
    const texts = cluster.file.nodes.map(async ({ admin }) => (await fetch(`${admin}/metrics`)).text());
    const known = labelsOf((await Promise.all(texts)).join("\n"));
    const rules = alertsOf("pricetime-cluster");
    assert.ok(rules.length > 5);
    assert.deepEqual(
      rules.flatMap(({ expr }) => missingIn(expr, known)),
      [],
    );
  });

  test("clients continue while a node is killed, and the node is restarted by its name", async (t) => {
    const pid = cluster.pidOf("n2");
    t.diagnostic(`longest time between two orders: ${Math.round(await killWhileTrading("node", [pid]))} ms`);
    const { code, output } = cluster.command("node", "n2");
    assert.deepEqual([code, output], [0, `ready ${cluster.node("n2").rest}\n`]);
    assert.notEqual(cluster.pidOf("n2"), pid);
    assert.match(cluster.command("node", "n2").output, /^cluster: n2 is already running as process \d+\n$/);
    assert.match(cluster.command("node", "n9").output, /^cluster: unknown node n9\. Choose from n1, n2, n3\n$/);
  });

  test("another member leads after etcd's leader is killed, and the member is restarted by its name", async (t) => {
    const leader = await cluster.leader();
    const gapMs = await killWhileTrading("leader", [cluster.pidOf(leader)]);
    t.diagnostic(`longest time between two orders: ${Math.round(gapMs)} ms`);
    const { code, output } = cluster.command("etcd", leader);
    assert.equal(code, 0, output);
    assert.match(output, /^ready http:/);
  });

  test("another node owns a task after its owner is killed, alone or together with etcd's leader", async (t) => {
    for (const [withLeader, limitMs] of HANDOVERS) {
      const owner = (await untilAnswer("a node owns the task", ownerOf, isNamed)) as string;
      const leader = await cluster.leader();
      kill(cluster.pidOf(owner), ...(withLeader ? [cluster.pidOf(leader)] : []));
      const killedMs = performance.now();
      await untilAnswer("another node owns the task", ownerOf, (name) => isNamed(name) && name !== owner, {
        withinMs: BUSY * limitMs,
      });
      const tookMs = Math.round(performance.now() - killedMs);
      const what = withLeader ? "the owner and etcd's leader" : "the owner";
      t.diagnostic(`${what} killed: another node owns ${TASK} after ${tookMs} ms, limit ${limitMs} ms`);
      if (withLeader) assert.equal(cluster.command("etcd", leader).code, 0);
      assert.equal(cluster.command("node", owner).code, 0);
    }
  });

  test("the proxy is restarted after it is killed", async () => {
    const { proxy } = cluster.file;
    kill(cluster.proxyPid);
    assert.ok(await comes(() => pings(proxy), { withinMs: MOST_GAP_MS }));
  });

  test("without HAProxy, the small proxy forwards requests and streams to the nodes", async (t) => {
    const port = await freePort();
    const upstreams = cluster.file.nodes.map(({ name, rest, admin }) => {
      const { hostname, port: at } = new URL(rest);
      return { name, host: hostname, port: Number(at), admin };
    });
    const file = join(home, "proxy.json");
    writeFileSync(file, JSON.stringify({ host: "127.0.0.1", port, upstreams }));
    const proxy = background(process.execPath, [join(ROOT, "cluster/proxy/small-process.ts"), file]);
    inTheEnd(t, () => proxy.stop());
    await until("the proxy responds", () => pings(`http://127.0.0.1:${port}`));
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/btcusdt@depth@100ms`);
    inTheEnd(t, () => socket.terminate());
    await once(socket, "open");
    const message = once(socket, "message");
    const client = new Client(`http://127.0.0.1:${port}`, alice);
    assert.equal((await client.signed("POST", "/api/v3/order", RESTING)).status, 200);
    client.close();
    assert.equal((JSON.parse(String((await message)[0])) as { e: string }).e, "depthUpdate");
  });

  test("the cluster continues after everything is killed at once", async () => {
    const trader = await startTrader("all");
    const pids = cluster.pids();
    kill(...pids);
    await trader.stop();
    await cluster.stop();
    await until("all processes have exited", () => !pids.some(isAlive));
    await cluster.start();
    assert.equal(cluster.file.nodes.length, 3);
    for (const { rest } of cluster.file.nodes) await reconcile(rest, alice, trader);
  });

  test("Ctrl-C stops the cluster, which continues after the next start", async () => {
    const pids = cluster.pids();
    await cluster.stop();
    assert.deepEqual(pids.filter(isAlive), []);
    assert.ok(!existsSync(join(cluster.folder, "cluster.json")));
    assert.match(cluster.command("node", "n1").output, /^cluster: no cluster runs in /);
    await cluster.start();
    const client = new Client(cluster.file.proxy, alice);
    const ping = (): Promise<{ status: number }> => client.signed("GET", "/api/v3/account");
    await untilAnswer("the cluster serves", ping, ({ status }) => status === 200);
    client.close();
    assert.equal(cluster.command("stop").code, 0);
    await until("the cluster has stopped", () => !cluster.pids().some(isAlive));
  });
});
