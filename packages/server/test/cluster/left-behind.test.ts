/** A node whose rows the log has dropped: new, away, or cut off while it ran. The others' journal is its way back. */
import assert from "node:assert/strict";
import { after, before, describe, test, type TestContext } from "node:test";
import { type EtcdCluster, Link, noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import { type JournalHead, LogTrimmed } from "../../src/journal/port.ts";
import { JournalFile } from "../../src/journal/journal-file.ts";
import { dataPaths } from "../../src/storage/data-paths.ts";
import { clientAt, Nodes, type RunningNode } from "./rig.ts";

const LIMIT = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01" } as const;
const base64 = (text: string): string => Buffer.from(text).toString("base64");

async function trade(t: TestContext, node: RunningNode, orders: number): Promise<void> {
  const client = clientAt(t, node);
  for (let n = 0; n < orders; n++) {
    const placed = await client.signed("POST", "/api/v3/order", { ...LIMIT, price: String(20_000 + n) });
    assert.equal(placed.status, 200, placed.text);
  }
}

/** Drops every row of the log, as the nodes do once enough of them hold it, and compacts. */
async function dropRows({ members }: EtcdCluster, prefix: string): Promise<void> {
  const member = members[0] ?? assert.fail();
  const ask = async (path: string, body: object): Promise<Record<string, unknown>> =>
    member.ask(`kv/${path}`, body, 5000);
  const valueAt = async (key: string): Promise<{ value: string; version: string }> => {
    const { kvs } = (await ask("range", { key: base64(key) })) as { kvs: { value: string; version: string }[] };
    return kvs[0] ?? assert.fail(key);
  };
  const { epoch } = JSON.parse(Buffer.from((await valueAt(`${prefix}/epoch`)).value, "base64").toString()) as {
    epoch: string;
  };
  const { version } = await valueAt(`${prefix}/${epoch}/n`);
  const batches = `${prefix}/${epoch}/b`;
  await ask("deleterange", { key: base64(`${batches}/`), range_end: base64(`${batches}0`) });
  const put = await ask("put", { key: base64(`${prefix}/${epoch}/t`), value: base64(version) });
  await ask("compaction", { revision: (put["header"] as { revision: string }).revision });
}

function headOf(folder: string): JournalHead {
  const file = JournalFile.openReadOnly(dataPaths(folder).journal);
  try {
    return file.head();
  } finally {
    file.close();
  }
}

/** Both journals are alike to the last hash, once nothing is under way. */
async function alike(...nodes: readonly RunningNode[]): Promise<void> {
  const heads = (): string[] => nodes.map(({ dataFolder }) => JSON.stringify(headOf(dataFolder)));
  await until(
    () => `the same journal: ${heads().join(" ")}`,
    () => new Set(heads()).size === 1,
    { withinMs: 10_000 },
  );
}

describe("nodes that the log has left behind", { skip: noEtcd }, () => {
  let etcd: EtcdCluster;
  before(async () => (etcd = await startEtcd()));
  after(() => etcd.stop());

  test("a new node, and one that was away, get what is missing from another", async (t) => {
    const nodes = new Nodes(t, etcd);
    const one = await nodes.start("n1");
    await trade(t, one, 5);
    await dropRows(etcd, nodes.prefix);
    const two = await nodes.start("n2");
    await alike(one, two);
    await trade(t, two, 5);
    await alike(one, two);
    await two.stop();
    await trade(t, one, 5);
    await dropRows(etcd, nodes.prefix);
    const again = await nodes.start("n2", { dataFolder: two.dataFolder });
    await trade(t, again, 2);
    await alike(one, again);
    const client = clientAt(t, again);
    const open = await client.signed<object[]>("GET", "/api/v3/openOrders");
    assert.equal(open.json.length, 17);
  });

  test("one that was cut off for too long stops, and comes back by a start", async (t) => {
    const link = await Link.open(etcd.endpoints[0] ?? assert.fail());
    inTheEnd(t, () => link.close());
    const nodes = new Nodes(t, etcd);
    const one = await nodes.start("n1");
    const two = await nodes.start("n2", { cluster: [link.url] });
    await trade(t, two, 2);
    link.cut();
    await trade(t, one, 3);
    await dropRows(etcd, nodes.prefix);
    link.heal();
    const failure = await two.failed;
    assert.ok(failure instanceof LogTrimmed, String(failure));
    await two.stop();
    const again = await nodes.start("n2", { dataFolder: two.dataFolder });
    await trade(t, again, 2);
    await alike(one, again);
  });
});
