/** A node inside another program, by what the package exports. */
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startExchange } from "@pricetime/server";
import { temporaryFolder } from "@pricetime/testkit/scratch";

const QUIET = { PRICETIME_LOG_LEVEL: "fatal" };

test("a program starts an exchange, asks it, and stops it; nothing is printed but its log", async (t) => {
  const printed: string[] = [];
  // What the test runner says goes the same way.
  const write = process.stdout.write.bind(process.stdout);
  t.mock.method(process.stdout, "write", (...given: Parameters<typeof write>) => {
    printed.push(String(given[0]));
    return write(...given);
  });
  const folder = temporaryFolder();
  const data = join(folder, "venue");
  try {
    const exchange = await startExchange({ port: 0, adminPort: 0, data, demo: false, environment: QUIET });
    assert.deepEqual(await (await fetch(`${exchange.rest}/api/v3/ping`)).json(), {});
    await exchange.stop();
    assert.deepEqual(
      printed.filter((text) => text.includes("Pricetime")),
      [],
    );
    await assert.rejects(fetch(`${exchange.rest}/api/v3/ping`));
    assert.ok(existsSync(data));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("what cannot be started is told in one line", async () => {
  await assert.rejects(startExchange({ port: 70_000 }), /^Error: settings: port: /);
});
