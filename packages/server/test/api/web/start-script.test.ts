/** The start page's script without streams, as behind a proxy without WebSockets: the requests it sends. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { ASSET_FOLDERS } from "../../../src/api/web/assets.ts";

const SCRIPT = readFileSync(join(ASSET_FOLDERS.browser, "start.js"), "utf8");
const HOUR_MS = 3_600_000;

/** Requests in an hour; `status`: of each response. Sockets close at once. */
async function requestsInAnHour(status: number): Promise<number> {
  const timers: { readonly atMs: number; readonly run: () => void }[] = [];
  let [nowMs, requests] = [0, 0];
  class ClosedSocket {
    addEventListener(name: string, run: () => void): void {
      if (name === "close") queueMicrotask(run);
    }
  }
  runInNewContext(SCRIPT, {
    document: {
      querySelectorAll: (what: string) => (what.startsWith("tr") ? [{ dataset: { symbol: "BTCUSDT" } }] : []),
    },
    location: { origin: "http://node" },
    WebSocket: ClosedSocket,
    fetch: async () => {
      requests++;
      return { ok: status === 200, status, json: async () => [] };
    },
    setTimeout: (run: () => void, ms: number) => void timers.push({ atMs: nowMs + ms, run }),
  });
  for (;;) {
    await new Promise((done) => setImmediate(done));
    const next = timers.sort((a, b) => a.atMs - b.atMs).shift();
    if (next === undefined || next.atMs > HOUR_MS) return requests;
    nowMs = next.atMs;
    next.run();
  }
}

test("an open page polls less and less often, and continues", async () => {
  for (const status of [200, 429]) {
    const requests = await requestsInAnHour(status);
    assert.ok(requests >= 10 && requests <= 30, `${requests} requests in an hour of answers with ${status}`);
  }
});
