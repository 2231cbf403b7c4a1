/** `npm run cluster:campaign -- --minutes 4`: see README.md. Exit code 1 if there is a finding. */
import { parseArgs } from "node:util";
import { noEtcd } from "@pricetime/testkit/etcd";
import { campaign } from "./campaign.ts";
import { endOnSignals } from "./end-on-signals.ts";
import { FAULTS } from "./faults/schedule.ts";
import { MAY_NOT_MOUNT } from "./faults/state.ts";

endOnSignals();
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "4" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    /** Only faults whose names contain one of these words, separated by commas. */
    only: { type: "string", default: "" },
    /** A fault that was not tried, or had no effect, is a finding too. Full disks need a mount. */
    strict: { type: "boolean", default: false },
    /** A folder for the data of a run with findings. */
    keep: { type: "string" },
  },
});
const beganMs = performance.now();
const say = (line: string): void =>
  console.log(`[${((performance.now() - beganMs) / 1_000).toFixed(0).padStart(4)} s] ${line}`);

if (noEtcd !== false) console.log(`not run: ${noEtcd}`);
else {
  const seed = Number(values.seed);
  const words = values.only.split(",");
  const faults = FAULTS.filter(({ name }) => words.some((word) => name.includes(word)));
  say(`seed ${seed}, ${faults.length} kinds of faults`);
  const result = await campaign({ seconds: Number(values.minutes) * 60, seed, faults, say, keepIn: values.keep });
  say(`faults: ${[...result.faults.values()].reduce((sum, count) => sum + count, 0)} of ${result.faults.size} kinds`);
  say(`checked: ${JSON.stringify(result.checked)}`);
  const { findings, short } = result;
  const notTried = [...result.skipped].map(([name, why]) => ({ what: `not tried: ${name} (${why})`, why }));
  const mustHave = notTried.filter(({ why }) => why !== MAY_NOT_MOUNT);
  const missing = [...mustHave.map(({ what }) => what), ...short];
  if (values.strict) for (const what of missing) findings.add("faults", what);
  for (const finding of findings.first) console.log(`FINDING ${finding}`);
  say([`${findings.total} findings`, `seed ${seed}`, ...notTried.map(({ what }) => what), ...short].join("; "));
  process.exitCode = findings.total === 0 ? 0 : 1;
}
