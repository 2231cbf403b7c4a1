/**
 * Tests the grouping of test files that share a process: which may, and that a failed one is named and runs again
 * alone.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { sharingOf } from "../../scripts/together/choose.ts";
import { ROOT } from "./source.ts";

function folderOf(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "pricetime-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function runTogether(folder: string, ...more: readonly string[]): { status: number | null; stdout: string } {
  // Node's test runner runs nothing within a test of its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ["--together", ...more, "--files", `${folder.replaceAll("\\", "/")}/*.test.ts`];
  return spawnSync(process.execPath, [join(ROOT, "scripts/run-tests.ts"), ...args], { encoding: "utf8", env });
}

test("a file shares no process when it, or what it imports of the tests, changes or judges one, and with few when it waits", (t) => {
  const folder = folderOf(t, {
    "plain.ts": 'import { test } from "node:test";\nimport { a } from "./a.ts";\n',
    "a.ts": 'export const a = process.env["A"];\n',
    "by-import.ts": 'import {\n  b,\n} from "./b.ts";\n',
    "b.ts": 'export { c as b } from "./c.ts";\n',
    "c.ts": "export const c = performance.now();\n",
    "bare.ts": 'import "./c.ts";\n',
    "program.ts": 'import { startExchange } from "@pricetime/testkit/venue";\n',
    "timer.ts": 'import { setTimeout as pause } from "node:timers/promises";\n',
    "setting.ts": 'process.env["TZ"] = "Australia/Adelaide";\n',
  });
  const sharing = ["plain", "by-import", "bare", "setting", "program", "timer"].map((name) => [
    name,
    sharingOf(ROOT, join(folder, `${name}.ts`)),
  ]);
  const [none, few] = ["none", "few"];
  const wanted = { plain: "many", "by-import": none, bare: none, setting: none, program: few, timer: few };
  assert.deepEqual(Object.fromEntries(sharing), wanted);
});

test("of files that share a process the one that failed is told, and runs again alone", (t) => {
  const said = (name: string): string => `import { test } from "node:test";
import { appendFileSync } from "node:fs";
appendFileSync(new URL("./said", import.meta.url), "${name} " + process.pid + "\\n");`;
  const folder = folderOf(t, {
    said: "",
    "a.test.ts": `${said("a")}\nimport { after } from "node:test";\ntest("good", () => {});\nafter(() => {});`,
    "b.test.ts": `${said("b")}
import { existsSync, writeFileSync } from "node:fs";
const before = new URL("./before", import.meta.url);
test("good the second time", () => {
  if (existsSync(before)) return;
  writeFileSync(before, "");
  throw new Error("bad");
});`,
    "c.test.ts": said("c"),
    "own.test.ts": `${said("own")}\nperformance.now();`,
    "waits-1.test.ts": `${said("waits")}\nimport "node:child_process";`,
    "waits-2.test.ts": `${said("waits")}\nimport "node:timers";`,
  });
  const { status, stdout } = runTogether(folder, "--again-alone", "1");
  assert.equal(status, 0, stdout);
  assert.match(stdout, /FAILED BESIDE OTHERS, passed alone: \S*b\.test\.ts$/m);
  const lines = readFileSync(join(folder, "said"), "utf8").trim().split("\n");
  const [a, b, c, own, waits] = ["a", "b", "c", "own", "waits"].map((name) =>
    lines.flatMap((line) => (line.startsWith(`${name} `) ? [line.split(" ")[1]] : [])),
  );
  assert.deepEqual([a?.length, b?.length, c?.length, own?.length], [1, 2, 1, 1], stdout);
  assert.deepEqual([b?.[0], c?.[0]], [a?.[0], a?.[0]], "one process");
  assert.deepEqual([waits?.length, new Set(waits).size], [2, 1], "one process");
  assert.equal(new Set([a?.[0], b?.[1], own?.[0], waits?.[0]]).size, 4, "a process each");
});

test("of files that share a process the one that does not end is told, and all are failed", (t) => {
  const folder = folderOf(t, {
    "a.test.ts": 'import { test } from "node:test";\ntest("good", () => {});',
    "b.test.ts": 'import { createServer } from "node:net";\ncreateServer().listen(0);',
  });
  const { status, stdout } = runTogether(folder, "--file-minutes", "0.05");
  assert.equal(status, 1, stdout);
  assert.match(stdout, /b\.test\.ts has not ended within 0\.05 min/);
});
