/**
 * Checks that packages are imported through the entry points in their package.json, and that campaigns do not import
 * each other's files: shared code belongs into the test kit.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CAMPAIGNS, readSource, resolveImport, type Source, sourcesUnder } from "./source.ts";

const FOLDERS = ["packages", "test", "examples", ...CAMPAIGNS];
/** A planted bug names the method that it replaces. */
const PLANTED_BUGS = "sim/mutations/";

/** Files that may import each other: a package with its tests, a campaign, the tests from outside. */
function homeOf(path: string): string {
  return /^(?:packages\/)?[^/]+/.exec(path)?.[0] ?? path;
}

function mayReach(from: string, to: string): boolean {
  if (homeOf(from) === homeOf(to)) return true;
  if (from.startsWith(PLANTED_BUGS)) return to.startsWith("packages/");
  // Tests of campaigns and of generating scripts may import them.
  return (
    CAMPAIGNS.some((name) => from.startsWith(`test/${name}/`) && to.startsWith(`${name}/`)) ||
    (/^test\/(?:tidy|todays-interface)\//.test(from) && to.startsWith("scripts/"))
  );
}

function deepImports(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      // A path to a program that is started is no import.
      .filter(({ specifier, isWorker }) => specifier.startsWith(".") && !isWorker)
      .filter(({ specifier }) => !mayReach(path, resolveImport(path, specifier)))
      .map(({ specifier, line }) => `${path}:${line} imports ${specifier}`),
  );
}

test("nothing reaches past a package's entries, or into another campaign", () => {
  const sources = FOLDERS.flatMap((folder) => sourcesUnder(folder));
  assert.ok(sources.length > 500, "the sources were not found");
  assert.deepEqual(deepImports(sources), []);
});

test("the check finds what it looks for", () => {
  const found = (path: string, specifier: string): number =>
    deepImports([readSource(path, `import { a } from "${specifier}";`)]).length;
  for (const folder of [...CAMPAIGNS, "test", "examples"]) {
    assert.equal(found(`${folder}/a.ts`, "../packages/server/src/journal/port.ts"), 1, folder);
    assert.equal(found(`${folder}/b/a.ts`, "../../packages/engine/test/model.ts"), 1, folder);
    assert.equal(found(`${folder}/a.ts`, "@pricetime/server/data-folder"), 0, folder);
    assert.equal(found(`${folder}/a.ts`, "./b/c.ts"), 0, folder);
  }
  assert.equal(found("soak/a.ts", "../bench/measure.ts"), 1);
  assert.equal(found("attack/attacks/a.ts", "../../test/faults/rig.ts"), 1);
  assert.equal(found("test/stream/a.test.ts", "../../soak/soak.ts"), 1);
  assert.equal(found("test/soak/soak.test.ts", "../../soak/soak.ts"), 0);
  assert.equal(found("packages/server/test/a.test.ts", "../src/a.ts"), 0);
  assert.equal(found("packages/server/test/a.test.ts", "../../engine/src/a.ts"), 1);
  assert.equal(found("packages/testkit/src/a.ts", "../../server/src/main.ts"), 1);
  assert.equal(found("sim/mutations/a.ts", "../../packages/engine/src/a.ts"), 0);
  assert.equal(found("sim/world/a.ts", "../../packages/engine/src/a.ts"), 1);
});
