/** Stops in the model: a list, looked through whenever somebody asks. */
import type { LiftStop, RejectReason, SetStop } from "@pricetime/engine";
import { type Happening, said } from "../happening.ts";
import type { ModelVenue, ModelStop } from "../state.ts";

const WHOLE = ["trading", "placing", "withdrawals"];
const MOST_STOPS = 1000;

export function setStop(venue: ModelVenue, { scope, why, by, untilMs }: SetStop): Happening[] | RejectReason {
  const { nowMs, assets } = venue.exchange;
  const name = scope.slice(scope.indexOf(":") + 1);
  if (scope.startsWith("coin:") && !assets.some(({ asset }) => asset === name)) return "UNKNOWN_ASSET";
  const networks = assets.flatMap((asset) => asset.networks.map(({ network }) => network));
  if (scope.startsWith("network:") && !networks.includes(name)) return "UNKNOWN_NETWORK";
  if (untilMs !== null && untilMs <= nowMs) return "INVALID_VALUE";
  const stop = { scope, why, by, sinceMs: nowMs, untilMs };
  const at = venue.stops.findIndex((other) => other.scope === scope);
  if (at === -1 && venue.stops.length >= MOST_STOPS) return "TOO_MANY";
  if (at === -1) venue.stops.push(stop);
  else venue.stops[at] = stop;
  return [told(stop, true)];
}

export function isScope(scope: string): boolean {
  return WHOLE.includes(scope) || /^(coin|network):./.test(scope);
}

export function liftStop(venue: ModelVenue, { scope }: LiftStop): Happening[] | RejectReason {
  const stop = venue.stops.find((other) => other.scope === scope);
  if (stop === undefined) return "UNKNOWN_STOP";
  venue.stops = venue.stops.filter((other) => other !== stop);
  return [told(stop, false)];
}

export function expireStops(venue: ModelVenue): Happening[] {
  const { nowMs } = venue.exchange;
  const over = venue.stops.filter(({ untilMs }) => untilMs !== null && untilMs <= nowMs);
  venue.stops = venue.stops.filter((stop) => !over.includes(stop));
  return over.map((stop) => told(stop, false));
}

function told({ scope, why, by, sinceMs, untilMs }: ModelStop, isOn: boolean): Happening {
  return said(`stop of ${scope} by ${by} from ${sinceMs} to ${untilMs}, ${why}: ${isOn ? "on" : "off"}`);
}
