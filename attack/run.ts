/** `npm run attack`: see README.md. Exit code 1 if an attack succeeds, with a line that names it. */
import { parseArgs } from "node:util";
import { ATTACKS } from "./attacks/list.ts";
import { attackAll } from "./campaign.ts";
import { table } from "./table.ts";

const { values } = parseArgs({
  options: {
    /** Names, separated by commas; all if omitted. */
    only: { type: "string" },
    short: { type: "boolean", default: false },
    seconds: { type: "string" },
  },
});
const names = values.only?.split(",");
const unknown = names?.find((name) => ATTACKS.every((attack) => attack.name !== name));
if (unknown !== undefined) {
  console.error(`attack: unknown attack ${unknown}. Choose from ${ATTACKS.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
if (process.platform !== "linux") {
  console.error("attack: this needs Linux (/proc, and loopback addresses other than 127.0.0.1)");
  process.exit(2);
}
const beganMs = performance.now();
const elapsed = (): string => ((performance.now() - beganMs) / 1000).toFixed(0);
const rows = await attackAll({
  attacks: ATTACKS.filter(({ name }) => names?.includes(name) ?? true),
  isShort: values.short,
  seconds: Number(values.seconds ?? (values.short ? 4 : 8)),
  say: (line) => console.log(`[${elapsed()} s] ${line}`),
});
console.log(["", ...table(rows), ""].join("\n"));
const succeeded = rows.filter(({ broken }) => broken.length > 0);
for (const { attack, does, broken } of succeeded) console.log(`SUCCEEDED: ${attack} (${does}): ${broken.join("; ")}`);
console.log(`attack: ${succeeded.length} of ${rows.length} succeeded, in ${elapsed()} s`);
process.exit(succeeded.length === 0 ? 0 : 1);
