/** A scenario played within a test: a bot that buys, held by the lab's preload, on its own market. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { play } from "../../src/play/play.ts";
import type { Report } from "../../src/play/report.ts";

/** What a bot needs to call its exchange: `call(method, path, fields)`, which resolves to `{ status, body }`. */
export const CALLS = `
import { createHmac } from "node:crypto";
const { PRICETIME_REST: rest, PRICETIME_API_KEY: key, PRICETIME_API_SECRET: secret } = process.env;
async function call(method, path, fields = {}) {
  const query = new URLSearchParams({ symbol: "BTCUSDT", ...fields, timestamp: Date.now() }).toString();
  const signature = createHmac("sha256", secret).update(query).digest("hex");
  const answer = await fetch(rest + path + "?" + query + "&signature=" + signature, { method, headers: { "X-MBX-APIKEY": key } });
  return { status: answer.status, body: await answer.json() };
}
`;

/** Buys every ten seconds, and cancels its orders when it is told to end. It knows nothing of the lab. */
export const BOT = `${CALLS}
const order = { side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01", price: "50000" };
const sent = [];
const timer = setInterval(() => sent.push(call("POST", "/api/v3/order", order)), 10_000);
process.once("SIGTERM", async () => {
  clearInterval(timer);
  await Promise.allSettled(sent);
  await call("DELETE", "/api/v3/openOrders", {});
  process.exit(0);
});
`;

export const SCENARIO = `
seed: 4
symbols: [BTCUSDT]
market: empty
duration: 65s
accounts: [{ name: buyer, balances: { USDT: 5000 } }]
timeline:
  - { at: 15s, fault: fail-after, where: { account: buyer }, for: 10s }
  - { at: 30s, order: bob, symbol: BTCUSDT, side: SELL, type: LIMIT, timeInForce: IOC, quantity: 0.01, price: 49000 }
assert:
  always:
    - openOrders: { max: 5 }
  never:
    - position: { asset: BTC, min: 0.011 }
  sometimes:
    - errors: { status: 504 }
    - trades: { max: 1, min: 1 }
    - name: one of the lab's own accounts is asked about
      trades: { account: bob, max: 1, min: 1 }
  finally:
    - struck: { fault: fail-after, min: 1, max: 1 }
    - orders: { min: 6, max: 6 }
    - openOrders: { max: 0 }
`;

export interface Ran {
  readonly code: number;
  readonly lines: readonly string[];
  readonly report: Report;
  readonly folder: string;
}

/** `runner`: the program that runs the bot. */
export async function playOf(t: TestContext, scenario: string, bot: string, runner = "node"): Promise<Ran> {
  const folder = scratchFolder(t);
  const [file, program, report] = ["scenario.yaml", "bot.mjs", "report"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, scenario);
  writeFileSync(program, bot);
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const code = await play({ scenario: file, command: [runner, program], report, print, show: () => {} });
  const read = join(report, "report.json");
  const told = existsSync(read) ? (JSON.parse(readFileSync(read, "utf8")) as Report) : ({} as Report);
  return { code, lines, report: told, folder: report };
}
