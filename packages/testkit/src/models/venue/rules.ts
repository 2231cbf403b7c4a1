/** Rules of approval in the model, and their announced end. */
import type { BreakGlass, RejectReason, SetApprovalRules } from "@pricetime/engine";
import { owe } from "../access/letters.ts";
import { fits } from "../amount.ts";
import { type Happening, said } from "../happening.ts";
import { type ModelVenue, NO_RULES } from "../state.ts";
import { mayBeRuled } from "./rights.ts";

const DAY_MS = 24 * 3_600_000;

export function setRules(venue: ModelVenue, { rules }: SetApprovalRules): Happening[] | RejectReason {
  if (rules.acts.some((type) => !mayBeRuled(type))) return "INVALID_VALUE";
  for (const { asset, amount } of rules.withdrawalsAbove) {
    const listed = venue.exchange.assets.find((known) => known.asset === asset);
    if (listed === undefined) return "UNKNOWN_ASSET";
    if (!fits(venue.exchange, amount, listed.precision)) return "INVALID_VALUE";
  }
  const isAny = rules.acts.length > 0 || rules.withdrawalsAbove.length > 0;
  const admins = venue.operators.filter(({ role, isEnabled }) => role === "admin" && isEnabled);
  // One proposes, and so many others approve.
  if (isAny && admins.length < rules.approvals + 1) return "TOO_FEW_OPERATORS";
  venue.rules = rules;
  return [said(`rules of approval: ${isAny ? "some" : "none"}`)];
}

export function breakGlass(venue: ModelVenue, { by, why }: BreakGlass): Happening[] | RejectReason {
  if (venue.rulesEndMs !== null) return "ALREADY_EXISTS";
  venue.rulesEndMs = venue.exchange.nowMs + DAY_MS;
  const facts = { by, why, fromMs: `${venue.rulesEndMs}` };
  const { access } = venue.exchange;
  const letters = venue.operators.flatMap(({ email }) => owe(access, "breakGlass", email, facts));
  return [said(`rules end at ${venue.rulesEndMs}`), ...letters];
}

export function stopBreakGlass(venue: ModelVenue): Happening[] | RejectReason {
  if (venue.rulesEndMs === null) return "WRONG_STATUS";
  venue.rulesEndMs = null;
  return [said("rules end at 0")];
}

export function endRules(venue: ModelVenue): Happening[] {
  if (venue.rulesEndMs === null || venue.exchange.nowMs < venue.rulesEndMs) return [];
  venue.rules = NO_RULES;
  venue.rulesEndMs = null;
  return [said("rules of approval: none"), said("rules end at 0")];
}
