/** The package as a user has it: built, examined, installed in an empty folder, started, traded on, stopped. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { ccxt, connectCcxt } from "@pricetime/testkit/ccxt";
import { type DemoFile, ROOT } from "@pricetime/testkit/venue";
import { filesBelow, Machine, sizeOf } from "./machine.ts";

const MB = 1_000_000;
const MOST_BYTES = 30 * MB;
/** The accepted difference between the size in README and the measured size. */
const MOST_MB_OFF = 1.5;
/** The limit from the command to the first trade, with a warm npm cache. A busy machine has three attempts. */
const MOST_MS = 10_000;
/** The limit on a slow machine, as a multiple of the time that npx takes for an empty package. Usual is 5 to 6. */
const MOST_TIMES = 12;
/** The empty package forces 10 writes to the disk; the start of a demo forces about 90. */
const EMPTY_PROGRAM = `#!/usr/bin/env node
for (let i = 0; i < 10; i++) require("node:fs").writeFileSync("nothing", "nothing", { flush: true });
`;
const MOST_TRIES = 3;
const NO_PORTS = ["--port", "0", "--admin-port", "0"];
const SERVE = ["serve", ...NO_PORTS];

const machine = new Machine();
after(() => machine.close());

let tarball: string;
let unpacked: string;
/** The folder in which a user has installed the package. */
let home: string;
/** The program that the command `pricetime` starts. */
let launcher: string;

before(() => {
  tarball = machine.makePackage();
  unpacked = join(dirname(tarball), "package");
  home = machine.folder("home");
  writeFileSync(join(home, "package.json"), '{ "name": "a-bot", "private": true }\n');
  machine.get(home, "npm", "install", tarball);
  launcher = join(home, "node_modules/pricetime/bin/pricetime.cjs");
});

const version = (): string =>
  (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string }).version;

test("the package is small, has what a user needs, and does not mention the machine that built it", (t) => {
  assert.ok(tarball.endsWith(`pricetime-${version()}.tgz`), tarball);
  const files = filesBelow(unpacked);
  const bytes = sizeOf(unpacked);
  t.diagnostic(`unpacked ${(bytes / MB).toFixed(1)} MB in ${files.length} files`);
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
  const [, stated] =
    /Unpacked, the package takes ([0-9]+) MB/.exec(readFileSync(join(ROOT, "README.md"), "utf8")) ?? [];
  assert.ok(Math.abs(Number(stated) - bytes / MB) < MOST_MB_OFF, `README says ${stated} MB`);
  for (const wanted of [
    "README.md",
    "LICENSE",
    "THIRD-PARTY-LICENSES.txt",
    "docs/concepts/rest.md",
    "lib/pricetime.js",
    "lib/web/terminal/index.html",
    "lib/web/terminal/console/index.html",
  ])
    assert.ok(files.includes(wanted), `${wanted} is missing`);
  const licenses = readFileSync(join(unpacked, "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const bundled of ["preact", "ws", "swagger-ui-dist", "inter-ui"])
    assert.match(licenses, new RegExp(`^${bundled} \\d`, "m"), `${bundled} has no license`);
  const unwanted = files.filter((name) =>
    /(?:^|\/)(?:tests?|node_modules)\/|\.test\.\w*[jt]s$|\.map$|(?<!\.d)\.ts$/.test(name),
  );
  assert.deepEqual(
    unwanted.filter((name) => !name.startsWith("examples/")),
    [],
  );
  const named = files.filter((name) => readFileSync(join(unpacked, name)).includes(`${ROOT}/`));
  assert.deepEqual(named, [], "these files mention the folder in which they were built");
});

test("neither a start nor an import loads viem", () => {
  const lib = join(unpacked, "lib");
  const read = new Set<string>();
  const follow = (file: string): void => {
    if (read.has(file)) return;
    read.add(file);
    const text = readFileSync(join(lib, file), "utf8");
    for (const [, to = ""] of text.matchAll(/^(?:import|export)?[^"\n]*(?:from |import )"\.\/([^"]+)";$/gm)) follow(to);
  };
  for (const entry of ["pricetime.js", "index.js", "sqlite-worker.js", "reader-worker.js", "projector-worker.js"])
    follow(entry);
  const holds = (file: string): boolean => readFileSync(join(lib, file), "utf8").includes("// node_modules/viem/");
  assert.ok(read.size > 10 && filesBelow(lib).some(holds));
  assert.deepEqual([...read].filter(holds), []);
});

test("installing adds only the package and a Node, and runs no script", (t) => {
  const installed = filesBelow(join(home, "node_modules")).map((name) => name.split("/")[0] ?? "");
  const packages = [...new Set(installed)].filter((name) => !name.startsWith("."));
  assert.ok(
    packages.every((name) => name === "pricetime" || /^node-(?:bin-)?\w+-\w+$/.test(name)),
    packages.join(),
  );
  const manifest = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8")) as Record<string, unknown>;
  assert.deepEqual([manifest["dependencies"], manifest["scripts"]], [undefined, undefined]);
  for (const name of packages) t.diagnostic(`${name}: ${Math.round(sizeOf(join(home, "node_modules", name)) / MB)} MB`);
});

/** Creates the tarball of the empty package. */
function emptyPackage(): string {
  const folder = machine.folder("nothing");
  writeFileSync(join(folder, "package.json"), '{ "name": "nothing", "version": "1.0.0", "bin": "nothing.cjs" }');
  writeFileSync(join(folder, "nothing.cjs"), EMPTY_PROGRAM, { mode: 0o755 });
  return join(folder, machine.get(folder, "npm", "pack", "--silent").trim());
}

test("npx in an empty folder: ccxt trades within ten seconds; npx stops, and starts again with the same data", async (t) => {
  const npx = ["--yes", `file:${tarball}`];
  const trade = async (folder: string): Promise<{ tookMs: number; trades: number }> => {
    const startedAt = performance.now();
    const exchange = await machine.start(folder, "npx", ...npx, ...SERVE);
    const { accounts } = JSON.parse(readFileSync(join(folder, "data/demo.json"), "utf8")) as DemoFile;
    const [alice] = accounts;
    assert.ok(alice);
    const client = connectCcxt(ccxt, exchange.rest, alice);
    const order = await client.createOrder("BTC/USDT", "market", "buy", 0.01);
    const tookMs = performance.now() - startedAt;
    assert.equal(order.status, "closed");
    const terminal = await fetch(`${exchange.rest}/`, { headers: { accept: "text/html" } });
    const [script = "none"] = /\bterminal\/[\w.-]+\.js/.exec(await terminal.text()) ?? [];
    assert.equal((await fetch(`${exchange.rest}/${script}`)).status, 200, `the terminal's ${script}`);
    t.diagnostic(`ready after ${Math.round(exchange.readyMs)} ms, traded after ${Math.round(tookMs)} ms`);
    const { length: trades } = await client.fetchMyTrades("BTC/USDT");
    await exchange.stop("SIGTERM");
    await machine.untilNothingRuns();
    return { tookMs, trades };
  };
  const nothing = emptyPackage();
  let [mostMs, leastMs] = [MOST_MS, Infinity];
  const measure = (empty: string): void => {
    const startedAt = performance.now();
    machine.get(empty, "npx", "--yes", `file:${nothing}`);
    leastMs = Math.min(leastMs, performance.now() - startedAt);
    mostMs = Math.max(MOST_MS, MOST_TIMES * leastMs);
    t.diagnostic(`the empty package takes ${Math.round(leastMs)} ms: at most ${Math.round(mostMs)} ms`);
  };
  // The first run unpacks a Node of 189 MB from npm's cache, so its time depends on the disk and is not judged.
  await trade(machine.folder("first"));
  let folder = "";
  let first = { tookMs: Infinity, trades: 0 };
  for (let tries = 0; tries < MOST_TRIES && first.tookMs >= mostMs; tries++) {
    measure(machine.folder(`nothing-${tries}`));
    folder = machine.folder(`empty-${tries}`);
    first = await trade(folder);
  }
  assert.ok(first.tookMs < mostMs, `${Math.round(first.tookMs)} ms, of at most ${Math.round(mostMs)} ms`);
  const second = await trade(folder);
  assert.ok(second.trades > first.trades, `trades before and after the restart: ${first.trades}, ${second.trades}`);
  assert.ok(!existsSync(join(folder, "data/journal.sqlite-wal")), "the program did not stop cleanly");
  assert.match(machine.get(folder, "npx", ...npx, "journal", "verify", "--data", "data"), /\d/);
});

test("the installed command: help, the signer, an unknown option", () => {
  const pricetime = (...args: readonly string[]): string => machine.get(home, "npx", "pricetime", ...args);
  assert.match(pricetime("--help"), /Usage: pricetime/);
  assert.match(pricetime("signer", "init", "--key-file", "seed"), /xpub: xpub\w+\nhotWallet: "0x/);
  const mistake = machine.run(home, "npx", "pricetime", "serve", "--prot", "1");
  assert.notEqual(mistake.code, 0);
  assert.match(mistake.stderr, /prot/);
});

/** The Node that runs the command, and the tested version that the package names. */
const LAUNCHES: readonly (readonly [name: string, program: () => string, tested: string | undefined])[] = [
  ["in the same process, by a Node of the tested line", () => process.execPath, undefined],
  ["by the package's Node, because the machine's is of another line", () => process.execPath, "99.0.0"],
  ["by the Node of the machine", () => "node", undefined],
];

for (const [name, program, tested] of LAUNCHES) {
  test(`signals reach the program, and its exit code is returned: ${name}`, async () => {
    const manifest = join(home, "node_modules/pricetime/package.json");
    const text = readFileSync(manifest, "utf8");
    if (tested !== undefined) writeFileSync(manifest, text.replace(/("testedNode": ")[^"]+/, `$1${tested}`));
    try {
      for (const signal of ["SIGTERM", "SIGINT"] as const) {
        const data = join(machine.home, `data of ${name.length} ${signal}`);
        const args = [launcher, ...SERVE, "--bots", "off", "--data", data];
        const exchange = await machine.start(home, program(), ...args);
        assert.equal(await exchange.stop(signal), 0, signal);
        assert.deepEqual(machine.processes(), []);
        assert.ok(!existsSync(join(data, "journal.sqlite-wal")), "the program did not stop cleanly");
      }
      assert.equal(machine.run(home, program(), launcher, "serve", "--port", "many").code, 1);
    } finally {
      writeFileSync(manifest, text);
    }
  });
}

test("without the package's Node: runs on the machine's Node if it is new enough, or prints one line", () => {
  const folder = join(home, "node_modules");
  const [node = ""] = filesBelow(folder).flatMap((name) => /^node-(?:bin-)?\w+-\w+/.exec(name)?.[0] ?? []);
  assert.notEqual(node, "");
  renameSync(join(folder, node), join(machine.home, node));
  try {
    const own = machine.run(home, "node", launcher, "--help");
    if (Number(machine.get(home, "node", "-p", "parseInt(process.versions.node)")) >= 25) assert.equal(own.code, 0);
    else assert.match(own.stderr, /^pricetime: Node 24\.9\.0 or newer, up to 26, is needed.*\n$/);
    assert.equal(machine.run(home, process.execPath, launcher, "--help").code, 0);
  } finally {
    renameSync(join(machine.home, node), join(folder, node));
  }
});

test("a user's program starts an exchange and passes a strict type check", async () => {
  const folder = join(home, "own");
  mkdirSync(folder);
  cpSync(join(import.meta.dirname, "consumer.ts.txt"), join(folder, "own.ts"));
  const compilerOptions = { strict: true, skipLibCheck: false, module: "nodenext", target: "es2023", types: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  machine.get(folder, process.execPath, join(ROOT, "node_modules/typescript/bin/tsc"), "--project", folder);
  const data = join(folder, "data");
  assert.match(
    machine.get(folder, process.execPath, join(folder, "own.js"), data),
    /^serves http:\/\/.*\nlab 0 alice function\nstopped\n$/m,
  );
  await machine.untilNothingRuns();
});
