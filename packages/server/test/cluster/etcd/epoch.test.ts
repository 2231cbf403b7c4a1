/** The start of an epoch: by the first node, or by an operator in an empty store. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { noEtcd } from "@pricetime/testkit/etcd";
import { StoreUnfit } from "../../../src/cluster/port.ts";
import { ETCD_LIMITS } from "../../../src/cluster/etcd/endpoint.ts";
import { Members } from "../../../src/cluster/etcd/members.ts";
import { beginEpoch } from "../../../src/cluster/etcd/epoch.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { accessTo, batchOf, newPrefix, openStore, suiteEtcd } from "./rig.ts";

suite("an epoch", { skip: noEtcd }, () => {
  const etcd = suiteEtcd();

  test("is started by one of several nodes that start at once", async (t) => {
    const prefix = newPrefix();
    const stores = await Promise.all(
      ["n1", "n2", "n3"].map((node) => openStore(t, etcd().endpoints, prefix, { node })),
    );
    assert.equal(new Set(stores.map(({ epoch }) => epoch.epoch)).size, 1);
    const late = await openStore(t, etcd().endpoints, prefix, { node: "n4" });
    assert.deepEqual([late.epoch, late.epoch.baseSeq], [stores[0]!.epoch, 0]);
  });

  test("is not started by a node with a journal", async (t) => {
    await assert.rejects(openStore(t, etcd().endpoints, newPrefix(), { first: undefined }), StoreUnfit);
  });

  test("is started by an operator in an empty store, once", async (t) => {
    const members = new Members({ access: accessTo(etcd().endpoints), limits: ETCD_LIMITS, world: MACHINE });
    t.after(() => members.close());
    const prefix = newPrefix();
    const record = { epoch: "00000000000000e2", baseSeq: 7, baseChainHash: "f".repeat(64), priorEpoch: "e1" };
    for (let again = 0; again < 2; again++)
      assert.deepEqual((await beginEpoch(members, prefix, record)).record, record);
    await assert.rejects(beginEpoch(members, prefix, { ...record, epoch: "00000000000000e3" }), StoreUnfit);
    const store = await openStore(t, etcd().endpoints, prefix, { first: undefined });
    assert.deepEqual(store.epoch, record);
    await store.submit(batchOf("n1", 1));
    await assert.rejects(beginEpoch(members, prefix, record), /etcd is not empty/);
  });
});
