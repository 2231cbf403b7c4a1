/** Reads a list of an account, a page at a time, narrowed by any of several columns. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { TimePage } from "../wallet-port.ts";

export interface ListTable {
  readonly select: string;
  readonly table: string;
  /** The column of the window; rows are ordered by it, newest first, and then by rowid. */
  readonly time: string;
  /** Each index has `account_id`, its columns and the time. The first whose columns are all requested is used. */
  readonly indexes: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** Selects an account's rows (first parameter) with these values in `columns`, newest first; then `pageBounds`. */
export function listSql({ select, table, time, indexes }: ListTable, columns: readonly string[]): string {
  const index = indexes.find((one) => one.columns.every((column) => columns.includes(column)));
  const equal = ["account_id", ...columns].map((column) => `${column} = ?`).join(" AND ");
  return `${select} FROM ${table} INDEXED BY ${index?.name}
    WHERE ${equal} AND ${time} BETWEEN ? AND ? ORDER BY ${time} DESC, rowid DESC LIMIT ? OFFSET ?`;
}

/** Returns the parameters of a page: from, to, limit, offset. */
export function pageBounds({ startTimeMs, endTimeMs, limit, offset }: TimePage): readonly number[] {
  return [startTimeMs ?? 0, endTimeMs ?? Number.MAX_SAFE_INTEGER, limit, offset ?? 0];
}

export class NarrowedList {
  readonly #database: DatabaseSync;
  readonly #table: ListTable;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, table: ListTable) {
    this.#database = database;
    this.#table = table;
  }

  /** Returns rows, newest first. Columns whose value is undefined do not narrow. */
  rows(
    accountId: number,
    values: Readonly<Record<string, string | number | undefined>>,
    page: TimePage,
  ): readonly unknown[] {
    const asked = Object.entries(values).filter((one): one is [string, string | number] => one[1] !== undefined);
    const statement = this.#statement(asked.map(([column]) => column));
    return statement.all(accountId, ...asked.map(([, value]) => value), ...pageBounds(page));
  }

  #statement(columns: readonly string[]): StatementSync {
    const key = columns.join();
    let statement = this.#statements.get(key);
    if (statement === undefined) {
      statement = this.#database.prepare(listSql(this.#table, columns));
      this.#statements.set(key, statement);
    }
    return statement;
  }
}
