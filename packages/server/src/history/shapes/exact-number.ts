/** Decimals as JSON numbers, digit by digit: a float would alter those that it cannot hold. Interface 4.5. */

/** Part of the language since 2025, but not yet of the library that the compiler knows. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };

/** The decimal without trailing zeros: "0.50000000" becomes 0.5. */
export function shortDecimal(decimal: string): string {
  if (!decimal.includes(".")) return decimal;
  let end = decimal.length;
  while (decimal.charCodeAt(end - 1) === 48) end--;
  return decimal.slice(0, decimal.charCodeAt(end - 1) === 46 ? end - 1 : end);
}

/** Only for `JSON.stringify`, which prints the digits as they are; typed as the number that clients read. */
export function exactNumber(decimal: string): number {
  return rawJSON(shortDecimal(decimal)) as unknown as number;
}
