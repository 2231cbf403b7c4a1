/** The linter's settings are code too: a rule that is misspelled checks nothing. Each must catch its fault. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT } from "./source.ts";

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);

const FAULTS: readonly (readonly [path: string, rule: string, text: string])[] = [
  ["packages/engine/src/a.ts", "no-restricted-globals", "export const a = Date.now();"],
  ["packages/engine/src/b.ts", "no-restricted-properties", "export const b = Math.random();"],
  ["packages/engine/src/c.ts", "no-restricted-globals", "setTimeout(() => {}, 1);"],
  ["packages/protocol/src/d.ts", "no-restricted-globals", 'export const d = Buffer.from("");'],
  ["packages/protocol/src/e.ts", "no-restricted-globals", "export const e = process.env;"],
  ["packages/server/src/f.ts", "max-lines", lines(501, "export {};")],
  ["packages/server/src/g.ts", "max-lines-per-function", `export function g(): void {\n${lines(81, "g();")}}`],
  ["packages/server/src/h.ts", "no-warning-comments", `// ${"TO"}DO: this\nexport {};`],
  ["packages/server/src/i.ts", "no-explicit-any", "export const i = (a: any): unknown => a;"],
  ["packages/server/src/j.ts", "eqeqeq", "export const j = (a: number): boolean => a == 1;"],
  ["packages/server/src/k.ts", "no-cycle", 'import { l } from "./l.ts";\nexport const k = (): unknown => l;'],
  ["packages/server/src/l.ts", "no-cycle", 'import { k } from "./k.ts";\nexport const l = (): unknown => k;'],
  ["test/m.ts", "no-unused-vars", "const m = 1;\nexport {};"],
];

interface Finding {
  readonly filename: string;
  readonly code: string;
}

test("each rule catches its fault", () => {
  const folder = temporaryFolder();
  try {
    copyFileSync(join(ROOT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
    for (const [path, , text] of FAULTS) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
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
  } finally {
    rmSync(folder, { recursive: true });
  }
});
