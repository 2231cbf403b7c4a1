/** A node inside another program, by the package's exports. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { startExchange } from "@pricetime/server";
import { temporaryFolder } from "@pricetime/testkit/scratch";

const QUIET = { PRICETIME_LOG_LEVEL: "fatal" };

test("a program starts, uses and stops an exchange; only its log is printed", async (t) => {
  const printed: string[] = [];
  // The test runner writes to the same stream.
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

/** Active timers. */
function periodic(t: TestContext): Set<unknown> {
  const running = new Set<unknown>();
  const [begin, end] = [setInterval, clearInterval];
  t.mock.method(globalThis, "setInterval", (...given: Parameters<typeof begin>) => {
    const timer = begin(...given);
    running.add(timer);
    return timer;
  });
  t.mock.method(globalThis, "clearInterval", (timer: NodeJS.Timeout) => {
    running.delete(timer);
    end(timer);
  });
  return running;
}

/** A free port. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("no timers or handles remain after a stop or a failed start", async (t) => {
  const timers = periodic(t);
  const folder = temporaryFolder();
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const start = (name: string, port: number, adminPort: number) =>
    startExchange({ port, adminPort, data: join(folder, name), bots: "off", environment: QUIET });
  try {
    const exchange = await start("stopped", 0, 0);
    assert.ok(timers.size > 0);
    await exchange.stop();
    assert.equal(timers.size, 0, "a timer goes on after the stop");

    const adminPort = await freePort();
    await assert.rejects(start("refused", (taken.address() as AddressInfo).port, adminPort), /is already in use/);
    assert.equal(timers.size, 0, "a timer goes on after a start that failed");
    await assert.rejects(fetch(`http://127.0.0.1:${adminPort}/`), "the admin API is open");
  } finally {
    taken.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a failed start is reported in one line", async () => {
  await assert.rejects(startExchange({ port: 70_000 }), /^Error: settings: port: /);
});
