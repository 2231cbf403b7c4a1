/**
 * The memory of a lab while its market runs for a month (`rounds`: days), without history and with it. The first week
 * is the baseline, in which the size limits are reached (newest rows of the journal, pages of history). One quiet
 * market trades: its month takes minutes and has 2.4 million commands.
 */
import assert from "node:assert/strict";
import { metric, operate, startExchange } from "@pricetime/testkit/venue";
import { memoryBytes, processorMs } from "@pricetime/testkit/process-usage";
import { type BenchOptions, table, thousands } from "../measure.ts";

const DAYS = 28;
const DAYS_A_WEEK = 7;
const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
const TRADED = "BNBBTC";
/**
 * The accepted ratio of the last week to the first, for the live heap and the resident memory; more counts as growth.
 */
const MOST_OF_FIRST_WEEK = 1.15;

interface Lab {
  readonly history: "off" | "on";
  readonly days: readonly Day[];
}

/** Values are in bytes unless stated otherwise. */
interface Day {
  readonly commands: number;
  /** The smallest heap at the end of an hour: approximately the live objects. */
  readonly leastHeap: number;
  readonly mostOutside: number;
  readonly mostResident: number;
  /** Processor time since the start. */
  readonly tookS: number;
}

export async function run({ rounds: days = DAYS }: BenchOptions): Promise<string[]> {
  // Both run at once: the processor use of one does not affect the memory of the other.
  const labs = await Promise.all((["off", "on"] as const).map((history) => live(history, days)));
  const rows = labs.flatMap((lab) => rowsOf(lab));
  const lines = table(
    ["history", "days", "commands", "live heap, MB", "outside the heap, MB", "resident, MB", "CPU s"],
    rows,
  );
  if (days < 2 * DAYS_A_WEEK) return lines;
  const growth = labs.map((lab) => growthOf(lab));
  lines.push("", ...growth.map(({ line }) => line));
  assert.ok(
    growth.every(({ times }) => times <= MOST_OF_FIRST_WEEK),
    `more than ${MOST_OF_FIRST_WEEK} times the first week's:\n${lines.join("\n")}`,
  );
  return lines;
}

async function live(history: Lab["history"], count: number): Promise<Lab> {
  const args = ["--lab", "--clock", "manual", "--history", history];
  const exchange = await startExchange({ args, isTemporary: true });
  try {
    const markets = await operate<readonly { readonly symbol: string }[]>(exchange, "GET", "/v1/lab/markets");
    for (const { symbol } of markets) {
      if (symbol !== TRADED) await operate(exchange, "POST", `/v1/lab/markets/${symbol}`, { halt: true });
    }
    const days: Day[] = [];
    for (let day = 0; day < count; day++) {
      const heap: number[] = [];
      const outside: number[] = [];
      const resident: number[] = [];
      let commands = 0;
      // In steps of an hour, so that the response arrives before the client's timeout.
      for (let hour = 0; hour < HOURS_A_DAY; hour++) {
        const body = { ms: HOUR_MS };
        ({ seq: commands } = await operate<{ seq: number }>(exchange, "POST", "/v1/lab/clock/advance", body));
        heap.push(await metric(exchange, "nodejs_heap_size_used_bytes"));
        outside.push(await metric(exchange, "nodejs_external_memory_bytes"));
        resident.push(memoryBytes(exchange.pid, "VmRSS"));
      }
      days.push({
        commands,
        leastHeap: Math.min(...heap),
        mostOutside: Math.max(...outside),
        mostResident: Math.max(...resident),
        tookS: processorMs(exchange.pid) / 1000,
      });
    }
    return { history, days };
  } finally {
    await exchange.stop();
  }
}

/** The first day, and the last one of each week. */
function rowsOf({ history, days }: Lab): string[][] {
  return days.flatMap((day, index) => {
    const isShown = index === 0 || (index + 1) % DAYS_A_WEEK === 0 || index === days.length - 1;
    if (!isShown) return [];
    const megabytes = [day.leastHeap, day.mostOutside, day.mostResident].map((bytes) => (bytes / 1e6).toFixed(0));
    return [[history, String(index + 1), thousands(day.commands), ...megabytes, day.tookS.toFixed(0)]];
  });
}

/** The ratio of the last week to the first: the larger one of live heap and resident memory. */
function growthOf({ history, days }: Lab): { readonly times: number; readonly line: string } {
  const first = days.slice(0, DAYS_A_WEEK);
  const last = days.slice(-DAYS_A_WEEK);
  // The day with the highest value represents its week: on the first days the limits are not reached yet.
  const most = (week: readonly Day[], of: "leastHeap" | "mostResident"): number =>
    Math.max(...week.map((day) => day[of]));
  const [heap, resident] = (["leastHeap", "mostResident"] as const).map((of) => most(last, of) / most(first, of)) as [
    number,
    number,
  ];
  const line = `history ${history}, last week's ratio to the first: ${heap.toFixed(2)} live heap, ${resident.toFixed(2)} resident`;
  return { times: Math.max(heap, resident), line };
}
