/**
 * The cost of the most expensive request of each endpoint, as processor time of the thread that takes orders: no turn
 * costs more than a fixed number of orders in the same process. The minimum of several rounds is compared, because
 * other programs fill the processor's caches, and more rounds follow if a row is over its limit.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ROOT } from "@pricetime/testkit/venue";
import { ROWS } from "../../bench/costs/dear-requests.ts";
import { DearVenue } from "../../bench/costs/dear-venue.ts";
import { type HeardRow, heardOf } from "../../bench/costs/heard.ts";
import { BASELINE, type CostRow, measure, rowName } from "../../bench/costs/measure.ts";
import { least } from "../../bench/costs/probe.ts";

/** An order costs 0.1 to 0.2 ms here, its journal left out: so this is some milliseconds. */
const MOST_ORDERS_A_TURN = 25;
/** Orders that all its turns together may take, for each unit of weight charged. */
const MOST_ORDERS_A_WEIGHT = 50;
const ROUNDS = 3;
const MOST_TRIES = 8;

let venue: DearVenue;
before(async () => {
  venue = new DearVenue();
  await venue.started();
});
after(() => venue.close());

/** Measures again and again until nothing is over, or too often. */
async function within<Row extends { readonly totalMs: number; readonly longestMs: number }>(
  measureRows: () => Promise<readonly Row[]>,
  over: (rows: readonly Row[]) => readonly string[],
): Promise<readonly Row[]> {
  let rows = await measureRows();
  for (let tries = 1; tries < MOST_TRIES && over(rows).length > 0; tries++) {
    const again = await measureRows();
    rows = rows.map((row, n) => ({ ...row, ...least([row, again[n] as Row]) }));
  }
  assert.deepEqual(over(rows), []);
  return rows;
}

let orderMs = 0;

/** Orders that were charged for before may each cost as much as they did then. */
function isRequestOver({ longestMs, totalMs, weight, request: { ends = 0 } }: CostRow): boolean {
  const isLong = longestMs > (MOST_ORDERS_A_TURN + ends) * orderMs;
  return isLong || totalMs > (MOST_ORDERS_A_WEIGHT * weight + ends) * orderMs;
}

test("no request takes a turn that is longer than some tens of orders, nor more than its weight pays for", async () => {
  const rows = await within(
    () => measure(venue, ROUNDS),
    (measured) => {
      orderMs = measured.find(({ id }) => id === BASELINE)?.totalMs ?? 0;
      return measured
        .filter((row) => isRequestOver(row))
        .map((row) => `${rowName(row)} ${(row.longestMs / orderMs).toFixed(0)} ${(row.totalMs / orderMs).toFixed(0)}`);
    },
  );
  assertInDocs(rows);
});

test("nor does what is sent without being asked for", async () => {
  const measureHeard = heardOf(venue);
  const rows = await within(
    () => measureHeard(ROUNDS),
    (measured) => {
      const over = measured.filter(({ longestMs }) => longestMs > MOST_ORDERS_A_TURN * orderMs);
      return over.map(({ name }: HeardRow) => name);
    },
  );
  for (const { name, what } of rows) assert.ok(docs().includes(`| \`${name}\` | ${what} |`), name);
});

function docs(): string {
  return readFileSync(join(ROOT, "docs/internals/costs.md"), "utf8");
}

/** Every endpoint has its rows in the table, with the weight that it is charged; and there are no others. */
function assertInDocs(rows: readonly CostRow[]): void {
  const text = docs();
  const missing = rows.map((row) => rowName(row)).filter((name) => !text.includes(name));
  assert.deepEqual(missing, [], "run `npm run bench -- costs` and put its table into docs/internals/costs.md");
  const known = new Set<string>(ROWS.map(({ id }) => id));
  const named = [...text.matchAll(/^\| `([^`]+)` \| [^|]* \| \d+ \|/gm)].map(([, id]) => id);
  assert.deepEqual(
    named.filter((id) => id !== undefined && !known.has(id)),
    [],
  );
  assert.equal(named.length, rows.length);
}
