/** The state of the running program, from its metrics and from the operating system. */
import { memoryBytes } from "@pricetime/testkit/process-usage";
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
  const text = await (await fetch(`${admin}/metrics`)).text();
  const metrics = new Map([...text.matchAll(/^([a-z_]+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]));
  const metric = (name: string): number => {
    const value = metrics.get(name);
    if (value === undefined) throw new Error(`no metric ${name}`);
    return value;
  };
  return {
    rssMiB: memoryBytes(pid, "VmRSS") / MIB,
    anonMiB: memoryBytes(pid, "RssAnon") / MIB,
    heapMiB: metric("nodejs_heap_size_used_bytes") / MIB,
    externalMiB: metric("nodejs_external_memory_bytes") / MIB,
    connections: metric("pricetime_open_connections"),
    openOrders: metric("pricetime_open_orders"),
    journalSeq: metric("pricetime_journal_seq"),
    historyLag: metric("pricetime_history_lag_commands"),
    slowDropped: metric("pricetime_sockets_dropped_total"),
  };
}
