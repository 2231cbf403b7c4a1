/** Everything is restarted at once: a node waits for etcd, and can be stopped while it waits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { CallFailed } from "../../src/cluster/etcd/endpoint.ts";
import { startFailure } from "../../src/program/start/program.ts";
import { clientAt, Nodes } from "./rig.ts";

const LIMIT = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01" } as const;

test("a node that has a journal waits for etcd, and a new one says that it does not answer", {
  skip: noEtcd,
}, async (t) => {
  const etcd = await startEtcd();
  inTheEnd(t, () => etcd.stop());
  const nodes = new Nodes(t, etcd);
  const one = await nodes.start("n1");
  const placed = await clientAt(t, one).signed("POST", "/api/v3/order", { ...LIMIT, price: "20000" });
  assert.equal(placed.status, 200, placed.text);
  await one.stop();
  const [member] = etcd.members;
  await member?.kill();

  await assert.rejects(nodes.start("n2"), (error: Error) => {
    assert.ok(error instanceof CallFailed);
    assert.match(startFailure(error), /^Cannot reach etcd: http/);
    return true;
  });
  const { dataFolder } = one;
  const told = new AbortController();
  const stopped = nodes.start("n1", { dataFolder, signal: told.signal });
  told.abort(new Error("told to stop"));
  await assert.rejects(stopped, /told to stop/);

  const again = nodes.start("n1", { dataFolder });
  member?.start();
  const open = await clientAt(t, await again).signed<unknown[]>("GET", "/api/v3/openOrders");
  assert.deepEqual([open.status, open.json.length], [200, 1]);
});
