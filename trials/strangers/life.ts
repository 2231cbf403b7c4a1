/** Runs a bot of another author in lock step on its own lab. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type LabExchange, startExchange } from "@pricetime/lab";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { ADDRESSES, type StrangersBot } from "./bots.ts";

const HOLD = import.meta.resolve("@pricetime/lab/hold");
const READDRESS = new URL("./addresses.mjs", import.meta.url).href;
export const SYMBOL = "BTCUSDT";
const ACCOUNT = "alice";
const [TEST, BOT] = ["test", "bot"];
/** An offset at which nothing is due, so that the bot is idle at that instant. */
const IDLE_OFFSET_MS = 7;
const MINUTE_MS = 60_000;
const PATIENCE = { withinMs: 120_000, everyMs: 50 };

export interface Scene {
  readonly minutes: number;
  /** The bot is killed and started again every so many minutes. Default: it is started once. */
  readonly cronMinutes?: number | undefined;
  readonly prepare: (exchange: LabExchange) => Promise<unknown>;
}

export interface BotRun {
  readonly output: string;
  /** How the last process ended; null if it was running at the end. */
  readonly endedWith: string | null;
  /** How many times the bot was started. */
  readonly runs: number;
  /** The digest of all rows of the journal. */
  readonly journal: string;
  readonly orders: readonly { readonly status: string; readonly time: number; readonly clientOrderId: string }[];
  /** When the bot was started, by the lab's clock. */
  readonly beginMs: number;
  /** The prices of the bot's trades. */
  readonly tradedAt: readonly number[];
  /** The first and the lowest price of the market during the run. */
  readonly firstPrice: number;
  readonly lowestPrice: number;
  /** How many requests each fault affected. */
  readonly struck: readonly number[];
  /** The times of the last orders that were executed and had a 5XX response, the oldest first. */
  readonly unknownAtMs: readonly number[];
  readonly tookMs: number;
}

interface FaultStatus {
  readonly fault: string;
  readonly struck: number;
  readonly strikes: readonly { readonly atMs: number }[];
}

/** `home` is the bot's folder, `data` an empty one. */
export async function runBot(bot: StrangersBot, scene: Scene, home: string, data: string): Promise<BotRun> {
  const options = { bots: "on", seed: 3, limits: "off", symbols: [SYMBOL], data } as const;
  const exchange = await startExchange(options);
  const clock = await exchange.clock.join(TEST);
  await scene.prepare(exchange);
  const beginMs = await exchange.clock.now();
  const startedMs = performance.now();
  const runs = new Runs(bot, exchange, home);
  try {
    const endMs = beginMs + scene.minutes * MINUTE_MS + IDLE_OFFSET_MS;
    const { cronMinutes = scene.minutes } = scene;
    for (let untilMs = beginMs + IDLE_OFFSET_MS; untilMs < endMs; ) {
      await runs.start();
      untilMs = Math.min(endMs, untilMs + cronMinutes * MINUTE_MS);
      await clock.until(untilMs);
      if (untilMs < endMs) await runs.end();
    }
    const { endedWith } = runs;
    const listed = (await exchange.faults.list()) as readonly unknown[] as readonly FaultStatus[];
    const struck = listed.map((fault) => fault.struck);
    const unknown = listed.filter(({ fault }) => fault === "fail-after");
    const unknownAtMs = unknown.flatMap(({ strikes }) => strikes.map(({ atMs }) => atMs));
    await exchange.faults.remove();
    const all = { symbol: SYMBOL, limit: 1000 };
    const orders = await exchange.send<BotRun["orders"]>(ACCOUNT, "GET /api/v3/allOrders", all);
    const trades = await exchange.send<readonly { readonly price: string }[]>(ACCOUNT, "GET /api/v3/myTrades", all);
    const tradedAt = trades.map(({ price }) => Number(price));
    const { firstPrice, lowestPrice } = await pricesSince(exchange, beginMs);
    const tookMs = performance.now() - startedMs;
    const { output, count } = runs;
    // The clock is stopped now, so ending the bot does not change the journal.
    await runs.end();
    await exchange.stop();
    return {
      ...{ output, endedWith, runs: count, journal: journalHash(data), orders, struck, unknownAtMs, tookMs },
      ...{ beginMs, tradedAt, firstPrice, lowestPrice },
    };
  } finally {
    runs.kill();
    await exchange.stop();
  }
}

/** The processes of the bot, one after another. Each is a client of the clock and has its own random source. */
class Runs {
  readonly #bot: StrangersBot;
  readonly #exchange: LabExchange;
  readonly #home: string;
  #child: ChildProcess | undefined;
  #closed: Promise<unknown> = Promise.resolve();
  output = "";
  /** How the last process ended; null while it is running. */
  endedWith: string | null = null;
  count = 0;

  constructor(bot: StrangersBot, exchange: LabExchange, home: string) {
    this.#bot = bot;
    this.#exchange = exchange;
    this.#home = home;
  }

  /** Starts a process. Resolves when it is a client of the clock, or has exited. */
  async start(): Promise<void> {
    const name = `${BOT}-${++this.count}`;
    const child = this.#spawn(name);
    this.#child = child;
    this.endedWith = null;
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    this.#closed = once(child, "close").then(([code, signal]) => (this.endedWith = String(signal ?? code)));
    await untilAnswer(
      "the bot is a client of the clock",
      () => clients(this.#exchange),
      (names) => this.endedWith !== null || names.includes(name),
      PATIENCE,
    );
  }

  /** Kills the last process. Resolves when it is no longer a client of the clock. */
  async end(): Promise<void> {
    this.kill();
    await this.#closed;
    await untilAnswer(
      "the bot is no client of the clock",
      () => clients(this.#exchange),
      (names) => !names.includes(`${BOT}-${this.count}`),
      PATIENCE,
    );
  }

  kill(): void {
    this.#child?.kill("SIGKILL");
  }

  #spawn(name: string): ChildProcess {
    const { run, keys, settings } = this.#bot;
    const { apiKey, secretKey } = this.#exchange.account(ACCOUNT);
    const changes = Object.entries(ADDRESSES).map(([address, which]) => [address, this.#exchange[which]]);
    const set = Object.entries(settings).map(([from, to]) => [
      from,
      { API_KEY: apiKey, SECRET_KEY: secretKey }[to] ?? to,
    ]);
    const { NODE_TEST_CONTEXT: _, ...own } = process.env;
    const flags = ["--disable-warning=ExperimentalWarning", "--import", HOLD, "--import", READDRESS];
    const [file = "", ...args] = run;
    return spawn(process.execPath, [...flags, join(this.#home, file), ...args], {
      cwd: this.#home,
      env: {
        ...{ ...own, ...this.#exchange.environment(name) },
        ...(keys !== undefined && { [keys.apiKey]: apiKey, [keys.secretKey]: secretKey }),
        READDRESSED: JSON.stringify(Object.fromEntries([...changes, ...set])),
      },
    });
  }
}

async function clients({ admin, adminToken }: LabExchange): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${adminToken}` };
  return (await (await fetch(`${admin}/v1/lab/clock/clients`, { headers })).json()) as readonly string[];
}

async function pricesSince(
  { rest }: LabExchange,
  fromMs: number,
): Promise<{ readonly firstPrice: number; readonly lowestPrice: number }> {
  const query = new URLSearchParams({ symbol: SYMBOL, interval: "1m", startTime: String(fromMs), limit: "1000" });
  const candles = (await (await fetch(`${rest}/api/v3/klines?${query}`)).json()) as readonly (readonly string[])[];
  const [, open = ""] = candles[0] ?? [];
  return { firstPrice: Number(open), lowestPrice: Math.min(...candles.map(([, , , low = ""]) => Number(low))) };
}

/** A hash of all columns of all rows. */
function journalHash(data: string): string {
  const journal = new DatabaseSync(join(data, "journal.sqlite"), { readOnly: true });
  const hash = createHash("sha256");
  let rows = 0;
  for (const row of journal
    .prepare("SELECT first_seq, count, time_ms, bytes, chain_hash FROM batches ORDER BY 1")
    .iterate()) {
    for (const value of Object.values(row)) hash.update(value instanceof Uint8Array ? value : String(value));
    rows++;
  }
  journal.close();
  assert.ok(rows > 0, "the journal is empty");
  return hash.digest("hex");
}
