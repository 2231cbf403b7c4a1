/** Two releases on one log: the older one keeps its state and reports it, the newer one waits with newer rules. */
import assert from "node:assert/strict";
import { suiteEtcd } from "./etcd/rig.ts";
import { describe, test, type TestContext } from "node:test";
import { encodeCommands, Engine, FIRST_EDITION, NEWEST_EDITION } from "@pricetime/engine";
import { type EtcdCluster, noEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { untilAnswer } from "@pricetime/testkit/waiting";
import type { Epoch } from "../../src/cluster/port.ts";
import { type EtcdStore, openEtcdStore } from "../../src/cluster/etcd/etcd-store.ts";
import { firstEpoch } from "../../src/cluster/etcd/epoch.ts";
import { MACHINE } from "../../src/platform/world/machine.ts";
import { clientAt, Nodes, type RunningNode, statusOf as status } from "./rig.ts";

const INCARNATION = "00000000000000f1";
const NEWER = "9.9.9";

interface Ready {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

async function ready({ admin }: Pick<RunningNode, "admin">): Promise<Ready> {
  const response = await fetch(`${admin}/readyz`);
  return { status: response.status, json: (await response.json()) as Ready["json"] };
}

/** The store of a simulated node. */
async function storeOf(t: TestContext, etcd: EtcdCluster, nodes: Nodes, first?: Epoch): Promise<EtcdStore> {
  const access = { endpoints: etcd.endpoints, tls: null, login: null };
  const line = { access, prefix: nodes.prefix, node: "n9", first, mirrors: null, world: MACHINE };
  const store = await openEtcdStore(line);
  inTheEnd(t, () => store.close());
  return store;
}

/** Writes a batch of a release with an additional command. */
async function writeAsNewer(store: EtcdStore): Promise<void> {
  const told = { replaces: "", number: 1, atSeq: 0, digest: "0".repeat(16), release: NEWER };
  const header = encodeCommands([{ type: "nodeBatch", node: "n9", incarnation: INCARNATION, ...told }]);
  const bytes = Buffer.concat([header, Uint8Array.of(250, 1)]);
  await store.submit({ id: `n9/${INCARNATION}/1`, count: 2, timeMs: Date.now(), node: "n9", bytes });
}

describe("two releases", { skip: noEtcd }, () => {
  const etcd = suiteEtcd();

  test("a batch of a newer release: no orders, reads that report their age and are rejected in the end", async (t) => {
    const nodes = new Nodes(t, etcd());
    const startWith = (name: string, maxStaleMs: number): Promise<RunningNode> =>
      nodes.start(name, { environment: { PRICETIME_CLUSTER_MAX_STALE_MS: String(maxStaleMs) } });
    // One serves reads for long enough for a slow machine, the other rejects them soon.
    const [one, two] = [await startWith("n1", 60_000), await startWith("n2", 500)];
    const [client, other] = [clientAt(t, one), clientAt(t, two)];
    const depth = (): ReturnType<typeof client.public> => other.public("/api/v3/depth", { symbol: "BTCUSDT" });
    await untilAnswer("reads are answered", depth, ({ status }) => status === 200);
    const row = `of release ${NEWER}. Upgrade this node`;
    await writeAsNewer(await storeOf(t, etcd(), nodes));
    const { json } = await untilAnswer(
      "the node's word",
      () => ready(one),
      ({ status }) => status === 503,
    );
    assert.match(String(json["release"]), new RegExp(row));
    const order = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "1", price: "20000" };
    assert.equal((await client.signed("POST", "/api/v3/order", order)).status, 503);
    const read = await client.signed("GET", "/api/v3/account");
    assert.equal(read.status, 200, read.text);
    assert.ok(Number(read.headers["x-pricetime-stale-ms"]) > 0);
    await untilAnswer("reads are refused", depth, ({ status }) => status === 503);
    const account = (): ReturnType<typeof other.signed> => other.signed("GET", "/api/v3/account");
    await untilAnswer("signed ones, too", account, ({ status }) => status === 503);
    const failed = Promise.race([one.failed, two.failed]);
    const areRunning = await Promise.race([failed.then(() => false), MACHINE.pause(1).then(() => true)]);
    assert.ok(areRunning, "the nodes go on");

    await one.stop();
    const again = nodes.start("n1", { dataFolder: one.dataFolder });
    await assert.rejects(again, new RegExp(row), "it says the same when it is started again");
  });

  test("newer rules are adopted when no node of an older release is live", async (t) => {
    const nodes = new Nodes(t, etcd());
    const store = await storeOf(t, etcd(), nodes, firstEpoch(MACHINE));
    const place = { epoch: store.epoch.epoch, number: 0, revision: 0 };
    const own = {
      node: "n9",
      incarnation: INCARNATION,
      place,
      seq: 0,
      eventDigest: new Engine().eventDigest(),
      release: "0.1.0",
    };
    const announce = (): Promise<void> => store.announce({ ...own, clockMs: Date.now(), admin: "", bans: {} });
    await announce();
    const announcing = setInterval(() => void announce().catch(() => {}), 200);
    inTheEnd(t, () => clearInterval(announcing));
    await nodes.start("n1").then(async (one) => {
      assert.equal((await status(one)).rulesVersion, FIRST_EDITION);
      clearInterval(announcing);
      await nodes.start("n2");
      await untilAnswer(
        "the newest rules",
        () => status(one),
        ({ rulesVersion }) => rulesVersion === NEWEST_EDITION,
      );
    });
  });
});
