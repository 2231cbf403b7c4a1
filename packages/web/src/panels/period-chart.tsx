/** A chart of a figure by period, as bars or as a line. Hover, focus and arrow keys show the value of a period. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { barsOf, BARS_HEIGHT, BARS_WIDTH } from "./svg-paths.ts";
import { pagesWords as words } from "../words/words.ts";

interface ChartProps {
  readonly label: string;
  readonly values: readonly number[];
  /** The names of the periods, and their values as text. */
  readonly periods: readonly string[];
  readonly texts: readonly string[];
  /** Draws the values, and the one that is shown. Default: a bar for each. */
  readonly drawn?: (values: readonly number[], shown: number | null) => ComponentChildren;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

export function PeriodChart({ label, values, periods, texts, drawn }: ChartProps) {
  const shown = useSignal<number | null>(null);
  const last = values.length - 1;
  const at = Math.min(shown.value ?? last, last);
  const text = words.chartValue(periods[at] ?? "", texts[at] ?? "");
  const pointed = (event: MouseEvent & { readonly currentTarget: Element }): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    shown.value = Math.max(0, Math.min(last, Math.floor(((event.clientX - left) / width) * values.length)));
  };
  const walk = (event: KeyboardEvent): void => {
    const to = event.key === "Home" ? 0 : event.key === "End" ? last : at + (STEPS[event.key] ?? 0);
    if (!(event.key in STEPS) && event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    shown.value = Math.max(0, Math.min(last, to));
  };
  return (
    <div class="period-chart">
      <div
        class="bars"
        role="slider"
        tabIndex={0}
        aria-label={words.chart(label, values.length)}
        aria-readonly
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, at)}
        aria-valuetext={text}
        onPointerMove={pointed}
        onPointerDown={pointed}
        onPointerLeave={() => (shown.value = null)}
        onKeyDown={walk}
        onBlur={() => (shown.value = null)}
      >
        <svg viewBox={`0 0 ${BARS_WIDTH} ${BARS_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path class="base" d={`M0 ${BARS_HEIGHT - 0.5}H${BARS_WIDTH}`} />
          {drawn?.(values, shown.value) ??
            barsOf(values).map((path, n) => (
              <path
                key={periods[n]}
                class={n === shown.value ? "bar chosen" : n === last ? "bar newest" : "bar"}
                d={path}
              />
            ))}
        </svg>
      </div>
      <div class="chart-foot muted">
        {shown.value === null ? (
          <>
            <span>{periods[0]}</span>
            <span>{periods[last]}</span>
          </>
        ) : (
          <span class="read">{text}</span>
        )}
      </div>
    </div>
  );
}
