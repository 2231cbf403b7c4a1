/**
 * The form of the tables of today's interface. A row has what Binance's spot API has today; `missing` says what of it
 * this exchange leaves out, and why. The tests check each name: what is listed is there, what is missing is absent.
 */

/** Why something is left out. */
export const NO_SOR = "there is no smart order routing";

/** Names, separated by spaces, with the reason why they are left out. */
export type Missing = Readonly<Record<string, string>>;

/** The names of a list that is written as one text. */
export function namesIn(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

/** Every name that is left out, with its reason. */
export function missingNames(missing: Missing = {}): (readonly [name: string, reason: string])[] {
  return Object.entries(missing).flatMap(([names, reason]) => namesIn(names).map((name) => [name, reason] as const));
}
export const NO_BLOCK_TRADES = "there are no block trades";
export const NO_EXTERNAL = "the exchange computes every reference price itself";
