/**
 * `npm run bench` runs every benchmark, `npm run bench -- engine export` the named ones; with `--dump flow.csv` it
 * writes one of the engine's flows to a file instead. README.md describes each.
 */
import { parseArgs } from "node:util";
import { type BenchOptions, machine } from "./measure.ts";

type Run = (options: BenchOptions) => Promise<string[]>;

const BENCHMARKS: Readonly<Record<string, () => Promise<{ run: Run }>>> = {
  engine: () => import("./engine/engine.ts"),
  beside: () => import("./beside/beside.ts"),
  "order-path": () => import("./order-path/order-path.ts"),
  connections: () => import("./connections/connections.ts"),
  recovery: () => import("./recovery/recovery.ts"),
  "recovery-open": async () => ({ run: (await import("./recovery/recovery.ts")).runOpen }),
  reads: () => import("./reads/reads.ts"),
  stream: () => import("./stream/stream.ts"),
  cluster: () => import("./cluster/cluster.ts"),
  costs: () => import("./costs/costs.ts"),
  start: () => import("./start/start.ts"),
  terminal: () => import("./terminal/terminal.ts"),
  export: () => import("./export/export.ts"),
  "lab-restore": () => import("./lab/restore.ts"),
  "lab-replay": () => import("./lab/lab-replay.ts"),
  "lab-markets": () => import("./lab/lab-markets.ts"),
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
const { symbols, dump, ...given } = values;
const NUMBERS = ["rounds", "rows", "minutes"];
const options: BenchOptions = Object.fromEntries(
  Object.entries(given).map(([name, value]) => [name, NUMBERS.includes(name) ? Number(value) : value]),
);
if (dump === undefined) await measure();
else {
  const { dump: write } = await import("./engine/flow-dump.ts");
  console.log(write({ file: dump, flow: options.flow ?? "mixed", symbols: Number(symbols) }));
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
