/** Rules that say which acts need a second person, and their end where that person is gone. */
import type { RejectReason } from "../entry/reject.ts";
import type { BreakGlass, SetApprovalRules } from "../entry/venue-command.ts";
import type { ApprovalRules } from "../entry/venue-record.ts";
import { unitsOf } from "../funds/amount.ts";
import { BREAK_GLASS_DELAY_MS } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { NO_APPROVAL_RULES } from "../state/venue/proposals.ts";
import { RULABLE_ACTS } from "./rights.ts";

/** Rules that fewer operators than they need could never meet are refused. */
export function setApprovalRules(state: ExchangeState, { rules }: SetApprovalRules): RejectReason | null {
  if (!rules.acts.every((type) => RULABLE_ACTS.includes(type))) return "INVALID_VALUE";
  for (const { asset, amount } of rules.withdrawalsAbove) {
    const listed = state.assetsByName.get(asset);
    if (listed === undefined) return "UNKNOWN_ASSET";
    if (unitsOf(state, listed, amount) === null) return "INVALID_VALUE";
  }
  if (isAny(rules) && state.operators.adminCount <= rules.approvals) return "TOO_FEW_OPERATORS";
  state.proposals.rules = rules;
  state.emit({ type: "approvalRulesChanged", isAny: isAny(rules) });
  return null;
}

const isAny = ({ acts, withdrawalsAbove }: ApprovalRules): boolean => acts.length > 0 || withdrawalsAbove.length > 0;

export function breakGlass(state: ExchangeState, { by, why }: BreakGlass): RejectReason | null {
  if (state.proposals.breakGlass !== null) return "ALREADY_EXISTS";
  const fromMs = state.nowMs + BREAK_GLASS_DELAY_MS;
  state.proposals.breakGlass = { by, why, sinceMs: state.nowMs, fromMs };
  state.emit({ type: "breakGlassChanged", fromMs });
  // Also to those whose way in was taken away: perhaps by whoever wants to be alone.
  for (const { email } of state.operators.all()) state.owe("breakGlass", email, { by, why, fromMs: String(fromMs) });
  return null;
}

export function stopBreakGlass(state: ExchangeState): RejectReason | null {
  if (state.proposals.breakGlass === null) return "WRONG_STATUS";
  end(state);
  return null;
}

/** The rules end, when their end was announced long enough ago. */
export function endRulesInTime(state: ExchangeState): void {
  const { breakGlass: announced } = state.proposals;
  if (announced === null || state.nowMs < announced.fromMs) return;
  state.proposals.rules = NO_APPROVAL_RULES;
  state.emit({ type: "approvalRulesChanged", isAny: false });
  end(state);
}

function end(state: ExchangeState): void {
  state.proposals.breakGlass = null;
  state.emit({ type: "breakGlassChanged", fromMs: 0 });
}
