/** A price of an open order that can be changed in its place: Enter moves the order, Escape leaves it. */
import { useSignal } from "@preact/signals";
import { parseDecimal } from "../exact/decimal.ts";
import { tables as words } from "../words/tables-en.ts";

interface Props {
  readonly label: string;
  /** As sent. */
  readonly value: string;
  readonly shown: string;
  readonly canChange: boolean;
  readonly onMove: (to: string) => void;
}

export function PriceCell({ label, value, shown, canChange, onMove }: Props) {
  const typed = useSignal<string | null>(null);
  if (!canChange) return <>{shown}</>;
  if (typed.value === null)
    return (
      <button
        type="button"
        class="link"
        aria-label={words.change(label, shown)}
        onClick={() => {
          typed.value = shown.replaceAll(",", "");
        }}
      >
        {shown}
      </button>
    );
  const apply = (): void => {
    const to = parseDecimal(typed.value ?? "");
    if (to !== null && typed.value !== value) onMove(typed.value ?? "");
    typed.value = null;
  };
  return (
    <input
      class="price-field"
      aria-label={label}
      inputMode="decimal"
      value={typed.value}
      ref={(field) => {
        if (field !== null && document.activeElement !== field) field.select();
      }}
      onInput={(event) => {
        typed.value = event.currentTarget.value;
      }}
      onBlur={() => {
        typed.value = null;
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") apply();
        if (event.key === "Escape") typed.value = null;
        event.stopPropagation();
      }}
    />
  );
}
