/**
 * Three nodes of an earlier commit are upgraded one by one while clients trade. The rules version stays that of the
 * earlier commit until the last node is upgraded, and no acknowledged order is lost.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { NEWEST_EDITION } from "@pricetime/engine";
import { Client } from "@pricetime/testkit/client";
import { noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { scratchFolder } from "@pricetime/testkit/scratch";
import {
  type DemoAccount,
  type Exchange,
  openAccount,
  operate,
  pricetime,
  ROOT,
  startExchange,
} from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { reconcile, Trader } from "./trader.ts";

/** The last commit whose newest rules version was 3. */
const EARLIER = "2ea84f36";
const EARLIER_RULES = 3;
const NAMES = ["n1", "n2", "n3"] as const;
const YAML = `
demo: false
limits: { enabled: false }
assets: [{ asset: BTC, name: Bitcoin }, { asset: USDT, name: TetherUS }]
symbols:
  - symbol: BTCUSDT
    baseAsset: BTC
    quoteAsset: USDT
    filters:
      priceFilter: { minPrice: "0.01", maxPrice: "1000000", tickSize: "0.01" }
      lotSize: { minQty: "0.0001", maxQty: "1000", stepSize: "0.0001" }
cluster: { cutOffAfterMs: 20000, submitTimeoutMs: 30000, readTimeoutMs: 30000, maxStaleMs: 60000 }
`;
/** The same with the setting names of the earlier commit. */
const EARLIER_YAML = YAML.replace("submitTimeoutMs", "answerPatienceMs").replace("readTimeoutMs", "readPatienceMs");

const git = (...args: readonly string[]): number | null => spawnSync("git", args, { cwd: ROOT }).status;
const hasHistory = git("cat-file", "-e", `${EARLIER}^{commit}`) === 0;
/** Also skipped in a shallow clone if TEST_MISSING is `fail`: no package that the machine lacks would help. */
const skip = noEtcd || (hasHistory ? false : `this clone does not have commit ${EARLIER}`);

/** Extracts the sources of the earlier commit and links the installed packages. */
function earlierRelease(t: TestContext): string {
  const root = scratchFolder(t);
  const archive = join(root, "sources.tar");
  assert.equal(git("archive", "--output", archive, EARLIER, "packages", "package.json"), 0);
  assert.equal(spawnSync("tar", ["-xf", archive, "-C", root]).status, 0);
  mkdirSync(join(root, "node_modules/@pricetime"), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name !== "@pricetime") symlinkSync(join(ROOT, "node_modules", name), join(root, "node_modules", name));
  }
  for (const name of readdirSync(join(root, "packages"))) {
    symlinkSync(join(root, "packages", name), join(root, "node_modules/@pricetime", name));
  }
  return root;
}

interface ClusterNode {
  readonly node: string;
  readonly isLive: boolean;
  readonly seq: number;
}
/** An earlier release calls the version of the rules `edition`. */
interface ClusterOf {
  readonly rulesVersion?: number;
  readonly edition?: number;
  readonly nodes: readonly ClusterNode[];
}
const rulesOf = ({ rulesVersion, edition }: ClusterOf): number | undefined => rulesVersion ?? edition;
const statusOf = (node: Exchange): Promise<ClusterOf> => operate(node, "GET", "/v1/cluster");

test("three nodes are upgraded one by one", { skip }, async (t) => {
  const root = earlierRelease(t);
  const folder = scratchFolder(t);
  const [config, earlierConfig] = [join(folder, "venue.yaml"), join(folder, "earlier.yaml")];
  writeFileSync(config, YAML);
  writeFileSync(earlierConfig, EARLIER_YAML);
  const etcd = await startEtcd();
  t.after(() => etcd.stop());
  const masterKey = randomBytes(32).toString("hex");
  const running = new Map<string, Exchange>();
  const start = async (name: string, release?: string): Promise<Exchange> => {
    const node = await startExchange({
      ...(release !== undefined && { root: release }),
      dataFolder: join(folder, name),
      args: [
        ...["--no-demo", "--config", release === undefined ? config : earlierConfig, "--node", name],
        ...["--cluster", etcd.endpoints.join(",")],
      ],
      under: ["env", `PRICETIME_MASTER_KEY=${masterKey}`],
    });
    t.after(() => node.kill());
    running.set(name, node);
    return node;
  };
  for (const name of NAMES) await start(name, root);
  const nodeAt = (name: string): Exchange => running.get(name) ?? assert.fail(name);

  const seller = await openAccount(nodeAt("n1"), "seller@example.com", { BTC: "100", USDT: "1000000" });
  const resting = new Client(nodeAt("n2").rest, seller);
  const limit = { symbol: "BTCUSDT", side: "SELL", type: "LIMIT", timeInForce: "GTC", price: "30000", quantity: "1" };
  assert.equal((await resting.signed("POST", "/api/v3/order", { ...limit, newClientOrderId: "rests" })).status, 200);
  resting.close();

  const traded: [DemoAccount, Trader][] = [];
  const accounts: DemoAccount[] = [];
  for (const name of NAMES) {
    accounts.push(await openAccount(nodeAt(name), `${name}@example.com`, { BTC: "10", USDT: "1000000" }));
  }
  for (const [at, name] of NAMES.entries()) {
    // Clients trade at the other two nodes.
    const traders = NAMES.filter((other) => other !== name).map(
      (other, i) => new Trader(nodeAt(other).rest, accounts[i] ?? assert.fail(), `${name}-${other}`),
    );
    assert.equal(await nodeAt(name).stop(), 0);
    const node = await start(name);
    const isLast = at === NAMES.length - 1;
    const wanted = isLast ? NEWEST_EDITION : EARLIER_RULES;
    await until(`rules version ${wanted} at ${name}`, async () => rulesOf(await statusOf(node)) === wanted);
    const before = traders.map(({ acknowledged }) => acknowledged.length);
    await until("orders are accepted at the other nodes", () =>
      traders.every(({ acknowledged }, i) => acknowledged.length > (before[i] ?? 0) + 2),
    );
    for (const [i, trader] of traders.entries()) {
      await trader.stop();
      assert.deepEqual(
        [...trader.rejections.keys()].filter((why) => why !== "late"),
        [],
      );
      traded.push([accounts[i] ?? assert.fail(), trader]);
    }
    if (!isLast) assert.match(node.output(), /newer rules stay off until node n\d/);
  }

  // Every node has every acknowledged order, and all three follow a rule of the newest version.
  for (const name of NAMES) {
    const client = new Client(nodeAt(name).rest, seller);
    const query = { symbol: "BTCUSDT", origClientOrderId: "rests" };
    assert.equal((await client.patient<{ status: string }>("/api/v3/order", query)).json.status, "NEW");
    client.close();
    for (const [account, trader] of traded) await reconcile(nodeAt(name).rest, account, trader);
  }
  await operate(nodeAt("n1"), "POST", "/v1/accounts/seller@example.com/lock", {});
  const { nodes } = await statusOf(nodeAt("n1"));
  assert.deepEqual(nodes.map(({ node }) => node).sort(), [...NAMES]);
  for (const name of NAMES) {
    await until(`${name} ends the order of the locked account`, async () => {
      const depth = await fetch(`${nodeAt(name).rest}/api/v3/depth?symbol=BTCUSDT`);
      return ((await depth.json()) as { asks: unknown[] }).asks.length === 0;
    });
  }
  const accepted = traded.reduce((sum, [, { acknowledged }]) => sum + acknowledged.length, 0);
  t.diagnostic(`${accepted} orders were accepted meanwhile`);
  for (const name of NAMES) assert.equal(await nodeAt(name).stop(), 0);
  for (const name of NAMES) {
    const { code, stdout, stderr } = pricetime("journal", "verify", "--data", join(folder, name));
    assert.equal(code, 0, `${stdout}${stderr}`);
  }
  rmSync(root, { recursive: true, force: true });
});
