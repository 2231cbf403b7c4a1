/** What the whole page must be read with: no connection, old data, a wrong clock, a closed market. */
import { say } from "../words/panels-en.ts";
import type { Desk } from "./desk.ts";
import { showSpan } from "./show.ts";

/** A difference of clocks that is worth a line. */
const CLOCK_OFF_MS = 500;

export function Banner({ desk }: { desk: Desk }) {
  const connection = desk.feed.connection.value;
  const offsetMs = desk.feed.clockOffsetMs.value ?? 0;
  const status = desk.feed.market.value?.status ?? "TRADING";
  const blockedUntilMs = desk.feed.blockedUntilMs.value;
  const failure = desk.feed.failure.value;
  const isStale = desk.account.session.value !== null && desk.account.freshness.value === "stale";
  return (
    <div role="status" aria-live="polite">
      {connection.state === "down" && (
        <p class="banner bad">{say.downSince(showSpan(desk.nowMs.value - connection.sinceMs), connection.reason)}</p>
      )}
      {connection.state !== "down" && isStale && <p class="banner">{say.accountStale}</p>}
      {blockedUntilMs !== null && <p class="banner bad">{say.blocked(showSpan(blockedUntilMs - desk.nowMs.value))}</p>}
      {connection.state !== "down" && blockedUntilMs === null && failure !== null && (
        <p class="banner">{say.failure(failure)}</p>
      )}
      {Math.abs(offsetMs) > CLOCK_OFF_MS && <p class="banner">{say.clockOff(offsetMs)}</p>}
      {status !== "TRADING" && <p class="banner">{say.marketClosed(status)}</p>}
    </div>
  );
}
