/**
 * The chart of one market and interval, with legend, notes, order labels and table. Created when the chart is shown and
 * removed when it is hidden.
 */
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { ATTRIBUTION, chartHint, INTERVAL_NAMES, LEGEND, PANEL, TABLE } from "../words/words.ts";
import { type BarContext, barWords, indicatorName, spokenBar } from "./bar-words.ts";
import { ChartView } from "./chart-view.ts";
import { BLANK, showFloat } from "../exact/shown.ts";
import { type ChartKind, type ChartSettings, track, indicatorsOf } from "./chart-settings.ts";
import { SHAPES } from "./indicators.ts";
import { computed, effect, type Signal, signal, untracked } from "@preact/signals";
import type { Account } from "../account/account.ts";
import type { Feed } from "../market/feed.ts";
import type { Interval, Market } from "../market/port.ts";
import type { Preferences, TimeZone } from "../preferences.ts";
import { OlderNote, StaleNote, StateNote } from "./chart-notes.tsx";
import { type Consequences, consequencesOf, drawnLines, LineEditor, type MoveFault, tickRule } from "./line-edit.ts";
import { fillsOf } from "./fills.ts";
import { LineAsk } from "./line-ask.tsx";
import { LineDrag } from "./line-drag.ts";
import { endWidthPx } from "./label-fan.tsx";
import { OrderLabels } from "./order-labels.tsx";
import { type OrderLine, orderLines } from "./order-lines.ts";
import { END_PX } from "./chart-options.ts";
import { activeAlerts, alertLines, AlertMarks } from "./alert-marks.tsx";
import { alertsOf } from "./alerts.ts";

// The candles in view as a table, for screen readers.

/** Maximum number of table rows. Scrolling the chart shows other rows. */
const ROWS_MAX = 300;
const REDRAW_MS = 1_000;

/** The table of candles. It is updated at most once a second, so that it can be read. */
function BarTable({ view, context }: { view: ChartView; context: () => BarContext }) {
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => redraw(view.version.peek()), REDRAW_MS);
    return () => clearInterval(timer);
  }, [view]);
  const { from, to } = view.inView.value;
  const now = context();
  const rows: number[] = [];
  const last = Math.min(to, now.candles.length - 1);
  for (let at = last; at >= from && rows.length < ROWS_MAX; at--) rows.push(at);
  const hasFills = now.fills.length > 0;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- can be scrolled by keyboard
    <section class="chart-table" aria-label={captionOf(now)} tabIndex={0}>
      <table>
        <caption class="unseen">{captionOf(now)}</caption>
        <thead>
          <tr>
            {[TABLE.time, TABLE.open, TABLE.high, TABLE.low, TABLE.close, TABLE.change, TABLE.volume].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {hasFills ? <th scope="col">{TABLE.fills}</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((at) => {
            const bar = barWords(at, now);
            if (bar === null) return null;
            return (
              <tr key={now.candles[at]?.openTimeMs}>
                <th scope="row">{bar.time}</th>
                <td>{bar.open}</td>
                <td>{bar.high}</td>
                <td>{bar.low}</td>
                <td>{bar.close}</td>
                <td>{bar.change}</td>
                <td>{bar.volume}</td>
                {hasFills ? <td>{bar.fills.join(", ")}</td> : null}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function captionOf({ market, interval }: BarContext): string {
  return TABLE.caption(market.symbol, INTERVAL_NAMES[interval] ?? interval);
}

// The legend over the chart: values of the candle under the pointer, or of the newest one.

function ChartLegend({ view, context }: { view: ChartView; context: () => BarContext }) {
  track(view.version);
  const newest = view.candles.length - 1;
  const at = Math.min(view.pointed.value ?? newest, newest);
  const now = context();
  const bar = barWords(at, now);
  const candle = view.candles[at];
  if (bar === null || candle === undefined) return null;
  const tone = candle.close < candle.open ? "is-down" : candle.close > candle.open ? "is-up" : "";
  const parts = [
    [LEGEND.open, bar.open],
    [LEGEND.high, bar.high],
    [LEGEND.low, bar.low],
    [LEGEND.close, bar.close],
  ] as const;
  return (
    <div class="chart-legend">
      <div class="chart-legend-row">
        {view.pointed.value === null ? null : <span class="chart-legend-time">{bar.time}</span>}
        {parts.map(([name, value]) => (
          <span key={name}>
            {name} <b class={tone}>{value}</b>
          </span>
        ))}
        <b class={`chart-legend-change ${tone}`}>{bar.change}</b>
        <span>
          {LEGEND.volume} <b>{bar.volume}</b>
        </span>
      </div>
      <div class="chart-legend-row">
        {view.readings(at).map(({ indicator, colour, values }) => {
          const digits = SHAPES[indicator.kind].levels === null ? now.market.priceDigits : 1;
          return (
            <span key={indicatorName(indicator)} style={{ color: colour }}>
              {indicatorName(indicator)}{" "}
              {values.map((value) => (value === null ? BLANK : showFloat(value, digits))).join(" ")}
            </span>
          );
        })}
      </div>
      {bar.fills.length > 0 && view.pointed.value !== null ? (
        <div class="chart-legend-row">{bar.fills.join(", ")}</div>
      ) : null}
    </div>
  );
}

// The chart and its overlays.

export interface ChartStageProps {
  readonly feed: Feed;
  readonly account: Account;
  readonly market: Market;
  readonly moveFault: MoveFault;
  readonly interval: Interval;
  readonly zone: TimeZone;
  readonly kind: ChartKind;
  readonly preferences: Preferences;
  readonly settings: ChartSettings;
  readonly isTable: Signal<boolean>;
}

const ZOOM_STEP = 1.25;
const LARGE_WALK = 10;

/** Creates all parts of a chart. The returned parts are closed together. */
function openStage(stage: HTMLElement, place: HTMLElement, props: ChartStageProps) {
  const { feed, account, market, interval, zone, kind, preferences, settings } = props;
  const view = new ChartView(place, feed.candles(market.symbol, interval), { market, interval, zone, kind });
  const rule = tickRule(market);
  const alerts = alertsOf(preferences);
  const lastPrice = (): string | undefined => feed.tickers.peek().get(market.symbol)?.lastPrice;
  const lines = computed(() => orderLines(account.orders.value, market));
  const fills = computed(() => fillsOf(account.fills.value, market.symbol));
  const paneWidthPx = computed(() => view.layout.value.paneWidthPx);
  const editor = new LineEditor(props, lines);
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
    // Requests that failed while the connection was lost are repeated after the reconnect.
    effect(() => {
      if (feed.connection.value.state === "live") view.retryFailed();
    }),
    effect(() => {
      const ofAlerts = alertLines(activeAlerts(alerts.value, market), view.look.value);
      view.setLines([...drawnLines(lines.value, editor.edit.value, view.look.value), ...ofAlerts]);
    }),
    effect(() => view.setEnd(lines.value.length === 0 ? END_PX : endWidthPx(paneWidthPx.value))),
  ];
  const context = (): BarContext => ({ candles: view.candles, fills: fills.value, market, interval, zone });
  const consequences = (line: OrderLine, to: string): Consequences => {
    const last = Number(lastPrice() ?? 0);
    return consequencesOf(line, to, market, last > 0 ? last : null);
  };
  function close(): void {
    for (const stop of stops) stop();
    drag.close();
    editor.close();
    view.remove();
  }
  return { view, market, rule, lines, alerts, lastPrice, editor, drag, consequences, context, close };
}

type Stage = ReturnType<typeof openStage>;

/** Moves from candle to candle by keyboard and announces each candle in the live region. */
function onStageKey(event: KeyboardEvent, { view, context }: Stage, spoken: Signal<string>): void {
  const step = event.shiftKey ? LARGE_WALK : 1;
  const walk = (to: number | "first" | "last"): void => {
    const index = view.walk(to);
    const bar = index === null ? null : barWords(index, context());
    spoken.value = bar === null ? PANEL.noCandles : spokenBar(bar);
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
  const { view, market, rule, lines, alerts, lastPrice, editor, drag, consequences, context } = stage;
  return (
    <>
      <ChartLegend view={view} context={context} />
      <OrderLabels {...{ view, lines, editor, drag, rule, consequences }} />
      <AlertMarks {...{ view, alerts, market, rule, lastPrice }} />
      <LineAsk editor={editor} consequences={consequences} />
      <OlderNote view={view} />
      <StateNote view={view} />
      <StaleNote feed={feed} />
      <LatestButton view={view} />
      {isTable.value ? <BarTable view={view} context={context} /> : null}
    </>
  );
}

/**
 * The chart of one market, interval and time zone. If one of them changes, a new component is mounted under another
 * key.
 */
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
    // If any other property changes, the key changes too and a new component is mounted.
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
        {/* The library lays out its canvases in a table, which is hidden from screen readers. */}
        <div class="chart-canvas" ref={place} aria-hidden="true" />
      </div>
      <p id={hintId} class="unseen">
        {chartHint(market.symbol, INTERVAL_NAMES[interval] ?? interval)}
      </p>
      <p class="unseen" role="status" aria-live="polite">
        {spoken}
      </p>
      {stage === null ? null : <Overlay stage={stage} feed={feed} isTable={isTable} />}
      <Attribution />
    </div>
  );
}
