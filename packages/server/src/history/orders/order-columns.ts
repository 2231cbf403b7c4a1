/** The row of an order: a column for each field of the engine's table, under the field's name. */
import type { SQLInputValue } from "node:sqlite";
import { type Field, ORDER_FIELDS, type OrderRecord, PROGRESS_FIELDS } from "@pricetime/engine";
import { moneyColumn, moneyToSql } from "../table/money.ts";

export interface OrderColumn {
  readonly column: string;
  readonly field: keyof OrderRecord;
  readonly toSql: (order: OrderRecord) => SQLInputValue;
  readonly fromSql: (value: unknown) => unknown;
}

function columnsOf(table: Readonly<Record<string, Field<unknown>>>): readonly OrderColumn[] {
  return Object.entries(table).map(([name, { kind, words }]) => {
    const field = name as keyof OrderRecord;
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return { column, field, ...conversionOf(field, kind, words) };
  });
}

/** Words are stored as their places in the engine's lists. */
function conversionOf(
  field: keyof OrderRecord,
  kind: Field<unknown>["kind"],
  words: readonly string[] = [],
): Pick<OrderColumn, "toSql" | "fromSql"> {
  switch (kind) {
    case "word":
      return { toSql: (order) => words.indexOf(order[field] as string), fromSql: (place) => words[place as number] };
    case "big":
      return { toSql: (order) => moneyToSql(order[field] as bigint), fromSql: (digits) => BigInt(digits as string) };
    case "bool":
      return { toSql: (order) => (order[field] === true ? 1 : 0), fromSql: (bit) => bit === 1 };
    default:
      return { toSql: (order) => order[field] as number | string, fromSql: (value) => value };
  }
}

export const ORDER_COLUMNS = columnsOf(ORDER_FIELDS);
/** The columns that change while an order is open. */
export const PROGRESS_COLUMNS = columnsOf(PROGRESS_FIELDS);

const BIG_FIELDS = new Set(Object.entries(ORDER_FIELDS).flatMap(([name, { kind }]) => (kind === "big" ? [name] : [])));

/** Selects each column under the name of its field. */
export const SELECT_ORDERS = `SELECT ${ORDER_COLUMNS.map(({ column, field }) =>
  BIG_FIELDS.has(field) ? moneyColumn(column, field) : `${column} AS ${field}`,
).join(", ")} FROM orders`;

/** `row` is a row of `SELECT_ORDERS`. */
export function orderOfRow(row: object): OrderRecord {
  const values = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    ORDER_COLUMNS.map(({ field, fromSql }) => [field, fromSql(values[field])]),
  ) as unknown as OrderRecord;
}
