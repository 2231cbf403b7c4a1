/**
 * What no compiler checks: who imports whom, that every package is declared where it is used, and names.
 * Sizes and banned globals are the linter's, whose settings are tested in `tidy/lint.test.ts`.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, join } from "node:path";
import { test } from "node:test";
import { EXPORTS, PACKAGES, ROOMS, type Room, WIRING } from "./tidy/rooms.ts";
import {
  filesUnder,
  type Import,
  isShipped,
  ROOT,
  readSource,
  resolveImport,
  type Source,
  sourcesUnder,
} from "./tidy/source.ts";

const shipped = sourcesUnder("packages").filter(({ path }) => isShipped(path));
const everything = ["packages", "test", "bench", "sim", "soak", "attack", "trials", "examples", "scripts"].flatMap(
  (folder) => sourcesUnder(folder),
);

/** The innermost. */
const roomOf = (path: string): Room | undefined =>
  ROOMS.filter(({ folder }) => path === folder || path.startsWith(`${folder}/`)).sort(
    (a, b) => b.folder.length - a.folder.length,
  )[0];

/** Where an import leads: a path in the repository, or undefined for Node's modules and packages of npm. */
function target(from: Source, { specifier }: Import): string | undefined {
  if (specifier.startsWith(".")) return resolveImport(from.path, specifier);
  return PACKAGES[specifier];
}

function allowed(from: Source, found: Import): boolean {
  if (WIRING.includes(from.path) || from.path.startsWith(`${EXPORTS}/`)) return true;
  const room = roomOf(from.path);
  if (room === undefined) return false;
  const to = target(from, found);
  if (to === undefined) return room.outside;
  const there = roomOf(to);
  if (there === undefined) return false;
  if (there === room || room.code.includes(there.folder)) return true;
  const contract = found.typeOnly || basename(to) === "port.ts";
  return contract && room.contracts.includes(there.folder);
}

function forbiddenImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((found) => !allowed(source, found))
      .map((found) => `${source.path}:${found.line} imports ${found.specifier}`),
  );
}

test("imports go only where the rooms allow", () => {
  assert.ok(shipped.length > 10, "the sources were not found");
  assert.deepEqual(forbiddenImports(shipped), []);
});

test("the check of imports finds what it looks for", () => {
  const bad = (path: string, text: string): number => forbiddenImports([readSource(path, text)]).length;
  assert.equal(bad("packages/engine/src/entry/a.ts", 'import fs from "node:fs";'), 1);
  assert.equal(bad("packages/engine/src/entry/a.ts", 'import type { B } from "../../../protocol/src/b.ts";'), 1);
  assert.equal(bad("packages/protocol/src/a.ts", 'import { b } from "@pricetime/engine";'), 1);
  assert.equal(bad("packages/server/src/api/a.ts", 'import { b } from "../journal/sqlite.ts";'), 1);
  assert.equal(bad("packages/server/src/api/a.ts", 'import { b } from "../sequencer/group-commit.ts";'), 1);
  assert.equal(bad("packages/server/src/api/a.ts", 'import { b } from "../sequencer/port.ts";'), 0);
  assert.equal(bad("packages/server/src/api/a.ts", 'import type { B } from "../history/port.ts";'), 0);
  assert.equal(bad("packages/server/src/history/a.ts", 'import type { B } from "../api/b.ts";'), 1);
  assert.equal(bad("packages/server/src/api/a.ts", 'import { B } from "../../../engine/src/engine.ts";'), 1);
  assert.equal(bad("packages/server/src/stray.ts", 'import { b } from "./api/b.ts";'), 1);
  assert.equal(bad("packages/server/src/main.ts", 'import { b } from "./api/b.ts";'), 0);
  assert.equal(bad("packages/server/src/replica/a.ts", 'import { b } from "../journal/journal-file.ts";'), 1);
  assert.equal(bad("packages/server/src/replica/a.ts", 'import { b } from "../journal/port.ts";'), 0);
  assert.equal(bad("packages/server/src/cli/a.ts", 'import { b } from "../journal/journal-file.ts";'), 1);
  assert.equal(bad("packages/server/src/exports/a.ts", 'export { b } from "../api/b.ts";'), 0);
  assert.equal(bad("packages/server/src/api/a.ts", 'import { b } from "../exports/b.ts";'), 1);
  assert.equal(bad("packages/server/src/cli/pricetime.ts", 'const a = await import("../main.ts");'), 0);
  assert.equal(bad("packages/server/src/cli/program.ts", 'const a = await import("../main.ts");'), 1);
});

test("imports in the engine run down only", () => {
  const imports = (room: string, to: string): number =>
    forbiddenImports([readSource(`packages/engine/src/${room}/a.ts`, `import type { B } from "${to}";`)]).length;
  const upAndDown: readonly (readonly [low: string, high: string])[] = [
    ["entry", "state/order"],
    ["view", "state/order"],
    ["state/order", "state/book"],
    ["state/order", "state/market"],
    ["state/book", "trading"],
    ["state/market", "state/exchange-state.ts"],
    ["state/funds", "funds"],
    ["funds", "listing"],
    ["trading", "engine.ts"],
  ];
  for (const [low, high] of upAndDown) {
    const to = (from: string, room: string): string =>
      `${"../".repeat(from.split("/").length)}${room.endsWith(".ts") ? room : `${room}/b.ts`}`;
    assert.equal(imports(low, to(low, high)), 1, `${low} imports ${high}`);
    if (!high.endsWith(".ts")) assert.equal(imports(high, to(high, low)), 0, `${high} imports ${low}`);
  }
  assert.equal(imports("trading", "../funds/b.ts"), 1, "what a command does knows nothing of its neighbours");
  const stray = readSource("packages/engine/src/stray.ts", 'import type { B } from "./entry/b.ts";');
  assert.equal(forbiddenImports([stray]).length, 1, "a file beside the rooms that is no room");
});

test("nothing that is shipped imports a test, a benchmark or the simulator", () => {
  const strays = shipped.flatMap((source) =>
    source.imports
      .map((found) => target(source, found))
      .filter((to) => to !== undefined && !isShipped(to))
      .map((to) => `${source.path} imports ${to}`),
  );
  assert.deepEqual(strays, []);
});

/** Files that cannot be read without each other, as far as the code within one thread and its types go. */
function circles(sources: readonly Source[]): string[] {
  const targets = new Map(
    sources.map((source) => [
      source.path,
      source.imports.filter(({ isWorker }) => !isWorker).map((found) => target(source, found)),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(" -> "));
    if (done.has(path) || trail.includes(path)) return;
    for (const to of targets.get(path) ?? []) if (to !== undefined) walk(to, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) walk(path, []);
  return found;
}

test("no imports go in a circle", () => {
  assert.deepEqual(circles(shipped), []);
  const source = (name: string, to: string): Source =>
    readSource(`packages/engine/src/${name}.ts`, `import type { A } from "./${to}.ts";`);
  assert.equal(circles([source("a", "b"), source("b", "c"), source("c", "a"), source("d", "a")]).length, 1);
  assert.equal(circles([source("a", "b"), source("b", "c"), source("d", "b")]).length, 0);
});

interface Manifest {
  readonly name: string;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}
const manifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest;
const declared = ({ name, dependencies, devDependencies }: Manifest): string[] => [
  name,
  ...Object.keys({ ...dependencies, ...devDependencies }),
];
/** `@scope/name/part` -> `@scope/name`. */
const packageName = (specifier: string): string => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

test("every package that is imported is declared where it is used", () => {
  const ofRoot = declared(manifest("."));
  const missing = everything.flatMap((source) => {
    const home = source.path.match(/^packages\/\w+/)?.[0];
    const known = [
      ...(home === undefined ? [] : declared(manifest(home))),
      ...(isShipped(source.path) ? [] : ofRoot),
      ...Object.keys(PACKAGES),
      "@pricetime/server",
      ...(isShipped(source.path) ? [] : ["@pricetime/testkit"]),
    ];
    return source.imports
      .map((found) => found.specifier)
      .filter((specifier) => !specifier.startsWith(".") && !specifier.startsWith("node:"))
      .filter((specifier) => builtinModules.includes(specifier) || !known.includes(packageName(specifier)))
      .map((specifier) => `${source.path} imports ${specifier}`);
  });
  assert.deepEqual(missing, []);
});

test("versions are pinned exactly and the lockfile names no download address", () => {
  for (const folder of [".", "packages/engine", "packages/protocol", "packages/server", "packages/testkit"]) {
    const { dependencies, devDependencies } = manifest(folder);
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      assert.match(version, /^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+$/, `${folder}: ${name}`);
    }
  }
  assert.doesNotMatch(readFileSync(join(ROOT, "package-lock.json"), "utf8"), /"resolved": "http/);
});

/** Words that say nothing about what a thing does. */
const EMPTY_WORDS = ["util", "utils", "helper", "helpers", "manager", "service", "services", "misc", "common"];
const saysNothing = (name: string): boolean =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_./]/)
    .some((word) => EMPTY_WORDS.includes(word));

test("names say what a thing is", () => {
  const files = filesUnder(ROOT).map((file) => file.slice(ROOT.length + 1));
  const code = files.filter(
    (file) => /^(?:packages|test|bench|sim|soak|attack|trials|examples|scripts)\//.test(file) && file.endsWith(".ts"),
  );
  const badlyNamed = [
    ...code.filter((file) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*\.ts$/.test(basename(file))),
    ...code.filter(saysNothing),
    ...everything.flatMap((source) => source.exports.filter(saysNothing).map((name) => `${source.path}: ${name}`)),
  ];
  assert.deepEqual(badlyNamed, []);
});

test("the check of names finds what it looks for", () => {
  for (const bad of ["utils.ts", "order-helper.ts", "a/common/b.ts", "OrderManager", "tradeService"])
    assert.ok(saysNothing(bad), bad);
  for (const good of ["order.ts", "commonality", "servicing.ts", "miscount"]) assert.ok(!saysNothing(good), good);
});
