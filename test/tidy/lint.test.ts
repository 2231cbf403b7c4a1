/**
 * Tests the linter's settings, because a misspelled rule checks nothing: each rule must find an example of its fault.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "./source.ts";

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);

const ASYNC = "async function n(): Promise<void> {}\n";

const FAULTS: readonly (readonly [path: string, rule: string, text: string])[] = [
  ["packages/engine/src/a.ts", "no-restricted-globals", "export const a = Date.now();"],
  ["packages/engine/src/b.ts", "no-restricted-properties", "export const b = Math.random();"],
  ["packages/engine/src/c.ts", "no-restricted-globals", "setTimeout(() => {}, 1);"],
  ["packages/protocol/src/d.ts", "no-restricted-globals", 'export const d = Buffer.from("");'],
  ["packages/protocol/src/e.ts", "no-restricted-globals", "export const e = process.env;"],
  ["packages/server/src/people/mail/a.ts", "no-restricted-properties", "export const a = Date.now();"],
  ["packages/server/src/people/mail/b.ts", "no-restricted-globals", "setTimeout(() => {}, 1);"],
  ["packages/server/src/people/mail/c.ts", "no-restricted-globals", "export const c = performance.now();"],
  ["packages/server/src/people/mail/d.ts", "no-restricted-imports", 'export { randomUUID } from "node:crypto";'],
  [
    "packages/server/src/people/mail/e.ts",
    "no-restricted-imports",
    'import { setTimeout } from "node:timers/promises";',
  ],
  ["packages/server/src/f.ts", "max-lines", lines(501, "export {};")],
  ["packages/server/src/g.ts", "max-lines-per-function", `export function g(): void {\n${lines(81, "g();")}}`],
  ["packages/server/src/h.ts", "no-warning-comments", `// ${"TO"}DO: this\nexport {};`],
  ["packages/server/src/i.ts", "no-explicit-any", "export const i = (a: any): unknown => a;"],
  ["packages/server/src/j.ts", "eqeqeq", "export const j = (a: number): boolean => a == 1;"],
  ["packages/server/src/k.ts", "no-cycle", 'import { l } from "./l.ts";\nexport const k = (): unknown => l;'],
  ["packages/server/src/l.ts", "no-cycle", 'import { k } from "./k.ts";\nexport const l = (): unknown => k;'],
  ["test/m.ts", "no-unused-vars", "const m = 1;\nexport {};"],
  ["packages/server/src/n.ts", "no-floating-promises", `${ASYNC}n();`],
  ["packages/server/src/o.ts", "no-floating-promises", `${ASYNC}n().then(() => {});`],
  ["packages/server/src/p.ts", "no-misused-promises", `${ASYNC}setTimeout(n, 1);`],
  ["packages/server/src/q.ts", "no-misused-promises", `${ASYNC}export const q = n() ? 1 : 2;`],
  ["packages/server/src/r.ts", "await-thenable", `${ASYNC}await n;`],
  ["packages/server/src/s.ts", "only-throw-error", "export const s = (a: string): void => {\n  throw a;\n};"],
  ["packages/server/src/t.ts", "return-await", `${ASYNC}export const t = async (): Promise<void> => await n();`],
  ["packages/server/src/u.ts", "restrict-template-expressions", "export const u = (a: object): string => `${a}`;"],
  ["packages/web/src/a.ts", "no-restricted-properties", 'document.body.innerHTML = "a";'],
  ["packages/web/src/b.tsx", "no-danger", 'export const b = <p dangerouslySetInnerHTML={{ __html: "a" }} />;'],
  ["packages/web/src/c.tsx", "alt-text", 'export const c = <img src="a" />;'],
  ["packages/web/src/d.ts", "no-restricted-globals", "export const d = process.env;"],
  [
    "test/v.test.ts",
    "no-floating-promises",
    `import { test } from "node:test";\n${ASYNC}test("v", () => void n());\nn();`,
  ],
];

/** Sources in which the linter must find nothing. */
const FAULTLESS: readonly (readonly [path: string, text: string])[] = [
  ["test/w.test.ts", 'import { suite, test } from "node:test";\nsuite("w", () => {\n  test("x", async () => {});\n});'],
  ["packages/server/src/x.ts", `${ASYNC}// What fails here ends the process.\nvoid n();\nawait n();`],
];

/** The settings and the type information that some rules need. */
const SETTINGS = [
  ".oxlintrc.json",
  "tsconfig.base.json",
  "tsconfig.json",
  ...["engine", "lab", "protocol", "server", "testkit", "web", "web/test"].map(
    (name) => `packages/${name}/tsconfig.json`,
  ),
];

interface Finding {
  readonly filename: string;
  readonly code: string;
}

test("each rule catches its fault", () => {
  const folder = temporaryFolder();
  try {
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    };
    for (const [path, , text] of FAULTS) write(path, text);
    for (const [path, text] of FAULTLESS) write(path, text);
    for (const name of SETTINGS) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      copyFileSync(join(ROOT, name), join(folder, name));
    }
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const oxlint = join(ROOT, "node_modules/.bin/oxlint");
    const { stdout, stderr } = spawnSync(oxlint, ["-f", "json"], { cwd: folder, encoding: "utf8" });
    assert.ok(stdout.startsWith("{"), `${stdout}${stderr}`);
    const findings = (JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics;
    for (const [path, rule] of FAULTS) {
      const hits = findings.filter((finding) => finding.filename.endsWith(path)).map((finding) => finding.code);
      assert.ok(
        hits.some((code) => code.includes(`(${rule})`)),
        `${path}: wanted ${rule}, found ${hits.join(", ") || "nothing"}`,
      );
    }
    for (const [path] of FAULTLESS) {
      const hits = findings.filter((finding) => finding.filename.endsWith(path)).map((finding) => finding.code);
      assert.deepEqual(hits, [], path);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
