/** The longest tasks of the page's main thread. A task's elapsed time includes waiting for a core. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of elapsed time, and of the thread's processor time. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

export interface LongestTasks {
  readonly byClockMs: number;
  readonly byThreadMs: number;
}

/** Traces for so long. Tracing has a small cost, so no other figure is measured at that time. */
export async function longestTasks(browser: Browser, page: Page, windowMs: number): Promise<LongestTasks> {
  await browser.startTracing(page, { categories: ["toplevel"] });
  await sleep(windowMs);
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const ofThread = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const threads = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map((event) => ofThread(event)),
  );
  let [byClockMs, byThreadMs] = [0, 0];
  for (const event of trace.traceEvents) {
    if (event.ph !== "X" || !event.name.endsWith("RunTask") || !threads.has(ofThread(event))) continue;
    byClockMs = Math.max(byClockMs, (event.dur ?? 0) / 1000);
    byThreadMs = Math.max(byThreadMs, (event.tdur ?? 0) / 1000);
  }
  return { byClockMs, byThreadMs };
}
