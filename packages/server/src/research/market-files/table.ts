/** A table on its way into a file: columns, and rows one by one. The formats stand beside it. */

/**
 * What a column holds. `integer`: a safe integer. `time`: milliseconds since 1970. `price`: a safe integer of
 * 10^-places. `amount`: a bigint of 10^-places, of any size that 38 digits hold. Decimals are never rounded.
 */
export type ColumnKind = "integer" | "time" | "text" | "boolean" | "price" | "amount";

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Digits after the point of a price or an amount, 0 to 8. */
  readonly places?: number;
  /** Whether a row may leave it empty, with null. */
  readonly isOptional?: boolean;
}

export type Cell = number | bigint | string | boolean | null;

/** Takes rows of the columns that it was made for. */
export interface RowSink {
  add(row: readonly Cell[]): void;
  /** Writes what is left. Nothing is added afterwards. */
  end(): void;
}
