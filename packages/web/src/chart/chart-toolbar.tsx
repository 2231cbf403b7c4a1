/** What stands above the chart: interval, indicators, scale, table. */
import type { Signal } from "@preact/signals";
import { KLINE_INTERVALS } from "@pricetime/protocol";
import type { Interval } from "../market/port.ts";
import { intervalButton, otherIntervals, PANEL } from "../words/words.ts";
import type { ChartSettings } from "./chart-settings.ts";
import { IndicatorForm } from "./indicator-form.tsx";
import { Menu } from "./menu.tsx";

/** Those that have a button of their own. */
const USUAL: readonly Interval[] = ["1m", "5m", "15m", "1h", "4h", "1d"];
/** Buttons for which a phone has no room, unless one of them is chosen. */
const SELDOM: readonly Interval[] = ["1m", "5m", "4h"];

/** A line that swings about a straight one, on a square of 16. */
const INDICATORS_ICON = "M1.500 12c2.500-9 4.500-9 6.500-4s4 4 6.500-5M1.500 8.500h2m3 0h3m3 0h2";

interface IntervalButtonProps {
  readonly own: Interval;
  readonly chosen: Interval;
  readonly isSeldom?: boolean;
  readonly onChoose: () => void;
}

function IntervalButton({ own, chosen, isSeldom = false, onChoose }: IntervalButtonProps) {
  const isOn = own === chosen;
  return (
    <button
      type="button"
      class={`chart-tool ${isOn ? "is-on" : isSeldom ? "is-seldom" : ""}`}
      aria-pressed={isOn}
      aria-label={intervalButton(own)}
      onClick={onChoose}
    >
      {own}
    </button>
  );
}

function Intervals({ interval }: { interval: Signal<Interval> }) {
  const chosen = interval.value;
  const isOther = !USUAL.includes(chosen);
  return (
    <div class="chart-tools" role="group" aria-label={PANEL.interval}>
      {USUAL.map((own) => (
        <IntervalButton
          key={own}
          own={own}
          chosen={chosen}
          isSeldom={SELDOM.includes(own)}
          onChoose={() => (interval.value = own)}
        />
      ))}
      <Menu label={isOther ? chosen : "…"} title={otherIntervals(isOther ? chosen : null)} isPressed={isOther}>
        {(close) => (
          <div class="chart-grid">
            {KLINE_INTERVALS.map((own) => (
              <IntervalButton
                key={own}
                own={own}
                chosen={chosen}
                onChoose={() => {
                  interval.value = own;
                  close();
                }}
              />
            ))}
          </div>
        )}
      </Menu>
    </div>
  );
}

function Switch({ state, label, title }: { state: Signal<boolean>; label: string; title: string }) {
  return (
    <button
      type="button"
      class={state.value ? "chart-tool is-on" : "chart-tool"}
      aria-pressed={state.value}
      aria-label={title}
      onClick={() => (state.value = !state.value)}
    >
      {label}
    </button>
  );
}

export function ChartToolbar({ settings, isTable }: { settings: ChartSettings; isTable: Signal<boolean> }) {
  return (
    <div class="chart-toolbar">
      <Intervals interval={settings.interval} />
      <div class="chart-tools">
        <Menu label={PANEL.indicators} icon={INDICATORS_ICON}>
          {() => <IndicatorForm settings={settings.indicators} />}
        </Menu>
        <Switch state={settings.isLogarithmic} label={PANEL.log} title={PANEL.logScale} />
        <Switch state={isTable} label={PANEL.table} title={PANEL.tableView} />
      </div>
    </div>
  );
}
