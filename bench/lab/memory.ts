/**
 * What a lab takes of the machine's memory as its market runs for a month (`rounds`: days), without history and with it.
 * The first week is the baseline: in it the named limits are reached (newest rows of the journal, pages of history). One
 * quiet market trades, whose month takes minutes and is 2.4 million commands.
 */
import assert from "node:assert/strict";
import { metric, operate, startExchange } from "@pricetime/testkit/venue";
import { thousands } from "../measure.ts";
import type { BenchOptions } from "../options.ts";
import { table } from "../order-path/report.ts";
import { memoryBytes, processTime } from "../venue/threads.ts";

const DAYS = 28;
const DAYS_A_WEEK = 7;
const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
const TRADED = "BNBBTC";
/** The last week may take so many times what the first one took, alive on the heap and resident; more is growth. */
const MOST_OF_FIRST_WEEK = 1.15;

interface Lab {
  readonly history: "off" | "on";
  readonly days: readonly Day[];
}

/** Bytes, where nothing else is said. */
interface Day {
  readonly commands: number;
  /** The least that the heap held at the end of an hour: about what is alive. */
  readonly leastHeap: number;
  readonly mostOutside: number;
  readonly mostResident: number;
  /** Processor time since the start. */
  readonly tookS: number;
}

export async function run({ rounds: days = DAYS }: BenchOptions): Promise<string[]> {
  // At once: what one takes of the processor is nothing that the other's memory would notice.
  const labs = await Promise.all((["off", "on"] as const).map((history) => live(history, days)));
  const rows = labs.flatMap((lab) => rowsOf(lab));
  const told = table(
    ["history", "days", "commands", "live heap, MB", "outside the heap, MB", "resident, MB", "CPU s"],
    rows,
  );
  if (days < 2 * DAYS_A_WEEK) return told;
  const growth = labs.map((lab) => growthOf(lab));
  told.push("", ...growth.map(({ line }) => line));
  assert.ok(
    growth.every(({ times }) => times <= MOST_OF_FIRST_WEEK),
    `more than ${MOST_OF_FIRST_WEEK} times the first week's:\n${told.join("\n")}`,
  );
  return told;
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
      // An answer must come before the client gives up.
      for (let hour = 0; hour < HOURS_A_DAY; hour++) {
        const body = { ms: HOUR_MS };
        ({ seq: commands } = await operate<{ seq: number }>(exchange, "POST", "/v1/lab/clock/advance", body));
        heap.push(await metric(exchange, "nodejs_heap_size_used_bytes"));
        outside.push(await metric(exchange, "nodejs_external_memory_bytes"));
        resident.push(memoryBytes(exchange.pid, "VmRSS"));
      }
      const { userMs, systemMs } = processTime(exchange.pid);
      days.push({
        commands,
        leastHeap: Math.min(...heap),
        mostOutside: Math.max(...outside),
        mostResident: Math.max(...resident),
        tookS: (userMs + systemMs) / 1000,
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
    const isTold = index === 0 || (index + 1) % DAYS_A_WEEK === 0 || index === days.length - 1;
    if (!isTold) return [];
    const megabytes = [day.leastHeap, day.mostOutside, day.mostResident].map((bytes) => (bytes / 1e6).toFixed(0));
    return [[history, String(index + 1), thousands(day.commands), ...megabytes, day.tookS.toFixed(0)]];
  });
}

/** The last week as a multiple of the first: the larger of what is alive and what is resident. */
function growthOf({ history, days }: Lab): { readonly times: number; readonly line: string } {
  const first = days.slice(0, DAYS_A_WEEK);
  const last = days.slice(-DAYS_A_WEEK);
  // The day that takes most stands for its week: on the first days the limits are not reached yet.
  const most = (week: readonly Day[], of: "leastHeap" | "mostResident"): number =>
    Math.max(...week.map((day) => day[of]));
  const [heap, resident] = (["leastHeap", "mostResident"] as const).map((of) => most(last, of) / most(first, of)) as [
    number,
    number,
  ];
  const line = `history ${history}, last week's ratio to the first: ${heap.toFixed(2)} live heap, ${resident.toFixed(2)} resident`;
  return { times: Math.max(heap, resident), line };
}
