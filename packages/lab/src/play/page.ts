/** The report as one self-contained HTML page without scripts or requests to other hosts. */
import { clockText, type Point } from "./course.ts";
import type { Report, ReportedFault, ReportedMarket } from "./report.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type Part = string | number | Html | readonly Html[];

/** Builds markup. All values are escaped unless they already are markup. */
function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const [first = "", ...rest] = texts;
  return new Html(first + rest.map((text, index) => shown(parts[index] ?? "") + text).join(""));
}

function shown(part: Part): string {
  if (part instanceof Html) return part.toString();
  if (Array.isArray(part)) return part.join("");
  return String(part).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
}

/** The style of the report, light and dark. */
const STYLE = `
:root { --page: #fff; --ink: #1b1f24; --soft: #59636e; --line: #d8dee4; --curve: #2158a8; --good: #1a7f37; --bad: #b3261e; --fault: #b3261e; --moment: #8a6d00; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --ink: #e4e8ec; --soft: #99a3ae; --line: #2d333b; --curve: #7db1f5; --good: #52c26b; --bad: #ff8078; --fault: #ff8078; --moment: #d9b84a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; } h3 { font-size: 1rem; margin: 1.2rem 0 0.3rem; }
h1 span { font-size: 0.9rem; margin-left: 0.6rem; }
.holds { color: var(--good); } .failed, .failures { color: var(--bad); } .waiting { color: var(--soft); }
.table { overflow-x: auto; } table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; padding: 0.25rem 0.8rem 0.25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; font-variant-numeric: tabular-nums; }
th { color: var(--soft); font-weight: normal; } .wide { width: 100%; min-width: 14rem; } .what { min-width: 10rem; }
p, li { overflow-wrap: anywhere; } td:not(.wide, .what) { white-space: nowrap; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; overflow-y: auto; padding: 0.6rem; border: 1px solid var(--line); border-radius: 4px; max-height: 30rem; }
code { overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figcaption { color: var(--soft); } svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font-size: 11px; } svg .value { text-anchor: end; dominant-baseline: middle; }
.grid { stroke: var(--line); stroke-width: 0.6; } .curve { fill: none; stroke: var(--curve); stroke-width: 1.3; }
.curve, line { vector-effect: non-scaling-stroke; }
svg .fault { fill: var(--fault); fill-opacity: 0.07; } svg .bar { fill: var(--fault); } .moment { stroke: var(--moment); stroke-width: 1; stroke-dasharray: 3 3; }
circle.buy { fill: var(--good); } circle.sell { fill: var(--bad); } line.bid { stroke: var(--good); stroke-opacity: 0.75; } line.ask { stroke: var(--bad); stroke-opacity: 0.75; }
.legend { color: var(--soft); } .legend .buy { color: var(--good); } .legend .sell { color: var(--bad); } .legend .bid { color: var(--good); } .legend .ask { color: var(--bad); } .legend .fault { color: var(--fault); } .legend .moment { color: var(--moment); margin-left: 0.4rem; }
@media (max-width: 40rem) { svg text { font-size: 20px; } svg text.value { font-size: 16px; } svg text.name { display: none; } circle { r: 6px; } }
`;

// An SVG chart over the time of a scenario: curves with marks, and events below them.

export interface Mark {
  readonly atMs: number;
  readonly value: number;
  /** The CSS class: `buy` or `sell`. */
  readonly look: string;
  readonly title: string;
}

/** A horizontal line at the price of an order in the book. */
export interface Level {
  readonly fromMs: number;
  readonly toMs: number;
  readonly value: number;
  /** The CSS class: `bid` or `ask`. */
  readonly look: string;
  readonly title: string;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  /** The label next to the bar. */
  readonly name: string;
  readonly title: string;
}

interface Chart {
  readonly title: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly curve: readonly Point[];
  readonly marks?: readonly Mark[];
  readonly levels?: readonly Level[];
  /** Faults: a band behind the curve, and a bar above it, for each. */
  readonly spans?: readonly Span[];
  /** Points of the timeline. */
  readonly moments?: readonly { readonly atMs: number; readonly title: string }[];
}

const WIDTH = 960;
const HEIGHT = 240;
const LEFT = 84;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 26;
/** The height of one bar with its label. */
const BAR_ROOM = 14;
const BAR = 4;
/** The maximum number of bars. With more, they would be taller than the chart. */
const MOST_BARS = 8;
const MOST_NAME = 13;
const VALUE_TICKS = 4;
const TIME_TICKS = 6;
/** The margin between curves and the edges of the chart, as a fraction of the range. */
const MARGIN = 0.06;

function chartOf(chart: Chart): Html {
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

/** Shortens a name to the width beside a chart; the title has the full name. */
const shortened = (name: string): string => (name.length > MOST_NAME ? `${name.slice(0, MOST_NAME - 1)}…` : name);

/** Returns the path of a step curve, because each value holds until the next one. */
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

/** Formats a value with as many digits as the range requires. */
function numberText(value: number, range: number): string {
  for (let digits = 0; digits < 8; digits++) if (range / VALUE_TICKS >= 10 ** -digits * 2) return value.toFixed(digits);
  return value.toFixed(8);
}

/** The parts that every chart has: bands of faults and lines of the timeline. */
type Below = Required<Pick<Chart, "startMs" | "endMs" | "spans" | "moments">>;

export function pageOf(report: Report): string {
  const { scenario, about, result, startMs, endMs, quote, unpriced } = report;
  const since = (atMs: number): string => clockText(atMs - startMs);
  const below: Below = {
    startMs,
    endMs,
    spans: report.faults.map((fault) => ({
      fromMs: fault.fromMs,
      toMs: overMs(fault, endMs),
      name: fault.name,
      title: `${since(fault.fromMs)} ${fault.name}`,
    })),
    moments: report.timeline.map(({ atMs, text }) => ({ atMs, title: `${since(atMs)} ${text}` })),
  };
  const notPriced = unpriced.length === 0 ? "" : `, without ${unpriced.join(", ")}, which has no price in it`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${scenario}: ${result === "holds" ? "passed" : "failed"}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${scenario} <span class="${result}">${result === "holds" ? "passed" : "failed"}</span></h1>
<p>${about}</p>
${report.failed.length === 0 ? html`` : html`<ul class="failures">${report.failed.map((why) => html`<li>${why}</li>`)}</ul>`}
</header>
<main>
<section><h2>What must hold</h2>${assertsOf(report, since)}</section>
<section><h2>${report.account}</h2>
${chartOf({ ...below, title: `equity in ${quote}${notPriced}`, curve: report.equity })}
${Object.entries(report.positions)
  .filter(([asset]) => asset !== quote)
  .map(([asset, curve]) =>
    chartOf({ ...below, title: `position in ${asset}: bought minus sold since the start`, curve }),
  )}
${report.markets.map((market) => marketChart(market, below, since))}
<p class="legend"><span class="buy">●</span> bought <span class="sell">●</span> sold <span class="bid">━</span> bid <span class="ask">━</span> ask in the book <span class="fault">■</span> fault <span class="moment">┃</span> time line</p>
</section>
<section><h2>Time line</h2>${timelineOf(report, since)}</section>
<section><h2>Faults, and what followed</h2>${report.faults.length === 0 ? html`<p>None.</p>` : report.faults.map((fault) => faultOf(fault, report, since))}</section>
<section><h2>The bot</h2>${botOf(report)}</section>
<section><h2>See it again</h2><pre>${report.repeat}</pre>
<p>seed ${report.seed}, pricetime ${report.version}, scenario <code>${report.hash}</code></p></section>
</main>
</body>
</html>
`.toString();
}

const overMs = ({ toMs, healedMs }: ReportedFault, endMs: number): number => Math.min(toMs ?? endMs, healedMs ?? endMs);

type Since = (atMs: number) => string;

/** A table that scrolls, also by keyboard, if it is too wide for the page. */
const tableOf = (label: string, rows: Html): Html =>
  html`<div class="table" role="region" aria-label="${label}" tabindex="0"><table>${rows}</table></div>`;

function assertsOf({ asserts }: Report, since: Since): Html {
  if (asserts.length === 0) return html`<p>Nothing was asserted.</p>`;
  const row = ({ kind, name, state, text, atMs, failures }: Report["asserts"][number]): Html =>
    html`<tr><td class="${state}">${state}</td><td>${kind}</td><td class="what">${name}</td><td class="wide">${text}</td><td>${atMs === undefined ? "" : since(atMs)}</td><td>${failures === 0 ? "" : failures}</td></tr>`;
  const head = html`<thead><tr><th>state</th><th>kind</th><th>what</th><th>what was so</th><th>when</th><th>against it</th></tr></thead>`;
  return tableOf("What must hold", html`${head}<tbody>${asserts.map(row)}</tbody>`);
}

function timelineOf({ timeline }: Report, since: Since): Html {
  if (timeline.length === 0) return html`<p>Nothing was on it.</p>`;
  const row = ({ atMs, text, refused }: Report["timeline"][number]): Html =>
    html`<tr><td>${since(atMs)}</td><td class="wide">${text}${refused === undefined ? "" : `: refused, ${refused}`}</td></tr>`;
  return html`${tableOf("Time line", html`<tbody>${timeline.slice(0, 200).map(row)}</tbody>`)}${timeline.length > 200 ? html`<p>and ${timeline.length - 200} more</p>` : html``}`;
}

function faultOf(fault: ReportedFault, { endMs, quote }: Report, since: Since): Html {
  const { name, kind, fromMs, struck, met, strikes, followed, more, equityBefore, equityAfter } = fault;
  const equity =
    equityBefore === null || equityAfter === null
      ? ""
      : `Equity in ${quote}: ${equityBefore.toFixed(2)} before, ${equityAfter.toFixed(2)} after.`;
  const first = strikes[0];
  const strike =
    first === undefined
      ? ""
      : Object.entries(first)
          .filter(([key]) => key !== "atMs")
          .map(([key, value]) => `${key} ${value}`)
          .join(", ");
  return html`<article><h3>${name}${name === kind ? "" : ` (${kind})`}</h3>
<p>From ${since(fromMs)} to ${since(overMs(fault, endMs))}: struck ${struck} of ${met}. ${equity}</p>
${first === undefined ? html`` : html`<p>The first, at ${since(first.atMs)}: <code>${strike}</code></p>`}
${tableOf(`Events after ${name}`, html`<tbody>${followed.map(({ atMs, text }) => html`<tr><td>${since(atMs)}</td><td class="wide">${text}</td></tr>`)}</tbody>`)}
${more === 0 ? html`` : html`<p>and ${more} more until ${since(fault.untilMs)}</p>`}</article>`;
}

function marketChart({ symbol, prices, orders, fills }: ReportedMarket, below: Below, since: Since): Html {
  const levels = orders.map(({ fromMs, toMs, side, price, status }) => ({
    ...{ fromMs, toMs, value: price, look: side === "BUY" ? "bid" : "ask" },
    title: `${side} at ${price} from ${since(fromMs)} to ${since(toMs)}: ${status}`,
  }));
  const filled = fills.map(({ atMs, side, price, quantity }) => ({
    atMs,
    value: price,
    look: side === "BUY" ? "buy" : "sell",
    title: `${since(atMs)} ${side} ${quantity} at ${price}`,
  }));
  return chartOf({
    ...below,
    title: `${symbol}: last price, orders and trades`,
    curve: prices,
    marks: filled,
    levels,
  });
}

function botOf({ bot, orders, fills, refusals }: Report): Html {
  const { end, command, said } = bot;
  const ended = end.failure ?? end.signal ?? `code ${end.code}`;
  const refused =
    refusals.length === 0
      ? ""
      : ` Rejected: ${refusals.map(({ what, count }) => `${what} ${count} times`).join(", ")}.`;
  return html`<p><code>${command.join(" ")}</code> ended with ${ended}: ${orders} orders, ${fills} trades.${refused}</p>
<details><summary>What it said</summary><pre>${said}</pre></details>`;
}
