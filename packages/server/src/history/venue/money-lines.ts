/** An account's money that moved in other ways than trading: a line for each way. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { WITHDRAWAL_STATUSES } from "@pricetime/engine";
import { moneyColumn } from "../table/money.ts";
import type { Units } from "../table/units.ts";
import type { TimeLineRow } from "../venue-port.ts";
import { depositStatus } from "../table/deposit-statuses.ts";
import { type Line, type LineItem, type LineQuestion, NO_SYMBOL } from "./line.ts";

interface Row {
  readonly id: number;
  readonly timeMs: number;
  readonly assetId: number;
  readonly amount: string;
  readonly [column: string]: string | number;
}

type Told = Readonly<Record<string, unknown>> & Pick<TimeLineRow, "id">;

interface Table {
  readonly what: string;
  /** Parameters: account, time and id of the place, limit. */
  readonly sql: string;
  readonly told: (row: Row, units: Units) => Told;
}

/** An index of the account and the time holds the id, too. */
const newest = (columns: string, table: string, time: string, id = "rowid"): string =>
  `SELECT ${id} AS id, ${time} AS timeMs, asset_id AS assetId, ${moneyColumn("amount", "amount")}, ${columns}
    FROM ${table} INDEXED BY ${table}_by_account
    WHERE account_id = ? AND (${time}, rowid) < (?, ?) ORDER BY ${time} DESC, rowid DESC LIMIT ?`;

/** Only what says something. */
const unlessEmpty = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));

export const MONEY_TABLES: readonly Table[] = [
  {
    what: "deposit",
    sql: newest("network, tx_id AS txId, address, tag, status", "deposits", "insert_time_ms"),
    told: ({ id, network, txId, address, tag, status }) => ({
      ...{ id, network, txId, address, status: depositStatus(status as number) },
      ...unlessEmpty({ tag }),
    }),
  },
  {
    what: "withdrawal",
    sql: newest(
      `network, tx_id AS txId, address, tag, status, why, ${moneyColumn("fee", "fee")}, withdrawal_id AS withdrawalId`,
      "withdrawals",
      "apply_time_ms",
    ),
    told: ({ withdrawalId, network, txId, address, tag, status, why, fee, assetId }, units) => ({
      ...{ id: withdrawalId as string, network, address, status: WITHDRAWAL_STATUSES[status as number] },
      fee: units.money(assetId, fee as string),
      ...unlessEmpty({ txId, tag, why }),
    }),
  },
  {
    what: "transfer",
    sql: `SELECT side.tran_id AS id, side.time_ms AS timeMs, asset_id AS assetId, ${moneyColumn("amount", "amount")},
      from_account_id AS fromAccountId, to_account_id AS toAccountId
      FROM account_transfers AS side CROSS JOIN transfers ON transfers.tran_id = side.tran_id
      WHERE side.account_id = ? AND (side.time_ms, side.tran_id) < (?, ?)
      ORDER BY side.time_ms DESC, side.tran_id DESC LIMIT ?`,
    told: ({ id, fromAccountId, toAccountId }) => ({ id, fromAccountId, toAccountId }),
  },
  {
    what: "dust",
    sql: newest(
      `tran_id AS tranId, dust_asset_id AS dustAssetId, ${moneyColumn("received", "received")},
      ${moneyColumn("charge", "charge")}`,
      "dust_conversions",
      "time_ms",
    ),
    told: ({ tranId, dustAssetId, received, charge }, units) => ({
      ...{ id: tranId as number, receivedAsset: units.asset(dustAssetId as number) },
      received: units.money(dustAssetId as number, received as string),
      charge: units.money(dustAssetId as number, charge as string),
    }),
  },
  {
    what: "dividend",
    sql: newest("tran_id AS tranId, info", "dividends", "time_ms"),
    told: ({ tranId, info }) => ({ id: tranId as number, info }),
  },
  {
    what: "adjustment",
    sql: newest("house, category, why, reference, by", "adjustments", "time_ms"),
    told: ({ id, house, category, why, reference, by }) => ({ id, house, category, why, reference, by }),
  },
];

export function moneyLines(database: DatabaseSync, units: Units): readonly Line[] {
  return MONEY_TABLES.map((table) => new MoneyLine(database, units, table));
}

class MoneyLine implements Line {
  readonly kinds = ["money"] as const;
  readonly #units: Units;
  readonly #table: Table;
  readonly #newest: StatementSync;

  constructor(database: DatabaseSync, units: Units, table: Table) {
    this.#units = units;
    this.#table = table;
    this.#newest = database.prepare(table.sql);
  }

  newest(accountId: number, { before, limit }: LineQuestion): LineItem[] {
    const rows = this.#newest.all(accountId, before.timeMs, before.id, limit) as unknown as Row[];
    return rows.map((row) => ({ timeMs: row.timeMs, symbolId: NO_SYMBOL, id: row.id, row: () => this.#row(row) }));
  }

  #row(row: Row): TimeLineRow {
    const { what, told } = this.#table;
    const { timeMs, assetId, amount } = row;
    const money = { asset: this.#units.asset(assetId), amount: this.#units.money(assetId, amount) };
    return { timeMs, kind: "money", what, ...money, ...told(row, this.#units) };
  }
}
