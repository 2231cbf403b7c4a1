/** Amounts of the wallet: converts the wire's decimals to units. */
import { MAX_MOVE_UNITS } from "../limits.ts";
import { decimalParser } from "../number/decimal.ts";
import type { AssetView } from "../view/engine-view.ts";

type Rules = Parameters<typeof decimalParser>[0];

/** Units of the asset, zero or more; null when the asset cannot hold the amount or it is out of bounds. */
export function unitsOf(rules: Rules, asset: AssetView, amount: string): bigint | null {
  const units = decimalParser(rules)(amount, asset.spec.precision);
  return units === null || units > MAX_MOVE_UNITS ? null : units;
}

/** As `unitsOf`, but not zero. */
export function positiveUnitsOf(rules: Rules, asset: AssetView, amount: string): bigint | null {
  const units = unitsOf(rules, asset, amount);
  return units === 0n ? null : units;
}
