/** Big integers in SQL: an INTEGER when 64 bits hold it, else the same digits as TEXT. */

const LARGEST_INTEGER = 2n ** 63n - 1n;

export function moneyToSql(amount: bigint): bigint | string {
  return isInteger(amount) ? amount : amount.toString();
}

/** Writes an amount as JSON for SQLite: a string when long, since SQLite reads a longer number inexactly. */
export function moneyToJson(amount: bigint): string {
  return isInteger(amount) ? `${amount}` : `"${amount}"`;
}

function isInteger(amount: bigint): boolean {
  return amount <= LARGEST_INTEGER && amount >= -LARGEST_INTEGER;
}

/** Selects such a column as digits, whatever its type. */
export function moneyColumn(column: string, name: string): string {
  return `CAST(${column} AS TEXT) AS ${name}`;
}
