/** Amounts of the wallet: converts the wire's decimals to units. */
import { MAX_MOVE_UNITS } from "../limits.ts";
import { parseDecimal } from "../number/decimal.ts";
import type { AssetView } from "../view/engine-view.ts";

/** Units of the asset, zero or more; null when the asset cannot hold the amount or it is out of bounds. */
export function unitsOf(asset: AssetView, amount: string): bigint | null {
  const units = parseDecimal(amount, asset.spec.precision);
  return units === null || units > MAX_MOVE_UNITS ? null : units;
}

/** As `unitsOf`, but not zero. */
export function positiveUnitsOf(asset: AssetView, amount: string): bigint | null {
  const units = unitsOf(asset, amount);
  return units === 0n ? null : units;
}
