/** A cancel and a new order in one command: nothing comes between them. */
import type { CancelReplace } from "../entry/command.ts";
import type { CancelReplaced } from "../entry/event.ts";
import type { RejectReason } from "../entry/reject.ts";
import type { ExchangeState } from "../state/exchange-state.ts";
import { cancelOrder } from "./cancel.ts";
import { placeOrder } from "./place.ts";

/** Refused as a whole only in maintenance: otherwise `cancelReplaced` gives the outcome of each half. */
export function cancelReplace(state: ExchangeState, command: CancelReplace): RejectReason | null {
  if (state.funds.isInMaintenance) return "MAINTENANCE";
  const cancelReason = cancelOrder(state, command.cancel);
  const attempts = cancelReason === null || command.mode === "ALLOW_FAILURE";
  const placeReason = attempts ? placeOrder(state, command.place) : "NOT_ATTEMPTED";
  const result: CancelReplaced = { type: "cancelReplaced", cancelReason, placeReason };
  state.events = [result, ...state.events];
  return null;
}
