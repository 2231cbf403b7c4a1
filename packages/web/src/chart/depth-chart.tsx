/** The depth chart: the cumulative quantity up to each price, on both sides of the book. */
import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import { formatDecimal, formatShort, fromUnits } from "../exact/decimal.ts";
import { grouped, showUnits } from "../exact/shown.ts";
import type { Book, Market } from "../market/port.ts";
import { DEPTH } from "../words/words.ts";
import { Age } from "./chart-notes.tsx";
import { depthAt, type DepthPoint, type DepthView, depthView, paintDepth, priceOfX } from "./depth-drawing.ts";
import { track } from "./chart-settings.ts";
import { type Look, readLook, watchLook } from "./look.ts";

export interface DepthChartProps {
  readonly book: ReadonlySignal<Book>;
  readonly market: ReadonlySignal<Market | null>;
}

/** The chart is drawn at most four times a second, because the shape of a book changes more slowly than its levels. */
const REDRAW_MS = 250;
const ZOOM_MIN = 1 / 64;
const ZOOM_MAX = 64;

interface DepthState {
  readonly view: ReadonlySignal<DepthView | null>;
  readonly pointed: Signal<number | null>;
  readonly zoom: Signal<number>;
}

const priceText = (units: number, market: Market): string => showUnits(Math.round(units), market.priceDigits);
const totalText = (units: number, market: Market): string =>
  `${showUnits(Math.round(units), market.quantityDigits)} ${market.baseAsset}`;

/** Formats price × cumulative quantity as an estimated value. */
function amountText({ price, total }: DepthPoint, market: Market): string {
  const digits = market.priceDigits + market.quantityDigits;
  const text = formatDecimal({ units: BigInt(price) * BigInt(total), digits });
  return `${grouped(text.slice(0, text.length - digits + Math.min(2, digits)))} ${market.quoteAsset}`;
}

/** Sets the canvas to the screen's resolution and scales drawing to CSS pixels. */
function sized(canvas: HTMLCanvasElement) {
  const { clientWidth: widthPx, clientHeight: heightPx } = canvas;
  const ratio = devicePixelRatio;
  const context = canvas.getContext("2d");
  if (context === null || widthPx === 0 || heightPx === 0) return null;
  const [width, height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { context, widthPx, heightPx };
}

/** Draws the chart, and again when the view, theme, size or pointed price changes. The returned function stops it. */
function drawInto(canvas: HTMLCanvasElement, market: ReadonlySignal<Market | null>, state: DepthState): () => void {
  const look = signal<Look>(readLook(canvas.parentElement ?? canvas));
  const size = signal(0);
  const observer = new ResizeObserver(() => (size.value += 1));
  observer.observe(canvas);
  const unwatch = watchLook(() => (look.value = readLook(canvas.parentElement ?? canvas)));
  const stop = effect(() => {
    track(size);
    const view = state.view.value;
    const now = market.value;
    const place = sized(canvas);
    if (view === null || now === null || place === null) return;
    paintDepth(place, view, look.value, state.pointed.value, {
      price: (units) => priceText(units, now),
      total: (units) => grouped(formatShort(fromUnits(Math.round(units), now.quantityDigits))),
    });
  });
  return () => {
    stop();
    unwatch();
    observer.disconnect();
  };
}

/** The book's depth, updated at most four times a second. */
function useDepth({ book, market }: DepthChartProps): DepthState {
  const view = useMemo(() => signal<DepthView | null>(null), []);
  const zoom = useMemo(() => signal(1), []);
  const pointed = useMemo(() => signal<number | null>(null), []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isDue = false;
    function draw(): void {
      isDue = false;
      const now = book.peek();
      view.value = now.symbol === market.peek()?.symbol ? depthView(now, zoom.peek()) : null;
      timer = setTimeout(() => {
        timer = null;
        if (isDue) draw();
      }, REDRAW_MS);
    }
    const stop = effect(() => {
      track(book, market, zoom);
      if (timer === null) draw();
      else isDue = true;
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [book, market, view, zoom]);
  return useMemo(() => ({ view, pointed, zoom }), [view, pointed, zoom]);
}

/** The price after an arrow key press: the next level in that direction, starting from the mid price. */
function stepped(view: DepthView, from: number | null, direction: 1 | -1): number | null {
  const all = [...view.bids.toReversed(), ...view.asks].map(({ price }) => price);
  const at = from ?? view.mid;
  const next = direction === 1 ? all.find((price) => price > at) : all.findLast((price) => price < at);
  return next ?? from;
}

function Reading({ state, market }: { state: DepthState; market: Market }) {
  const view = state.view.value;
  const pointed = state.pointed.value;
  const point = view === null || pointed === null ? null : depthAt(view, pointed);
  return (
    <p class="depth-reading" role="status" aria-live="polite">
      {point === null
        ? null
        : DEPTH.point(
            point.side,
            priceText(point.price, market),
            totalText(point.total, market),
            amountText(point, market),
          )}
    </p>
  );
}

function Summary({ view, market, id }: { view: DepthView; market: Market; id: string }) {
  const total = (points: readonly DepthPoint[]): string => totalText(points.at(-1)?.total ?? 0, market);
  const low = priceText(Math.max(0, view.lowPrice), market);
  return (
    <p id={id} class="unseen">
      {DEPTH.summary(total(view.bids), low, total(view.asks), priceText(view.highPrice, market))} {DEPTH.hint}
    </p>
  );
}

export function DepthChart({ book, market }: DepthChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const state = useDepth({ book, market });
  const hintId = useId();
  const now = market.value;
  const view = state.view.value;
  const { freshness, atMs } = book.value;

  useEffect(() => (canvas.current === null ? undefined : drawInto(canvas.current, market, state)), [market, state]);

  const point = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    const box = event.currentTarget.getBoundingClientRect();
    if (view !== null) state.pointed.value = priceOfX(view, event.clientX - box.left, box.width);
  };
  const zoom = (by: number): void => {
    state.zoom.value = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, state.zoom.value * by));
  };
  return (
    <section class={freshness === "stale" ? "depth-chart is-stale" : "depth-chart"} aria-label={DEPTH.name}>
      <div class="depth-place">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it reads by arrow keys */}
        <div
          class="depth-canvas"
          role="application"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the same
          tabIndex={0}
          aria-label={DEPTH.name}
          aria-describedby={hintId}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => (state.pointed.value = null)}
          onBlur={() => (state.pointed.value = null)}
          onKeyDown={(event) => {
            const direction = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : null;
            if (direction === null || view === null) return;
            event.preventDefault();
            state.pointed.value = stepped(view, state.pointed.value, direction);
          }}
        >
          <canvas ref={canvas} aria-hidden="true" />
        </div>
        {view === null ? <p class="chart-note">{freshness === "loading" ? DEPTH.loading : DEPTH.oneSided}</p> : null}
      </div>
      {freshness === "stale" && view !== null ? <Age sinceMs={atMs} /> : null}
      <div class="depth-tools">
        <button type="button" class="chart-tool" aria-label={DEPTH.zoomOut} onClick={() => zoom(0.5)}>
          −
        </button>
        <button type="button" class="chart-tool" aria-label={DEPTH.zoomIn} onClick={() => zoom(2)}>
          +
        </button>
      </div>
      {now === null ? null : <Reading state={state} market={now} />}
      {now === null || view === null ? null : <Summary view={view} market={now} id={hintId} />}
    </section>
  );
}
