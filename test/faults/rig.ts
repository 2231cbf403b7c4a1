/** What the tests of faults share: small disks, a node's word on itself, orders that leave nothing open. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, Client } from "@pricetime/testkit/client";
import { type Exchange, ROOT, type StartOptions, startExchange, temporaryFolder } from "@pricetime/testkit/venue";

const PATIENCE_MS = 90_000;
const MOST_SHOWN_OUTPUT = 3_000;
const PLAIN = ["--bots", "off", "--limits", "off"];

/** Asks again and again; fails when it never holds. */
export async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < endMs, `never: ${what}`);
    await sleep(100);
  }
}

type Task = () => unknown;
const endings = new WeakMap<TestContext, Task[]>();

/** At the end of the test, what came last first, and each whatever becomes of the others. */
export function inTheEnd(t: TestContext, task: Task): void {
  const tasks = endings.get(t) ?? [];
  if (tasks.push(task) > 1) return;
  endings.set(t, tasks);
  t.after(async () => {
    for (const each of tasks.reverse())
      await Promise.resolve()
        .then(each)
        .catch((error: Error) => t.diagnostic(error.message));
  });
}

export function scratch(t: TestContext): string {
  const folder = temporaryFolder();
  inTheEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file system of its own, of so many bytes; undefined where this user may not mount one. */
export function smallDisk(t: TestContext, folder: string, bytes: number): string | undefined {
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=0700`, "tmpfs", folder]);
  if (status !== 0) return undefined;
  inTheEnd(t, () => spawnSync("umount", ["-l", folder]));
  return folder;
}

const FILLER = "filler";

/** Takes all the space there is, to the last byte. */
export function fill(disk: string): void {
  const file = openSync(join(disk, FILLER), "w");
  try {
    for (const size of [1 << 20, 4096, 1]) writeUntilFull(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
  }
}

export function makeSpace(disk: string): void {
  rmSync(join(disk, FILLER));
}

export interface Rig {
  readonly exchange: Exchange;
  readonly client: Client;
}

/** A node with a snapshot every thousand commands, and a client of its first account. Killed in the end. */
export async function startRig(t: TestContext, folder: string, options: StartOptions = {}): Promise<Rig> {
  const config = join(scratch(t), "pricetime.yaml");
  writeFileSync(config, "snapshotEveryCommands: 1000\n");
  const exchange = await startExchange({
    ...options,
    dataFolder: folder,
    args: [...PLAIN, "--config", config, ...(options.args ?? [])],
  });
  inTheEnd(t, async () => {
    await exchange.kill();
    if (!(t as unknown as { passed: boolean }).passed)
      t.diagnostic(`the exchange said: ${exchange.output().slice(-MOST_SHOWN_OUTPUT)}`);
  });
  const client = new Client(exchange.rest, exchange.accounts[0]);
  inTheEnd(t, () => client.close());
  return { exchange, client };
}

const RESTING = { symbol: "BTCUSDT", side: "BUY", type: "LIMIT", price: "20000", quantity: "0.001" };

/** An order that finds nobody and is gone. */
export function fleeting(client: Client): Promise<Answer<{ orderId: number; code?: number }>> {
  return client.signed("POST", "/api/v3/order", { ...RESTING, timeInForce: "IOC" });
}

export function resting(client: Client, newClientOrderId: string): Promise<Answer<{ orderId: number; code?: number }>> {
  return client.signed("POST", "/api/v3/order", { ...RESTING, timeInForce: "GTC", newClientOrderId });
}

export interface Readiness {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & { readonly warnings?: Readonly<Record<string, string>> };
}

export async function readiness({ admin }: Exchange): Promise<Readiness> {
  const response = await fetch(`${admin}/readyz`);
  return { status: response.status, body: (await response.json()) as Readiness["body"] };
}

export async function metric({ admin }: Exchange, name: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
  assert.ok(value !== undefined, `no metric ${name}`);
  return Number(value);
}

/** Both checks of the command line, of a folder that no node uses. */
export function verifyFolder(folder: string): void {
  const program = join(ROOT, "packages/server/src/cli/pricetime.ts");
  for (const what of ["journal", "history"]) {
    const args = ["--disable-warning=ExperimentalWarning", program, what, "verify", "--data", folder];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    assert.equal(status, 0, `${what} verify: ${stdout}${stderr}`);
  }
}

/** Of the process's limits, as it runs; false where there is no such program. */
export function limitProcess(pid: number, limit: string): boolean {
  return spawnSync("prlimit", ["--pid", String(pid), limit]).status === 0;
}

export const CAN_LIMIT = existsSync("/proc/self/fd") && spawnSync("prlimit", ["--version"]).status === 0;
