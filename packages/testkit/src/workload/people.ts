/** Those who act in a random exchange, beside its customers. */
import type { ModelExchange } from "../models/exchange.ts";
import type { ModelOperator } from "../models/state.ts";
import type { Dice } from "../dice.ts";
import { BY } from "./wallet-world.ts";

export const NAMES = ["ann", "ben", "tom", "sue", "vic"] as const;

export const nameOf = ({ name }: ModelOperator): string => `operator:${name}`;

/** Mostly an operator who is there. */
export function somebody(dice: Dice, { venue }: ModelExchange): string {
  if (venue.operators.length === 0 || dice.oneIn(20)) {
    return dice.pick([BY, "operator:nobody", "account:100", "account:102"]);
  }
  return nameOf(dice.pick(venue.operators));
}

export function someone(dice: Dice, model: ModelExchange): string {
  return dice.oneIn(2) ? BY : somebody(dice, model);
}

/** Mostly whoever it concerns. */
export function holderOrOther(dice: Dice, model: ModelExchange, holder: string): string {
  return dice.oneIn(3) ? someone(dice, model) : holder;
}
