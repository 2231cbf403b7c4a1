/** Information about the venue. Interface 4.1 (ping, time, exchangeInfo) and Interface S.16. */
import type { Call } from "../call.ts";
import type { MaybeLong } from "../answers/long-list.ts";
import { marketsOf } from "../markets.ts";

export function ping(): string {
  return "{}";
}

export function time(call: Call): string {
  return `{"serverTime":${call.nowMs}}`;
}

export function exchangeInfo(call: Call): MaybeLong {
  const { exchangeInfo: full, sequencer } = call.venue;
  const info = call.optionalText("showPermissionSets") === "false" ? full.withoutPermissionSets() : full;
  const asked = isSpotAsked(call) ? marketsOf(call) : [];
  const nowMs = (): number => sequencer.nowMs();
  if (asked === undefined) return info.all(nowMs);
  return info.some("length" in asked ? asked : [asked], nowMs);
}

/** `permissions` is a word or a JSON array of words; every symbol is only SPOT. */
function isSpotAsked(call: Call): boolean {
  const permissions = call.optionalText("permissions");
  return permissions === undefined || permissions.split(/[^A-Z0-9_]/).includes("SPOT");
}

/** An empty answer: there are no margin markets here. */
export function marginPairs(): string {
  return "[]";
}

/** An empty answer: there are no futures markets here. */
export function futuresExchangeInfo(call: Call): string {
  return JSON.stringify({
    timezone: "UTC",
    serverTime: call.nowMs,
    rateLimits: [],
    exchangeFilters: [],
    assets: [],
    symbols: [],
  });
}
