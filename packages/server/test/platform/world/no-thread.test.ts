/** The machine cannot start a thread for a moment: the request fails, and nothing else is affected. */
import assert from "node:assert/strict";
import { syncBuiltinESMExports } from "node:module";
import { test } from "node:test";
import workerThreads from "node:worker_threads";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { keysOfEpoch } from "../../../src/cluster/etcd/epoch.ts";
import { Leases } from "../../../src/cluster/etcd/leases.ts";
import { ETCD_LIMITS } from "../../../src/cluster/etcd/endpoint.ts";
import { AuditLane } from "../../../src/funds/proof/folder/auditor.ts";
import { dataPaths } from "../../../src/journal/storage/data-folder.ts";

/** Prevents threads from starting until `ask` has returned its promise. */
async function withoutThreads(ask: () => Promise<unknown>): Promise<void> {
  const { Worker } = workerThreads;
  class NoWorker {
    constructor() {
      throw Object.assign(new Error("no thread"), { code: "ERR_WORKER_INIT_FAILED" });
    }
  }
  const replace = (by: unknown): void => {
    Object.assign(workerThreads, { Worker: by });
    syncBuiltinESMExports();
  };
  replace(NoWorker);
  let asked: Promise<unknown>;
  try {
    asked = ask();
  } finally {
    replace(Worker);
  }
  await assert.rejects(asked, /^Error: no thread$/);
}

test("an audit thread that cannot start does not answer another request", async (t) => {
  const folder = scratchFolder(t);
  const lane = new AuditLane("proofs", 3, { dataFolder: folder, paths: dataPaths(folder), masterKey: "" });
  t.after(() => lane.close());
  await withoutThreads(() => lane.ask("list"));
  const [list, found] = [lane.ask("list"), lane.ask("find", 1)];
  assert.deepEqual(await list, []);
  assert.equal(await found, null);
  await assert.rejects(lane.ask("public", 1), { name: "AuditRefused", fault: "NO_SUCH_PROOF" });
  await lane.close();
});

test("a lease thread that cannot start leaves no pending promise and no unhandled rejection", async () => {
  const access = { endpoints: ["http://127.0.0.1:1"], tls: null, login: null };
  const limits = { ...ETCD_LIMITS, patienceMs: 100 };
  const leases = new Leases({ node: "a", access, limits }, keysOfEpoch("pt", "1"));
  await withoutThreads(() => leases.take("mail"));
  await assert.rejects(leases.take("mail"));
  await leases.close();
  // An unhandled rejection would have been reported by now.
  await new Promise((resolve) => setImmediate(resolve));
});
