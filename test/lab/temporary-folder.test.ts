/** A lab without `--data`, as users start one: its folder, which the banner names, comes and goes with it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { type DemoFile, failToStart, ROOT, startExchange } from "@pricetime/testkit/venue";

test("without --data a lab names its temporary folder, writes demo.json and admin.json there, and removes it at its stop", async () => {
  const ownFolder = join(ROOT, "data");
  const wasThere = existsSync(ownFolder);
  const lab = await startExchange({ isTemporary: true, args: ["--lab", "--bots", "off"] });
  let code: number | null;
  try {
    assert.ok(lab.output().includes("a demo exchange, a lab"));
    // The folder that the banner names.
    const { dataFolder } = lab;
    assert.equal(dirname(dataFolder), tmpdir());
    assert.equal(statSync(dataFolder).mode & 0o777, 0o700);
    const [demo, admin] = ["demo.json", "admin.json"].map((name) => {
      assert.equal(statSync(join(dataFolder, name)).mode & 0o777, 0o600, name);
      return JSON.parse(readFileSync(join(dataFolder, name), "utf8")) as DemoFile;
    });
    assert.deepEqual([admin?.rest, admin?.admin, admin?.adminToken], [demo?.rest, demo?.admin, demo?.adminToken]);
    const headers = { authorization: `Bearer ${admin?.adminToken}` };
    const clock = await fetch(`${admin?.admin}/v1/lab/clock`, { headers });
    assert.equal(clock.status, 200);
    assert.ok(lab.output().includes(`--data ${dataFolder}`), "the command to type finds the lab");
  } finally {
    code = await lab.stop();
  }
  assert.equal(code, 0);
  assert.ok(!existsSync(lab.dataFolder), `left behind: ${existsSync(lab.dataFolder) && readdirSync(lab.dataFolder)}`);
  assert.equal(existsSync(ownFolder), wasThere, "the folder of a node without a lab is not touched");
});

test("two of them at a time have a folder each", async () => {
  const labs = await Promise.all(
    [1, 2].map(() => startExchange({ isTemporary: true, args: ["--lab", "--bots", "off"] })),
  );
  const folders = labs.map(({ dataFolder }) => dataFolder);
  assert.equal(new Set(folders).size, 2);
  await labs[0]?.stop();
  assert.deepEqual(folders.map(existsSync), [false, true]);
  await labs[1]?.stop();
});

test("a start that is refused leaves none", async (t) => {
  const place = scratchFolder(t);
  const squatter = createServer().listen(0, "127.0.0.1");
  await once(squatter, "listening");
  const { port } = squatter.address() as AddressInfo;
  for (const ports of [
    ["--port", String(port), "--admin-port", "0"],
    ["--port", "0", "--admin-port", String(port)],
  ]) {
    const { code, stderr } = await failToStart(["--lab", "--bots", "off", ...ports], { TMPDIR: place });
    assert.equal(code, 1);
    assert.match(stderr, /in use/);
    assert.deepEqual(readdirSync(place), []);
  }
  squatter.close();
});
