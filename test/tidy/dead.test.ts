/**
 * Checks that every source is reachable from something that is run: an npm script, a command, a package export, a test.
 * A program that another one starts is reached where it is named by `new URL("./reader-process.ts", import.meta.url)`.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./source.ts";

interface Named {
  readonly name: string;
}
interface Report {
  readonly issues: readonly {
    readonly file: string;
    readonly files: readonly Named[];
    readonly exports: readonly Named[];
    readonly types: readonly Named[];
  }[];
}

/** Unreachable files, and `file: name` for each export that is never imported. */
function dead(root: string): string[] {
  const knip = join(ROOT, "node_modules/knip/bin/knip.js");
  const args = [knip, "--no-progress", "--no-config-hints", "--reporter", "json"];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  assert.ok(stdout.startsWith("{"), `${stdout}${stderr}`);
  return (JSON.parse(stdout) as Report).issues
    .flatMap(({ file, files, exports, types }) => [
      ...files.map(() => file),
      ...[...exports, ...types].map(({ name }) => `${file}: ${name}`),
    ])
    .sort();
}

test("no file is dead, and nothing is exported that nobody imports", () => {
  assert.deepEqual(dead(ROOT), []);
});

const ALIVE: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({ type: "module", workspaces: ["packages/*"], scripts: { sim: "node sim/run.ts" } }),
  "sim/run.ts": 'import { fork } from "node:child_process";\nfork(new URL("./a-process.ts", import.meta.url));',
  "sim/a-process.ts": "console.log(1);",
  "test/a.test.ts": 'import { a } from "./support.ts";\na();',
  "test/support.ts": "export const a = (): void => {};",
  "packages/server/package.json": JSON.stringify({ name: "server", type: "module", exports: "./src/index.ts" }),
  "packages/server/src/index.ts": 'export { a } from "./a.ts";\nexport const b = import("./b.ts");',
  "packages/server/src/a.ts": 'new Worker(new URL("./a-worker.ts", import.meta.url));\nexport const a = 1;',
  "packages/server/src/a-worker.ts": 'import type { B } from "./b.ts";\nexport const a: B = 1;',
  "packages/server/src/b.ts": "export type B = number;",
};
const DEAD: Readonly<Record<string, string>> = {
  "sim/dead.ts": 'import "./deader.ts";',
  "sim/deader.ts": "export {};",
  "sim/dead-process.ts": "console.log(1);",
  "test/dead-support.ts": "export const a = 1;",
  "packages/server/src/dead.ts": "export const a = 1;",
  "packages/server/test/dead.ts": "export const a = 1;",
};

test("the check finds what is dead", () => {
  const folder = mkdtempSync(join(tmpdir(), "pricetime-dead-"));
  try {
    copyFileSync(join(ROOT, "knip.json"), join(folder, "knip.json"));
    const files = { ...ALIVE, ...DEAD, "test/support.ts": `${ALIVE["test/support.ts"]}\nexport const b = a;` };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    assert.deepEqual(dead(folder), [...Object.keys(DEAD), "test/support.ts: b"].sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});
