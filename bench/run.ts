/**
 * `npm run bench` runs every benchmark, `npm run bench -- engine http` the named ones; with `--dump flow.csv` it writes
 * one of the engine's flows to a file instead. README.md describes each.
 */
import { parseArgs } from "node:util";
import { machine } from "./measure.ts";
import type { BenchOptions } from "./options.ts";

type Run = (options: BenchOptions) => string[] | Promise<string[]>;

const BENCHMARKS: Readonly<Record<string, () => Promise<{ run: Run }>>> = {
  engine: () => import("./engine/engine.ts"),
  beside: () => import("./beside/beside.ts"),
  http: () => import("./order-path/http.ts"),
  "order-path": () => import("./order-path/order-path.ts"),
  accounts: () => import("./order-path/accounts.ts"),
  neighbours: () => import("./neighbours/neighbours.ts"),
  connections: () => import("./connections/connections.ts"),
  recovery: () => import("./recovery/recovery.ts"),
  "recovery-open": async () => ({ run: (await import("./recovery/recovery.ts")).runOpen }),
  ends: () => import("./ends/ends.ts"),
  refused: () => import("./recovery/refused.ts"),
  snapshot: () => import("./recovery/snapshot.ts"),
  reads: () => import("./reads/reads.ts"),
  stream: () => import("./stream/stream.ts"),
  cluster: () => import("./cluster/cluster.ts"),
  costs: () => import("./costs/costs.ts"),
  start: () => import("./start/start.ts"),
  terminal: () => import("./terminal/terminal.ts"),
  export: () => import("./export/export.ts"),
  "lab-restore": () => import("./lab/restore.ts"),
  failover: () => import("./cluster/failover.ts"),
  proof: () => import("./proof/proof.ts"),
  "lab-replay": () => import("./lab/lab-replay.ts"),
  "lab-markets": () => import("./lab/lab-markets.ts"),
  "lab-agents": () => import("./lab/lab-agents.ts"),
  "lab-step": () => import("./lab/step.ts"),
  "lab-memory": () => import("./lab/memory.ts"),
};

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    rows: { type: "string" },
    data: { type: "string" },
    flow: { type: "string" },
    symbols: { type: "string", default: "1" },
    dump: { type: "string" },
    checkout: { type: "string" },
    minutes: { type: "string" },
  },
});
const unknown = named.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(", ")}; there are ${Object.keys(BENCHMARKS).join(", ")}`);
  process.exit(1);
}
const { rounds, rows, data, flow, symbols, dump, checkout, minutes } = values;
const options: BenchOptions = {
  ...(rounds !== undefined && { rounds: Number(rounds) }),
  ...(rows !== undefined && { rows: Number(rows) }),
  ...(data !== undefined && { data }),
  ...(flow !== undefined && { flow }),
  ...(checkout !== undefined && { checkout }),
  ...(minutes !== undefined && { minutes: Number(minutes) }),
};
if (dump === undefined) await measure();
else await dumpFlow(dump);

async function dumpFlow(file: string): Promise<void> {
  const { dump: write } = await import("./engine/flow-dump.ts");
  console.log(write({ file, flow: flow ?? "mixed", symbols: Number(symbols) }));
}

async function measure(): Promise<void> {
  console.log(machine());
  for (const [name, load] of Object.entries(BENCHMARKS)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const started = performance.now();
    const { run } = await load();
    console.log(`\n### ${name}\n`);
    for (const line of await run(options)) console.log(line);
    console.log(`\n(${Math.round((performance.now() - started) / 1000)} s)`);
  }
}
