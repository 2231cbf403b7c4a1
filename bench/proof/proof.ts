/**
 * A proof of liabilities of 100,000 accounts that each hold 20 assets: the time to create, store and sign it; the size
 * of a customer's part; and the time of each implementation to verify one. Compared with as many hashes of the same
 * length.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, Engine } from "@pricetime/engine";
import { deposit, listAsset, openAccount } from "@pricetime/testkit/commands";
import { checkCustomer, customerFile, keepProof, readCustomer, readStatement } from "@pricetime/server/data-folder";
import { median } from "@pricetime/testkit/quantile";
import { thousands } from "../measure.ts";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";
import { withFolder } from "../venue/venue.ts";

const ROUNDS = 5;
const ACCOUNTS = 100_000;
const ASSETS = 20;
const FIRST_ACCOUNT = 100;
const CHECKED = 20;
const MASTER_KEY = "5a".repeat(32);
const HEAD = { lastSeq: 1, lastTimeMs: 1_700_000_000_000, chainHash: "c4".repeat(32) };
/** The input length of a node's hash. */
const NODE_BYTES = 134;
const CHECKER = fileURLToPath(new URL("../../examples/proof/proof_check.py", import.meta.url));
const BY = "bench";

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  const engine = venue();
  const made: number[] = [];
  const processor: number[] = [];
  const hashing: number[] = [];
  let facts: Facts | undefined;
  for (let round = 0; round < rounds; round++) {
    facts = await withFolder(async (folder) => {
      const [startedMs, usage] = [performance.now(), process.cpuUsage()];
      keepProof(folder, { engine, head: HEAD }, MASTER_KEY);
      made.push(performance.now() - startedMs);
      processor.push(processorMs(usage));
      return factsOf(engine, folder);
    });
    assert.ok(facts);
    hashing.push(hashes(facts.hashes));
  }
  assert.ok(facts);
  const [proof, cpu, bare] = [median(made), median(processor), median(hashing)];
  return [
    `${thousands(ACCOUNTS)} accounts, ${ASSETS} assets; medians of ${rounds} rounds`,
    "",
    ...table(
      ["what", "figure"],
      [
        ["compute, store and sign", `${(proof / 1000).toFixed(1)} s elapsed, ${(cpu / 1000).toFixed(1)} s of CPU`],
        [
          `${thousands(facts.hashes)} plain hashes of ${NODE_BYTES} bytes`,
          `${(bare / 1000).toFixed(1)} s of CPU; ratio **${(cpu / bare).toFixed(2)}**`,
        ],
        [
          "a customer's part, per asset: mean, maximum",
          `${facts.meanBytes.toFixed(0)}, ${facts.mostBytes.toFixed(0)} bytes`,
        ],
        ["trees on disk", `${(facts.treeBytes / 2 ** 20).toFixed(0)} MiB`],
        ["reading a part for all assets from the trees", `${facts.readMs.toFixed(1)} ms`],
        ["verifying it: Pricetime", `${facts.checkMs.toFixed(1)} ms`],
        ["verifying it: Python, including its start", `${facts.pythonMs.toFixed(0)} ms`],
      ],
    ),
  ];
}

interface Facts {
  readonly hashes: number;
  readonly meanBytes: number;
  readonly mostBytes: number;
  readonly treeBytes: number;
  readonly readMs: number;
  readonly checkMs: number;
  readonly pythonMs: number;
}

function factsOf(engine: Engine, folder: string): Facts {
  const at = join(folder, "proofs", String(HEAD.lastSeq));
  const names = readdirSync(at);
  const text = (name: string): string => join(at, name);
  const signed = readStatement(readFileSync(text("public.jsonl"), "utf8"));
  const bytes: number[] = [];
  const reads: number[] = [];
  const checks: number[] = [];
  let last = "";
  for (let n = 0; n < CHECKED; n++) {
    const account = engine.account(FIRST_ACCOUNT + Math.floor((n * ACCOUNTS) / CHECKED));
    assert.ok(account);
    const startedMs = performance.now();
    last = customerFile(folder, HEAD.lastSeq, account, MASTER_KEY);
    const readMs = performance.now();
    const part = readCustomer(last);
    checkCustomer(part, signed);
    assert.equal(part.holdings.length, ASSETS);
    checks.push(performance.now() - readMs);
    reads.push(readMs - startedMs);
    bytes.push(last.length / ASSETS);
  }
  const file = join(folder, "customer.json");
  writeFileSync(file, last);
  const startedMs = performance.now();
  execFileSync("python3", [CHECKER, text("public.jsonl"), file]);
  const pythonMs = performance.now() - startedMs;
  const { assets } = signed.statement;
  return {
    hashes: assets.reduce((sum, { depth }) => sum + 2 ** (depth + 1) - 1, 0),
    meanBytes: bytes.reduce((sum, each) => sum + each, 0) / CHECKED,
    mostBytes: Math.max(...bytes),
    treeBytes: names
      .filter((name) => name.startsWith("tree-"))
      .reduce((sum, name) => sum + statSync(text(name)).size, 0),
    readMs: median(reads),
    checkMs: median(checks),
    pythonMs,
  };
}

/** Every account holds the first asset, and through dividends all others. */
function venue(): Engine {
  const engine = new Engine();
  const apply = (command: Command): void => {
    const [event] = engine.apply({ seq: engine.seq + 1, timeMs: HEAD.lastTimeMs, command });
    if (event?.type === "rejected") assert.fail(`${command.type}: ${event.reason}`);
  };
  const name = (n: number): string => `A${n}`;
  for (let n = 0; n < ASSETS; n++) apply(listAsset(name(n)));
  for (let n = 0; n < ACCOUNTS; n++) {
    const accountId = FIRST_ACCOUNT + n;
    apply(openAccount(`customer-${n}@example.com`, { name: "c" }));
    const amount = `${1 + ((n * 7919) % 100_000)}.${String((n * 104_729) % 100_000_000).padStart(8, "0")}`;
    apply(deposit(accountId, name(0), amount));
  }
  for (let n = 1; n < ASSETS; n++) {
    const amount = String(50_000_000 * n);
    apply(deposit(4, name(n), amount));
    const dividend = { heldAsset: name(0), paidAsset: name(n), amount, info: "i", reference: `p-${n}` };
    apply({ type: "distributeDividend", by: BY, ...dividend });
  }
  return engine;
}

function hashes(count: number): number {
  const bytes = Buffer.alloc(NODE_BYTES);
  const usage = process.cpuUsage();
  for (let n = 0; n < count; n++) {
    bytes.writeUInt32BE(n, 34);
    hash("sha256", bytes, "binary");
  }
  return processorMs(usage);
}

/** Processor time of all threads together, without other programs on the machine. */
function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}
