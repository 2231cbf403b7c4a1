/** Two nodes are one exchange: complete programs on a real etcd, and clients that switch between them. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import type { Client } from "@pricetime/testkit/client";
import { type EtcdCluster, noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { operate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { WebSocket } from "ws";
import { clientAt, Nodes, type RunningNode, seqOf } from "./rig.ts";

interface Order {
  readonly orderId: number;
  readonly status: string;
}

const LIMIT = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01" } as const;

/** A stream's messages so far, as sent. */
async function listen(t: TestContext, node: RunningNode, stream: string): Promise<string[]> {
  const socket = new WebSocket(`${node.ws}/ws/${stream}`);
  inTheEnd(t, () => socket.terminate());
  const heard: string[] = [];
  socket.on("message", (data) => heard.push(String(data)));
  await once(socket, "open");
  return heard;
}

/** Trades between two accounts, each at its node. */
async function trade(seller: Client, buyer: Client): Promise<void> {
  const sold = await seller.signed("POST", "/api/v3/order", { ...LIMIT, side: "SELL", price: "30000" });
  assert.equal(sold.status, 200, sold.text);
  const bought = await buyer.signed("POST", "/api/v3/order", { ...LIMIT, price: "30000" });
  assert.equal(bought.status, 200, bought.text);
}

describe("two nodes", { skip: noEtcd }, () => {
  let etcd: EtcdCluster;
  let nodes: Nodes;
  let one: RunningNode;
  let two: RunningNode;
  before(async () => {
    etcd = await startEtcd();
    nodes = new Nodes(null, etcd);
    one = await nodes.start("n1", { limits: "off" });
    two = await nodes.start("n2", { limits: "off", environment: { PRICETIME_CLUSTER_READS: "local" } });
  });
  after(async () => {
    await nodes?.stop();
    await etcd?.stop();
  });

  test("an order placed at one node is visible and can be canceled at the other at once", async (t) => {
    const [atOne, atTwo] = [clientAt(t, one), clientAt(t, two)];
    for (let i = 0; i < 5; i++) {
      const placed = await atTwo.signed<Order>("POST", "/api/v3/order", { ...LIMIT, price: "20000" });
      assert.equal(placed.status, 200, placed.text);
      const { orderId } = placed.json;
      const found = await atOne.signed<Order>("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId });
      assert.deepEqual([found.status, found.json.status], [200, "NEW"]);
      assert.ok(seqOf(found) >= seqOf(placed));
      const cancelled = await atOne.signed<Order>("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId });
      assert.equal(cancelled.status, 200, cancelled.text);
    }
  });

  test("a client that switches sees its own writes if it requires the last entry, even with local reads", async (t) => {
    const [atOne, atTwo] = [clientAt(t, one), clientAt(t, two)];
    for (let i = 0; i < 5; i++) {
      const placed = await atOne.signed<Order>("POST", "/api/v3/order", { ...LIMIT, price: "20000" });
      const { orderId } = placed.json;
      const asked = { symbol: "BTCUSDT", orderId };
      const found = await atTwo.after<Order>(seqOf(placed), "GET", "/api/v3/order", asked);
      assert.deepEqual([found.status, found.json.status], [200, "NEW"], found.text);
      await atTwo.signed("DELETE", "/api/v3/order", asked);
    }
    const future = await atTwo.after(999_999_999, "GET", "/api/v3/account");
    assert.equal(future.status, 503);
  });

  test("a listen key is valid at both nodes, whose streams have the same messages", async (t) => {
    const atOne = clientAt(t, one);
    const { listenKey } = (await atOne.keyed<{ listenKey: string }>("POST", "/api/v3/userDataStream")).json;
    const heard = await Promise.all(
      [one, two].flatMap((node) => [listen(t, node, listenKey), listen(t, node, "btcusdt@trade")]),
    );
    const [userOne = [], tradesOne = [], userTwo = [], tradesTwo = []] = heard;
    for (let i = 0; i < 3; i++) await trade(clientAt(t, two, 1), atOne);
    await until("the trades, at both", () => tradesOne.length >= 3 && tradesTwo.length >= 3);
    await until("the account's events, at both", () => userOne.length > 3 && userOne.length === userTwo.length);
    assert.deepEqual(tradesTwo, tradesOne);
    assert.deepEqual(userTwo, userOne);
    assert.equal((await clientAt(t, two).keyed("PUT", "/api/v3/userDataStream", { listenKey })).status, 200);
  });

  test("an API key created at one node can be used at the other at once", async (t) => {
    const [alice] = one.accounts;
    assert.ok(alice);
    const made = await operate<{ apiKey: string; secretKey: string }>(
      one,
      "POST",
      `/v1/accounts/${alice.email}/keys`,
      {},
    );
    const client = clientAt(t, two, { ...alice, ...made });
    const placed = await client.signed<Order>("POST", "/api/v3/order", { ...LIMIT, price: "20000" });
    assert.equal(placed.status, 200, placed.text);
    await client.signed("DELETE", "/api/v3/openOrders", { symbol: "BTCUSDT" });
  });

  test("a node that was stopped catches up", async (t) => {
    const atOne = clientAt(t, one);
    await two.stop();
    const placed = await atOne.signed<Order>("POST", "/api/v3/order", { ...LIMIT, price: "20000" });
    two = await nodes.start("n2", { limits: "off", dataFolder: two.dataFolder });
    const { orderId } = placed.json;
    const found = await clientAt(t, two).signed<Order>("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId });
    assert.deepEqual([found.status, found.json.status], [200, "NEW"]);
    const digests = await Promise.all(
      [one, two].map(async (node) => operate<{ stateSeq: number; eventDigest: string }>(node, "GET", "/v1/journal")),
    );
    const [first, second] = digests;
    if (first?.stateSeq === second?.stateSeq) assert.equal(first?.eventDigest, second?.eventDigest);
  });

  test("an address banned by one node is banned at the other, also after the first has stopped", async (t) => {
    const among = new Nodes(t, etcd);
    const config = join(scratchFolder(t), "behind-a-proxy.yaml");
    writeFileSync(config, "http: { trustedProxies: [127.0.0.1] }\n");
    const first = await among.start("n1", { config });
    const other = await among.start("n2", { config });
    const ask = async ({ rest }: RunningNode, ip: string, path = "ping"): Promise<Response> => {
      const response = await fetch(`${rest}/api/v3/${path}`, { headers: { "x-forwarded-for": ip } });
      await response.arrayBuffer();
      return response;
    };
    const [flooder, bystander] = ["203.0.113.7", "203.0.113.8"];
    assert.equal((await ask(other, flooder)).status, 200);
    for (let n = 0; (await ask(first, flooder, "ticker/24hr")).status !== 418; n++) assert.ok(n < 200, "is not banned");
    // Frequent requests would cause a ban here, too.
    const seldom = { everyMs: 200, withinMs: 20_000 };
    await until("the other node has heard of it", async () => (await ask(other, flooder)).status === 418, seldom);
    assert.equal((await ask(other, bystander)).status, 200);
    await first.stop();
    const banned = await ask(other, flooder);
    assert.equal(banned.status, 418);
    assert.ok(Number(banned.headers.get("retry-after")) > 60, "for as long as the first one said");
    const again = await among.start("n1", { config, dataFolder: first.dataFolder });
    await until("the first one hears it back", async () => (await ask(again, flooder)).status === 418, seldom);
  });

  test("a node with a duplicate name, another key or different settings is rejected with one line", async () => {
    await assert.rejects(nodes.start("n3", { environment: { PRICETIME_MASTER_KEY: "cd".repeat(32) } }), {
      message: /^masterKey differs from the setting of node n[12]/,
    });
    await assert.rejects(nodes.start("n3", { limits: "off", environment: { PRICETIME_MAKER_BPS: "11" } }), {
      message: /^fees differs from the setting of node n[12]/,
    });
  });
});
