/** What must hold in a scenario: conditions, one in each line of `assert`. */
import { ORDER_STATUSES, SIDES } from "@pricetime/engine";
import { z } from "zod";
import { SCENARIO_LIMITS } from "./limits.ts";
import { ASSERT_KINDS } from "./told-scenario.ts";

/** An amount, which may be below zero; a number in YAML is taken as its text. */
const amount = z
  .union([z.number(), z.string()])
  .transform(String)
  .pipe(z.string().regex(/^-?[0-9]{1,20}(\.[0-9]{1,20})?$/, 'must be an amount, as 1500 or "-0.25"'));
const count = z.int().min(0);
const name = z.string().min(1).max(SCENARIO_LIMITS.maxNameChars);
const amounts = { min: amount.exactOptional(), max: amount.exactOptional() };
/** Neither: at least one. */
const counts = { min: count.exactOptional(), max: count.exactOptional() };
/** Absent: the bot's. */
const account = name.exactOptional();
const quote = name.default("USDT");

/** Conditions by their distinguishing key. */
const conditions = {
  /** What the account has, free and locked. */
  balance: z.strictObject({ account, asset: name, ...amounts }),
  /** What it has bought, less what it has sold and paid in commission, since the start. */
  position: z.strictObject({ account, asset: name, ...amounts }),
  /** All that it has at last prices. */
  equity: z.strictObject({ account, quote, ...amounts }),
  /** How far its equity is below the highest before. What was paid in or out does not count. */
  drawdown: z.strictObject({ account, quote, maxPercent: z.number().min(0).max(100) }),
  openOrders: z.strictObject({ account, symbol: name.exactOptional(), ...counts }),
  /** Orders that have been in that state (by default: taken). */
  orders: z.strictObject({
    account,
    symbol: name.exactOptional(),
    side: z.enum(SIDES).exactOptional(),
    status: z.enum(ORDER_STATUSES).default("NEW"),
    ...counts,
  }),
  trades: z.strictObject({ account, symbol: name.exactOptional(), ...counts }),
  /** Answers that were no success. */
  errors: z.strictObject({
    account,
    code: z.int().min(-99_999).max(-1).exactOptional(),
    status: z.int().min(400).max(599).exactOptional(),
    endpoint: name.exactOptional(),
    ...counts,
  }),
  /** How often a fault of the time line, by its name, has struck. */
  struck: z.strictObject({ fault: name, ...counts }),
  price: z.strictObject({ symbol: name, ...amounts }),
  /** Whether a side of the book is without any order. */
  book: z.strictObject({ symbol: name, side: z.enum(SIDES), empty: z.boolean() }),
};
type Conditions = typeof conditions;
export type ConditionKind = keyof Conditions;
const CONDITION_KINDS = Object.keys(conditions) as readonly ConditionKind[];

/** `is`: which of them it is; its fields stand in `of`. */
export type Condition = {
  [Kind in ConditionKind]: { readonly is: Kind; readonly of: z.output<Conditions[Kind]> };
}[ConditionKind];

const optional = Object.fromEntries(
  Object.entries(conditions).map(([kind, shape]) => [kind, shape.exactOptional()]),
) as { [Kind in ConditionKind]: z.ZodExactOptional<Conditions[Kind]> };

const line = z.strictObject({ name: name.exactOptional(), ...optional }).transform((said, context) => {
  const kinds = CONDITION_KINDS.filter((kind) => said[kind] !== undefined);
  const [is] = kinds;
  if (is !== undefined && kinds.length === 1) {
    return { name: said.name, condition: { is, of: said[is] } as Condition };
  }
  const message = `one of ${CONDITION_KINDS.join(", ")} is asserted in each line`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});
const lines = z.array(line).max(SCENARIO_LIMITS.maxAsserts).default([]);

export const assertShape = z
  .strictObject({ always: lines, never: lines, sometimes: lines, finally: lines })
  .prefault({})
  .transform((said) => ASSERT_KINDS.flatMap((kind) => said[kind].map((each) => ({ kind, ...each }))));
export type Assertion = z.output<typeof assertShape>[number];
