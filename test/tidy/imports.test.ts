/**
 * What no compiler checks: who imports whom, that every package is declared where it is used, and names.
 * Sizes and banned globals are the linter's, whose settings are tested in `lint.test.ts`.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { test } from "node:test";
import { circlesOfFiles, circlesOfRooms, placesOf } from "./circles.ts";
import { FOLDERS, forbiddenImports, target } from "./imports.ts";
import { PACKAGES } from "./rooms.ts";
import { CAMPAIGNS, filesUnder, isShipped, ROOT, readSource, type Source, sourcesUnder } from "./source.ts";

const HOMES = ["packages", "test", ...CAMPAIGNS, "examples", "scripts"];
const everything = HOMES.flatMap((folder) => sourcesUnder(folder));
const shipped = everything.filter(({ path }) => isShipped(path));

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

test("no imports go in a circle", () => {
  assert.deepEqual(circlesOfFiles(shipped), []);
  const source = (name: string, to: string): Source =>
    readSource(`packages/engine/src/${name}.ts`, `import type { A } from "./${to}.ts";`);
  assert.equal(circlesOfFiles([source("a", "b"), source("b", "c"), source("c", "a"), source("d", "a")]).length, 1);
  assert.equal(circlesOfFiles([source("a", "b"), source("b", "c"), source("d", "b")]).length, 0);
});

test("no rooms import each other", () => {
  assert.deepEqual(circlesOfRooms(shipped, FOLDERS), []);
});

test("no folder and its subfolder import each other, nor two subfolders", () => {
  assert.deepEqual(circlesOfRooms(shipped, placesOf(shipped)), []);
});

test("a subfolder and what it stands on cannot import each other", () => {
  const relativeTo = (from: string, to: string): string => {
    const path = relative(dirname(from), to);
    return path.startsWith(".") ? path : `./${path}`;
  };
  const source = (from: string, to: string): Source =>
    readSource(from, `import type { A } from "${relativeTo(from, to)}";`);
  const stairs: Readonly<Record<string, readonly (readonly [low: string, high: string])[]>> = {
    "packages/server/src/api": [
      ["call.ts", "wallet/a.ts"],
      ["submit.ts", "wallet/a.ts"],
      ["markets.ts", "orders/a.ts"],
      ["windows.ts", "market/a.ts"],
      ["orders/a.ts", "handlers.ts"],
      ["responder.ts", "confirmation/a.ts"],
      ["confirmation/a.ts", "pages/a.ts"],
      ["pages/a.ts", "gateway.ts"],
      ["confirmation/a.ts", "gateway.ts"],
    ],
    "packages/server/src/cli": [
      ["session/a.ts", "lab/a.ts"],
      ["session/a.ts", "data-folder/a.ts"],
      ["data-folder/a.ts", "cluster/a.ts"],
      ["proof/a.ts", "money/a.ts"],
      ["money/a.ts", "program.ts"],
    ],
    "packages/server/src/edge": [
      ["refusals.ts", "limits/a.ts"],
      ["limits/a.ts", "request.ts"],
      ["unread.ts", "http/a.ts"],
      ["http/a.ts", "sockets/a.ts"],
      ["http/a.ts", "http/direct/a.ts"],
      ["http/direct/a.ts", "http/edge.ts"],
    ],
    "packages/server/src/streams": [
      ["port.ts", "market/a.ts"],
      ["faults-port.ts", "user/a.ts"],
      ["user/a.ts", "hub.ts"],
    ],
    "packages/server/src/history": [
      ["port.ts", "orders/a.ts"],
      ["wallet-port.ts", "wallet/a.ts"],
      ["question.ts", "wallet/a.ts"],
      ["wallet/a.ts", "reading/a.ts"],
      ["schema.ts", "reading/a.ts"],
      ["wallet/a.ts", "schema.ts"],
      ["trades/a.ts", "history-writer.ts"],
      ["table/a.ts", "klines/a.ts"],
      ["klines/a.ts", "days/a.ts"],
    ],
    "packages/engine/src/funds": [
      ["amount.ts", "dust/a.ts"],
      ["networks.ts", "withdrawals/a.ts"],
      ["dust/a.ts", "funds-reader.ts"],
      ["withdrawals/a.ts", "transfers/a.ts"],
    ],
    "packages/server/src/wallet": [
      ["commands.ts", "manual/a.ts"],
      ["chain.ts", "sandbox/a.ts"],
      ["chain.ts", "evm/a.ts"],
      ["sandbox/a.ts", "wallet.ts"],
      ["manual/a.ts", "wallet.ts"],
      ["evm/a.ts", "wallet.ts"],
    ],
    "packages/server/src/web": [
      ["html.ts", "docs/a.ts"],
      ["port.ts", "docs/a.ts"],
      ["docs/a.ts", "site.ts"],
      ["docs/a.ts", "shelf-worker.ts"],
    ],
    "packages/server/src/demo": [
      ["markets.ts", "bots/a.ts"],
      ["operator.ts", "agents/a.ts"],
      ["bots/a.ts", "agents/a.ts"],
      ["bots/a.ts", "lab-bots.ts"],
      ["agents/a.ts", "lab-bots.ts"],
      ["agents/a.ts", "port.ts"],
      ["bots/a.ts", "demo.ts"],
    ],
    "packages/server/src/market-files": [
      ["rows.ts", "lobster/a.ts"],
      ["table.ts", "public-archive/a.ts"],
      ["public-archive/a.ts", "lobster/a.ts"],
      ["lobster/a.ts", "layouts.ts"],
      ["layouts.ts", "market-rows.ts"],
    ],
    "packages/server/src/lab/replay": [
      ["symbol-grid.ts", "lobster/a.ts"],
      ["player.ts", "lobster/a.ts"],
      ["lobster/a.ts", "replay.ts"],
      ["lobster/a.ts", "survey.ts"],
    ],
    "packages/lab/src/play": [
      ["course.ts", "report/a.ts"],
      ["run.ts", "report/a.ts"],
      ["report/a.ts", "play.ts"],
    ],
    "packages/protocol/src": [
      ["endpoint.ts", "endpoints/a.ts"],
      ["shapes/a.ts", "endpoints/a.ts"],
      ["endpoints/a.ts", "endpoints.ts"],
      ["endpoints.ts", "openapi/a.ts"],
      ["openapi/examples/a.ts", "openapi/a.ts"],
      ["openapi/a.ts", "index.ts"],
    ],
  };
  const all = Object.entries(stairs).flatMap(([room, pairs]) =>
    pairs.map(([low, high]) => ({ low: `${room}/${low}`, high: `${room}/${high}` })),
  );
  for (const { low, high } of all) {
    const both = [source(low, high), source(high, low)];
    assert.equal(forbiddenImports(both.slice(0, 1)).length, 1, `${low} imports ${high}`);
    assert.equal(forbiddenImports(both.slice(1)).length, 0, `${high} imports ${low}`);
    assert.equal(circlesOfRooms(both, placesOf(both)).length, 1, `${low} and ${high}`);
  }
  const neighbours = source("packages/server/src/api/wallet/a.ts", "packages/server/src/api/confirmation/a.ts");
  assert.equal(forbiddenImports([neighbours]).length, 1, "neighbours on a floor");
  const [inner, outer] = ["packages/server/src/mail/inner/a.ts", "packages/server/src/mail/b.ts"];
  const unlisted = [source(inner, outer), source(outer, inner)];
  assert.equal(forbiddenImports(unlisted).length, 0);
  assert.equal(circlesOfRooms(unlisted, placesOf(unlisted)).length, 1, "a folder that the table does not know");
});

test("the check of rooms finds what it looks for", () => {
  const source = (path: string, ...imports: string[]): Source =>
    readSource(path, imports.map((specifier) => `import type { A } from "${specifier}";`).join("\n"));
  const rooms = ["a", "a/inner", "b", "c", "c/one.ts"];
  const found = (...sources: Source[]): string[] => circlesOfRooms(sources, rooms);
  assert.deepEqual(found(source("a/x.ts", "../b/y.ts", "./z.ts"), source("b/y.ts", "../c/z.ts")), []);
  assert.deepEqual(found(source("a/x.ts", "../b/y.ts"), source("b/z.ts", "../a/w.ts")), [
    "a -> b -> a: a/x.ts:1 imports ../b/y.ts; b/z.ts:1 imports ../a/w.ts",
  ]);
  assert.equal(found(source("a/x.ts", "./inner/y.ts"), source("a/inner/z.ts", "../w.ts")).length, 1);
  assert.equal(found(source("c/x.ts", "./one.ts"), source("c/one.ts", "./y.ts")).length, 1);
  assert.equal(
    found(source("a/x.ts", "../b/y.ts"), source("b/z.ts", "../c/w.ts"), source("c/v.ts", "../a/u.ts")).length,
    1,
  );
  assert.equal(found(source("a/x.ts", "../d/y.ts"), source("d/y.ts", "../a/z.ts")).length, 0, "d is no room");
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
  // A test of the state's hash flips each field of the live state, so it must reach them.
  const hidden = everything.filter(({ path }) => !/^packages\/engine\/src\/(?:state\/|entry\/digest)/.test(path));
  const lines = hidden.flatMap(({ path, privateWords }) => privateWords.map((line) => `${path}:${line}`));
  assert.deepEqual(lines, [], "`#x` instead of `private x`");
  const text = "class A {\n  #a = 1;\n  private b = 1;\n  private constructor() {}\n  private static c(): void {}\n}";
  assert.deepEqual(readSource("a.ts", text).privateWords, [3, 5]);
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
