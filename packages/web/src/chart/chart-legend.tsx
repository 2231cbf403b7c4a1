/** The candle under the pointer, or the newest one, in numbers over the chart. */
import { BLANK, showFloat } from "../exact/shown.ts";
import { LEGEND } from "../words/words.ts";
import { type BarContext, barWords, indicatorName } from "./bar-words.ts";
import type { ChartView } from "./chart-view.ts";
import { heed } from "./heed.ts";

export function ChartLegend({ view, context }: { view: ChartView; context: () => BarContext }) {
  heed(view.version);
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
          const digits = indicator.kind === "rsi" ? 1 : now.market.priceDigits;
          return (
            <span key={indicatorName(indicator)} style={{ color: colour }}>
              {indicatorName(indicator)}{" "}
              {values.map((value) => (value === null ? BLANK : showFloat(value, digits))).join(" ")}
            </span>
          );
        })}
      </div>
      {bar.fills.length > 0 && view.pointed.value !== null ? (
        <div class="chart-legend-row">{bar.fills.slice(0, 3).join(", ")}</div>
      ) : null}
    </div>
  );
}
