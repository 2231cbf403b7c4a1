/** What scripts of others rely on: flags, the ready line, demo.json, and clear refusals to start. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type DemoFile, ROOT, exchangeArguments, failToStart, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";

/** A refusal to start: not zero, one line that says why, nothing that looks like a crash. */
async function refusesToStart(args: readonly string[], why: RegExp): Promise<void> {
  const { code, stdout, stderr } = await failToStart(args);
  assert.ok(code !== null && code !== 0, `exit code ${code}`);
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => line.trim() !== "");
  assert.equal(lines.length, 1, `not one line:\n${stdout}${stderr}`);
  assert.match(lines[0] ?? "", why);
  assert.doesNotMatch(lines[0] ?? "", /\bat .*\.ts:\d+/);
}

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a demo starts funded, with what scripts need in demo.json; nobody else uses its folder; it is told twice to stop", async () => {
  const exchange = await startExchange({ args: ["--bots", "off"] });
  let code: number | null;
  try {
    const path = join(exchange.dataFolder, "demo.json");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const demo = JSON.parse(readFileSync(path, "utf8")) as DemoFile;
    assert.match(demo.rest, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.match(demo.ws, /^ws:\/\/127\.0\.0\.1:\d+$/);
    assert.match(demo.admin, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.ok(demo.adminToken.length >= 16);
    assert.equal(demo.accounts.length, 3);
    const { rest, admin } = JSON.parse(readFileSync(join(exchange.dataFolder, "admin.json"), "utf8")) as DemoFile;
    assert.deepEqual([rest, admin], [demo.rest, demo.admin]);
    const health = (await (await fetch(`${admin}/healthz`)).json()) as { version: string };
    assert.ok(exchange.output().includes(`Pricetime ${health.version}, a demo exchange`));
    for (const { name, email, apiKey, secretKey } of demo.accounts) {
      assert.ok(name !== "" && email.includes("@"));
      assert.match(apiKey, /^[A-Za-z0-9]{64}$/);
      assert.match(secretKey, /^[A-Za-z0-9]{64}$/);
    }
    for (const file of readdirSync(exchange.dataFolder)) {
      assert.equal(statSync(join(exchange.dataFolder, file)).mode & 0o077, 0, `${file} is open to others`);
    }
    await refusesToStart(["--port", "0", "--admin-port", "0", "--data", exchange.dataFolder], /in use|used by|lock/i);
    // Ctrl+C behind npm is told by the terminal and by npm.
    process.kill(exchange.pid, "SIGINT");
    process.kill(exchange.pid, "SIGTERM");
  } finally {
    code = await exchange.stop();
  }
  assert.equal(code, 0);
});

test("a port that is taken", async () => {
  const squatter = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => squatter.once("listening", done));
  const { port } = squatter.address() as AddressInfo;
  await withFolder(async (folder) => {
    const data = join(folder, "not", "there");
    await refusesToStart(["--port", String(port), "--admin-port", "0", "--data", data], /port|address|in use/i);
    assert.deepEqual(readdirSync(folder), [], "a refused start left a folder behind");
  });
  squatter.close();
});

test("a journal that is damaged, or lost", async () => {
  await withFolder(async (dataFolder) => {
    const args = ["--port", "0", "--admin-port", "0", "--bots", "off", "--data", dataFolder];
    await (await startExchange({ dataFolder, args: ["--bots", "off"] })).stop();
    const path = join(dataFolder, "journal.sqlite");
    const journal = new DatabaseSync(path);
    journal.exec("UPDATE batches SET time_ms = time_ms + 1 WHERE first_seq = (SELECT max(first_seq) FROM batches)");
    journal.close();
    await refusesToStart(args, /journal/i);
    for (const file of readdirSync(dataFolder)) {
      if (file.startsWith("journal.sqlite")) rmSync(join(dataFolder, file));
    }
    await refusesToStart(args, /journal/i);
  });
});

test("whatever stops a start, its last word is why, and an exit code of its own", async () => {
  await withFolder(async (folder) => {
    const config = join(folder, "pricetime.yaml");
    const data = join(folder, "data");
    const start = ["--port", "0", "--data", data, "--bots", "off"];
    const squatter = createServer().listen(0, "127.0.0.1");
    await once(squatter, "listening");
    const { port } = squatter.address() as AddressInfo;
    await refusesToStart([...start, "--admin-port", String(port)], /in use/);
    squatter.close();
    writeFileSync(config, "symbols: [{symbol: ABCDEF, baseAsset: ABC, quoteAsset: DEF, filters: {}}]\n");
    await refusesToStart([...start, "--admin-port", "0", "--config", config], /ABC/);
    assert.ok(!existsSync(data), "a refused start left a data folder behind");
    mkdirSync(join(data, "sandbox"), { recursive: true });
    writeFileSync(join(data, "sandbox", "BTC.sqlite"), "no sandbox, whatever its name".repeat(100));
    await refusesToStart([...start, "--admin-port", "0"], /networks: BTC/);
    rmSync(join(data, "sandbox"), { recursive: true });
    writeFileSync(join(data, "mail"), "a file where a folder is to be");
    await refusesToStart([...start, "--admin-port", "0"], /mail/);
    assert.deepEqual(readdirSync(data), ["mail"], "a refused start left something behind in a folder that was there");
  });
});

test("a configuration key that does not exist, a flag that does not exist", async () => {
  await withFolder(async (folder) => {
    const config = join(folder, "pricetime.yaml");
    writeFileSync(config, "prot: 9000\n");
    await refusesToStart(["--config", config, "--data", join(folder, "data")], /prot/);
    await refusesToStart(["--prot", "9000", "--data", join(folder, "data")], /prot/);
    await refusesToStart(["--port", "many", "--data", join(folder, "data")], /port/);
    assert.ok(!existsSync(join(folder, "data")), "a refused start made a data folder");
  });
});

test("what it says goes nowhere (a full disk, a pipe that nobody reads): it serves all the same", async () => {
  if (!existsSync("/dev/full")) return;
  await withFolder(async (dataFolder) => {
    const args = exchangeArguments(dataFolder, ["--bots", "off"]);
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", full, full] });
    closeSync(full);
    const ended = once(child, "exit");
    const path = join(dataFolder, "demo.json");
    await until("it is ready, or ends", () => existsSync(path) || child.exitCode !== null);
    assert.equal(child.exitCode, null, "it ended");
    const { admin } = JSON.parse(readFileSync(path, "utf8")) as DemoFile;
    const isReady = async (): Promise<boolean> => (await fetch(`${admin}/readyz`)).status === 200;
    await until("it is ready", isReady);
    child.kill("SIGTERM");
    assert.deepEqual(await ended, [0, null]);
  });
});

test("admin.json is there while a node runs, and gone when it has stopped", async () => {
  await withFolder(async (dataFolder) => {
    const exchange = await startExchange({ dataFolder, args: ["--no-demo"] });
    assert.ok(existsSync(join(dataFolder, "admin.json")));
    assert.match(exchange.output(), /npx pricetime account list --data/);
    assert.equal(await exchange.stop(), 0);
    assert.ok(!existsSync(join(dataFolder, "admin.json")));
  });
});

test("npm start keeps what Node compiled for the next start", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: { start: string } };
  const flags = scripts.start.split(" ").slice(1, -1);
  const asked = ["--print", "require('node:module').getCompileCacheDir()"];
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, [...flags, ...asked], { cwd: ROOT, env, encoding: "utf8" });
  assert.ok(stdout.startsWith(join(ROOT, "node_modules/.cache/compiled")), stdout);
});

test("SIGTERM to npm start stops the exchange behind it, and leaves one journal file; the next start has the same keys", async () => {
  await withFolder(async (dataFolder) => {
    const args = ["start", "--", "--port", "0", "--admin-port", "0", "--bots", "off", "--data", dataFolder];
    const npm = spawn("npm", args, { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] });
    // Not its exit: the program writes to the same pipe, and may end after it.
    const ended = once(npm, "close");
    await untilSaid(npm, /^ready /m);
    const { accounts } = JSON.parse(readFileSync(join(dataFolder, "demo.json"), "utf8")) as DemoFile;
    npm.kill("SIGTERM");
    await ended;
    // npm does not wait for the program, which lets go of its folder in its own time.
    await until("it has ended", () => !existsSync(join(dataFolder, "journal.sqlite-wal")));
    const again = await startExchange({ dataFolder, args: ["--bots", "off"] });
    assert.deepEqual(again.accounts, accounts);
    assert.equal(await again.stop(), 0);
    assert.ok(!existsSync(join(dataFolder, "journal.sqlite-wal")));
  });
});

async function untilSaid(child: ChildProcess, pattern: RegExp): Promise<void> {
  let said = "";
  const ended = once(child, "close");
  await new Promise<void>((seen, failed) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (pattern.test(said)) seen();
    });
    void ended.then(() => failed(new Error(`it ended after:\n${said}`)));
  });
}
