/**
 * The waiting time of a new user after `npm ci` has downloaded the packages: the time that the terminal's build adds,
 * and the first start. Files are in the page cache, as after an installation, and there is no compile cache.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { median } from "@pricetime/testkit/quantile";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { ROOT, startExchange } from "@pricetime/testkit/venue";
import { type BenchOptions, table } from "../measure.ts";

const ROUNDS = 5;
const BUILD = join(ROOT, "packages/web/build.mjs");

/** Milliseconds of each round, alternating. */
export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const measured = [
    { what: "the terminal's build only", take: () => ended(process.execPath, [BUILD]) },
    {
      what: "the build as `npm ci` runs it (`npm run prepare`)",
      take: () => ended("npm", ["run", "--silent", "prepare"]),
    },
    { what: "the program in a new folder until ready, without compile cache", take: programReady },
    {
      what: "`npm start` in a new folder until ready, with the compile cache of an earlier start",
      take: npmStartReady,
    },
  ].map((one) => ({ ...one, ms: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { take, ms } of measured) ms.push(await take());
  }
  return [
    `medians of ${rounds}, alternating`,
    "",
    ...table(
      ["ms", "median", "minimum", "maximum"],
      measured.map(({ what, ms }) => [
        what,
        ...[median(ms), Math.min(...ms), Math.max(...ms)].map((one) => one.toFixed(0)),
      ]),
    ),
  ];
}

async function ended(program: string, args: readonly string[]): Promise<number> {
  const startMs = performance.now();
  const child = spawn(program, args, { cwd: ROOT, stdio: "ignore" });
  const [code] = (await once(child, "close")) as [number | null];
  assert.equal(code, 0, `${program} ${args.join(" ")}`);
  return performance.now() - startMs;
}

async function programReady(): Promise<number> {
  const exchange = await startExchange();
  assert.equal(await exchange.stop(), 0);
  return exchange.readyMs;
}

async function npmStartReady(): Promise<number> {
  const folder = temporaryFolder();
  const args = ["start", "--", "--port", "0", "--admin-port", "0", "--data", folder];
  const startMs = performance.now();
  const npm = spawn("npm", args, { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] });
  // npm does not wait for the program that it stops, which shares the pipe.
  const closed = once(npm, "close");
  let readyMs = Number.NaN;
  for await (const line of createInterface({ input: npm.stdout })) {
    if (!line.startsWith("ready ")) continue;
    readyMs = performance.now() - startMs;
    npm.kill("SIGTERM");
  }
  await closed;
  rmSync(folder, { recursive: true, force: true });
  assert.ok(readyMs > 0, "it ended before it was ready");
  return readyMs;
}
