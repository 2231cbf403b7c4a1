/** The amount of a withdrawal: the amount after the fee, validation, and the maximum amount. All functions are pure. */
import {
  boundOf,
  compare,
  type Decimal,
  decimal,
  formatShort,
  isOnStep,
  NONE,
  parseDecimal,
  stepDown,
  subtract,
} from "../../exact/decimal.ts";
import { grouped } from "../../exact/shown.ts";
import { customerWithdrawals as words } from "../../words/words.ts";
import type { Coin, CoinNetwork } from "@pricetime/protocol";

/**
 * The amount that arrives: the requested amount minus the fee. Returns "" if the amount is invalid or does not exceed
 * the fee.
 */
export function arrives(amount: string, { withdrawFee }: Pick<CoinNetwork, "withdrawFee">): string {
  const value = parseDecimal(amount);
  const fee = parseDecimal(withdrawFee);
  if (value === null || fee === null || compare(value, fee) <= 0) return "";
  return formatShort(subtract(value, fee));
}

type Terms = Pick<CoinNetwork, "withdrawFee" | "withdrawMin" | "withdrawMax" | "withdrawIntegerMultiple">;
type Holding = Pick<Coin, "coin" | "free">;

/** The first problem with the amount, in the order of the node's own checks; "" if there is none. */
export function amountProblem(amount: string, terms: Terms, { coin, free }: Holding): string {
  const value = parseDecimal(amount);
  if (value === null || value.units <= 0n) return words.noAmount;
  const [least, most] = [boundOf(terms.withdrawMin), boundOf(terms.withdrawMax)];
  if (!isOnStep(value, decimal(terms.withdrawIntegerMultiple)))
    return words.offStep(short(terms.withdrawIntegerMultiple));
  if (least !== null && compare(value, least) < 0) return words.below(shown(least), coin);
  if (most !== null && compare(value, most) > 0) return words.above(shown(most), coin);
  if (arrives(amount, terms) === "") return words.allFee(short(terms.withdrawFee), coin);
  return compare(value, decimal(free)) > 0 ? words.tooMuch(short(free), coin) : "";
}

/**
 * The largest amount of the free balance that can be withdrawn: a multiple of the network's step, at most its maximum.
 */
export function largestAmount(terms: Terms, { free }: Pick<Coin, "free">): string {
  const [all, most] = [decimal(free), boundOf(terms.withdrawMax)];
  const value = most !== null && compare(all, most) > 0 ? most : all;
  return formatShort(value.units <= 0n ? NONE : stepDown(value, decimal(terms.withdrawIntegerMultiple)));
}

const shown = (value: Decimal): string => grouped(formatShort(value));
const short = (text: string): string => shown(decimal(text));
