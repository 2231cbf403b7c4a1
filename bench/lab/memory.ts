/**
 * What a lab takes of the machine's memory as its market runs on, day by day (`rounds`): one market, without history and
 * with it. The first day is the baseline: what it has filled (newest rows of the journal, pages of history) stays.
 */
import { readFileSync } from "node:fs";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";
import { processTime } from "../venue/threads.ts";

const DAYS = 5;
const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
const TRADED = "BTCUSDT";

export async function run({ rounds: days = DAYS }: BenchOptions): Promise<string[]> {
  const rows: string[][] = [];
  for (const history of ["off", "on"]) rows.push(...(await daysOf(history, days)));
  return table(
    ["history", "day", "commands", "heap, MB", "outside the heap, MB", "resident, MB", "processor, s"],
    rows,
  );
}

async function daysOf(history: string, days: number): Promise<string[][]> {
  const exchange = await startExchange({ args: ["--lab", "--clock", "manual", "--history", history] });
  try {
    const markets = await operate<readonly { readonly symbol: string }[]>(exchange, "GET", "/v1/lab/markets");
    for (const { symbol } of markets) {
      if (symbol !== TRADED) await operate(exchange, "POST", `/v1/lab/markets/${symbol}`, { halt: true });
    }
    const rows: string[][] = [];
    for (let day = 1; day <= days; day++) {
      let seq = 0;
      // An answer must come before the client gives up.
      for (let hour = 0; hour < HOURS_A_DAY; hour++) {
        ({ seq } = await operate<{ seq: number }>(exchange, "POST", "/v1/lab/clock/advance", { ms: HOUR_MS }));
      }
      rows.push([history, String(day), String(seq), ...(await taken(exchange))]);
    }
    return rows;
  } finally {
    await exchange.stop();
  }
}

/** In the order of the table. */
async function taken({ admin, pid }: Exchange): Promise<string[]> {
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  const megabytes = (name: string): string =>
    (Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics)?.[1]) / 1e6).toFixed(0);
  const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  const { userMs, systemMs } = processTime(pid);
  return [
    megabytes("nodejs_heap_size_used_bytes"),
    megabytes("nodejs_external_memory_bytes"),
    ((resident * 1024) / 1e6).toFixed(0),
    ((userMs + systemMs) / 1000).toFixed(0),
  ];
}
