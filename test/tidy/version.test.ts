/** Checks that everything that is released together has the same version. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { VERSION } from "@pricetime/server/parts";
import { ROOT } from "./source.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const versionOf = (path: string): unknown => (JSON.parse(read(path)) as { version: unknown }).version;

test("every package has the version that the program tells, and the changelog a section for it", () => {
  const packages = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}/package.json`);
  assert.ok(packages.length >= 3);
  for (const path of ["package.json", ...packages]) assert.equal(versionOf(path), VERSION, path);
  const { packages: locked } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { version?: string; link?: boolean }>;
  };
  const own = Object.entries(locked).filter(([path]) => path === "" || path.startsWith("packages/"));
  assert.equal(own.length, packages.length + 1);
  for (const [path, { version }] of own) assert.equal(version, VERSION, `package-lock.json: ${path}`);
  assert.match(
    read("CHANGELOG.md"),
    new RegExp(`^## \\[${VERSION.replaceAll(".", "\\.")}\\] - \\d{4}-\\d\\d-\\d\\d$`, "m"),
  );
});
