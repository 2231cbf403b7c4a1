/** The master key that secrets of the journal are sealed with. */
import type { BindMasterKey } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

/** One key to a journal: to seal with another would make what is sealed already of no use, or hide that it is. */
export function bindMasterKey(state: ExchangeState, { keyCheck }: BindMasterKey): RejectReason | null {
  if (state.masterKeyCheck !== "") return "ALREADY_EXISTS";
  state.masterKeyCheck = keyCheck;
  state.emit({ type: "masterKeyBound", keyCheck });
  return null;
}
