/** The chart of the market that is looked at: candles, indicators, own orders and fills. */
import type { ReadonlySignal } from "@preact/signals";
import { signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Account } from "../account/port.ts";
import type { Feed, Market } from "../market/port.ts";
import type { Preferences } from "../preferences.ts";
import { PANEL } from "../words/words.ts";
import { chartSettings } from "./chart-settings.ts";
import { ChartStage } from "./chart-stage.tsx";
import { ChartToolbar } from "./chart-toolbar.tsx";

export interface ChartPanelProps {
  readonly feed: Feed;
  readonly account: Account;
  readonly market: ReadonlySignal<Market | null>;
  readonly preferences: Preferences;
}

export function ChartPanel({ feed, account, market, preferences }: ChartPanelProps) {
  const settings = chartSettings(preferences);
  const isTable = useMemo(() => signal(false), []);
  const now = market.value;
  const interval = settings.interval.value;
  const zone = preferences.timeZone.value;
  return (
    <div class="chart-panel">
      <ChartToolbar settings={settings} isTable={isTable} />
      {now === null ? (
        <div class="chart-stage">
          <p class="chart-note">{feed.connection.value.state === "live" ? PANEL.noMarket : PANEL.loading}</p>
        </div>
      ) : (
        <ChartStage
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
