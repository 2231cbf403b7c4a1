/** `npm run bench` runs every benchmark, `npm run bench -- engine http` those named. */
import { machine } from "./measure.ts";

const BENCHMARKS: Readonly<Record<string, () => Promise<{ run(): string[] | Promise<string[]> }>>> = {
  engine: () => import("./engine.ts"),
  http: () => import("./http.ts"),
  recovery: () => import("./recovery.ts"),
  stream: () => import("./stream.ts"),
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in BENCHMARKS));
if (unknown.length > 0) {
  console.error(`no such benchmark: ${unknown.join(", ")}; there are ${Object.keys(BENCHMARKS).join(", ")}`);
  process.exit(1);
}
console.log(machine());
for (const [name, load] of Object.entries(BENCHMARKS)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const benchmark = await load();
  console.log(`\n${name}`);
  for (const line of await benchmark.run()) console.log(`  ${line}`);
}
