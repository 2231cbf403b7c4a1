/**
 * Recovery after etcd has lost everything, and migrating journals: real nodes, a real etcd, and an operator's commands.
 * docs/decisions/0044.
 */
import assert from "node:assert/strict";
import { suiteEtcd } from "../etcd/rig.ts";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { noEtcd } from "@pricetime/testkit/etcd";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { runProgram } from "../../../src/program/cli/program.ts";
import { compareFolders } from "../../../src/cluster/moving/leave.ts";
import { heldPaymentsPath } from "../../../src/platform/config/held-payments.ts";
import { loadConfig } from "../../../src/platform/config/config.ts";
import { startNode } from "../../../src/main.ts";
import { verifyJournalFile } from "../../../src/journal/storage/open-journal.ts";
import { dataPaths } from "../../../src/journal/storage/data-folder.ts";
import { clientAt, Nodes, type RunningNode } from "../rig.ts";

interface Said {
  readonly code: number;
  readonly printed: string;
  readonly complained: string;
}

async function pricetime(environment: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Said> {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await runProgram(words, {
    print: (text) => void printed.push(text),
    complain: (text) => void complained.push(text),
    environment,
    serve: () => assert.fail("no node is to be run"),
  });
  return { code, printed: printed.join("\n"), complained: complained.join("\n") };
}

const LIMIT = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01" } as const;

/** Places orders until one fails; returns the ids of the accepted ones. */
async function placeUntilItFails(t: TestContext, node: RunningNode, most: number): Promise<number[]> {
  const client = clientAt(t, node, 0);
  const answered: number[] = [];
  for (let n = 0; n < most; n++) {
    const placed = await client.signed<{ orderId: number }>("POST", "/api/v3/order", {
      ...LIMIT,
      price: String(20_000 + n),
    });
    if (placed.status !== 200) break;
    answered.push(placed.json.orderId);
  }
  return answered;
}

async function openOrders(t: TestContext, node: RunningNode): Promise<number[]> {
  const open = await clientAt(t, node, 0).signed<{ orderId: number }[]>("GET", "/api/v3/openOrders");
  assert.equal(open.status, 200, open.text);
  return open.json.map(({ orderId }) => orderId).sort((a, b) => a - b);
}

describe("an operator", { skip: noEtcd }, () => {
  const etcd = suiteEtcd();

  test("bootstraps from the longest journal when etcd is lost, without losing acknowledged orders", async (t) => {
    const nodes = new Nodes(t, etcd());
    const hasty = { config: join(scratchFolder(t), "hasty.yaml") };
    writeFileSync(hasty.config, "cluster: { submitTimeoutMs: 2000 }\n");
    const started = [await nodes.start("n1", hasty), await nodes.start("n2", hasty), await nodes.start("n3")] as const;
    const [one, two, three] = started;
    const answered = await placeUntilItFails(t, one, 3);
    await three.stop();
    answered.push(...(await placeUntilItFails(t, two, 3)));
    // The members die while orders are in flight.
    const underWay = [placeUntilItFails(t, one, 1000), placeUntilItFails(t, two, 1000)];
    await etcd().members[0]?.kill();
    answered.push(...(await Promise.all(underWay)).flat());
    await Promise.all([one.stop(), two.stop()]);
    rmSync(etcd().members[0]?.folder ?? assert.fail(), { recursive: true, force: true });
    await etcd().start();

    const environment = { PRICETIME_CLUSTER: etcd().endpoints.join(","), PRICETIME_CLUSTER_PREFIX: nodes.prefix };
    const folders = started.map(({ dataFolder }) => dataFolder);
    const compared = await pricetime(environment, "cluster", "compare", ...folders, "--json");
    assert.equal(compared.code, 0, compared.complained);
    const verdicts = JSON.parse(compared.printed) as { folder: string; lastSeq: number; verdict: string }[];
    const longest = verdicts.find(({ verdict }) => verdict === "longest") ?? assert.fail(compared.printed);
    assert.equal(verdicts.find(({ folder }) => folder === three.dataFolder)?.verdict, "prefix");

    // Without an epoch no node starts, and a folder in use cannot be bootstrapped from.
    await assert.rejects(
      nodes.start("n1", { dataFolder: one.dataFolder }),
      /etcd has no epoch, but the journal of this node is not empty/,
    );
    const begun = await pricetime(environment, "cluster", "bootstrap", "--from", longest.folder, "--json");
    assert.equal(begun.code, 0, begun.complained);
    assert.equal((JSON.parse(begun.printed) as { baseSeq: number }).baseSeq, longest.lastSeq);
    const twice = await pricetime(environment, "cluster", "bootstrap", "--from", longest.folder);
    assert.deepEqual(
      [twice.code, /etcd is not empty: it has the key /.test(twice.complained)],
      [1, true],
      twice.complained,
    );

    const name = (folder: string): string => `n${folders.indexOf(folder) + 1}`;
    const others = folders.filter((folder) => folder !== longest.folder);
    const again = [await nodes.start(name(longest.folder), { dataFolder: longest.folder })];
    for (const dataFolder of others) again.push(await nodes.start(name(dataFolder), { dataFolder }));
    for (const node of again) answered.push(...(await placeUntilItFails(t, node, 1)));
    for (const node of again) {
      const open = new Set(await openOrders(t, node));
      assert.deepEqual(
        answered.filter((orderId) => !open.has(orderId)),
        [],
        "answered, and lost",
      );
      assert.ok(open.size <= answered.length + underWay.length, "nothing that nobody asked for");
    }
    await Promise.all(again.map((node) => node.stop()));
    // The node that stops first has not received what the last one wrote.
    const mirrors = compareFolders(folders);
    assert.deepEqual(
      mirrors.map(({ differsFrom }) => differsFrom),
      [null, null, null],
    );
  });

  test("migrates a folder into a cluster, and out of it again", async (t) => {
    const nodes = new Nodes(t, etcd());
    const environment = { PRICETIME_CLUSTER_PREFIX: nodes.prefix, PRICETIME_CLUSTER_TOKEN: "the-token-of-all-nodes" };
    const alone = scratchFolder(t);
    const quiet = { PRICETIME_LOG_LEVEL: "silent", PRICETIME_MASTER_KEY: "00".repeat(32) };
    const flags = { data: alone, port: 0, adminPort: 0, bots: "off", node: "n1" } as const;
    const single = await startNode(loadConfig({ flags, environment: quiet }));
    const copyIn = ["journal", "migrate", alone, etcd().endpoints[0] ?? ""] as const;
    const inUse = await pricetime(environment, ...copyIn);
    await single.stop();
    assert.match(inUse.complained, /in use by another node\. Stop that node first\./);
    const moved = await pricetime(environment, ...copyIn, "--json");
    assert.equal(moved.code, 0, moved.complained);
    const among = { environment: { PRICETIME_CLUSTER_TOKEN: environment.PRICETIME_CLUSTER_TOKEN } };
    const one = await nodes.start("n1", { dataFolder: alone, ...among });
    const two = await nodes.start("n2", among);
    const orders = await placeUntilItFails(t, two, 4);

    const out = join(scratchFolder(t), "out");
    const wrong = { ...environment, PRICETIME_CLUSTER_TOKEN: "another-token-of-nodes" };
    const refused = await pricetime(wrong, "journal", "migrate", etcd().endpoints[0] ?? "", out);
    assert.match(refused.complained, /The journal could not be fetched from any node: .*it refuses the token/);
    const config = loadConfig({ flags: { ...flags, data: out }, environment: quiet });
    await assert.rejects(startNode(config), /is a backup/, "no node starts on half of a copy");
    const copied = await pricetime(environment, "journal", "migrate", etcd().endpoints[0] ?? "", out, "--json");
    assert.equal(copied.code, 0, copied.complained);
    assert.ok(existsSync(heldPaymentsPath(out)));
    orders.push(...(await placeUntilItFails(t, one, 2)));
    const more = await pricetime(environment, "journal", "migrate", etcd().endpoints[0] ?? "", out, "--json");
    const [first, second] = [copied, more].map(
      ({ printed }) => JSON.parse(printed) as { seq: number; fromSeq: number },
    );
    assert.equal(second?.fromSeq, first?.seq);
    const into = await pricetime(environment, "journal", "migrate", etcd().endpoints[0] ?? "", two.dataFolder);
    assert.match(into.complained, /is in use by a node, a backup or a restore/);
    await Promise.all([one.stop(), two.stop()]);
    // Nodes may have journaled more since the copy, for example that another node does a task.
    const compared = compareFolders([out, two.dataFolder]);
    assert.deepEqual(
      compared.map(({ differsFrom, lastSeq }) => ({ differsFrom, isWhole: lastSeq >= (second?.seq ?? Infinity) })),
      Array(2).fill({ differsFrom: null, isWhole: true }),
    );
    for (const folder of [out, two.dataFolder]) assert.equal(verifyJournalFile(dataPaths(folder).journal).fault, null);
    // A folder of the cluster leaves it only on request.
    const asAlone = loadConfig({ flags: { ...flags, data: two.dataFolder }, environment: quiet });
    await assert.rejects(
      startNode(asAlone),
      /Start the node with --cluster\. If the cluster no longer exists, detach the folder with `pricetime cluster/,
    );
    const left = await pricetime(environment, "cluster", "detach", "--data", two.dataFolder);
    assert.match(left.printed, /^Detached .* from epoch [0-9a-f]{16}\./);
    await (await startNode(asAlone)).stop();
    const home = await startNode(config);
    inTheEnd(t, () => home.stop());
    const open = await openOrders(t, { ...two, rest: home.rest });
    assert.deepEqual(
      orders.filter((orderId) => !open.includes(orderId)),
      [],
    );
    // An order without an answer, of those that ended a round, may have been placed as well.
    assert.ok(open.length <= orders.length + 2, `${open.length} open orders of ${orders.length}`);
  });

  test("bootstraps from a restored backup, and no node makes payments until it is allowed to", async (t) => {
    const nodes = new Nodes(t, etcd());
    const environment = { PRICETIME_CLUSTER: etcd().endpoints.join(","), PRICETIME_CLUSTER_PREFIX: nodes.prefix };
    const alone = scratchFolder(t);
    const quiet = { PRICETIME_LOG_LEVEL: "silent" };
    const flags = { data: alone, port: 0, adminPort: 0, bots: "off", demo: true, node: "n1" } as const;
    await (await startNode(loadConfig({ flags, environment: quiet }))).stop();
    const [backup, restored] = [join(scratchFolder(t), "backup"), join(scratchFolder(t), "restored")];
    const took = await pricetime({}, "backup", backup, "--data", alone, "--with-key");
    assert.equal(took.code, 0, took.complained);
    const back = await pricetime({}, "restore", backup, "--data", restored);
    assert.equal(back.code, 0, back.complained);
    const begun = await pricetime(environment, "cluster", "bootstrap", "--from", restored);
    assert.equal(begun.code, 0, begun.complained);
    assert.match(begun.complained, /Payments are held until you remove payments\.held from the data folder of every/);

    const key = { environment: { PRICETIME_MASTER_KEY: readFileSync(join(alone, "master.key"), "utf8").trim() } };
    const one = await nodes.start("n1", { dataFolder: restored, ...key });
    const two = await nodes.start("n2", key);
    for (const { name, dataFolder } of [one, two]) assert.ok(existsSync(heldPaymentsPath(dataFolder)), name);
    for (const { dataFolder } of [one, two]) rmSync(heldPaymentsPath(dataFolder));
    const three = await nodes.start("n3", key);
    assert.ok(!existsSync(heldPaymentsPath(three.dataFolder)), "once it is allowed, a new node pays, too");
  });

  test("gets errors for invalid commands", async (t) => {
    const folder = scratchFolder(t);
    const url = etcd().endpoints[0] ?? "";
    const cases: readonly (readonly [words: readonly string[], told: RegExp])[] = [
      [["cluster", "bootstrap", "--from", folder, "--cluster", url], /journal\.sqlite does not exist/],
      [["cluster", "bootstrap", "--from", folder], /cluster\.endpoints: is missing/],
      [["cluster", "compare", folder], /journal\.sqlite does not exist/],
      [["journal", "migrate", folder, folder], /Specify one data folder, and the etcd URLs as http/],
      [["journal", "migrate", url, url], /Specify one data folder, and the etcd URLs/],
      [["journal", "migrate", url, join(folder, "to")], /etcd has no epoch/],
    ];
    for (const [words, expected] of cases) {
      const { code, complained } = await pricetime({ PRICETIME_CLUSTER_PREFIX: "nothing-here" }, ...words);
      assert.equal(code, 1, complained);
      assert.match(complained, expected);
    }
  });
});
