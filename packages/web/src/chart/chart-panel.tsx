/**
 * The chart of the selected market, with its toolbar: interval, indicators, scale, table. The drawn chart itself is
 * loaded later.
 */
import type { ReadonlySignal } from "@preact/signals";
import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Account } from "../account/port.ts";
import type { Feed, Market } from "../market/port.ts";
import type { Preferences } from "../preferences.ts";
import { PANEL } from "../words/words.ts";
import { chartSettings } from "./chart-settings.ts";
import { ChartToolbar } from "./chart-toolbar.tsx";
import { loadedStage } from "./load-stage.ts";

// The panel.

export interface ChartPanelProps {
  readonly feed: Feed;
  readonly account: Account;
  readonly market: ReadonlySignal<Market | null>;
  readonly preferences: Preferences;
}

function noteOf(feed: Feed, market: Market | null): string {
  return market === null && feed.connection.value.state === "live" ? PANEL.noMarket : PANEL.loading;
}

/** What draws the chart could not be loaded. All else of the page goes on. */
function FailedNote() {
  return (
    <div class="chart-note" role="alert">
      <p>{PANEL.notLoaded}</p>
      <button type="button" class="chart-yes" onClick={() => location.reload()}>
        {PANEL.reload}
      </button>
    </div>
  );
}

export function ChartPanel({ feed, account, market, preferences }: ChartPanelProps) {
  const settings = chartSettings(preferences);
  const isTable = useMemo(() => signal(false), []);
  const now = market.value;
  const stage = loadedStage.value;
  const interval = settings.interval.value;
  const zone = preferences.timeZone.value;
  return (
    <div class="chart-panel">
      <ChartToolbar settings={settings} isTable={isTable} />
      {now === null || stage.step !== "ready" ? (
        <div class="chart-stage">
          {stage.step === "failed" ? <FailedNote /> : <p class="chart-note">{noteOf(feed, now)}</p>}
        </div>
      ) : (
        <stage.ChartStage
          key={`${now.symbol} ${interval} ${zone}`}
          feed={feed}
          account={account}
          market={now}
          interval={interval}
          zone={zone}
          preferences={preferences}
          settings={settings}
          isTable={isTable}
        />
      )}
    </div>
  );
}
