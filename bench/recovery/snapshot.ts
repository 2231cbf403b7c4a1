/**
 * The effect on clients of a snapshot of a million open orders: the delay of orders, and of history queries that must
 * include them, in an open loop, on a node without snapshots and on one that takes them continuously.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LoadProcess } from "../load/load.ts";
import type { LoadResult } from "../load/messages.ts";
import { median } from "@pricetime/testkit/quantile";
import { thousands } from "../measure.ts";
import type { BenchOptions } from "../options.ts";
import { DELAY_HEAD, delayRow, table } from "../order-path/report.ts";
import { restingOrders } from "../venue/flows.ts";
import { JournalMaker } from "../venue/journal-maker.ts";
import { SYMBOL } from "../venue/listing.ts";
import { copyFolder, rebuildHistory, startVenue, type Venue, withFolder } from "../venue/venue.ts";

const ROUNDS = 5;
const OPEN_ORDERS = 1_000_000;
const ACCOUNTS = 200;
const ROUND_MS = 8000;
/** Not measured: 32 new connections and their first requests take up to 70 ms. */
const WARM_UP_MS = 2000;
const ORDERS_A_SECOND = 500;
const READS_A_SECOND = 20;
const NEVER = 100_000_000;
/** The smallest snapshot interval that the configuration allows. */
const ALWAYS = 1000;

interface Round {
  readonly orders: LoadResult;
  readonly reads: LoadResult;
  readonly snapshots: number;
}

export async function run({ rounds = ROUNDS }: BenchOptions): Promise<string[]> {
  return withFolder(async (folder) => {
    const maker = new JournalMaker({ folder, accounts: ACCOUNTS, keys: ACCOUNTS });
    restingOrders(maker, OPEN_ORDERS);
    maker.close({ snapshot: true });
    await rebuildHistory(folder);
    const copy = `${folder}-too`;
    copyFolder(folder, copy);
    const without = await startVenue(folder, { settings: { snapshotEveryCommands: NEVER } });
    const taking = await startVenue(copy, { settings: { snapshotEveryCommands: ALWAYS } });
    const clients = new Clients();
    try {
      await clients.round(without);
      const [quiet, busy]: [Round[], Round[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        quiet.push(await clients.round(without));
        busy.push(await clients.round(taking));
      }
      return report(quiet, busy);
    } finally {
      clients.stop();
      await Promise.all([without.kill(), taking.kill()]);
    }
  });
}

class Clients {
  readonly #orders = new LoadProcess();
  readonly #reads = new LoadProcess();
  #number = 0;

  async round(venue: Venue): Promise<Round> {
    const { port } = venue;
    const count = (ORDERS_A_SECOND * ROUND_MS) / 1000;
    const firstNumber = this.#number;
    this.#number += count;
    const before = newestSnapshot(venue);
    const place = { kind: "place", symbol: SYMBOL, side: "BY_TURNS", priceCents: 5_000_000, prices: 1 } as const;
    const requests = { ...place, quantity: "0.010000", firstNumber, count };
    const common = { port, accounts: ACCOUNTS, marker: "o", connections: 32 };
    const all = `symbol=${SYMBOL}&limit=10`;
    const asked = {
      kind: "get",
      path: "/api/v3/allOrders",
      query: all,
      signed: true,
      count: (READS_A_SECOND * ROUND_MS) / 1000,
    } as const;
    const [orders, reads] = await Promise.all([
      this.#orders.run({ ...common, ...pace(ORDERS_A_SECOND), requests, expected: '"status":"' }),
      // Queries are rejected if history lags for too long: this is reported, and no failure of the benchmark.
      this.#reads.try({ ...common, ...pace(READS_A_SECOND), requests: asked, expected: '[{"symbol"' }),
    ]);
    return { orders, reads, snapshots: newestSnapshot(venue) > before ? 1 : 0 };
  }

  stop(): void {
    this.#orders.stop();
    this.#reads.stop();
  }
}

function pace(perSecond: number): { readonly perSecond: number; readonly warmUp: number } {
  return { perSecond, warmUp: (perSecond * WARM_UP_MS) / 1000 };
}

/** The entry of the newest snapshot. */
function newestSnapshot({ dataFolder }: Venue): number {
  const folder = join(dataFolder, "snapshots");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".snap")) : [];
  return Math.max(0, ...names.map((name) => Number.parseInt(name, 10)));
}

function report(quiet: readonly Round[], busy: readonly Round[]): string[] {
  assert.ok(
    quiet.every(({ snapshots }) => snapshots === 0),
    "snapshots were taken where none should be",
  );
  assert.ok(
    busy.every(({ snapshots }) => snapshots > 0),
    "a round without a snapshot",
  );
  const refused = (rounds: readonly Round[]): string => {
    const [all, good] = [sum(rounds, "answered"), sum(rounds, "asExpected")];
    return `${all - good} of ${all}`;
  };
  const rows = (name: string, rounds: readonly Round[]): (string | number)[][] => [
    [
      ...delayRow(
        `orders, ${name}`,
        rounds.map((round) => round.orders),
      ).slice(0, -1),
      "none",
    ],
    [
      ...delayRow(
        `allOrders, ${name}`,
        rounds.map((round) => round.reads),
      ).slice(0, -1),
      refused(rounds),
    ],
  ];
  const max = (rounds: readonly Round[]): number => median(rounds.map((round) => round.orders.delayMs.max));
  return [
    `${thousands(OPEN_ORDERS)} open orders; open loop, rounds of ${ROUND_MS / 1000} s; medians of ${quiet.length} rounds`,
    "",
    ...table([...DELAY_HEAD.slice(0, -1), "refused"], [...rows("no snapshots", quiet), ...rows("snapshots", busy)]),
    "",
    `longest delay of an order: ${max(busy).toFixed(1)} ms with snapshots, ${max(quiet).toFixed(1)} ms without`,
  ];
}

const sum = (rounds: readonly Round[], key: "answered" | "asExpected"): number =>
  rounds.reduce((total, { reads }) => total + reads[key], 0);
