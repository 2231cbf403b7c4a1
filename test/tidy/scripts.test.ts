/**
 * Checks that the scripts of package.json run with `sh` and with `cmd.exe`, without syntax that only one of them
 * supports.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./source.ts";

interface Manifest {
  readonly scripts?: Record<string, string>;
}
const manifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest;

/** Programs that npm finds on every machine: Node, npm, and those of installed packages. */
const PROGRAMS = new Set(["node", "npm", ...readdirSync(join(ROOT, "node_modules/.bin"))]);
/**
 * Single quotes have no meaning in cmd.exe, `%`, `^` and `!` have none in sh, and the other characters mean different
 * things.
 */
const SHELL_CHARACTERS = /['`$;|<>%^!~\\]|(?<!&)&(?!&)/;

function fault(script: string): string | undefined {
  const [character] = SHELL_CHARACTERS.exec(script) ?? [];
  if (character !== undefined) return character;
  return script
    .split("&&")
    .map((part) => part.trim().split(" ")[0] ?? "")
    .find((word) => !PROGRAMS.has(word));
}

test("scripts are run by every shell", () => {
  const folders = [".", ...readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`)];
  const scripts = folders.flatMap((folder) => Object.entries(manifest(folder).scripts ?? {}));
  assert.ok(scripts.length > 10, "the scripts were not found");
  const faults = scripts.flatMap(([name, script]) => {
    const found = fault(script);
    return found === undefined ? [] : [`${name}: '${found}' in '${script}'`];
  });
  assert.deepEqual(faults, []);
});

test("the check of scripts finds what it looks for", () => {
  const bad = ["exec node a.ts", "PORT=1 node a.ts", "node 'a.ts'", "node a.ts; node b.ts", "node a.ts & node b.ts"];
  bad.push("rm -rf dist", "node a.ts > log", "node $HOME/a.ts", "node a.ts || node b.ts", "npm ci && cp a b");
  for (const script of bad) assert.notEqual(fault(script), undefined, script);
  for (const script of ["node --flag a.ts", "npm run a && npm run b", 'node --test "test/**/*.test.ts"', "tsc --build"])
    assert.equal(fault(script), undefined, script);
});
