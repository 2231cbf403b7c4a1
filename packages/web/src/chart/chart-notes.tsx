/** Notes over the chart: loading, loading failed, outdated data. */
import { useEffect, useState } from "preact/hooks";
import type { Feed } from "../market/feed.ts";
import { candlesFailed, olderFailed, PANEL, staleFor } from "../words/words.ts";
import type { ChartView } from "./chart-view.ts";
import { track } from "./chart-settings.ts";

export function StateNote({ view }: { view: ChartView }) {
  track(view.version);
  const state = view.state.value;
  if (state.step === "loading") return <p class="chart-note">{PANEL.loading}</p>;
  if (state.step === "failed") {
    return (
      <div class="chart-note" role="alert">
        <p>{candlesFailed(state.reason)}</p>
        <button type="button" class="chart-yes" onClick={() => view.retry()}>
          {PANEL.retry}
        </button>
      </div>
    );
  }
  return view.candles.length === 0 ? <p class="chart-note">{PANEL.noCandles}</p> : null;
}

/** The note at the left edge: older candles are loading, cannot be loaded, or exceed the limit. */
export function OlderNote({ view }: { view: ChartView }) {
  const state = view.state.value;
  if (state.step !== "ready" || view.inView.value.from > 0) return null;
  const { older } = state;
  if (older === "loading") return <p class="chart-older">{PANEL.loadingOlder}</p>;
  if (older === "full") return <p class="chart-older">{PANEL.olderFull}</p>;
  if (typeof older === "string") return null;
  return (
    <p class="chart-older">
      {olderFailed(older.failed)}{" "}
      <button type="button" class="chart-yes" onClick={() => view.retryOlder()}>
        {PANEL.retry}
      </button>
    </p>
  );
}

/** The age of the data, updated every second. */
export function Age({ sinceMs }: { sinceMs: number }) {
  const [nowMs, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <p class="chart-stale">{staleFor(Math.max(0, Math.floor((nowMs - sinceMs) / 1_000)))}</p>;
}

/** The note that shows the age of the data after the connection was lost. */
export function StaleNote({ feed }: { feed: Feed }) {
  const connection = feed.connection.value;
  return connection.state === "down" ? <Age sinceMs={connection.sinceMs} /> : null;
}
