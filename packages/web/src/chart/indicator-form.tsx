/** The form that switches indicators on and off and sets their lengths. */
import type { Signal } from "@preact/signals";
import { INDICATORS } from "../words/words.ts";
import {
  type AverageSetting,
  DEVIATIONS_MAX,
  type IndicatorSettings,
  isDeviations,
  isLength,
  LENGTH_MAX,
  LENGTH_MIN,
} from "./chart-settings.ts";

interface NumberBoxProps {
  readonly value: number;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly isValid: (value: unknown) => value is number;
  readonly onChange: (value: number) => void;
}

/** A number field. Invalid numbers are not applied and are marked by the browser's own validation. */
function NumberBox({ value, label, min, max, step, isValid, onChange }: NumberBoxProps) {
  return (
    <input
      type="number"
      class="chart-number"
      aria-label={label}
      min={min}
      max={max}
      step={step}
      value={value}
      onInput={(event) => {
        const typed = event.currentTarget.valueAsNumber;
        if (isValid(typed)) onChange(typed);
      }}
    />
  );
}

const LENGTH = { min: LENGTH_MIN, max: LENGTH_MAX, step: 1, isValid: isLength };

function Tick({ isOn, label, onChange }: { isOn: boolean; label: string; onChange: (isOn: boolean) => void }) {
  return (
    <label class="chart-tick">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

function Average({
  average,
  place,
  onChange,
}: {
  average: AverageSetting;
  place: number;
  onChange: (average: AverageSetting) => void;
}) {
  const name = INDICATORS.average(place);
  return (
    <div class="chart-indicator">
      <Tick isOn={average.isOn} label={name} onChange={(isOn) => onChange({ ...average, isOn })} />
      <select
        class="chart-number"
        aria-label={INDICATORS.form(place)}
        value={average.form}
        onChange={(event) => onChange({ ...average, form: event.currentTarget.value === "EMA" ? "EMA" : "SMA" })}
      >
        {(["SMA", "EMA"] as const).map((form) => (
          <option key={form} value={form}>
            {INDICATORS.forms[form]}
          </option>
        ))}
      </select>
      <NumberBox
        {...LENGTH}
        value={average.length}
        label={INDICATORS.length(name)}
        onChange={(length) => onChange({ ...average, length })}
      />
    </div>
  );
}

export function IndicatorForm({ settings }: { settings: Signal<IndicatorSettings> }) {
  const { averages, bollinger, vwap, rsi } = settings.value;
  const change = (part: Partial<IndicatorSettings>): void => {
    settings.value = { ...settings.value, ...part };
  };
  return (
    <div class="chart-indicators">
      {averages.map((average, at) => (
        <Average
          // The index is a stable key, because the number of lengths never changes.
          key={at}
          average={average}
          place={at + 1}
          onChange={(changed) => change({ averages: averages.with(at, changed) })}
        />
      ))}
      <div class="chart-indicator">
        <Tick
          isOn={bollinger.isOn}
          label={INDICATORS.bollinger}
          onChange={(isOn) => change({ bollinger: { ...bollinger, isOn } })}
        />
        <NumberBox
          {...LENGTH}
          value={bollinger.length}
          label={INDICATORS.length(INDICATORS.bollinger)}
          onChange={(length) => change({ bollinger: { ...bollinger, length } })}
        />
        <NumberBox
          min={0.1}
          max={DEVIATIONS_MAX}
          step={0.1}
          isValid={isDeviations}
          value={bollinger.deviations}
          label={INDICATORS.deviations}
          onChange={(deviations) => change({ bollinger: { ...bollinger, deviations } })}
        />
      </div>
      <div class="chart-indicator">
        <Tick isOn={vwap.isOn} label={INDICATORS.vwap} onChange={(isOn) => change({ vwap: { isOn } })} />
        <span class="chart-hint">{INDICATORS.vwapHint}</span>
      </div>
      <div class="chart-indicator">
        <Tick isOn={rsi.isOn} label={INDICATORS.rsi} onChange={(isOn) => change({ rsi: { ...rsi, isOn } })} />
        <NumberBox
          {...LENGTH}
          value={rsi.length}
          label={INDICATORS.length(INDICATORS.rsi)}
          onChange={(length) => change({ rsi: { ...rsi, length } })}
        />
      </div>
    </div>
  );
}
