/**
 * The chart of the selected market, with its toolbar: interval, indicators, view, alerts, table. The drawn chart itself and the
 * contents of the menus are loaded later.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { STORED_INTERVALS } from "@pricetime/protocol";
import type { Feed } from "../market/feed.ts";
import type { Interval, Market } from "../market/port.ts";
import { intervalButton, otherIntervals, PANEL } from "../words/words.ts";
import { type ChartSettings, chartSettings } from "./chart-settings.ts";
import type { Account } from "../account/account.ts";
import type { MoveFault } from "./line-edit.ts";
import type { Preferences } from "../preferences.ts";
import { BELL, INDICATORS_ICON, VIEW_ICON } from "./icons.ts";
import { alertsOf } from "./alerts.ts";
import { loadedStage } from "./load-stage.ts";

// A button that opens a menu below it. Escape or a press outside closes the menu.

interface MenuProps {
  readonly label: string;
  readonly title?: string;
  /** The SVG path of an icon that phones show instead of the label. The label stays the accessible name. */
  readonly icon?: string;
  readonly isPressed?: boolean;
  /** Renders the contents of the menu. `close` closes the menu. */
  readonly children: (close: () => void) => ComponentChildren;
}

function Menu({ label, title, icon, isPressed = false, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  useEffect(() => {
    if (!isOpen) return;
    const onPress = (event: PointerEvent): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", onPress, true);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("pointerdown", onPress, true);
      document.removeEventListener("keydown", onKey, true);
    };
  }, [isOpen]);

  return (
    <div class="chart-menu" ref={root}>
      <button
        ref={button}
        type="button"
        class={isPressed ? "chart-tool is-on" : "chart-tool"}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={title ?? label}
        onClick={() => setOpen(!isOpen)}
      >
        <span class={icon === undefined ? "" : "unseen-narrow"}>{label}</span>
        {icon === undefined ? null : (
          <svg class="icon seen-narrow" viewBox="0 0 16 16" aria-hidden="true">
            <path d={icon} />
          </svg>
        )}
        <span class="chart-caret" aria-hidden="true" />
      </button>
      <div id={id} class="chart-sheet" hidden={!isOpen}>
        {isOpen ? children(() => setOpen(false)) : null}
      </div>
    </div>
  );
}

// The toolbar above the chart.

/** Intervals that have their own button. */
const USUAL: readonly Interval[] = ["1m", "5m", "15m", "1h", "4h", "1d"];
/** Intervals whose buttons are hidden on phones, unless selected, because of the limited space. */
const SELDOM: readonly Interval[] = ["1m", "5m", "4h"];

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
            {STORED_INTERVALS.map((own) => (
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

interface ChartToolbarProps extends ChartPanelProps {
  readonly settings: ChartSettings;
  readonly isTable: Signal<boolean>;
}

function ChartToolbar({ settings, isTable, feed, market, preferences }: ChartToolbarProps) {
  const now = market.value;
  const stage = loadedStage.value;
  return (
    <div class="chart-toolbar">
      <Intervals interval={settings.interval} />
      <div class="chart-tools">
        <Menu label={PANEL.indicators} icon={INDICATORS_ICON}>
          {() => (stage.step === "ready" ? <stage.IndicatorForm settings={settings.indicators} /> : PANEL.loading)}
        </Menu>
        <Menu label={PANEL.view} title={PANEL.viewMenu} icon={VIEW_ICON}>
          {() => (stage.step === "ready" ? <stage.LayoutForm settings={settings} /> : PANEL.loading)}
        </Menu>
        <Menu label={PANEL.alerts} title={PANEL.alertsMenu} icon={BELL}>
          {() =>
            stage.step === "ready" && now !== null ? (
              <stage.AlertForm
                alerts={alertsOf(preferences)}
                market={now}
                lastPrice={() => feed.tickers.peek().get(now.symbol)?.lastPrice}
                zone={preferences.timeZone.value}
              />
            ) : (
              PANEL.loading
            )
          }
        </Menu>
        <Switch state={isTable} label={PANEL.table} title={PANEL.tableView} />
      </div>
    </div>
  );
}

// The chart panel.

export interface ChartPanelProps {
  readonly feed: Feed;
  readonly account: Account;
  readonly market: ReadonlySignal<Market | null>;
  readonly moveFault: MoveFault;
  readonly preferences: Preferences;
}

function noteOf(feed: Feed, market: Market | null): string {
  return market === null && feed.connection.value.state === "live" ? PANEL.noMarket : PANEL.loading;
}

/** The note shown if the chart's script could not be loaded. The rest of the page works. */
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

export function ChartPanel(props: ChartPanelProps) {
  const { feed, market, preferences } = props;
  const settings = chartSettings(preferences);
  const isTable = useMemo(() => signal(false), []);
  const now = market.value;
  const stage = loadedStage.value;
  const interval = settings.interval.value;
  const zone = preferences.timeZone.value;
  const kind = settings.kind.value;
  return (
    <div class="chart-panel">
      <ChartToolbar {...props} settings={settings} isTable={isTable} />
      {now === null || stage.step !== "ready" ? (
        <div class="chart-stage">
          {stage.step === "failed" ? <FailedNote /> : <p class="chart-note">{noteOf(feed, now)}</p>}
        </div>
      ) : (
        <stage.ChartStage
          key={`${now.symbol} ${interval} ${zone} ${kind}`}
          {...props}
          market={now}
          {...{ interval, zone, kind, settings, isTable }}
        />
      )}
    </div>
  );
}
