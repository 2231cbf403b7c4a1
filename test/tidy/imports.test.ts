/**
 * Checks what no compiler checks: the allowed imports, that every package is declared where it is used, and names. The
 * linter checks sizes and banned globals; `lint.test.ts` tests its settings.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { test } from "node:test";
import {
  circlesOfFiles,
  circlesOfFolders,
  forbiddenImports,
  LAYERS,
  LIFTED,
  PACKAGES,
  PURE,
  SIGNER,
  THROUGH_PORTS,
  target,
  WIRING,
} from "./layers.ts";
import { CAMPAIGNS, filesUnder, isShipped, ROOT, readSource, type Source, sourcesUnder } from "./source.ts";

const HOMES = ["packages", "test", ...CAMPAIGNS, "examples", "scripts"];
const relativeTo = (from: string, to: string): string => {
  const path = relative(dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
};
const everything = HOMES.flatMap((folder) => sourcesUnder(folder));
const shipped = everything.filter(({ path }) => isShipped(path));

test("imports go only where the layers allow", () => {
  assert.ok(shipped.length > 10, "the sources were not found");
  assert.deepEqual(forbiddenImports(shipped), []);
});

test("the check of imports finds what it looks for", () => {
  const bad = (path: string, text: string): number => forbiddenImports([readSource(path, text)]).length;
  const imports = (from: string, to: string): number => bad(from, `import { b } from "${relativeTo(from, to)}";`);
  const types = (from: string, to: string): number => bad(from, `import type { B } from "${relativeTo(from, to)}";`);
  for (const [folder, layers] of Object.entries(LAYERS)) {
    const file = (part: string): string => `${folder}/${part.includes(".") ? part : `${part}/a.ts`}`;
    const parts = layers.flatMap((line, layer) => line.map((part) => ({ part, layer })));
    for (const from of parts) {
      for (const to of parts.filter(({ part }) => part !== from.part)) {
        const isDown = to.layer < from.layer;
        assert.equal(types(file(from.part), file(to.part)), isDown ? 0 : 1, `${from.part} imports ${to.part}`);
      }
    }
  }
  const server = "packages/server/src";
  assert.equal(bad("packages/engine/src/entry/a.ts", 'import fs from "node:fs";'), 1);
  assert.equal(bad("packages/engine/src/entry/a.ts", 'import type { B } from "../../../protocol/src/b.ts";'), 1);
  assert.equal(bad(`${server}/api/a.ts`, 'import { B } from "../../../engine/src/engine.ts";'), 1);
  assert.equal(bad(`${server}/api/a.ts`, 'import { B } from "@pricetime/engine";'), 0);
  assert.equal(bad("packages/protocol/src/a.ts", 'import { B } from "@pricetime/engine";'), 1);
  assert.equal(bad("packages/engine/src/a.ts", 'import type { B } from "@pricetime/protocol";'), 1);
  const web = "packages/web/src";
  assert.equal(bad(`${web}/console/a.ts`, 'import { B } from "@pricetime/server/answers";'), 1);
  assert.equal(bad(`${web}/console/a.ts`, 'import type { B } from "@pricetime/server/answers";'), 0);
  assert.equal(bad(`${web}/console/a.ts`, 'import type { B } from "@pricetime/server/parts";'), 1);
  assert.equal(bad(`${web}/rules/a.ts`, 'import { B } from "@pricetime/engine/filters";'), 0);
  assert.equal(bad(`${web}/rules/a.ts`, 'import { signal } from "@preact/signals";'), 1);
  assert.equal(imports(`${server}/history/shapes/a.ts`, `${server}/history/reading/b.ts`), 1);
  assert.equal(types(`${server}/history/shapes/a.ts`, `${server}/history/port.ts`), 0);
  assert.equal(imports(`${server}/cluster/a.ts`, `${server}/journal/journal-file.ts`), 1);
  assert.equal(imports(`${server}/journal/storage/a.ts`, `${server}/journal/journal-file.ts`), 0);
  for (const part of ["journal/sequencer", "history", "funds/wallet", "cluster"]) {
    for (const who of ["api/a.ts", "api/orders/a.ts", "people/admin/a.ts"]) {
      assert.equal(imports(`${server}/${who}`, `${server}/${part}/b.ts`), 1, `${who} runs ${part}`);
      assert.equal(imports(`${server}/${who}`, `${server}/${part}/port.ts`), 0);
      assert.equal(types(`${server}/${who}`, `${server}/${part}/b.ts`), 0);
    }
  }
  assert.equal(imports(`${server}/api/a.ts`, `${server}/history/shapes/b.ts`), 0);
  assert.equal(imports(`${SIGNER.folder}/a.ts`, `${server}/platform/config/b.ts`), 0);
  assert.equal(imports(`${SIGNER.folder}/a.ts`, `${server}/funds/wallet/b.ts`), 1);
  assert.equal(imports(`${server}/main.ts`, `${server}/api/b.ts`), 0);
  assert.equal(imports(`${server}/program/exports/a.ts`, `${server}/api/b.ts`), 0);
  assert.equal(imports(`${server}/program/start/a.ts`, `${server}/program/exports/b.ts`), 1);
  assert.equal(bad(`${server}/program/cli/pricetime.ts`, 'const a = await import("../../main.ts");'), 0);
  assert.equal(bad(`${server}/program/cli/program.ts`, 'const a = await import("../../main.ts");'), 1);
});

test("what the layers name is there", () => {
  const named = Object.entries(LAYERS).flatMap(([folder, layers]) => layers.flat().map((part) => `${folder}/${part}`));
  const files = [...Object.keys(LIFTED), ...PURE, ...WIRING, SIGNER.folder, ...SIGNER.uses, ...Object.values(PACKAGES)];
  const ports = [...THROUGH_PORTS.who, ...THROUGH_PORTS.parts, ...THROUGH_PORTS.except];
  const missing = [...named, ...files, ...ports].filter((path) => !existsSync(join(ROOT, path)));
  assert.deepEqual(missing, []);
  const twice = named.filter((path, i) => named.indexOf(path) < i);
  assert.deepEqual(twice, []);
  const folders = readdirSync(join(ROOT, "packages/server/src"), { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  );
  const listed = LAYERS["packages/server/src"]?.flat() ?? [];
  assert.deepEqual(
    folders.map(({ name }) => name).toSorted(),
    listed.toSorted(),
    "every folder of the server has its layer",
  );
  assert.ok(listed.length <= 10, "the server has at most ten folders");
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

test("no imports go in a circle", () => {
  assert.deepEqual(circlesOfFiles(shipped), []);
  const source = (name: string, to: string): Source =>
    readSource(`packages/engine/src/${name}.ts`, `import type { A } from "./${to}.ts";`);
  assert.equal(circlesOfFiles([source("a", "b"), source("b", "c"), source("c", "a"), source("d", "a")]).length, 1);
  assert.equal(circlesOfFiles([source("a", "b"), source("b", "c"), source("d", "b")]).length, 0);
});

test("no folders import each other, nor a folder and a file beside it", () => {
  assert.deepEqual(circlesOfFolders(shipped), []);
  const source = (path: string, ...imports: string[]): Source =>
    readSource(`packages/x/src/${path}`, imports.map((to) => `import type { A } from "${to}";`).join("\n"));
  const found = (...sources: Source[]): string[] => circlesOfFolders(sources);
  assert.deepEqual(found(source("a/x.ts", "../b/y.ts", "./z.ts"), source("b/y.ts", "../c/z.ts")), []);
  assert.deepEqual(found(source("a/x.ts", "../b/y.ts"), source("b/z.ts", "../a/w.ts")), [
    "in packages/x/src: a -> b -> a: packages/x/src/a/x.ts:1 imports packages/x/src/b/y.ts; packages/x/src/b/z.ts:1 imports packages/x/src/a/w.ts",
  ]);
  assert.equal(found(source("a/x.ts", "./inner/y.ts"), source("a/inner/z.ts", "../x.ts")).length, 1);
  assert.equal(found(source("a/x.ts", "./inner/y.ts"), source("a/inner/z.ts", "../w.ts")).length, 0);
  assert.equal(
    found(source("a/x.ts", "../b/y.ts"), source("b/z.ts", "../c/w.ts"), source("c/v.ts", "../a/u.ts")).length,
    1,
  );
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
/** Converts `@scope/name/part` to `@scope/name`. */
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
      ...(isShipped(source.path) ? [] : ["@pricetime/testkit", "@pricetime/lab", "@pricetime/web"]),
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
  const packages = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}`);
  assert.ok(packages.includes("packages/lab"), "the packages were not found");
  for (const folder of [".", ...packages]) {
    const { dependencies, devDependencies } = manifest(folder);
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      assert.match(version, /^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+$/, `${folder}: ${name}`);
    }
  }
  assert.doesNotMatch(readFileSync(join(ROOT, "package-lock.json"), "utf8"), /"resolved": "http/);
});

test("what is private is private when the program runs", () => {
  // A test of the state's hash changes each field of the live state, so the fields must be accessible.
  const hidden = everything.filter(({ path }) => !/^packages\/engine\/src\/(?:state\/|entry\/digest)/.test(path));
  const lines = hidden.flatMap(({ path, privateWords }) => privateWords.map((line) => `${path}:${line}`));
  assert.deepEqual(lines, [], "`#x` instead of `private x`");
  const text = "class A {\n  #a = 1;\n  private b = 1;\n  private constructor() {}\n  private static c(): void {}\n}";
  assert.deepEqual(readSource("a.ts", text).privateWords, [3, 5]);
});

/** Words that do not describe a purpose. */
const EMPTY_WORDS = ["util", "utils", "helper", "helpers", "manager", "service", "services", "misc", "common"];
const saysNothing = (name: string): boolean =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[-_./]/)
    .some((word) => EMPTY_WORDS.includes(word));

test("names say what a thing is", () => {
  const code = HOMES.flatMap((folder) => filesUnder(join(ROOT, folder)))
    .map((file) => file.slice(ROOT.length + 1))
    .filter((file) => /\.tsx?$/.test(file));
  const badlyNamed = [
    ...code.filter((file) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*\.tsx?$/.test(basename(file))),
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
