/** A node whose batches the log has dropped: new, stopped for long, or cut off. It catches up from a peer's journal. */
import assert from "node:assert/strict";
import { suiteEtcd } from "./etcd/rig.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { type EtcdCluster, Link, noEtcd } from "@pricetime/testkit/etcd";
import { exchangeArguments, ROOT, startExchange } from "@pricetime/testkit/venue";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { until } from "@pricetime/testkit/waiting";
import type { JournalHead } from "../../src/journal/port.ts";
import { JournalFile } from "../../src/journal/journal-file.ts";
import { dataPaths } from "../../src/journal/storage/data-folder.ts";
import { clientAt, Nodes, type RunningNode } from "./rig.ts";

const LIMIT = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01" } as const;
const base64 = (text: string): string => Buffer.from(text).toString("base64");

async function trade(t: TestContext, node: Pick<RunningNode, "rest" | "accounts">, orders: number): Promise<void> {
  const client = clientAt(t, node);
  for (let n = 0; n < orders; n++) {
    const placed = await client.signed("POST", "/api/v3/order", { ...LIMIT, price: String(20_000 + n) });
    assert.equal(placed.status, 200, placed.text);
  }
}

/** Drops every batch of the log, as the nodes do once enough of them have it, and compacts. */
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

/** Waits until both journals have the same head. */
async function alike(...nodes: readonly Pick<RunningNode, "dataFolder">[]): Promise<void> {
  const heads = (): string[] => nodes.map(({ dataFolder }) => JSON.stringify(headOf(dataFolder)));
  await until(
    () => `the same journal: ${heads().join(" ")}`,
    () => new Set(heads()).size === 1,
    { withinMs: 10_000 },
  );
}

/** The flags of the program as node n2. */
function flagsOf(t: TestContext, endpoint: string, { prefix }: Nodes): string[] {
  const config = join(scratchFolder(t), "n2.yaml");
  writeFileSync(config, `cluster: { prefix: ${prefix} }\nwallet: { sandboxFolder: ${scratchFolder(t)} }\n`);
  return ["--node", "n2", "--cluster", endpoint, "--config", config, "--bots", "off"];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { readonly port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

describe("nodes that the log has left behind", { skip: noEtcd }, () => {
  const etcd = suiteEtcd();

  test("a new node, and one that was stopped, fetch what is missing from a peer", async (t) => {
    const nodes = new Nodes(t, etcd());
    const one = await nodes.start("n1");
    await trade(t, one, 5);
    await dropRows(etcd(), nodes.prefix);
    const two = await nodes.start("n2");
    await alike(one, two);
    await trade(t, two, 5);
    await alike(one, two);
    await two.stop();
    await trade(t, one, 5);
    await dropRows(etcd(), nodes.prefix);
    const again = await nodes.start("n2", { dataFolder: two.dataFolder });
    await trade(t, again, 2);
    await alike(one, again);
    const client = clientAt(t, again);
    const open = await client.signed<object[]>("GET", "/api/v3/openOrders");
    assert.equal(open.json.length, 17);
  });

  test("a node that was cut off for too long stops serving, catches up, and returns by itself", async (t) => {
    const nodes = new Nodes(t, etcd());
    const one = await nodes.start("n1");
    const link = await Link.open(etcd().endpoints[0] ?? assert.fail());
    inTheEnd(t, () => link.close());
    const two = await startExchange({ args: flagsOf(t, link.url, nodes) });
    inTheEnd(t, () => two.kill());
    await trade(t, two, 2);
    link.cut();
    await trade(t, one, 3);
    await dropRows(etcd(), nodes.prefix);
    link.heal();
    const readyLines = (): string[] => two.output().match(/^ready .*$/gm) ?? [];
    await until(
      () => `it starts again: ${two.output()}`,
      () => readyLines().length === 2,
      { withinMs: 30_000 },
    );
    assert.equal(new Set(readyLines()).size, 1, "where it was");
    assert.match(two.output(), /behind the cluster's log, restarting/);
    await trade(t, two, 2);
    await alike(one, two);
    assert.equal(await two.stop(), 0);
  });

  test("a node that waits for others answers probes, and can be stopped; fetched batches stay", async (t) => {
    const nodes = new Nodes(t, etcd());
    const one = await nodes.start("n1");
    await trade(t, one, 2);
    await dropRows(etcd(), nodes.prefix);
    await one.stop();
    const adminPort = await freePort();
    const folder = scratchFolder(t);
    const args = exchangeArguments(folder, [
      ...flagsOf(t, etcd().endpoints[0] ?? "", nodes),
      "--admin-port",
      `${adminPort}`,
    ]);
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: "ignore" });
    inTheEnd(t, () => child.kill("SIGKILL"));
    const exited = once(child, "exit");
    const probe = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${adminPort}${path}`);
    let told = "";
    const answers = async (): Promise<boolean> => (told = await (await probe("/readyz")).text()) !== "";
    await until("it tells that it waits", () => answers().catch(() => false), { withinMs: 30_000 });
    assert.match(told, /^{"ready":false,"catchUp":"(n1 at http:.*does not answer|no other node has published).*"}\n$/);
    assert.deepEqual([(await probe("/healthz")).status, (await probe("/v1/journal")).status], [200, 503]);
    child.kill("SIGTERM");
    assert.deepEqual(await exited, [0, null]);
  });
});
