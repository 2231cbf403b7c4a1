/** Values that stand on a grid: `from`, `from + step`, and so on in both directions. */
import { add, compare, type Decimal, isZero, multiply, NONE, subtract } from "./decimal.ts";

/** The greatest value of the grid that is not above `value`; without a step the value itself. */
export function stepDown(value: Decimal, step: Decimal, from: Decimal = NONE): Decimal {
  if (isZero(step)) return value;
  return subtract(value, remainder(subtract(value, from), step));
}

/** The least value of the grid that is not below `value`. */
export function stepUp(value: Decimal, step: Decimal, from: Decimal = NONE): Decimal {
  const down = stepDown(value, step, from);
  return compare(down, value) === 0 ? down : add(down, step);
}

/** The nearer of the two; in the middle the lower one. */
export function stepNearest(value: Decimal, step: Decimal, from: Decimal = NONE): Decimal {
  const down = stepDown(value, step, from);
  const up = stepUp(value, step, from);
  return compare(subtract(value, down), subtract(up, value)) <= 0 ? down : up;
}

export function isOnStep(value: Decimal, step: Decimal, from: Decimal = NONE): boolean {
  return compare(stepDown(value, step, from), value) === 0;
}

/** Never negative: the grid goes on below zero as above. */
function remainder(value: Decimal, step: Decimal): Decimal {
  const digits = Math.max(value.digits, step.digits);
  const units = multiply(value, { units: 10n ** BigInt(digits - value.digits), digits: 0 }).units;
  const by = multiply(step, { units: 10n ** BigInt(digits - step.digits), digits: 0 }).units;
  const rest = units % by;
  return { units: rest < 0n ? rest + by : rest, digits };
}
