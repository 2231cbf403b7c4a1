/** A small field for a number of the lab. */
import type { Signal } from "@preact/signals";

export function LabNumber({ label, value, least = 0 }: { label: string; value: Signal<string>; least?: number }) {
  return (
    <label>
      {label}
      <input
        type="number"
        min={least}
        step="any"
        required
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </label>
  );
}
