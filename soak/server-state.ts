/** The state of the running program, from its metrics and from the operating system. */
import { readFileSync } from "node:fs";
import type { Exchange } from "@pricetime/testkit/venue";

export interface ServerState {
  /** Resident memory of the process in MiB: all of it, and without file pages. */
  readonly rssMiB: number;
  readonly anonMiB: number;
  /** JavaScript heap of the main thread in use, MiB. */
  readonly heapMiB: number;
  /** Buffers and other memory outside of that heap, MiB. */
  readonly externalMiB: number;
  readonly connections: number;
  readonly openOrders: number;
  readonly journalSeq: number;
  readonly historyLag: number;
  readonly slowDropped: number;
}

const MIB = 1 << 20;

export async function serverState({ admin, pid }: Pick<Exchange, "admin" | "pid">): Promise<ServerState> {
  const metrics = new Map<string, number>();
  const text = await (await fetch(`${admin}/metrics`)).text();
  for (const [, name = "", value] of text.matchAll(/^([a-z_]+) (\S+)$/gm)) metrics.set(name, Number(value));
  const metric = (name: string): number => {
    const value = metrics.get(name);
    if (value === undefined) throw new Error(`no metric ${name}`);
    return value;
  };
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const memory = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return {
    rssMiB: memory("VmRSS"),
    anonMiB: memory("RssAnon"),
    heapMiB: metric("nodejs_heap_size_used_bytes") / MIB,
    externalMiB: metric("nodejs_external_memory_bytes") / MIB,
    connections: metric("pricetime_open_connections"),
    openOrders: metric("pricetime_open_orders"),
    journalSeq: metric("pricetime_journal_seq"),
    historyLag: metric("pricetime_history_lag_commands"),
    slowDropped: metric("pricetime_sockets_dropped_total"),
  };
}
