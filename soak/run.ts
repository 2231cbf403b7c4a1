/** `npm run soak -- --minutes N`: see README.md. Exit code 1 if there is any difference or failure. */
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { reconcile } from "./reconcile/reconcile.ts";
import { flatness, heading, row, type Sample, table } from "./sample.ts";
import { soak } from "./soak.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    /** Requests per second; determined by calibration if omitted. */
    rate: { type: "string" },
    /** The fraction of the calibrated rate. */
    share: { type: "string", default: "0.85" },
    connections: { type: "string", default: "5000" },
    "order-connections": { type: "string", default: "64" },
    accounts: { type: "string", default: "48" },
    calibrate: { type: "string", default: "30" },
    settle: { type: "string", default: "60" },
    sample: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    /** The folder for data and records; if omitted, a temporary folder that is removed at the end. */
    folder: { type: "string" },
  },
});
const beganMs = performance.now();
const say = (line: string): void => console.log(line);
const sayWhen = (line: string): void => say(`[${((performance.now() - beganMs) / 1000).toFixed(0)} s] ${line}`);
const folder = values.folder ?? temporaryFolder();
let announced = false;
const onSample = (sample: Sample): void => {
  if (!announced) say(heading());
  announced = true;
  say(row([sample]));
};

const { samples, evidence, counts, problems } = await soak({
  folder,
  seconds: Number(values.minutes) * 60,
  rate: values.rate === undefined ? undefined : Number(values.rate),
  share: Number(values.share),
  connections: Number(values.connections),
  orderConnections: Number(values["order-connections"]),
  accounts: Number(values.accounts),
  calibrationSeconds: Number(values.calibrate),
  settlingSeconds: Number(values.settle),
  sampleSeconds: Number(values.sample),
  seed: Number(values.seed),
  say: sayWhen,
  onSample,
});
say(["", ...table(samples), "", ...flatness(samples)].join("\n"));
say(`answers: ${JSON.stringify(counts)}`);
for (const problem of problems.slice(0, 10)) say(`PROBLEM: ${problem}`);
const startMs = performance.now();
const { differences, first, checked } = reconcile(evidence);
say(`reconciled in ${((performance.now() - startMs) / 1000).toFixed(0)} s: ${JSON.stringify(checked)}`);
for (const difference of first) say(`DIFFERENCE: ${difference}`);
say(`${differences} differences, ${problems.length} problems`);
const isGood = differences === 0 && problems.length === 0;
if (values.folder === undefined && isGood) rmSync(folder, { recursive: true });
else say(`kept: ${folder}`);
process.exitCode = isGood ? 0 : 1;
