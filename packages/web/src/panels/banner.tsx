/** What the whole page must be read with: no connection, old data, a wrong clock, a closed market. */
import { numbers, say } from "../words/words.ts";
import type { Desk } from "./desk.ts";
import { showDateTime, showSpan } from "./show.ts";

/** A difference of clocks that is worth a line. */
const CLOCK_OFF_MS = 500;
/** From here on it is told in seconds and more. */
const IN_SECONDS_MS = 10_000;

/** To the millisecond only where it is little. */
function differenceOf(offsetMs: number): string {
  const spanMs = Math.abs(offsetMs);
  return spanMs < IN_SECONDS_MS ? numbers.milliseconds(spanMs) : showSpan(spanMs);
}

export function Banner({ desk }: { desk: Desk }) {
  const connection = desk.feed.connection.value;
  // A lab's clock is not meant to be the machine's.
  const offsetMs = desk.lab.clock.value === null ? (desk.feed.clockOffsetMs.value ?? 0) : 0;
  const { symbol = "", status = "TRADING", delistTime } = desk.feed.market.value ?? {};
  const isDelisted = delistTime !== undefined && delistTime <= desk.nowMs.value;
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
      {Math.abs(offsetMs) > CLOCK_OFF_MS && <p class="banner">{say.clockOff(differenceOf(offsetMs), offsetMs > 0)}</p>}
      {delistTime !== undefined && (
        <p class="banner">
          {isDelisted
            ? say.delisted(symbol)
            : say.delisting(symbol, showDateTime(delistTime, desk.preferences.timeZone.value))}
        </p>
      )}
      {status !== "TRADING" && !isDelisted && <p class="banner">{say.marketClosed(status)}</p>}
    </div>
  );
}
