/** A bot that someone else has written, in lock step through a market that somebody has set going, on a lab of its own. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { type LabExchange, startExchange } from "@pricetime/lab";
import { untilAnswer } from "@pricetime/testkit/waiting";
import { ADDRESSES, type StrangersBot } from "./bots.ts";

const HOLD = import.meta.resolve("@pricetime/lab/hold");
const READDRESS = new URL("./addresses.mjs", import.meta.url).href;
export const SYMBOL = "BTCUSDT";
const ACCOUNT = "alice";
const [TEST, BOT] = ["test", "bot"];
/** A moment at which nothing falls due by itself, so that the bot has nothing to do in it. */
const NOBODY_MS = 7;
const MINUTE_MS = 60_000;
const PATIENCE = { withinMs: 120_000, everyMs: 50 };

export interface Scene {
  readonly minutes: number;
  /** It is started each so many minutes anew, and what is left of it is ended before. Default: once. */
  readonly cronMinutes?: number | undefined;
  readonly prepare: (exchange: LabExchange) => Promise<unknown>;
}

export interface Life {
  readonly output: string;
  /** Null while it lived to the end; of the last run. */
  readonly endedWith: string | null;
  readonly runs: number;
  /** Digest of all rows of the journal. */
  readonly journal: string;
  readonly orders: readonly { readonly status: string; readonly time: number; readonly clientOrderId: string }[];
  /** When it was started, by the lab's clock. */
  readonly beginMs: number;
  /** The prices of its trades. */
  readonly tradedAt: readonly number[];
  /** The market's first and lowest price from its start to its end. */
  readonly firstPrice: number;
  readonly lowestPrice: number;
  /** How often each fault struck. */
  readonly struck: readonly number[];
  /** The moments of the latest orders that were carried out and answered with 5XX, the oldest first. */
  readonly unknownAtMs: readonly number[];
  readonly tookMs: number;
}

interface Listed {
  readonly fault: string;
  readonly struck: number;
  readonly strikes: readonly { readonly atMs: number }[];
}

/** `home`: the bot's folder. `data`: one that is empty. */
export async function live(bot: StrangersBot, scene: Scene, home: string, data: string): Promise<Life> {
  const options = { bots: "on", seed: 3, limits: "off", symbols: [SYMBOL], data } as const;
  const exchange = await startExchange(options);
  const clock = await exchange.clock.join(TEST);
  await scene.prepare(exchange);
  const beginMs = await exchange.clock.now();
  const startedMs = performance.now();
  const runs = new Runs(bot, exchange, home);
  try {
    const endMs = beginMs + scene.minutes * MINUTE_MS + NOBODY_MS;
    const { cronMinutes = scene.minutes } = scene;
    for (let untilMs = beginMs + NOBODY_MS; untilMs < endMs; ) {
      await runs.another();
      untilMs = Math.min(endMs, untilMs + cronMinutes * MINUTE_MS);
      await clock.until(untilMs);
      if (untilMs < endMs) await runs.end();
    }
    const { endedWith } = runs;
    const listed = (await exchange.faults.list()) as readonly unknown[] as readonly Listed[];
    const struck = listed.map((fault) => fault.struck);
    const unknown = listed.filter(({ fault }) => fault === "fail-after");
    const unknownAtMs = unknown.flatMap(({ strikes }) => strikes.map(({ atMs }) => atMs));
    await exchange.faults.remove();
    const all = { symbol: SYMBOL, limit: 1000 };
    const orders = await exchange.send<Life["orders"]>(ACCOUNT, "GET /api/v3/allOrders", all);
    const trades = await exchange.send<readonly { readonly price: string }[]>(ACCOUNT, "GET /api/v3/myTrades", all);
    const tradedAt = trades.map(({ price }) => Number(price));
    const { firstPrice, lowestPrice } = await pricesSince(exchange, beginMs);
    const tookMs = performance.now() - startedMs;
    const { output, count } = runs;
    // It has no part in how the lab ends: the clock stands while the test is not done.
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

/** The bot's program, once or one run after the other; each is a client of the clock, with dice of its own. */
class Runs {
  readonly #bot: StrangersBot;
  readonly #exchange: LabExchange;
  readonly #home: string;
  #child: ChildProcess | undefined;
  #closed: Promise<unknown> = Promise.resolve();
  output = "";
  /** How the last one ended; null while it lives. */
  endedWith: string | null = null;
  count = 0;

  constructor(bot: StrangersBot, exchange: LabExchange, home: string) {
    this.#bot = bot;
    this.#exchange = exchange;
    this.#home = home;
  }

  /** Resolves when the clock waits for it, or when it has ended already. */
  async another(): Promise<void> {
    const name = `${BOT}-${++this.count}`;
    const child = this.#start(name);
    this.#child = child;
    this.endedWith = null;
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    this.#closed = once(child, "close").then(([code, signal]) => (this.endedWith = String(signal ?? code)));
    await untilAnswer(
      "the bot has come",
      () => clients(this.#exchange),
      (names) => this.endedWith !== null || names.includes(name),
      PATIENCE,
    );
  }

  /** Resolves when nothing is left of the last one. */
  async end(): Promise<void> {
    this.kill();
    await this.#closed;
    await untilAnswer(
      "the bot has gone",
      () => clients(this.#exchange),
      (names) => !names.includes(`${BOT}-${this.count}`),
      PATIENCE,
    );
  }

  kill(): void {
    this.#child?.kill("SIGKILL");
  }

  #start(name: string): ChildProcess {
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

/** Over every byte of every row. */
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
  assert.ok(rows > 0, fileURLToPath(import.meta.url));
  return hash.digest("hex");
}
