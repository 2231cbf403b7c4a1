/**
 * `npm run market-figures [-- --days 7 --seeds 3 --symbols BTCUSDT,ETHUSDT --from 2026-01-12T00:00Z]`: runs the demo's
 * bots on a simulated clock as fast as the machine can, once for each seed from `--seed` on, and compares the results
 * with real markets. The exit code is 1 if a figure of BTCUSDT is outside of its band with any of the seeds, or in
 * their mean where few hours or days determine a figure, unless it is listed as missed. `--hours` instead of `--days`
 * for less than a day; `--value`: only the underlying value, without books and orders, in seconds; `--impact`: orders
 * executed over an hour, one for each seed, in seconds.
 */
import { parseArgs } from "node:util";
import { type Figure, figuresOf, isJudged, isWithin, priceFigures } from "./figures.ts";
import { impactFigures, type WorkedImpact, workedImpact } from "./impact.ts";
import { type Judged, judge } from "./judge.ts";
import { record, type Recording } from "./recording.ts";
import { valuePrices } from "./value-prices.ts";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const WARM_UP_MS = 60_000;

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "1" },
    hours: { type: "string" },
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "1" },
    symbols: { type: "string", default: "BTCUSDT" },
    value: { type: "boolean", default: false },
    impact: { type: "boolean", default: false },
    /** A Monday. */
    from: { type: "string", default: "2026-01-12T00:00:00Z" },
  },
});
const hours = values.hours === undefined ? Number(values.days) * DAY_HOURS : Number(values.hours);
const symbols = values.symbols.split(",");
if (values.impact) process.exit(await impact());
/** The figures of each symbol, for each seed. */
const all: Map<string, Figure[]>[] = [];
for (let index = 0; index < Number(values.seeds); index++) {
  const seed = Number(values.seed) + index;
  if (values.value) {
    all.push(new Map(symbols.map((symbol) => [symbol, ofValue(symbol, seed)])));
    continue;
  }
  const started = performance.now();
  const recording = await record({
    seed,
    symbols,
    startMs: Date.parse(values.from) - WARM_UP_MS,
    warmUpMs: WARM_UP_MS,
    durationMs: hours * HOUR_MS,
  });
  tell(recording, seed, (performance.now() - started) / 1000);
  all.push(new Map(symbols.map((symbol) => [symbol, figuresIn(recording, symbol)])));
}
let outside = 0;
for (const symbol of symbols) outside += print(symbol);
process.exit(outside > 0 ? 1 : 0);

function ofValue(symbol: string, seed: number): Figure[] {
  const fromMs = Date.parse(values.from);
  const prices = valuePrices(symbol, seed, fromMs, hours * 3600);
  return priceFigures(prices, fromMs).filter(({ leastHours }) => hours >= leastHours);
}

function figuresIn(recording: Recording, symbol: string): Figure[] {
  const market = recording.symbols.get(symbol);
  if (market === undefined) throw new Error(`${symbol} is not of the demo`);
  return figuresOf(recording, market).filter(({ leastHours }) => hours >= leastHours);
}

function tell({ commands, fromMs, toMs, refused, errors, ordersADay }: Recording, seed: number, tookS: number): void {
  const perSecond = commands / ((toMs - fromMs) / 1000);
  console.log(`${hours} h from ${values.from}, seed ${seed}, in ${tookS.toFixed(0)} s`);
  console.log(`${perSecond.toFixed(1)} commands a second, ${refused.length} refused, ${errors.length} errors`);
  for (const text of new Set(refused)) console.log(text);
  const busiest = ordersADay.slice(0, 6).map(([account, orders]) => `${account} ${orders.toFixed(0)}`);
  console.log(`orders a day, of the busiest accounts: ${busiest.join(", ")}`);
}

/** Returns the exit code. The mean over all orders is judged, because a single one has the noise of its book. */
async function impact(): Promise<number> {
  const orders: WorkedImpact[] = [];
  for (let index = 0; index < Number(values.seeds); index++)
    orders.push(await workedImpact(Number(values.seed) + index));
  const of = orders.map((order) => impactFigures([order]));
  const rows = impactFigures(orders).map((row, index) => {
    const found = of.map((figures) => figures[index]?.value ?? Number.NaN);
    return { row, value: row.value, found, wrong: isWithin(row.band, row.value) ? 0 : 1 };
  });
  printRows("BTCUSDT", rows);
  return rows.some(({ wrong }) => wrong > 0) ? 1 : 0;
}

/** Returns the number of figures outside of their bands, without those listed as missed. */
function print(symbol: string): number {
  const rows = judge(all.map((figures) => figures.get(symbol) ?? []));
  printRows(symbol, rows);
  return hasBands(symbol) ? rows.filter(({ row, wrong }) => wrong > 0 && row.missed === undefined).length : 0;
}

function printRows(symbol: string, rows: readonly Judged[]): void {
  console.log(`\n| ${symbol} | ours | each seed | real BTCUSDT | band | |\n|---|---|---|---|---|---|`);
  const reasons: string[] = [];
  for (const { row, value, found, wrong } of rows) {
    const { name, real, band, missed, isOfMean } = row;
    const each = found.length === 1 ? "" : found.map((one) => textOf(row, one)).join(" ");
    const verdict = !hasBands(symbol) || wrong === 0 ? "" : missed === undefined ? "out of its band" : "**missed**";
    if (missed !== undefined) reasons.push(`${name}: ${missed}.`);
    const judged = verdict === "" && isOfMean && isJudged(row) ? "mean" : verdict;
    console.log(`| ${name} | ${textOf(row, value)} | ${each} | ${real} | ${bandOf(band)} | ${judged} |`);
  }
  if (reasons.length > 0) console.log("\nReasons for the missed rows:\n");
  for (const reason of reasons) console.log(`- ${reason}`);
}

function hasBands(symbol: string): boolean {
  return symbol === "BTCUSDT";
}

function textOf({ digits }: Figure, value: number): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function bandOf([low, high]: Figure["band"]): string {
  if (!Number.isFinite(low)) return "";
  const least = low.toLocaleString("en-US");
  return Number.isFinite(high) ? `${least} to ${high.toLocaleString("en-US")}` : `${least} and more`;
}
