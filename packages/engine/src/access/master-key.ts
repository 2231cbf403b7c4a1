/** The master key that seals the secrets in the journal. */
import type { BindMasterKey } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

/** A journal has one key: sealing with another would make earlier secrets unusable, or hide that they are. */
export function bindMasterKey(state: ExchangeState, { keyCheck }: BindMasterKey): RejectReason | null {
  if (state.masterKeyCheck !== "") return "ALREADY_EXISTS";
  state.masterKeyCheck = keyCheck;
  state.emit({ type: "masterKeyBound", keyCheck });
  return null;
}
