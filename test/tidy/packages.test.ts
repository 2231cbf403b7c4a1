/** Checks that the files exist that a package.json promises to importers and users. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { filesUnder, ROOT } from "./source.ts";

interface Manifest {
  readonly name: string;
  readonly main?: unknown;
  readonly types?: unknown;
  readonly bin?: unknown;
  readonly exports?: unknown;
}

const FOLDERS = [
  ROOT,
  ...filesUnder(join(ROOT, "packages"))
    .filter((file) => file.endsWith("/package.json") && !file.includes("/node_modules/"))
    .map((file) => join(file, "..")),
];

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Paths at any depth of conditions (`import`, `types`) and subpaths; a pattern (`*`) up to its folder. */
function targetsIn(value: unknown): string[] {
  if (typeof value === "string")
    return [value.includes("*") ? value.slice(0, value.lastIndexOf("/", value.indexOf("*"))) : value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(targetsIn);
}

function missing(folder: string, { name, main, types, bin, exports }: Manifest): string[] {
  return targetsIn([main, types, bin, exports])
    .filter((target) => !existsSync(join(folder, target)))
    .map((target) => `${name}: ${target}`);
}

test("what the packages export and run is there", () => {
  assert.ok(FOLDERS.length >= 4, "the packages were not found");
  assert.deepEqual(
    FOLDERS.flatMap((folder) => missing(folder, manifestOf(folder))),
    [],
  );
});

test("the check finds what is missing", () => {
  const gone = {
    name: "p",
    bin: { p: "./no.ts" },
    exports: { ".": { import: "./none.ts", types: "./package.json" }, "./x/*": "./nowhere/*.ts" },
  };
  assert.deepEqual(missing(ROOT, gone), ["p: ./no.ts", "p: ./none.ts", "p: ./nowhere"]);
});

test("what the packages export can be imported", async () => {
  // Every part of the test kit is imported by some test; loading all of it here would take seconds, because of the
  // clients.
  const targets = FOLDERS.filter((folder) => !folder.endsWith("/testkit")).flatMap((folder) =>
    targetsIn(manifestOf(folder).exports).map((target) => join(folder, target)),
  );
  const code = targets.filter((target) => /\.[jt]s$/.test(target) && !target.endsWith(".d.ts"));
  assert.ok(code.length >= 3);
  for (const target of code) {
    const exported = Object.keys(await import(pathToFileURL(target).href));
    // Types are gone when a module runs.
    const isOfTypes = /^export type /m.test(readFileSync(target, "utf8"));
    assert.ok(exported.length > 0 || isOfTypes, target);
  }
});
