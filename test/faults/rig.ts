/** What the tests of faults share: small disks, a node's word on itself, orders that leave nothing open. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Answer, Client } from "@pricetime/testkit/client";
import { inTheEnd, scratchFolder } from "@pricetime/testkit/scratch";
import { mountSmallDisk, unmount } from "@pricetime/testkit/small-disk";
import { type Exchange, pricetime, type StartOptions, startExchange } from "@pricetime/testkit/venue";

const MOST_SHOWN_OUTPUT = 3_000;
const PLAIN = ["--bots", "off", "--limits", "off"];

/** A file system of its own, of so many bytes; undefined where this user may not mount one. */
export function smallDisk(t: TestContext, folder: string, bytes: number): string | undefined {
  if (!mountSmallDisk(folder, bytes)) return undefined;
  inTheEnd(t, () => unmount(folder));
  return folder;
}

export interface Rig {
  readonly exchange: Exchange;
  readonly client: Client;
}

/** A node with a snapshot every thousand commands, and a client of its first account. Killed in the end. */
export async function startRig(t: TestContext, folder: string, options: StartOptions = {}): Promise<Rig> {
  const config = join(scratchFolder(t), "pricetime.yaml");
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

/** Both checks of the command line, of a folder that no node uses. */
export function verifyFolder(folder: string): void {
  for (const what of ["journal", "history"]) {
    const { code, stdout, stderr } = pricetime(what, "verify", "--data", folder);
    assert.equal(code, 0, `${what} verify: ${stdout}${stderr}`);
  }
}

/** Changes a limit of the running process; false where there is no `prlimit`. */
export function limitProcess(pid: number, limit: string): boolean {
  return spawnSync("prlimit", ["--pid", String(pid), limit]).status === 0;
}

export const CAN_LIMIT = existsSync("/proc/self/fd") && spawnSync("prlimit", ["--version"]).status === 0;
