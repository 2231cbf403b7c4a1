/**
 * The files of the server that may use the machine's time, timers and randomness: those that wire a process or a thread
 * together, and those outside of a node. All others receive them as parameters (`platform/world/port.ts`).
 */
export interface Exception {
  /** A file, or a folder that ends with a slash. */
  readonly path: string;
  readonly why: string;
  /**
   * `ask`: it may use the globals and modules that the linter forbids. `hand on`: it may import
   * `platform/world/machine.ts`.
   */
  readonly may: "ask" | "hand on";
}

const server = (path: string): string => `packages/server/src/${path}`;

export const HAVE_THE_MACHINE: readonly Exception[] = [
  { path: server("platform/world/machine.ts"), may: "ask", why: "it is the machine's world" },
  {
    path: server("platform/observe/log.ts"),
    may: "ask",
    why: "a pipe of the process that is full; pino reads the clock by itself",
  },
  { path: server("program/cli/"), may: "ask", why: "a person's command, which is over when it has answered" },
  { path: server("funds/wallet/evm/signer/"), may: "ask", why: "a process of its own" },
  { path: server("program/exports/parts.ts"), may: "hand on", why: "for benchmarks, simulators and tests" },
  { path: server("program/exports/program.ts"), may: "hand on", why: "for programs that run nodes as processes" },
  { path: server("main.ts"), may: "hand on", why: "puts the node together" },
  { path: server("journal/storage/projector-worker.ts"), may: "hand on", why: "puts its thread together" },
  { path: server("cluster/etcd/lease-worker.ts"), may: "hand on", why: "likewise" },
  { path: server("funds/proof/folder/audit-worker.ts"), may: "hand on", why: "likewise" },
  {
    path: server("journal/storage/projection.ts"),
    may: "hand on",
    why: "on real files, in a thread or a command of its own",
  },
  {
    path: server("journal/replica/verify-journal.ts"),
    may: "hand on",
    why: "an engine of its own, for a command of a person",
  },
  { path: server("journal/backup/backup.ts"), may: "hand on", why: "likewise" },
];
