/** The candles in view as a table: the same numbers for whoever does not see the drawing. */
import { useEffect, useState } from "preact/hooks";
import { INTERVAL_NAMES, TABLE } from "../words/words.ts";
import { type BarContext, barWords } from "./bar-words.ts";
import type { ChartView } from "./chart-view.ts";

/** Rows beyond are not made: scrolling the chart shows others. */
const ROWS_MAX = 300;
const REDRAW_MS = 1_000;

/** Changes at most once a second: a table that is read must hold still. */
export function BarTable({ view, context }: { view: ChartView; context: () => BarContext }) {
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keys too
    <section class="chart-table" aria-label={captionOf(now)} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{captionOf(now)}</caption>
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
