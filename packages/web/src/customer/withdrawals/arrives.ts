/** What a withdrawal brings to its address, and what is wrong with its amount. Pure. */
import { compare, formatShort, parseDecimal, subtract } from "../../exact/decimal.ts";
import { isOnStep } from "../../exact/step.ts";
import { customerWithdrawals as words } from "../../words/words.ts";
import type { Coin, Network } from "../wire/exchange.ts";

/** The fee comes out of the amount. "": the amount is none, or brings nothing. */
export function arrives(amount: string, { withdrawFee }: Pick<Network, "withdrawFee">): string {
  const value = parseDecimal(amount);
  const fee = parseDecimal(withdrawFee);
  if (value === null || fee === null || compare(value, fee) <= 0) return "";
  return formatShort(subtract(value, fee));
}

type Terms = Pick<Network, "withdrawFee" | "withdrawMin" | "withdrawMax" | "withdrawIntegerMultiple">;

/** In the node's own order; "": nothing. The node checks all of it again. */
export function amountProblem(amount: string, terms: Terms, { coin, free }: Pick<Coin, "coin" | "free">): string {
  const value = parseDecimal(amount);
  if (value === null || value.units <= 0n) return words.noAmount;
  const of = (text: string) => parseDecimal(text) ?? value;
  if (!isOnStep(value, of(terms.withdrawIntegerMultiple))) return words.offStep(terms.withdrawIntegerMultiple);
  if (compare(value, of(terms.withdrawMin)) < 0) return words.below(terms.withdrawMin, coin);
  if (compare(value, of(terms.withdrawMax)) > 0) return words.above(terms.withdrawMax, coin);
  if (arrives(amount, terms) === "") return words.allFee;
  return compare(value, of(free)) > 0 ? words.tooMuch(free, coin) : "";
}
