/** The form that switches indicators on and off and sets their parameters. */
import type { Signal } from "@preact/signals";
import { INDICATORS } from "../words/words.ts";
import {
  type IndicatorSetting,
  type IndicatorSettings,
  isValid,
  type Parameter,
  type ParameterName,
  PARAMETERS,
  type ParameterValue,
  type SlotName,
  SLOT_NAMES,
} from "./chart-settings.ts";

interface FieldProps {
  readonly slot: SlotName;
  readonly name: ParameterName;
  readonly value: ParameterValue;
  readonly onChange: (value: ParameterValue) => void;
}

/** The field of a parameter. Invalid numbers are not applied and are marked by the browser's own validation. */
function Field({ slot, name, value, onChange }: FieldProps) {
  const parameter: Parameter = PARAMETERS[name];
  const label = INDICATORS.parameter(INDICATORS.slots[slot], INDICATORS.parameters[name]);
  return (
    <label class="chart-field">
      <span aria-hidden="true">{INDICATORS.short[name]}</span>
      {"options" in parameter ? (
        <select
          class="chart-number"
          aria-label={label}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {parameter.options.map((option) => (
            <option key={option} value={option}>
              {INDICATORS.options[option] ?? option}
            </option>
          ))}
        </select>
      ) : (
        <input
          type="number"
          class="chart-number"
          aria-label={label}
          {...parameter}
          value={value}
          onInput={(event) => {
            const typed = event.currentTarget.valueAsNumber;
            if (isValid(name, typed)) onChange(typed);
          }}
        />
      )}
    </label>
  );
}

interface RowProps {
  readonly slot: SlotName;
  readonly setting: IndicatorSetting;
  readonly onChange: (setting: IndicatorSetting) => void;
}

function Row({ slot, setting, onChange }: RowProps) {
  const names = Object.keys(setting.values) as readonly ParameterName[];
  return (
    <div class="chart-indicator">
      <label class="chart-tick">
        <input
          type="checkbox"
          checked={setting.isOn}
          onChange={(event) => onChange({ ...setting, isOn: event.currentTarget.checked })}
        />
        {INDICATORS.slots[slot]}
      </label>
      {names.map((name) => (
        <Field
          key={name}
          slot={slot}
          name={name}
          value={setting.values[name] ?? ""}
          onChange={(value) => onChange({ ...setting, values: { ...setting.values, [name]: value } })}
        />
      ))}
    </div>
  );
}

export function IndicatorForm({ settings }: { settings: Signal<IndicatorSettings> }) {
  return (
    <div class="chart-indicators">
      {SLOT_NAMES.map((slot) => (
        <Row
          key={slot}
          slot={slot}
          setting={settings.value[slot]}
          onChange={(setting) => (settings.value = { ...settings.value, [slot]: setting })}
        />
      ))}
    </div>
  );
}
