/** Files of a node are its owner's alone, whatever the umask says: at every moment, not only in the end. */
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { clientOf, start } from "./rig.ts";

const FOLDER = 0o700;
const FILE = 0o600;

function modes(folder: string): Record<string, string> {
  const wrong: Record<string, string> = {};
  const check = (path: string): void => {
    const { mode } = statSync(path);
    const isFolder = statSync(path).isDirectory();
    if ((mode & 0o777) !== (isFolder ? FOLDER : FILE)) wrong[path] = (mode & 0o777).toString(8);
  };
  check(folder);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    check(join(entry.parentPath, entry.name));
  return wrong;
}

for (const umask of ["000", "077"]) {
  test(`umask ${umask}`, async (t) => {
    const dataFolder = join(scratchFolder(t), "new", "data");
    const under = ["sh", "-c", `umask ${umask}; exec "$@"`, "sh"];
    const exchange = await start(t, "", { dataFolder, under });
    const client = clientOf(t, exchange);
    const order = {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      price: "20000",
      quantity: "0.001",
    };
    assert.equal((await client.signed("POST", "/api/v3/order", order)).status, 200);
    assert.equal((await client.patient("/api/v3/allOrders", { symbol: "BTCUSDT" })).status, 200);
    assert.deepEqual(modes(dataFolder), {}, "while it runs");
    assert.ok(readdirSync(dataFolder).some((name) => name.endsWith("-wal")));
    assert.equal(await exchange.stop(), 0);
    assert.deepEqual(modes(dataFolder), {}, "when it has stopped");
    assert.ok(readdirSync(join(dataFolder, "snapshots")).length > 0);
  });
}
