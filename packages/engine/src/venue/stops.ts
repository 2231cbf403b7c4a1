/** Stops of the whole venue, of a coin, and of a network. */
import type { RejectReason } from "../entry/reject.ts";
import type { LiftStop, SetStop } from "../entry/venue-command.ts";
import { STOP_SCOPES, type StopScope } from "../entry/venue-record.ts";
import { MAX_STOPS } from "../limits.ts";
import type { ExchangeState } from "../state/exchange-state.ts";

export function setStop(state: ExchangeState, { scope, why, by, untilMs }: SetStop): RejectReason | null {
  const reason = checkScope(state, scope);
  if (reason !== null) return reason;
  if (untilMs !== null && untilMs <= state.nowMs) return "INVALID_VALUE";
  const { stops } = state;
  if (stops.get(scope) === undefined && stops.size >= MAX_STOPS) return "TOO_MANY";
  const stop = { scope, why, by, sinceMs: state.nowMs, untilMs };
  stops.put(stop);
  state.emit({ type: "stopChanged", stop, isOn: true });
  return null;
}

function checkScope(state: ExchangeState, scope: StopScope): RejectReason | null {
  if (STOP_SCOPES.some((known) => known === scope)) return null;
  const [, kind, name = ""] = /^(coin|network):(.+)$/.exec(scope) ?? [];
  if (kind === "coin") return state.assetsByName.has(name) ? null : "UNKNOWN_ASSET";
  if (kind === undefined) return "INVALID_VALUE";
  const isKnown = state.assets.some(({ spec }) => spec.networks.some(({ network }) => network === name));
  return isKnown ? null : "UNKNOWN_NETWORK";
}

export function liftStop(state: ExchangeState, { scope }: LiftStop): RejectReason | null {
  const stop = state.stops.get(scope);
  if (stop === undefined) return "UNKNOWN_STOP";
  state.stops.remove(scope);
  state.emit({ type: "stopChanged", stop, isOn: false });
  return null;
}

/** Ends the stops whose time is over. */
export function expireStops(state: ExchangeState): void {
  if (state.nowMs < state.stops.nextDueMs()) return;
  for (const stop of [...state.stops.all()]) {
    if (stop.untilMs === null || state.nowMs < stop.untilMs) continue;
    state.stops.remove(stop.scope);
    state.emit({ type: "stopChanged", stop, isOn: false });
  }
}
