/**
 * The tests of clients, streams and order types against two nodes: each request of their clients goes to a node drawn
 * by lot; those of wallets too, though one node at a time holds the network. Left out, with the reason:
 * - conformance/limits: weights, bans and connections are counted by each node for itself;
 * - conformance/http, conformance/signing: what the node that is asked reads and refuses by itself;
 * - conformance/shape: it asks no node at all;
 * - stream/restart, stream/stop, stream/user-crash: they kill, stop or slow down one process, or look into
 *   its data folder; with several nodes the campaigns of failover/ do that.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { noEtcd } from "@pricetime/testkit/etcd";
import { ROOT } from "@pricetime/testkit/venue";

/** With `TWO_NODES=some`, without the files whose orders and withdrawals `conformance` sends as well. */
const isSome = process.env["TWO_NODES"] === "some";
const FILES = [
  ...["ccxt", "connector", "other-languages"].map((name) => `test/clients/${name}.test.ts`),
  ...(isSome ? [] : ["ccxt-order-types", "connector-order-types", "wallet"]).map(
    (name) => `test/clients/${name}.test.ts`,
  ),
  ...["local-book", "user-connector", "user-fold", "user-keys"].map((name) => `test/stream/${name}.test.ts`),
  ...["account", "market-data", "order-types", "orders", "streams", "wallet"].map(
    (name) => `test/conformance/${name}.test.ts`,
  ),
  ...["ccxt", "methods", "sessions"].map((name) => `test/ws-api/${name}.test.ts`),
];
/** Within the half hour that CI gives a file. */
const TIMEOUT_MS = 1_500_000;

test("clients that move between two nodes see one exchange", { skip: noEtcd, timeout: TIMEOUT_MS }, (t) => {
  const args = ["--disable-warning=ExperimentalWarning", "--test", "--test-concurrency=2", ...FILES];
  // A runner started by a test is not told that it is one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, args, {
    ...{ cwd: ROOT, encoding: "utf8", timeout: TIMEOUT_MS, maxBuffer: 64 << 20 },
    env: { ...env, TEST_NODES: "2" },
  });
  assert.equal(status, 0, stdout.slice(-20_000));
  const passed = Number(/^ℹ pass (\d+)$/m.exec(stdout)?.[1] ?? /^# pass (\d+)$/m.exec(stdout)?.[1] ?? 0);
  assert.ok(passed > (isSome ? 150 : 190), stdout.slice(-2_000));
  t.diagnostic(`${passed} tests passed on two nodes`);
});
