/** Checks that every test file is run by a script that `.ci/run` runs. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, matchesGlob } from "node:path";
import { test } from "node:test";
import { ROOT, type Source, readSource, resolveImport, sourcesUnder } from "./source.ts";

type Scripts = Readonly<Record<string, string>>;

const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly scripts: Scripts };
const ci = readFileSync(join(ROOT, ".ci/run"), "utf8");
const sources = [
  "packages",
  "test",
  "trials",
  "sim",
  "soak",
  "attack",
  "bench",
  "cluster",
  "failover",
  "examples",
  "scripts",
].flatMap((folder) => sourcesUnder(folder));

/** The npm scripts that a command or a shell script runs: `npm test`, `npm run NAME`. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/\bnpm (?:(test)\b|run (?:--silent )?([\w:-]+))/g)].map(
    ([, test, name]) => test ?? name ?? "",
  );
}

/** The files that `run-tests.ts` runs for these scripts and for the scripts that they run. */
function globsOf(names: readonly string[], all: Scripts): string[] {
  return names.flatMap((name) => {
    const script = all[name];
    assert.ok(script !== undefined, `there is no script ${name}`);
    const globs = [...script.matchAll(/--files "([^"]+)"/g)].map(([, glob = ""]) => glob);
    return [...globs, ...globsOf(namesIn(script), all)];
  });
}

/** Expands `{a,b}/c` to `a/c` and `b/c`. */
function alternativesOf(glob: string): string[] {
  const [braces, inside] = /\{([^{}]*)\}/.exec(glob) ?? [];
  if (braces === undefined || inside === undefined) return [glob];
  return inside.split(",").flatMap((one) => alternativesOf(glob.replace(braces, one)));
}

const run = ({ path }: Source, globs: readonly string[]): boolean => globs.some((glob) => matchesGlob(path, glob));

/** Sources that are tests: by their name, or because they use Node's test runner and are not imported. */
function testFiles(all: readonly Source[]): Source[] {
  const imported = new Set(
    all.flatMap(({ path, imports }) => imports.map(({ specifier }) => resolveImport(path, specifier))),
  );
  return all.filter(({ path, imports }) => {
    if (/\.(?:test|trial|campaign)\.ts$/.test(path)) return true;
    return !imported.has(path) && imports.some(({ specifier }) => specifier === "node:test");
  });
}

const lost = (all: readonly Source[], globs: readonly string[]): string[] =>
  testFiles(all)
    .filter((file) => !run(file, globs))
    .map(({ path }) => path);

test("every test file is run by a script that .ci/run runs", () => {
  const globs = globsOf(namesIn(ci), scripts);
  assert.ok(globs.length >= 4, `.ci/run runs ${globs.join(", ")}`);
  assert.ok(testFiles(sources).length > 200);
  assert.deepEqual(lost(sources, globs), []);
});

test("a test file that no script runs is found", () => {
  const planted = ["test/lost.spec.ts", "bench/lost.test.ts", "test/a/lost.trial.ts", "trials/lost.campaign.ts"].map(
    (path) => readSource(path, 'import { test } from "node:test";\n'),
  );
  const globs = globsOf(namesIn(ci), scripts);
  assert.deepEqual(lost([...sources, ...planted], globs).sort(), planted.map(({ path }) => path).sort());
  const withoutTrials = globsOf(namesIn(ci.replace(/npm run .*trials/g, "")), scripts);
  assert.ok(lost(sources, withoutTrials).some((path) => path.endsWith(".trial.ts")));
});

test("the fast tests are some of the tests", () => {
  const [fast, all] = [globsOf(["test:fast"], scripts), globsOf(["test"], scripts)];
  for (const glob of fast.flatMap(alternativesOf))
    assert.ok(
      sources.some((file) => matchesGlob(file.path, glob)),
      `${glob} names no file`,
    );
  const files = testFiles(sources).filter((file) => run(file, fast));
  assert.ok(files.length > 40, `only ${files.length} files`);
  assert.deepEqual(lost(files, all), []);
});

/** The processor time of children is measured by `sh`, which Windows lacks. */
const skip = process.platform === "win32";
test("the runner fails when a test fails and when there is none to run; it tells what a file costs", { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), "pricetime-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "good.test.ts"), "for (let end = performance.now() + 50; performance.now() < end; );");
  writeFileSync(join(folder, "bad.test.ts"), 'throw new Error("bad");');
  // Node's test runner runs nothing within a test of its own.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = (...args: string[]): { readonly status: number | null; readonly stdout: string } =>
    spawnSync(process.execPath, [join(ROOT, "scripts/run-tests.ts"), ...args], { encoding: "utf8", env });
  writeFileSync(join(folder, "endless.spec.ts"), "setInterval(() => {}, 1_000);");
  const endless = run("--files", join(folder, "endless.spec.ts"), "--file-minutes", "0.005");
  assert.equal(endless.status, 1);
  assert.match(endless.stdout, /endless\.spec\.ts has not ended within 0\.005 min/);
  // A campaign is repeated as a campaign, not as the shorter test that it imports.
  writeFileSync(
    join(folder, "rounds.test.mts"),
    'import { test } from "node:test"; test("all rounds", () => { if (process.env.ROUNDS === "many") throw new Error("rare"); });',
  );
  writeFileSync(
    join(folder, "rounds.campaign.mts"),
    'process.env.ROUNDS = "many";\nawait import("./rounds.test.mts");',
  );
  const campaign = run("--files", join(folder, "rounds.campaign.mts"), "--again-alone", "1");
  assert.equal(campaign.status, 1, campaign.stdout);
  const glob = `${folder.replaceAll("\\", "/")}/*.test.ts`;
  const [good, none] = [run("--files", glob, join(folder, "good.test.ts")), run("--files", glob, join(ROOT, "test"))];
  assert.deepEqual([good.status, none.status], [0, 1]);
  const times = run("--files", glob, "--times");
  assert.equal(times.status, 1);
  assert.match(times.stdout, /^ +\d+\.\d s CPU .*bad\.test\.ts {2}FAILED$/m);
  const [, cpuS] = /^ +(\d+\.\d) s CPU .*good\.test\.ts$/m.exec(times.stdout) ?? [];
  assert.ok(Number(cpuS) >= 0.1, times.stdout);
});
