/** The row of an order: a column for each field of the engine's table, under the field's name. */
import type { SQLInputValue } from "node:sqlite";
import { type Field, ORDER_FIELDS, type OrderRecord, PROGRESS_FIELDS } from "@pricetime/engine";
import { moneyColumn, moneyToSql } from "../table/money.ts";

export interface OrderColumn {
  readonly column: string;
  readonly field: keyof OrderRecord;
  /** What a field says that orders had not from the first: then it is left out. */
  readonly before: unknown;
  readonly toSql: (order: OrderRecord) => SQLInputValue;
  readonly fromSql: (value: unknown) => unknown;
}

function columnsOf(table: Readonly<Record<string, Field<unknown>>>): readonly OrderColumn[] {
  return Object.entries(table).map(([name, of]) => {
    const field = name as keyof OrderRecord;
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const before = (of as { readonly before?: unknown }).before;
    return { column, field, before, ...conversionOf(of, (order) => order[field] ?? before) };
  });
}

/** Words are stored as their places in the engine's lists. */
function conversionOf(
  { kind, words = [] }: Field<unknown>,
  valueIn: (order: OrderRecord) => unknown,
): Pick<OrderColumn, "toSql" | "fromSql"> {
  switch (kind) {
    case "word":
      return { toSql: (order) => words.indexOf(valueIn(order) as string), fromSql: (place) => words[place as number] };
    case "big":
      return { toSql: (order) => moneyToSql(valueIn(order) as bigint), fromSql: (digits) => BigInt(digits as string) };
    case "bool":
      return { toSql: (order) => (valueIn(order) === true ? 1 : 0), fromSql: (bit) => bit === 1 };
    default:
      return { toSql: (order) => valueIn(order) as number | string, fromSql: (value) => value };
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
  const fields = ORDER_COLUMNS.flatMap(({ field, before, fromSql }) => {
    const value = fromSql(values[field]);
    return value === before ? [] : [[field, value]];
  });
  const order: OrderRecord = Object.fromEntries(fields);
  return order;
}
