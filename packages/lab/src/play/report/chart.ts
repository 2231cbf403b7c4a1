/** A chart over the time of a scenario, as SVG: curves, marks on them, and what happened below them. */
import { clockText } from "../clock-text.ts";
import type { Point } from "../course.ts";
import { type Html, html } from "./html.ts";

export interface Mark {
  readonly atMs: number;
  readonly value: number;
  /** How it looks: `buy` or `sell`. */
  readonly look: string;
  readonly title: string;
}

/** A line at a value: an order in the book. */
export interface Level {
  readonly fromMs: number;
  readonly toMs: number;
  readonly value: number;
  /** How it looks: `bid` or `ask`. */
  readonly look: string;
  readonly title: string;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  /** Beside its bar. */
  readonly name: string;
  readonly title: string;
}

export interface Chart {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly curve: readonly Point[];
  readonly marks?: readonly Mark[];
  readonly levels?: readonly Level[];
  /** Faults: bands behind the curve, and above it a bar for each. */
  readonly spans?: readonly Span[];
  /** Points of the time line. */
  readonly moments?: readonly { readonly atMs: number; readonly title: string }[];
}

const WIDTH = 960;
const HEIGHT = 240;
const LEFT = 84;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 26;
/** The room for one bar and the name beside it. */
const BAR_ROOM = 14;
const BAR = 4;
/** More bars than these would be taller than the chart. */
const MOST_BARS = 8;
const MOST_NAME = 13;
const VALUE_TICKS = 4;
const TIME_TICKS = 6;
/** What marks and curves keep from the edges, as a part of the range. */
const MARGIN = 0.06;

export function chartOf(chart: Chart): Html {
  const { title, startMs, endMs, curve, marks = [], levels = [], spans = [], moments = [] } = chart;
  const [low, high] = rangeOf([...curve.map(([, value]) => value), ...[...marks, ...levels].map(({ value }) => value)]);
  const x = (atMs: number): string =>
    (LEFT + ((atMs - startMs) / Math.max(1, endMs - startMs)) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const bars = spans.slice(0, MOST_BARS);
  const roomAbove = bars.length === 0 ? 0 : bars.length * BAR_ROOM + BAR;
  const [top, height] = [TOP + roomAbove, HEIGHT + roomAbove];
  const floor = height - BOTTOM;
  const y = (value: number): string => (top + ((high - value) / (high - low)) * (floor - top)).toFixed(1);
  const wide = ({ fromMs, toMs }: Span): string => Math.max(1.5, Number(x(toMs)) - Number(x(fromMs))).toFixed(1);
  const band = (span: Span): Html =>
    html`<rect class="fault" x="${x(span.fromMs)}" y="${top}" width="${wide(span)}" height="${floor - top}"><title>${span.title}</title></rect>`;
  const bar = (span: Span, index: number): Html => {
    const middle = TOP + index * BAR_ROOM + BAR_ROOM / 2;
    return html`<rect class="bar" x="${x(span.fromMs)}" y="${middle - BAR / 2}" width="${wide(span)}" height="${BAR}"><title>${span.title}</title></rect><text x="${LEFT - 6}" y="${middle}" class="value name">${shortened(span.name)}</text>`;
  };
  const moment = ({ atMs, title: what }: { readonly atMs: number; readonly title: string }): Html =>
    html`<line class="moment" x1="${x(atMs)}" x2="${x(atMs)}" y1="${top}" y2="${floor}"><title>${what}</title></line>`;
  const level = ({ fromMs, toMs, value, look, title: what }: Level): Html =>
    html`<line class="${look}" x1="${x(fromMs)}" x2="${Math.max(Number(x(fromMs)) + 1, Number(x(toMs))).toFixed(1)}" y1="${y(value)}" y2="${y(value)}"><title>${what}</title></line>`;
  const valueTick = (index: number): Html => {
    const value = low + ((high - low) * index) / VALUE_TICKS;
    return html`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/><text x="${LEFT - 6}" y="${y(value)}" class="value">${numberText(value, high - low)}</text>`;
  };
  const timeTick = (index: number): Html => {
    const atMs = startMs + Math.round(((endMs - startMs) * index) / TIME_TICKS);
    const anchor = index === 0 ? "start" : index === TIME_TICKS ? "end" : "middle";
    return html`<text x="${x(atMs)}" y="${height - 8}" text-anchor="${anchor}">${clockText(Math.round((atMs - startMs) / 1000) * 1000)}</text>`;
  };
  const count = (last: number): readonly number[] => Array.from({ length: last + 1 }, (_, index) => index);
  return html`<figure><figcaption>${title}</figcaption><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
${spans.map(band)}${bars.map(bar)}${count(VALUE_TICKS).map(valueTick)}${count(TIME_TICKS).map(timeTick)}${moments.map(moment)}
<path class="curve" d="${pathOf(curve, x, y, endMs)}"/>
${levels.map(level)}${marks.map(({ atMs, value, look, title: what }) => html`<circle class="${look}" cx="${x(atMs)}" cy="${y(value)}" r="3.5"><title>${what}</title></circle>`)}
</svg></figure>`;
}

/** As much of a name as there is room for beside a chart; its title has all of it. */
const shortened = (name: string): string => (name.length > MOST_NAME ? `${name.slice(0, MOST_NAME - 1)}…` : name);

/** A value holds until the next one. */
function pathOf(
  curve: readonly Point[],
  x: (atMs: number) => string,
  y: (value: number) => string,
  endMs: number,
): string {
  const [first, ...rest] = curve;
  if (first === undefined) return "";
  const steps = rest.map(([atMs, value]) => `H${x(atMs)}V${y(value)}`);
  return `M${x(first[0])},${y(first[1])}${steps.join("")}H${x(endMs)}`;
}

function rangeOf(values: readonly number[]): readonly [low: number, high: number] {
  if (values.length === 0) return [0, 1];
  const [low, high] = values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const room = high > low ? (high - low) * MARGIN : Math.max(Math.abs(high) * MARGIN, 1e-8);
  return [low - room, high + room];
}

/** The value with as many digits as the range needs. */
function numberText(value: number, range: number): string {
  for (let digits = 0; digits < 8; digits++) if (range / VALUE_TICKS >= 10 ** -digits * 2) return value.toFixed(digits);
  return value.toFixed(8);
}
