/** An unchanged bot, held by the preload, on a real lab whose market moves. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { TestContext } from "node:test";
import { type LabExchange, type LabOptions, startExchange } from "@pricetime/lab";

export const HOLD = new URL("../src/hold/hold.ts", import.meta.url).href;
export const PATIENCE_MS = 120_000;
const BOT = fileURLToPath(new URL("./market-bot.mjs", import.meta.url));

interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
  readonly endMs: number;
}

export async function run(
  t: TestContext,
  options: LabOptions,
  seconds: number,
  prepare: (exchange: LabExchange) => Promise<unknown> = () => Promise.resolve(),
): Promise<Ran> {
  const exchange = await startExchange({ bots: "on", limits: "off", ...options });
  t.after(() => exchange.stop());
  await prepare(exchange);
  const { apiKey, secretKey } = exchange.account("alice");
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "--import", HOLD, BOT], {
    env: {
      ...{ ...own, ...exchange.environment("alice's bot".replace(/\W/g, "-")) },
      ...{ API_KEY: apiKey, SECRET_KEY: secretKey, SECONDS: String(seconds) },
    },
    timeout: PATIENCE_MS,
  });
  let [output, errors] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  const endMs = await exchange.clock.now();
  await exchange.stop();
  return { code, output, errors, endMs };
}
