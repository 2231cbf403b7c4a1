/**
 * A journal of a million commands, written by the real program under load; then how long it takes to
 * serve again, and how much memory, from a snapshot and from nothing but the journal.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Exchange, startExchange, temporaryFolder } from "../test/exchange.ts";
import { load, portOf } from "./http.ts";
import { median, thousands } from "./measure.ts";

const COMMANDS = 1_000_000;
const ORDERS_A_RUN = 100_000;
const RESTARTS = 3;
const ARGS = ["--bots", "off", "--limits", "off"];

interface Restart {
  readonly readyMs: number;
  readonly peakMiB: number;
}

export async function run(): Promise<string[]> {
  const dataFolder = temporaryFolder();
  try {
    const exchange = await startExchange({ dataFolder, args: ARGS });
    await fill(exchange);
    await exchange.stop();
    const journalMiB = folderMiB(dataFolder, /journal/);
    const fromSnapshot: Restart[] = [];
    const fromNothing: Restart[] = [];
    for (let i = 0; i < RESTARTS; i++) {
      fromSnapshot.push(await restart(dataFolder));
      removeFiles(dataFolder, /snapshot/);
      fromNothing.push(await restart(dataFolder));
    }
    return [
      `${thousands(COMMANDS)} orders in the journal, ${journalMiB.toFixed(0)} MiB; ${RESTARTS} restarts each`,
      line("from a snapshot", fromSnapshot),
      line("from nothing but the journal", fromNothing),
    ];
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function fill(exchange: Exchange): Promise<void> {
  const demoFile = join(exchange.dataFolder, "demo.json");
  for (let sent = 0; sent < COMMANDS; sent += ORDERS_A_RUN) await load(portOf(exchange), demoFile, ORDERS_A_RUN, 0);
}

async function restart(dataFolder: string): Promise<Restart> {
  const exchange = await startExchange({ dataFolder, args: ARGS });
  const peakKiB = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${exchange.pid}/status`, "utf8"))?.[1];
  assert.equal(await exchange.stop(), 0);
  return { readyMs: exchange.readyMs, peakMiB: Number(peakKiB) / 1024 };
}

function line(name: string, restarts: readonly Restart[]): string {
  const readyMs = median(restarts.map((each) => each.readyMs));
  const peakMiB = median(restarts.map((each) => each.peakMiB));
  return `${name}: ready after ${(readyMs / 1000).toFixed(2)} s, peak memory ${peakMiB.toFixed(0)} MiB`;
}

const matching = (folder: string, name: RegExp): string[] =>
  readdirSync(folder)
    .filter((file) => name.test(file))
    .map((file) => join(folder, file));

function folderMiB(folder: string, name: RegExp): number {
  return matching(folder, name).reduce((sum, file) => sum + statSync(file).size, 0) / 2 ** 20;
}

function removeFiles(folder: string, name: RegExp): void {
  const files = matching(folder, name);
  assert.ok(files.length > 0, "there is no snapshot to remove");
  for (const file of files) rmSync(file, { recursive: true });
}
