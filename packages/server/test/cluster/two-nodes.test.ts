/** Two nodes are one exchange: whole programs on a real etcd, and clients that move between them. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type EtcdCluster, noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { clientAt, Nodes, seqOf } from "./rig.ts";

interface Order {
  readonly orderId: number;
  readonly status: string;
}

const LIMIT = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01" } as const;

describe("two nodes", { skip: noEtcd }, () => {
  let etcd: EtcdCluster;
  before(async () => (etcd = await startEtcd()));
  after(() => etcd.stop());

  test("an order placed at one is seen and cancelled at the other at once", async (t) => {
    const nodes = new Nodes(t, etcd);
    const one = await nodes.start("n1");
    const two = await nodes.start("n2");
    const [atOne, atTwo] = [clientAt(t, one), clientAt(t, two)];
    for (let i = 0; i < 5; i++) {
      const placed = await atOne.signed<Order>("POST", "/api/v3/order", { ...LIMIT, price: "20000" });
      assert.equal(placed.status, 200, placed.text);
      const { orderId } = placed.json;
      const found = await atTwo.signed<Order>("GET", "/api/v3/order", { symbol: "BTCUSDT", orderId });
      assert.deepEqual([found.status, found.json.status], [200, "NEW"]);
      assert.ok(seqOf(found) >= seqOf(placed));
      const cancelled = await atTwo.signed<Order>("DELETE", "/api/v3/order", { symbol: "BTCUSDT", orderId });
      assert.equal(cancelled.status, 200, cancelled.text);
      const open = await atOne.signed<Order[]>("GET", "/api/v3/openOrders");
      assert.deepEqual(open.json, []);
    }
  });
});
