/** Big integers in SQL: an INTEGER when 64 bits hold it, else the same digits as TEXT. */

const LARGEST_INTEGER = 2n ** 63n - 1n;

export function moneyToSql(amount: bigint): bigint | string {
  return isInteger(amount) ? amount : amount.toString();
}

/** The same in JSON that SQLite reads: it takes a longer number for an inexact one. */
export function moneyToJson(amount: bigint): string {
  return isInteger(amount) ? `${amount}` : `"${amount}"`;
}

function isInteger(amount: bigint): boolean {
  return amount <= LARGEST_INTEGER && amount >= -LARGEST_INTEGER;
}

/** In a query: reads such a column as digits, whatever it holds. */
export function moneyColumn(column: string, name: string): string {
  return `CAST(${column} AS TEXT) AS ${name}`;
}
