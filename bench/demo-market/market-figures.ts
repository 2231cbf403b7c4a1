/**
 * `npm run market-figures [-- --hours 24 --seed 1 --symbols BTCUSDT,ETHUSDT --from 2026-01-14T00:00Z]`: lets the demo's
 * bots trade for so long by a clock of its own, as fast as the machine can, and prints what is known of real markets
 * beside ours. The exit code is 1 when a figure of BTCUSDT lies out of its band.
 */
import { parseArgs } from "node:util";
import { figuresOf, type Figure } from "./figures.ts";
import { record, type Recording } from "./recording.ts";

const HOUR_MS = 3_600_000;
const WARM_UP_MS = 60_000;

const { values } = parseArgs({
  options: {
    hours: { type: "string", default: "24" },
    seed: { type: "string", default: "1" },
    symbols: { type: "string", default: "BTCUSDT" },
    /** A Wednesday. */
    from: { type: "string", default: "2026-01-14T00:00:00Z" },
  },
});
const hours = Number(values.hours);
const symbols = values.symbols.split(",");
const started = performance.now();
const recording = await record({
  seed: Number(values.seed),
  symbols,
  startMs: Date.parse(values.from) - WARM_UP_MS,
  warmUpMs: WARM_UP_MS,
  durationMs: hours * HOUR_MS,
});
const tookS = (performance.now() - started) / 1000;
const perSecond = recording.commands / ((recording.toMs - recording.fromMs) / 1000);
console.log(`${hours} h from ${values.from}, seed ${values.seed}, in ${tookS.toFixed(0)} s`);
console.log(
  `${perSecond.toFixed(1)} commands a second, ${recording.refused.length} refused, ${recording.errors.length} errors`,
);
for (const text of new Set(recording.refused)) console.log(text);
const busiest = recording.ordersADay.slice(0, 6).map(([account, orders]) => `${account} ${orders.toFixed(0)}`);
console.log(`orders a day, of the busiest accounts: ${busiest.join(", ")}`);
let outside = 0;
for (const symbol of symbols) outside += print(recording, symbol);
process.exit(outside > 0 ? 1 : 0);

/** Answers with how many figures lie out of their band. */
function print(from: Recording, symbol: string): number {
  const market = from.symbols.get(symbol);
  if (market === undefined) throw new Error(`${symbol} is not of the demo`);
  const isJudged = symbol === "BTCUSDT";
  const rows = figuresOf(from, market).filter(({ leastHours }) => hours >= leastHours);
  console.log(`\n| ${symbol} | ours | real BTCUSDT |\n|---|---|---|`);
  for (const row of rows)
    console.log(`| ${row.name} | ${textOf(row)}${isJudged ? verdictOf(row) : ""} | ${row.real} |`);
  return isJudged ? rows.filter((row) => verdictOf(row) !== "").length : 0;
}

function textOf({ value, digits }: Figure): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function verdictOf({ value, band: [low, high] }: Figure): string {
  return value >= low && value <= high ? "" : ` (not in ${low} to ${high})`;
}
