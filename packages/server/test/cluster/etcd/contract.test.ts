/** etcd's log fulfills the contract of a shared log. */
import { after, before, suite } from "node:test";
import { type EtcdCluster, noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { firstEpoch } from "../../../src/cluster/etcd/epoch.ts";
import { openEtcdStore } from "../../../src/cluster/etcd/etcd-store.ts";
import { MACHINE } from "../../../src/platform/world/machine.ts";
import { accessTo } from "./rig.ts";
import { sharedLogContract } from "../../journal/shared-log-contract.ts";

suite("a log kept by etcd", { skip: noEtcd }, () => {
  let etcd: EtcdCluster;
  let logs = 0;
  before(async () => {
    etcd = await startEtcd({ members: 3 });
  });
  after(() => etcd.stop());

  sharedLogContract("etcd", async (t) => {
    const prefix = `contract/${++logs}`;
    const newStore = (): ReturnType<typeof openEtcdStore> =>
      openEtcdStore({
        ...{
          access: accessTo(etcd.endpoints),
          prefix,
          node: "n1",
          first: firstEpoch(MACHINE),
          world: MACHINE,
          mirrors: null,
        },
      });
    // More than any test opens.
    const stores = await Promise.all(Array.from({ length: 8 }, newStore));
    inTheEnd(t, () => Promise.all(stores.map((store) => store.close())));
    let lines = 0;
    return () => stores[lines++]!;
  });
});
