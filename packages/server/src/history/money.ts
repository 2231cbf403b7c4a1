/** Big integers in SQL: an INTEGER when 64 bits hold it, else the same digits as TEXT. */

const LARGEST_INTEGER = 2n ** 63n - 1n;

export function moneyToSql(amount: bigint): bigint | string {
  return amount <= LARGEST_INTEGER && amount >= -LARGEST_INTEGER ? amount : amount.toString();
}

/** In a query: reads such a column as digits, whatever it holds. */
export function moneyColumn(column: string, name: string): string {
  return `CAST(${column} AS TEXT) AS ${name}`;
}
