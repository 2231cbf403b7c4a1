/** The row of an order: a column for each field of the engine's table, under the field's name. */
import type { SQLInputValue } from "node:sqlite";
import { type Field, ORDER_FIELDS, type OrderRecord, PROGRESS_FIELDS } from "@pricetime/engine";
import { moneyColumn, moneyToSql } from "../table/money.ts";

export interface OrderColumn {
  readonly column: string;
  readonly field: keyof OrderRecord;
  readonly kind: Field<unknown>["kind"];
  /** The words of a field of words, stored as their places. */
  readonly words: readonly string[];
  /** What a field says that orders had not from the first: then it is left out. */
  readonly before: unknown;
}

function columnsOf(table: Readonly<Record<string, Field<unknown>>>): readonly OrderColumn[] {
  return Object.entries(table).map(([name, { kind, words = [], ...of }]) => {
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const before = (of as { readonly before?: unknown }).before;
    return { column, field: name as keyof OrderRecord, kind, words, before };
  });
}

/** Adds the order's values. A loop with a switch: functions for each column made history a twentieth slower. */
export function addValues(values: SQLInputValue[], order: OrderRecord, columns: readonly OrderColumn[]): void {
  for (const { field, kind, words, before } of columns) {
    const value = order[field] ?? before;
    switch (kind) {
      case "word":
        values.push(words.indexOf(value as string));
        break;
      case "big":
        values.push(moneyToSql(value as bigint));
        break;
      case "bool":
        values.push(value === true ? 1 : 0);
        break;
      default:
        values.push(value as number | string);
    }
  }
}

function fromSql({ kind, words }: OrderColumn, value: unknown): unknown {
  switch (kind) {
    case "word":
      return words[value as number];
    case "big":
      return BigInt(value as string);
    case "bool":
      return value === 1;
    default:
      return value;
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
  const fields = ORDER_COLUMNS.flatMap((column) => {
    const value = fromSql(column, values[column.field]);
    return value === column.before ? [] : [[column.field, value]];
  });
  const order: OrderRecord = Object.fromEntries(fields);
  return order;
}
