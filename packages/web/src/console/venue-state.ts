/** The state of the venue as a whole. A venue that is suspended or degraded is never shown as operational. */
import type { Overview } from "@pricetime/server/answers";
import type { consoleDashboard } from "../words/words.ts";

type StateName = keyof typeof consoleDashboard.state;

export interface VenueState {
  readonly name: StateName;
  /** `bad` and `warn` need an operator's attention. */
  readonly tone: "good" | "warn" | "bad";
  /** The scopes that are suspended. */
  readonly suspended: readonly string[];
}

/** History that lags behind this many entries is shown as degraded. It is a second or less at usual rates. */
export const HISTORY_LAG = 10_000;

const SUSPENDED_WHOLE: ReadonlySet<string> = new Set(["trading", "placing", "withdrawals"]);

type Seen = Pick<
  Overview,
  "isReady" | "isInMaintenance" | "suspensions" | "markets" | "warnings" | "networks" | "history"
>;

/** `overview`: the last answer of the node; null if there is none yet. `isReached`: whether the last request succeeded. */
export function venueState(overview: Seen | null, isReached: boolean): VenueState | null {
  if (!isReached) return { name: "unreachable", tone: "bad", suspended: [] };
  if (overview === null) return null;
  const suspended = overview.suspensions.map(({ scope }) => scope);
  const tone = suspended.some((scope) => SUSPENDED_WHOLE.has(scope)) ? "bad" : "warn";
  if (!overview.isReady) return { name: "notReady", tone: "bad", suspended };
  if (suspended.length > 0) return { name: "suspended", tone, suspended };
  const of = (name: StateName): VenueState => ({ name, tone: "warn", suspended });
  if (overview.isInMaintenance) return of("maintenance");
  const { TRADING: trading = 0, ...others } = overview.markets;
  if (trading === 0 && Object.values(others).some((count) => count > 0)) return of("closed");
  const warnings = Object.keys(overview.warnings).length + Object.keys(overview.networks).length;
  if (warnings > 0 || overview.history.lag >= HISTORY_LAG) return of("degraded");
  return { name: "operational", tone: "good", suspended };
}
