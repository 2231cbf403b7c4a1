/** The settings that all nodes have alike. */
import type { SetSharedSettings } from "../entry/command.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

export function setSharedSettings(state: ExchangeState, { settings }: SetSharedSettings): RejectReason | null {
  state.sharedSettings = settings.map(({ name, value }) => ({ name, value }));
  state.emit({ type: "done" });
  return null;
}
