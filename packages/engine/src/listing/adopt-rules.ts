/** Moves on to a later edition of the rules. */
import type { AdoptRules } from "../entry/command.ts";
import { isKnownEdition } from "../entry/edition.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

/** Editions only go up: adopting the current or an earlier one changes nothing. */
export function adoptRules(state: ExchangeState, { edition }: AdoptRules): RejectReason | null {
  if (!isKnownEdition(edition)) return "INVALID_VALUE";
  if (edition <= state.edition) return "ALREADY_EXISTS";
  state.edition = edition;
  state.emit({ type: "rulesAdopted", edition });
  return null;
}
