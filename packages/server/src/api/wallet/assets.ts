/** Looks up the assets, networks and times that a client names. */
import { type AssetNetwork, type AssetSpec, type AssetView, type EngineView, DAY_MS } from "@pricetime/engine";
import {
  BAD_COMBINATION,
  invalidData,
  TOO_LONG_INTERVAL,
  UNKNOWN_ASSET,
  WITHDRAWAL_SUSPENDED,
} from "@pricetime/protocol";
import type { Call } from "../call.ts";
import { Refused } from "../edge/refusals.ts";

export function assetNamed(engine: EngineView, name: string): AssetView {
  const asset = engine.assets().find(({ spec }) => spec.asset === name);
  if (asset === undefined) throw new Refused(UNKNOWN_ASSET);
  return asset;
}

/** The id of an optional asset parameter; undefined: all assets. */
export function assetIdOf(call: Call, parameter: "asset" | "coin"): number | undefined {
  const name = call.optionalText(parameter);
  return name === undefined ? undefined : assetNamed(call.venue.engine, name).assetId;
}

export function assetName(engine: EngineView, assetId: number): string {
  return engine.asset(assetId).spec.asset;
}

/** The network used when none is named. */
export function defaultNetwork({ networks }: AssetSpec): AssetNetwork | undefined {
  return networks.find(({ isDefault }) => isDefault) ?? networks[0];
}

/** The network named in the call, or the default. Refuses an asset without networks, which cannot be moved. */
export function networkOf(call: Call, spec: AssetSpec): AssetNetwork {
  const name = call.optionalText("network");
  const network = name === undefined ? defaultNetwork(spec) : spec.networks.find((one) => one.network === name);
  if (network !== undefined) return network;
  throw new Refused(name === undefined ? WITHDRAWAL_SUSPENDED : invalidData("network"));
}

export interface Times {
  readonly startTimeMs?: number | undefined;
  readonly endTimeMs?: number | undefined;
}

/** `startTime` and `endTime`; without either the last `defaultDays`, or all. */
export function timesOf(call: Call, defaultDays?: number): Times {
  const times = sentTimes(call, defaultDays);
  if (spanMs(times) < 0) throw new Refused(BAD_COMBINATION);
  return times;
}

/** The most days of deposits or withdrawals that one request to /sapi may span. Interface 4.6. */
export const MAX_DAYS = 90;

/** The times of a list whose requests may span at most `maxDays` days. Throws `Refused`. */
export function timesWithin(call: Call, maxDays: number): Times {
  const times = sentTimes(call, maxDays);
  const span = spanMs(times);
  if (span < 0 || span > maxDays * DAY_MS) throw new Refused(TOO_LONG_INTERVAL);
  return times;
}

function sentTimes(call: Call, defaultDays: number | undefined): Times {
  const [startTimeMs, endTimeMs] = [call.integer("startTime"), call.integer("endTime")];
  if (startTimeMs !== undefined || endTimeMs !== undefined || defaultDays === undefined) {
    return { startTimeMs, endTimeMs };
  }
  return { startTimeMs: call.nowMs - defaultDays * DAY_MS };
}

/** 0 when either end is open. */
function spanMs({ startTimeMs, endTimeMs }: Times): number {
  return startTimeMs === undefined || endTimeMs === undefined ? 0 : endTimeMs - startTimeMs;
}

/** The page asked for, for lists in pages. */
export function pageOf(call: Call): { readonly offset: number; readonly limit: number } {
  const limit = call.limit();
  return { offset: ((call.integer("page") ?? 1) - 1) * limit, limit };
}
