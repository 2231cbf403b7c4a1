/**
 * Runs test files with Node's test runner: `node scripts/run-tests.ts --files GLOB... [--at-a-time N]
 * [FILE_OR_FOLDER...]`. The globs after `--files` in package.json's scripts are the set; files and folders narrow it
 * down: `npm run test:run -- test/crash`. `--times` measures instead: one file at a time, with the processor time of
 * the file and its children. Exit code: that of Node; 1 if there is no such file. `--again-alone N`: if at most N files
 * failed, these run again one by one, and the second result counts; the last line names them. `--again-later FILE`:
 * failed files are written to FILE, one per line, and count as passed: the caller runs them later on an idle machine.
 * docs/decisions/0050. `--together`: files that may share a process (`together/choose.ts`) do. docs/decisions/0041.
 * `--built`: the programs that tests start are built first, as in the package, and start in half the time.
 * `--file-minutes N`: a file that takes longer is ended and has failed. Default: 10.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve, sep } from "node:path";
import { parseArgs } from "node:util";
import { sharingOf } from "./together/choose.ts";
import { type Groups, type Shared, writeGroups } from "./together/groups.ts";

const ROOT = resolve(import.meta.dirname, "..");
const IN_TEST_PROCESS = new URL("./test-process.ts", import.meta.url).href;
const REPORTER = new URL("./failed-files.ts", import.meta.url).href;
/**
 * The compile cache is kept between processes, so that files, and each program that they start, start in half the time.
 */
const COMPILED = join(ROOT, "node_modules/.cache/compiled");

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: "string", multiple: true, default: [] },
    "at-a-time": { type: "string", default: "3" },
    "again-alone": { type: "string", default: "0" },
    "again-later": { type: "string" },
    "file-minutes": { type: "string", default: "10" },
    times: { type: "boolean", default: false },
    together: { type: "boolean", default: false },
    built: { type: "boolean", default: false },
    /** Programs start as users start them, without a compile cache; test files have it. */
    cold: { type: "boolean", default: false },
  },
});

const NONE_SHARED: Shared = { many: [], few: [] };

const files = globSync(values.files, { cwd: ROOT }).filter(isAskedFor).sort();
const runner = ["--disable-warning=ExperimentalWarning", `--import=${IN_TEST_PROCESS}`, "--test"];
const bound = { TEST_FILE_MINUTES: values["file-minutes"] };
// Loading the bundler takes longer than many a test.
const program = values.built ? { TEST_PROGRAM_FOLDER: await (await import("./built-program.ts")).buildProgram() } : {};
const compiled = { TEST_COMPILE_CACHE: COMPILED, ...(!values.cold && { NODE_COMPILE_CACHE: COMPILED }) };
const options = { cwd: ROOT, env: { ...compiled, ...process.env, ...bound, ...program } };

if (files.length === 0) {
  console.error(`no test file is in ${(asked.length === 0 ? values.files : asked).join(", ")}`);
  process.exitCode = 1;
} else process.exitCode = values.times ? measure() : runAll();

function isAskedFor(file: string): boolean {
  const path = resolve(ROOT, file);
  return asked.length === 0 || asked.some((one) => path === resolve(one) || path.startsWith(resolve(one) + sep));
}

function runAll(): number {
  const first = run(files, values["at-a-time"], values.together && files.length > 1 ? sharedOf(files) : NONE_SHARED);
  if (first.exitCode === 0 || first.failed.length === 0 || first.failed.length > Number(values["again-alone"]))
    return first.exitCode;
  const later = values["again-later"];
  if (later !== undefined) {
    appendFileSync(later, first.failed.map((file) => `${file}\n`).join(""));
    console.log(`\nFAILED BESIDE OTHERS, to be run again alone: ${first.failed.join(", ")}`);
    return 0;
  }
  console.log(`\nfailed beside others, run again alone: ${first.failed.join(", ")}\n`);
  const second = run(first.failed, "1");
  const isGood = second.exitCode === 0;
  console.log(`\nFAILED BESIDE OTHERS, ${isGood ? "passed" : "and failed again"} alone: ${first.failed.join(", ")}`);
  return second.exitCode;
}

function sharedOf(some: readonly string[]): Shared {
  const sharing = new Map(some.map((file) => [file, sharingOf(ROOT, file)]));
  const those = (howMany: keyof Shared): readonly string[] => some.filter((file) => sharing.get(file) === howMany);
  return { many: those("many"), few: those("few") };
}

interface Outcome {
  readonly exitCode: number;
  readonly failed: readonly string[];
}

/** `shared` are the files that share a process with others. */
function run(some: readonly string[], atATime: string, shared = NONE_SHARED): Outcome {
  const folder = mkdtempSync(join(tmpdir(), "pricetime-tests-"));
  const list = join(folder, "failed");
  const reporters = [
    ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
    ...[`--test-reporter=${REPORTER}`, `--test-reporter-destination=${list}`],
  ];
  const groups: Groups = writeGroups(ROOT, folder, shared);
  const grouped = new Set([...groups.values()].flat());
  const alone = some.filter((file) => !grouped.has(file));
  const args = [...runner, ...reporters, `--test-concurrency=${atATime}`, ...groups.keys(), ...alone];
  try {
    const exitCode = spawnSync(process.execPath, args, { ...options, stdio: "inherit" }).status ?? 1;
    const told = readFileSync(list, "utf8").split("\n").filter(Boolean);
    // If a group did not exit normally although no file failed, any of its files may be the cause.
    const failed = new Set(told.flatMap((file) => groups.get(file) ?? startedFor(resolve(ROOT, file), some)));
    return { exitCode, failed: [...failed] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The file that was run: a campaign sets its rounds and imports the test, and the test's name is that of the failed
 * file.
 */
function startedFor(failed: string, some: readonly string[]): readonly string[] {
  const names = (one: string): boolean => readFileSync(resolve(ROOT, one), "utf8").includes(`/${basename(failed)}"`);
  const importing = some.some((one) => resolve(ROOT, one) === failed) ? [] : some.filter(names);
  return importing.length > 0 ? importing : [relative(ROOT, failed)];
}

interface Times {
  readonly file: string;
  readonly failed: boolean;
  /** User and system time of the file's process and of all its children that have exited. */
  readonly cpuS: number;
  readonly wallS: number;
}

function measure(): number {
  const all = files.map((file) => {
    const times = timesOf(file);
    console.log(row(times));
    return times;
  });
  const total = (of: (times: Times) => number): number => all.reduce((sum, times) => sum + of(times), 0);
  const whole = {
    file: `all ${all.length}`,
    failed: false,
    cpuS: total(({ cpuS }) => cpuS),
    wallS: total(({ wallS }) => wallS),
  };
  console.log(["", "dearest first:", ...all.toSorted((a, b) => b.cpuS - a.cpuS).map(row), row(whole)].join("\n"));
  return all.some(({ failed }) => failed) ? 1 : 0;
}

function timesOf(file: string): Times {
  const beganMs = performance.now();
  // The shell reports the time of its children, which Node does not. The second line has user and system time.
  const command = ["-c", '"$@" >/dev/null 2>&1; code=$?; times; exit $code', "sh", process.execPath, ...runner, file];
  const { status, stdout } = spawnSync("sh", command, { ...options, encoding: "utf8" });
  const cpuS = [...(stdout.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
  return { file, failed: status !== 0, cpuS, wallS: (performance.now() - beganMs) / 1000 };
}

function row({ file, failed, cpuS, wallS }: Times): string {
  return `${cpuS.toFixed(1).padStart(7)} s CPU ${wallS.toFixed(1).padStart(7)} s  ${file}${failed ? "  FAILED" : ""}`;
}
