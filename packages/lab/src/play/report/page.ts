/** The report as one page, which needs nothing but itself: no script, no other host. */
import { clockText } from "../clock-text.ts";
import { type Chart, chartOf } from "./chart.ts";
import { type Html, html } from "./html.ts";
import type { Report, ReportedFault, ReportedMarket } from "./report.ts";
import { STYLE } from "./style.ts";

/** Bands of faults and lines of the time line are in every chart. */
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

/** It scrolls where it is too wide for the page, also by keys. */
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
