/**
 * `npm run bench` runs every benchmark, `npm run bench -- engine http` those named. `npm run bench -- engine
 * --dump flow.csv [--flow mixed|making|deep] [--symbols 500]` writes a flow of the engine's to a file instead;
 * `npm run bench -- engine --flow deep` measures that flow alone, without growth and memory.
 */
import { parseArgs } from "node:util";
import { machine } from "./measure.ts";

interface Benchmark {
  /** `flow`: of the engine's flows this one alone. */
  run(flow?: string): string[] | Promise<string[]>;
}

const BENCHMARKS: Readonly<Record<string, () => Promise<Benchmark>>> = {
  engine: () => import("./engine.ts"),
  http: () => import("./http.ts"),
  recovery: () => import("./recovery.ts"),
  stream: () => import("./stream.ts"),
};

const { positionals: named, values } = parseArgs({
  allowPositionals: true,
  options: {
    dump: { type: "string" },
    flow: { type: "string" },
    symbols: { type: "string", default: "1" },
  },
});
const unknown = named.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(", ")}; there are ${Object.keys(BENCHMARKS).join(", ")}`);
  process.exit(1);
}
if (values.dump === undefined) await measure();
else {
  const { dump } = await import("./flow-dump.ts");
  console.log(dump({ file: values.dump, flow: values.flow ?? "mixed", symbols: Number(values.symbols) }));
}

async function measure(): Promise<void> {
  console.log(machine());
  for (const [name, load] of Object.entries(BENCHMARKS)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const benchmark = await load();
    console.log(`\n${name}`);
    for (const line of await benchmark.run(values.flow)) console.log(`  ${line}`);
  }
}
