/** Settings that all nodes share are in the journal, so the first node after a full stop cannot change them. */
import assert from "node:assert/strict";
import { suiteEtcd } from "./etcd/rig.ts";
import { describe, test } from "node:test";
import { type Command, encodeCommands, Engine } from "@pricetime/engine";
import { noEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { openEtcdStore } from "../../src/cluster/etcd/etcd-store.ts";
import { MACHINE } from "../../src/platform/world/machine.ts";
import { Nodes } from "./rig.ts";

const OTHER_FEES = { environment: { PRICETIME_TAKER_BPS: "11" } };
const REFUSED =
  /^NodeUnfit: fees\.takerBps is 11 on this node, but 10 in the journal, which applies to all nodes\. .*--adopt-settings/;

describe("settings of all nodes", { skip: noEtcd }, () => {
  const etcd = suiteEtcd();

  test("after a full stop, a node with other settings is rejected until an operator adopts its settings", async (t) => {
    const nodes = new Nodes(t, etcd());
    const one = await nodes.start("n1");
    const two = await nodes.start("n2");
    await Promise.all([one.stop(), two.stop()]);
    const ofTwo = { ...OTHER_FEES, dataFolder: two.dataFolder };
    await assert.rejects(nodes.start("n2", ofTwo), (error) => REFUSED.test(String(error)));

    const again = await nodes.start("n1", { dataFolder: one.dataFolder });
    const beside = nodes.start("n2", { ...ofTwo, adoptSettings: true });
    await assert.rejects(beside, /fees differs from the setting of node n1/, "while another node runs");
    await again.stop();
    await nodes.start("n2", { ...ofTwo, adoptSettings: true });
    await assert.rejects(nodes.start("n1", { dataFolder: one.dataFolder }), /fees/);
    await nodes.start("n1", { dataFolder: one.dataFolder, ...OTHER_FEES });
  });

  test("a node that counts order ids in the other way cannot join, whatever it adopts", async (t) => {
    const nodes = new Nodes(t, etcd());
    const bySymbol = { environment: { PRICETIME_ORDER_IDS: "symbol" } };
    const one = await nodes.start("n1", bySymbol);
    const refused = /^NodeUnfit: orderIds is exchange on this node, but symbol in the journal/;
    await assert.rejects(nodes.start("n2"), (error) => refused.test(String(error)));
    const two = await nodes.start("n2", bySymbol);
    await Promise.all([one.stop(), two.stop()]);
    const adopting = nodes.start("n2", { dataFolder: two.dataFolder, adoptSettings: true });
    await assert.rejects(adopting, (error) => refused.test(String(error)));
  });

  test("a running node that learns of other settings stops with the same message", async (t) => {
    const nodes = new Nodes(t, etcd());
    const one = await nodes.start("n1", OTHER_FEES);
    const failures: Error[] = [];
    void one.failed.then((error) => failures.push(error));
    const access = { endpoints: etcd().endpoints, tls: null, login: null };
    const line = { access, prefix: nodes.prefix, node: "n9", mirrors: null, world: MACHINE };
    const store = await openEtcdStore({ ...line, first: undefined });
    inTheEnd(t, () => store.close());
    const incarnation = "00000000000000f1";
    const told = { replaces: "", number: 1, atSeq: 0, digest: new Engine().eventDigest(), release: "9.9.9" };
    const settings = [{ name: "fees", value: '{"makerBps":10,"takerBps":10}' }];
    const commands: Command[] = [
      { type: "nodeBatch", node: "n9", incarnation, ...told },
      { type: "setSharedSettings", by: "n9", settings },
    ];
    const bytes = encodeCommands(commands);
    await store.submit({ id: `n9/${incarnation}/1`, count: 2, timeMs: Date.now(), node: "n9", bytes });
    await until("it stops", () => failures.length > 0);
    assert.match(String(failures[0]), REFUSED);
  });
});
