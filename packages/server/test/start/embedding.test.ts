/** A node inside another program, by what the package exports. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigError, loadConfig, startNode } from "@pricetime/server";

const QUIET = { PRICETIME_LOG_LEVEL: "fatal" };

test("a program starts a node, trades with it, and stops it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pricetime-embedded-"));
  try {
    const flags = { port: 0, adminPort: 0, data: "venue", demo: false };
    const node = await startNode(loadConfig({ flags, environment: QUIET, folder }));
    assert.deepEqual(await (await fetch(`${node.rest}/api/v3/ping`)).json(), {});
    await node.stop();
    await assert.rejects(fetch(`${node.rest}/api/v3/ping`));
    assert.ok(existsSync(join(folder, "venue")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a setting that is wrong is an error of its own kind", () => {
  assert.throws(() => loadConfig({ flags: { port: 70_000 } }), ConfigError);
});
