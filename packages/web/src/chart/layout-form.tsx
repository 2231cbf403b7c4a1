/** The menu of the chart's type and scale, and of the saved layouts. */
import { useState } from "preact/hooks";
import { LAYOUTS } from "../words/words.ts";
import { indicatorName } from "./bar-words.ts";
import {
  applyLayout,
  CHART_KINDS,
  type ChartLayout,
  type ChartSettings,
  indicatorsOf,
  LAYOUTS_MAX,
  NAME_MAX,
  saveLayout,
} from "./chart-settings.ts";

function ChartKinds({ settings }: { settings: ChartSettings }) {
  return (
    <div class="chart-kinds" role="group" aria-label={LAYOUTS.kind}>
      {CHART_KINDS.map((kind) => (
        <button
          key={kind}
          type="button"
          class={settings.kind.value === kind ? "chart-tool is-on" : "chart-tool"}
          aria-pressed={settings.kind.value === kind}
          onClick={() => (settings.kind.value = kind)}
        >
          {LAYOUTS.kinds[kind]}
        </button>
      ))}
    </div>
  );
}

function SavedLayout({ layout, settings }: { layout: ChartLayout; settings: ChartSettings }) {
  const indicators = indicatorsOf(layout.indicators, layout.interval).map(indicatorName);
  return (
    <li class="chart-saved">
      <button type="button" class="chart-tool" onClick={() => applyLayout(settings, layout)}>
        <b>{layout.name}</b>
        <span>{[LAYOUTS.kinds[layout.kind], layout.interval, ...indicators].join(" · ")}</span>
      </button>
      <button
        type="button"
        class="chart-tool"
        aria-label={LAYOUTS.remove(layout.name)}
        onClick={() => (settings.layouts.value = settings.layouts.peek().filter(({ name }) => name !== layout.name))}
      >
        <span aria-hidden="true">×</span>
      </button>
    </li>
  );
}

export function LayoutForm({ settings }: { settings: ChartSettings }) {
  const [name, setName] = useState("");
  const layouts = settings.layouts.value;
  const trimmed = name.trim();
  const isFull = layouts.length >= LAYOUTS_MAX && layouts.every((layout) => layout.name !== trimmed);
  return (
    <div class="chart-view-form">
      <ChartKinds settings={settings} />
      <label class="chart-tick">
        <input
          type="checkbox"
          checked={settings.isLogarithmic.value}
          onChange={(event) => (settings.isLogarithmic.value = event.currentTarget.checked)}
        />
        {LAYOUTS.logarithmic}
      </label>
      <h3>{LAYOUTS.saved}</h3>
      {layouts.length === 0 ? (
        <p class="chart-hint">{LAYOUTS.none}</p>
      ) : (
        <ul class="chart-list">
          {layouts.map((layout) => (
            <SavedLayout key={layout.name} layout={layout} settings={settings} />
          ))}
        </ul>
      )}
      <form
        class="chart-entry"
        onSubmit={(event) => {
          event.preventDefault();
          if (trimmed === "" || isFull) return;
          saveLayout(settings, trimmed);
          setName("");
        }}
      >
        <input
          class="chart-text"
          aria-label={LAYOUTS.name}
          placeholder={LAYOUTS.name}
          maxLength={NAME_MAX}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="chart-yes" disabled={trimmed === "" || isFull}>
          {LAYOUTS.save}
        </button>
      </form>
      {isFull ? <p class="chart-hint">{LAYOUTS.full(LAYOUTS_MAX)}</p> : null}
    </div>
  );
}
