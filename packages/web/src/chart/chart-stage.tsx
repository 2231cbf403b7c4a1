/**
 * The drawn chart of one market and interval, with its legend, notes, order labels and table: created when it is shown,
 * removed with it.
 */
import { computed, effect, type Signal, signal, untracked } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Account } from "../account/port.ts";
import type { Feed, Interval, Market } from "../market/port.ts";
import type { Preferences, TimeZone } from "../preferences.ts";
import { ATTRIBUTION, barSpoken, chartHint, INTERVAL_NAMES, PANEL } from "../words/words.ts";
import { BarTable } from "./bar-table.tsx";
import { type BarContext, barWords } from "./bar-words.ts";
import { ChartLegend } from "./chart-legend.tsx";
import { OlderNote, StaleNote, StateNote } from "./chart-notes.tsx";
import type { ChartSettings } from "./chart-settings.ts";
import { ChartView } from "./chart-view.ts";
import { drawnLines } from "./drawn-lines.ts";
import { fillsOf } from "./fill-marks.ts";
import { indicatorsOf } from "./indicator-settings.ts";
import { LineAsk } from "./line-ask.tsx";
import { LineDrag } from "./line-drag.ts";
import { LineEditor } from "./line-edit.ts";
import { OrderLabels } from "./order-labels.tsx";
import { orderLines } from "./order-lines.ts";
import { tickRule } from "./tick-price.ts";

// The stage itself.

export interface ChartStageProps {
  readonly feed: Feed;
  readonly account: Account;
  readonly market: Market;
  readonly interval: Interval;
  readonly zone: TimeZone;
  readonly preferences: Preferences;
  readonly settings: ChartSettings;
  readonly isTable: Signal<boolean>;
}

const ZOOM_STEP = 1.25;
const LARGE_WALK = 10;

/** All that one chart consists of, and that ends with it. */
function openStage(stage: HTMLElement, place: HTMLElement, props: ChartStageProps) {
  const { feed, account, market, interval, zone, preferences, settings } = props;
  const view = new ChartView(place, feed.candles(market.symbol, interval), market, interval, zone);
  const rule = tickRule(market);
  const lines = computed(() => orderLines(account.orders.value, market));
  const fills = computed(() => fillsOf(account.fills.value, market.symbol));
  const editor = new LineEditor(account, preferences.confirms, lines);
  const drag = new LineDrag(stage, view, editor, lines, rule);
  const stops = [
    effect(() => view.setIndicators(indicatorsOf(settings.indicators.value, interval))),
    effect(() => view.setLogarithmic(settings.isLogarithmic.value)),
    effect(() => view.setFills(fills.value)),
    effect(() => {
      const print = feed.prints.value[0];
      if (print !== undefined && feed.market.peek()?.symbol === market.symbol) {
        untracked(() => view.follow(Number(print.price), print.timeMs));
      }
    }),
    // Requests that failed without a connection are repeated when there is one.
    effect(() => {
      if (feed.connection.value.state === "live") view.retryFailed();
    }),
    effect(() => view.setLines(drawnLines(lines.value, editor.edit.value, view.look.value))),
  ];
  const context = (): BarContext => ({ candles: view.candles, fills: fills.value, market, interval, zone });
  function close(): void {
    for (const stop of stops) stop();
    drag.close();
    editor.close();
    view.remove();
  }
  return { view, rule, lines, editor, drag, context, close };
}

type Stage = ReturnType<typeof openStage>;

/** Reads candle by candle; what is read goes to the live region. */
function onStageKey(event: KeyboardEvent, { view, context }: Stage, spoken: Signal<string>): void {
  const step = event.shiftKey ? LARGE_WALK : 1;
  const walk = (to: number | "first" | "last"): void => {
    const index = view.walk(to);
    const bar = index === null ? null : barWords(index, context());
    spoken.value = bar === null ? PANEL.noCandles : barSpoken(bar);
  };
  if (event.key === "ArrowLeft") walk(-step);
  else if (event.key === "ArrowRight") walk(step);
  else if (event.key === "Home") walk("first");
  else if (event.key === "End") walk("last");
  else if (event.key === "+" || event.key === "=") view.zoom(ZOOM_STEP);
  else if (event.key === "-") view.zoom(1 / ZOOM_STEP);
  else return;
  event.preventDefault();
}

function LatestButton({ view }: { view: ChartView }) {
  if (view.isAtLatest.value) return null;
  const right = view.layout.value.axisWidthPx + 10;
  return (
    <button
      type="button"
      class="chart-latest"
      style={{ right: `${right}px` }}
      aria-label={PANEL.latestCandle}
      onClick={() => view.goToLatest()}
    >
      {PANEL.latest} <span aria-hidden="true">»</span>
    </button>
  );
}

function Attribution() {
  return (
    <a
      class="chart-attribution"
      href={ATTRIBUTION.address}
      title={ATTRIBUTION.title}
      target="_blank"
      rel="noopener noreferrer"
    >
      {ATTRIBUTION.text}
    </a>
  );
}

function Overlay({ stage, feed, isTable }: { stage: Stage; feed: Feed; isTable: Signal<boolean> }) {
  const { view, rule, lines, editor, drag, context } = stage;
  return (
    <>
      <ChartLegend view={view} context={context} />
      <OrderLabels view={view} lines={lines} editor={editor} drag={drag} rule={rule} />
      <LineAsk editor={editor} />
      <OlderNote view={view} />
      <StateNote view={view} />
      <StaleNote feed={feed} />
      <LatestButton view={view} />
      {isTable.value ? <BarTable view={view} context={context} /> : null}
    </>
  );
}

/** Belongs to one market, interval and zone: others are another one, by its key. */
export function ChartStage(props: ChartStageProps) {
  const { feed, market, interval, isTable } = props;
  const root = useRef<HTMLDivElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [stage, setStage] = useState<Stage | null>(null);
  const spoken = useMemo(() => signal(""), []);
  const hintId = useId();

  useLayoutEffect(() => {
    if (root.current === null || place.current === null) return;
    const opened = openStage(root.current, place.current, props);
    setStage(opened);
    return opened.close;
    // A change of any other prop comes with another key, which makes a new component.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  useEffect(() => {
    root.current?.classList.toggle("is-stale", feed.connection.value.state === "down");
  }, [feed.connection.value.state]);

  return (
    <div class="chart-stage" ref={root}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it reads by arrow keys */}
      <div
        class="chart-place"
        role="application"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the same
        tabIndex={0}
        aria-label={`${PANEL.chart}: ${market.symbol}`}
        aria-describedby={hintId}
        onKeyDown={(event) => {
          if (stage !== null) onStageKey(event, stage, spoken);
        }}
        onBlur={() => stage?.view.stopWalking()}
      >
        {/* The library lays its canvases out by a table: nothing in it is to be read. */}
        <div class="chart-canvas" ref={place} aria-hidden="true" />
      </div>
      <p id={hintId} class="visually-hidden">
        {chartHint(market.symbol, INTERVAL_NAMES[interval] ?? interval)}
      </p>
      <p class="visually-hidden" role="status" aria-live="polite">
        {spoken}
      </p>
      {stage === null ? null : <Overlay stage={stage} feed={feed} isTable={isTable} />}
      <Attribution />
    </div>
  );
}
