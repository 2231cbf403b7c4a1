/** Order limits count the orders of an account at all nodes. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import type { Answer, Client } from "@pricetime/testkit/client";
import { type EtcdCluster, noEtcd, startEtcd } from "@pricetime/testkit/etcd";
import { clientAt, Nodes, type RunningNode, seqOf } from "./rig.ts";

const LIMIT = 4;
/** A window of 1000 days, so that none starts during a test. */
const RULES = `limits: { rules: [{ rateLimitType: ORDERS, interval: DAY, intervalNum: 1000, limit: ${LIMIT} }] }\n`;
const COUNT = "x-mbx-order-count-1000d";
const ORDER = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "20000" };

const place = (client: Client): Promise<Answer> => client.signed("POST", "/api/v3/order", ORDER);

const told = ({ status, headers }: Answer): readonly [status: number, count: unknown] => [status, headers[COUNT]];

/** Resolves when both nodes have what either has acknowledged. */
async function seenAtBoth(clients: readonly Client[], answers: readonly Answer[]): Promise<void> {
  const seq = Math.max(...answers.filter(({ status }) => status === 200).map(seqOf));
  for (const client of clients) {
    const { status, text } = await client.after(seq, "GET", "/api/v3/account");
    assert.equal(status, 200, text);
  }
}

describe("limits on orders at two nodes", { skip: noEtcd }, () => {
  let etcd: EtcdCluster;
  let nodes: Nodes;
  let one: RunningNode;
  let two: RunningNode;
  before(async () => {
    etcd = await startEtcd();
    nodes = new Nodes(null, etcd);
    const config = join(nodes.newFolder(), "config.yaml");
    writeFileSync(config, RULES);
    one = await nodes.start("n1", { config });
    two = await nodes.start("n2", { config });
  });
  after(async () => {
    await nodes?.stop();
    await etcd?.stop();
  });

  const atBoth = (t: TestContext, account: number): readonly [Client, Client] => [
    clientAt(t, one, account),
    clientAt(t, two, account),
  ];

  test("orders at one node count at the other, and both reject orders above the limit", async (t) => {
    const [atOne, atTwo] = atBoth(t, 0);
    const first = [await place(atOne), await place(atOne)];
    assert.deepEqual(first.map(told), [
      [200, "1"],
      [200, "2"],
    ]);
    await seenAtBoth([atOne, atTwo], first);
    const second = [await place(atTwo), await place(atTwo)];
    assert.deepEqual(second.map(told), [
      [200, "3"],
      [200, "4"],
    ]);
    await seenAtBoth([atOne, atTwo], second);
    for (const client of [atTwo, atOne]) assert.equal((await place(client)).status, 429);
  });

  test("when both accept orders concurrently, the limit is exceeded by at most those in flight at one node", async (t) => {
    const clients = atBoth(t, 1);
    const before = await Promise.all(clients.map(place));
    assert.deepEqual(
      before.map(({ status }) => status),
      [200, 200],
    );
    await seenAtBoth(clients, before);
    const left = LIMIT - before.length;
    const flood = (client: Client): Promise<Answer[]> =>
      Promise.all(Array.from({ length: LIMIT }, () => place(client)));
    const answers = await Promise.all(clients.map(flood));
    const taken = answers.map((some) => some.filter(({ status }) => status === 200).length);
    for (const { status, text } of answers.flat()) assert.ok(status === 200 || status === 429, text);
    t.diagnostic(`taken: ${taken.join(" and ")} where ${left} were left`);
    for (const count of taken) assert.ok(count <= left, `one node takes ${count} where ${left} are left`);
    assert.ok(taken[0]! + taken[1]! >= left, "less than the limit is taken");
    await seenAtBoth(clients, answers.flat());
    for (const client of clients) assert.equal((await place(client)).status, 429);
  });
});
