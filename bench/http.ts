/**
 * Signed, durable orders over HTTP against the real program, beside a bare echo of the same bytes.
 * Server, echo and load are processes of their own; rounds alternate.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Exchange, startExchange } from "../test/exchange.ts";
import type { LoadResult } from "./load-process.ts";
import { median, thousands } from "./measure.ts";

const CONNECTIONS = 64;
const REQUESTS = 60_000;
const WARM_UP = 20_000;
const ROUNDS = 5;
const HERE = import.meta.dirname;

export async function load(port: number, demoFile: string, requests = REQUESTS, warmUp = WARM_UP): Promise<LoadResult> {
  const input = [join(HERE, "load-process.ts"), port, demoFile, CONNECTIONS, requests, warmUp].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, input);
  const result = JSON.parse(stdout) as LoadResult;
  assert.deepEqual(Object.keys(result.statuses), ["200"], `not every order was accepted: ${JSON.stringify(result)}`);
  return result;
}

async function startEcho(): Promise<{ port: number; stop: () => void }> {
  const child = spawn(process.execPath, [join(HERE, "echo-process.ts")], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<number>((done) => child.stdout.once("data", (text: Buffer) => done(Number(text))));
  return { port, stop: () => void child.kill() };
}

export async function run(): Promise<string[]> {
  const exchange = await startExchange({ args: ["--bots", "off", "--limits", "off"] });
  const echo = await startEcho();
  try {
    const demoFile = join(exchange.dataFolder, "demo.json");
    const orders: LoadResult[] = [];
    const echoes: LoadResult[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      echoes.push(await load(echo.port, demoFile));
      orders.push(await load(portOf(exchange), demoFile));
    }
    return report(orders, echoes);
  } finally {
    echo.stop();
    await exchange.stop();
  }
}

export const portOf = (exchange: Exchange): number => Number(new URL(exchange.rest).port);

function report(orders: readonly LoadResult[], echoes: readonly LoadResult[]): string[] {
  const of = (rounds: readonly LoadResult[], key: "perSecond" | "p50Ms" | "p99Ms"): number =>
    median(rounds.map((round) => round[key]));
  const line = (name: string, rounds: readonly LoadResult[]): string =>
    `${name} ${thousands(of(rounds, "perSecond"))} requests/s, p50 ${of(rounds, "p50Ms").toFixed(2)} ms, p99 ${of(rounds, "p99Ms").toFixed(2)} ms`;
  const ratio = of(orders, "perSecond") / of(echoes, "perSecond");
  return [
    `${CONNECTIONS} keep-alive connections, one request under way on each, ${thousands(REQUESTS)} timed requests, ${ROUNDS} rounds`,
    line("orders (signed, durable, half of them trade)", orders),
    line("echo (node:http, same bytes)", echoes),
    `ratio ${ratio.toFixed(2)}`,
  ];
}
