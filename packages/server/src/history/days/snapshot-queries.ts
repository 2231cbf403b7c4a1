/** Reads what an account had at the end of each day. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { parseDecimal, WIRE_PLACES, formatDecimal, DAY_MS } from "@pricetime/engine";
import { DayPrices } from "./day-prices.ts";
import { moneyColumn } from "../table/money.ts";
import type { Units } from "../table/units.ts";
import type { SnapshotRow } from "../shapes/wallet-rows.ts";
import type { StatementBalance } from "../statement-port.ts";
import type { SnapshotQuestion } from "../wallet-port.ts";

const BALANCE = `SELECT day, ${moneyColumn("free", "free")}, ${moneyColumn("locked", "locked")} FROM day_balances
  WHERE account_id = ? AND asset_id = ?`;

export const SNAPSHOT_QUERIES = {
  nextAsset: `SELECT asset_id AS assetId FROM day_balances WHERE account_id = ? AND asset_id > ?
    ORDER BY asset_id LIMIT 1`,
  lastBefore: `${BALANCE} AND day < ? ORDER BY day DESC LIMIT 1`,
  between: `${BALANCE} AND day BETWEEN ? AND ? ORDER BY day`,
};

interface Row {
  readonly day: number;
  readonly free: string;
  readonly locked: string;
}
/** One asset: its changes within the requested days, and the last change before them. */
interface Holding {
  readonly assetId: number;
  readonly before: Row | undefined;
  readonly changes: readonly Row[];
}
type Balance = SnapshotRow["balances"][number];

/** The last second of a day stands for its end. */
const LAST_SECOND_MS = DAY_MS - 1000;
const NO_ASSET = -1;

export class SnapshotQueries {
  readonly #units: Units;
  readonly #prices: DayPrices;
  readonly #nextAsset: StatementSync;
  readonly #lastBefore: StatementSync;
  readonly #between: StatementSync;

  constructor(database: DatabaseSync, units: Units) {
    this.#units = units;
    this.#prices = new DayPrices(database);
    this.#nextAsset = database.prepare(SNAPSHOT_QUERIES.nextAsset);
    this.#lastBefore = database.prepare(SNAPSHOT_QUERIES.lastBefore);
    this.#between = database.prepare(SNAPSHOT_QUERIES.between);
  }

  snapshots(
    accountId: number,
    { startTimeMs, endTimeMs, limit, totalAssetId, nowMs }: SnapshotQuestion,
  ): SnapshotRow[] {
    const lastOver = Math.floor(nowMs / DAY_MS) - 1;
    const lastDay = Math.min(lastOver, Math.floor(((endTimeMs ?? nowMs) - LAST_SECOND_MS) / DAY_MS));
    const firstAsked = startTimeMs === undefined ? 0 : Math.ceil((startTimeMs - LAST_SECOND_MS) / DAY_MS);
    const from = Math.max(lastDay - limit + 1, firstAsked);
    const holdings = this.#holdings(accountId, from, lastDay);
    const had = holdings.some(({ before }) => before !== undefined);
    const firstDay = had ? from : Math.min(...holdings.map(({ changes }) => changes[0]?.day ?? Infinity));
    const rows: SnapshotRow[] = [];
    for (let day = firstDay; day <= lastDay; day++) {
      const balances = holdings.flatMap((holding) => this.#balance(holding, day));
      rows.push({ timeMs: day * DAY_MS + LAST_SECOND_MS, balances, total: this.#total(balances, totalAssetId, day) });
    }
    return rows;
  }

  /** Returns what the account had, in units, when the day before this one was over; empty holdings, too. */
  balancesBefore(accountId: number, day: number): StatementBalance[] {
    const balances: StatementBalance[] = [];
    for (let last = NO_ASSET; ; ) {
      const next = this.#nextAsset.get(accountId, last) as { assetId: number } | undefined;
      if (next === undefined) return balances;
      const { assetId } = next;
      const row = this.#lastBefore.get(accountId, assetId, day) as Row | undefined;
      if (row !== undefined) balances.push({ assetId, free: row.free, locked: row.locked });
      last = assetId;
    }
  }

  #holdings(accountId: number, from: number, to: number): Holding[] {
    const holdings: Holding[] = [];
    for (let last = NO_ASSET; ; ) {
      const next = this.#nextAsset.get(accountId, last) as { assetId: number } | undefined;
      if (next === undefined) return holdings;
      const { assetId } = next;
      const before = this.#lastBefore.get(accountId, assetId, from) as Row | undefined;
      const changes = this.#between.all(accountId, assetId, from, to) as unknown as Row[];
      holdings.push({ assetId, before, changes });
      last = assetId;
    }
  }

  /** Returns nothing for an empty holding. */
  #balance({ assetId, before, changes }: Holding, day: number): Balance[] {
    const row = changes.findLast((change) => change.day <= day) ?? before;
    if (row === undefined || (row.free === "0" && row.locked === "0")) return [];
    return [{ assetId, free: this.#units.money(assetId, row.free), locked: this.#units.money(assetId, row.locked) }];
  }

  #total(balances: readonly Balance[], inAssetId: number | undefined, day: number): string {
    let total = 0n;
    if (inAssetId !== undefined) {
      for (const { assetId, free, locked } of balances) {
        const price = this.#prices.price(assetId, inAssetId, day);
        if (price !== undefined) total += ((onWire(free) + onWire(locked)) * price.numerator) / price.denominator;
      }
    }
    return formatDecimal(total, WIRE_PLACES);
  }
}

/** Converts to units of the last digit on the wire. */
function onWire(amount: string): bigint {
  return parseDecimal(amount, WIRE_PLACES) ?? 0n;
}
