/**
 * `npm run cluster` as README and cluster/README.md say it: started, used through the proxy, its parts killed and started
 * again by name, all of it killed at once, stopped, and started again in the same folder.
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
import { isAlive, kill, StrangersCluster } from "./machine.ts";
import { reconcile, Trader } from "./trader.ts";

/** A busy machine takes its time; the promise itself is measured by the campaign of faults. */
const MOST_GAP_MS = 10_000;
const BEFORE_MS = 1000;
const AFTER_MS = 4000;

/** Every cluster has it. */
const ROLE = "tradingRules";
/** Within which time another holds it; where etcd's leader goes too, its successor grants leases their whole time again. */
const HANDOVERS: readonly (readonly [withLeader: boolean, promisedMs: number])[] = [
  [false, 10_000],
  [true, 25_000],
];
/** So many times that on a busy machine: the promise itself holds in virtual time (role.test.ts), and is printed here. */
const BUSY = 3;
const isNamed = (name: string | undefined): boolean => name !== undefined;

const pings = async (rest: string): Promise<boolean> => {
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
  const cluster = new StrangersCluster(join(home, "cluster"));
  let alice: DemoAccount;

  before(async () => {
    await cluster.start("--port", "0", "--bots", "off", "--limits", "off");
    const [first] = cluster.file.accounts;
    alice = first ?? assert.fail("no account is told");
  });
  after(async () => {
    kill(...cluster.pids());
    await cluster.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  });

  /** The living node that says that it holds the role. */
  async function holderOf(): Promise<string | undefined> {
    for (const { name, admin, pid } of cluster.file.nodes) {
      if (!isAlive(pid)) continue;
      const text = await fetch(`${admin}/metrics`, { signal: AbortSignal.timeout(1000) }).then(
        (answer) => answer.text(),
        () => "",
      );
      if (text.includes(`\npricetime_task_owned{task="${ROLE}"} 1\n`)) return name;
    }
    return undefined;
  }

  /** A trader who has traded for a while: just after a start, the first order may take long to be taken. */
  async function underWay(name: string): Promise<Trader> {
    const trader = new Trader(cluster.file.proxy, alice, name);
    const what = (): string => `orders are taken; refused were ${JSON.stringify([...trader.refusals])}`;
    await until(what, () => trader.acknowledged.length > 0);
    await sleep(BEFORE_MS);
    return trader;
  }

  /** Kills while somebody trades; nothing that was answered is lost, and service comes back. */
  async function trading(name: string, killed: readonly number[]): Promise<number> {
    const trader = await underWay(name);
    trader.watch();
    kill(...killed);
    const count = trader.acknowledged.length;
    await sleep(AFTER_MS);
    await until("orders are taken again", () => trader.acknowledged.length > count, { withinMs: MOST_GAP_MS });
    const gapMs = trader.longestGapMs;
    await trader.stop();
    const living = cluster.file.nodes.filter(({ pid }) => isAlive(pid));
    await Promise.all(living.map(({ rest }) => reconcile(rest, alice, trader)));
    return gapMs;
  }

  test("cluster.json tells where everything is, to its owner alone", async () => {
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

  test("an order placed through the proxy is at every node, and is cancelled at another", async () => {
    const [one, two, three] = cluster.file.nodes.map(({ rest }) => new Client(rest, alice));
    const proxy = new Client(cluster.file.proxy, alice);
    assert.ok(one && two && three);
    const order = {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      quantity: "0.01",
      price: "20000",
    };
    const placed = await proxy.signed<{ orderId: number }>("POST", "/api/v3/order", order);
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

  test("the alerts of a cluster ask for what its nodes have", async () => {
    const texts = cluster.file.nodes.map(async ({ admin }) => (await fetch(`${admin}/metrics`)).text());
    const known = labelsOf((await Promise.all(texts)).join("\n"));
    const rules = alertsOf("pricetime-cluster");
    assert.ok(rules.length > 5);
    assert.deepEqual(
      rules.flatMap(({ expr }) => missingIn(expr, known)),
      [],
    );
  });

  test("a node that is killed is missed by nobody, and is started again by its name", async (t) => {
    const pid = cluster.pidOf("n2");
    t.diagnostic(`longest time between two orders: ${Math.round(await trading("node", [pid]))} ms`);
    const { code, said } = cluster.command("node", "n2");
    assert.deepEqual([code, said], [0, `ready ${cluster.node("n2").rest}\n`]);
    assert.notEqual(cluster.pidOf("n2"), pid);
    assert.match(cluster.command("node", "n2").said, /^cluster: n2 is already running as process \d+\n$/);
    assert.match(cluster.command("node", "n9").said, /^cluster: unknown node n9\. Choose from n1, n2, n3\n$/);
  });

  test("the leader of etcd is killed, and another leads; it is started again by its name", async (t) => {
    const leader = await cluster.leader();
    const gapMs = await trading("leader", [cluster.pidOf(leader)]);
    t.diagnostic(`longest time between two orders: ${Math.round(gapMs)} ms`);
    const { code, said } = cluster.command("etcd", leader);
    assert.equal(code, 0, said);
    assert.match(said, /^ready http:/);
  });

  test("the holder of a role is killed, alone and together with etcd's leader, and another holds it", async (t) => {
    for (const [withLeader, promisedMs] of HANDOVERS) {
      const holder = (await untilAnswer("a node holds the role", holderOf, isNamed)) as string;
      const leader = await cluster.leader();
      kill(cluster.pidOf(holder), ...(withLeader ? [cluster.pidOf(leader)] : []));
      const killedMs = performance.now();
      await untilAnswer("another holds the role", holderOf, (name) => isNamed(name) && name !== holder, {
        withinMs: BUSY * promisedMs,
      });
      const tookMs = Math.round(performance.now() - killedMs);
      const what = withLeader ? "the holder and etcd's leader" : "the holder";
      t.diagnostic(`${what} killed: another holds ${ROLE} after ${tookMs} ms, promised within ${promisedMs} ms`);
      if (withLeader) assert.equal(cluster.command("etcd", leader).code, 0);
      assert.equal(cluster.command("node", holder).code, 0);
    }
  });

  test("the proxy is killed, and is there again", async () => {
    const { proxy } = cluster.file;
    kill(cluster.proxyPid);
    assert.ok(await comes(() => pings(proxy), { withinMs: MOST_GAP_MS }));
  });

  test("where there is no HAProxy, our own proxy carries requests and streams to the nodes", async (t) => {
    const port = await freePort();
    const upstreams = cluster.file.nodes.map(({ name, rest, admin }) => {
      const { hostname, port: at } = new URL(rest);
      return { name, host: hostname, port: Number(at), admin };
    });
    const file = join(home, "proxy.json");
    writeFileSync(file, JSON.stringify({ host: "127.0.0.1", port, upstreams }));
    const proxy = background(process.execPath, [join(ROOT, "cluster/proxy/small-process.ts"), file]);
    inTheEnd(t, () => proxy.stop());
    await until("it answers", () => pings(`http://127.0.0.1:${port}`));
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/btcusdt@depth@100ms`);
    inTheEnd(t, () => socket.terminate());
    await once(socket, "open");
    const heard = once(socket, "message");
    const client = new Client(`http://127.0.0.1:${port}`, alice);
    const order = {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      quantity: "0.01",
      price: "20000",
    };
    assert.equal((await client.signed("POST", "/api/v3/order", order)).status, 200);
    client.close();
    assert.equal((JSON.parse(String((await heard)[0])) as { e: string }).e, "depthUpdate");
  });

  test("everything is killed at once, and it goes on where it was", async () => {
    const trader = await underWay("all");
    const pids = cluster.pids();
    kill(...pids);
    await trader.stop();
    await cluster.stop();
    await until("all are gone", () => !pids.some(isAlive));
    await cluster.start();
    assert.equal(cluster.file.nodes.length, 3);
    for (const { rest } of cluster.file.nodes) await reconcile(rest, alice, trader);
  });

  test("Ctrl-C stops all of it; started again it goes on", async () => {
    const pids = cluster.pids();
    await cluster.stop();
    assert.deepEqual(pids.filter(isAlive), []);
    assert.ok(!existsSync(join(cluster.folder, "cluster.json")));
    assert.match(cluster.command("node", "n1").said, /^cluster: no cluster runs in /);
    await cluster.start();
    const client = new Client(cluster.file.proxy, alice);
    const ping = (): Promise<{ status: number }> => client.signed("GET", "/api/v3/account");
    await untilAnswer("it serves", ping, ({ status }) => status === 200);
    client.close();
    assert.equal(cluster.command("stop").code, 0);
    await until("it has stopped", () => !cluster.pids().some(isAlive));
  });
});
