/** A field for a price or a quantity. What is typed stays as typed; arrows go a step, with Shift ten. */
import type { Signal } from "@preact/signals";
import { add, compare, decimal, formatDecimal, multiply, NONE, parseDecimal, subtract } from "../exact/decimal.ts";
import { isOnStep, stepDown, stepUp } from "../exact/step.ts";
import type { Problem } from "../rules/problem.ts";
import { form as words } from "../words/form-en.ts";
import { isFatal } from "./form-check.ts";

interface Props {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly value: Signal<string>;
  readonly step: string;
  readonly digits: number;
  readonly problems: readonly Problem[];
  readonly placeholder?: string;
  readonly hint?: string;
  /** Called when a person has changed it. */
  readonly onTouch: () => void;
}

/** The next value of the grid in that direction; never below zero. */
export function stepped(text: string, step: string, digits: number, by: number): string {
  const from = parseDecimal(text) ?? NONE;
  const size = decimal(step);
  const one = size.units === 0n ? { units: 1n, digits } : size;
  if (!isOnStep(from, one)) return formatDecimal(by > 0 ? stepUp(from, one) : stepDown(from, one), digits);
  const way = multiply(one, { units: BigInt(Math.abs(by)), digits: 0 });
  const to = by > 0 ? add(from, way) : subtract(from, way);
  return formatDecimal(compare(to, NONE) < 0 ? NONE : to, Math.max(digits, one.digits));
}

/** Thousands apart, as this page itself shows them, are taken out; nothing else is put right. */
export function cleaned(text: string): string {
  const bare = text.replace(/[\s\u202f\u00a0]/g, "");
  return bare.includes(".") ? bare.replaceAll(",", "") : bare;
}

function ProblemLine({ problem, value }: { problem: Problem; value: Signal<string> }) {
  return (
    <p class={`problem ${isFatal(problem) ? "" : "hint"}`}>
      <span>{problem.text}</span>
      {problem.nearest.map((nearest) => (
        <button
          key={nearest}
          type="button"
          class="button"
          onClick={() => {
            value.value = nearest;
          }}
        >
          {words.round(nearest)}
        </button>
      ))}
    </p>
  );
}

export function NumberField(props: Props) {
  const { name, label, unit, value, step, digits, problems } = props;
  const id = `form-${name}`;
  const isBad = problems.some(isFatal);

  function press(event: KeyboardEvent): void {
    const way = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (way === 0) return;
    event.preventDefault();
    value.value = stepped(value.peek(), step, digits, way * (event.shiftKey ? 10 : 1));
    props.onTouch();
  }

  return (
    <div class="number-field">
      <div class={`field ${isBad ? "bad" : ""}`}>
        <label for={id}>{label}</label>
        <input
          id={id}
          name={name}
          inputMode="decimal"
          autocomplete="off"
          spellcheck={false}
          maxLength={40}
          placeholder={props.placeholder ?? ""}
          aria-invalid={isBad}
          aria-describedby={problems.length > 0 ? `${id}-problems` : undefined}
          value={value.value}
          onKeyDown={press}
          onInput={(event) => {
            value.value = cleaned(event.currentTarget.value);
            props.onTouch();
          }}
        />
        <span class="unit">{unit}</span>
      </div>
      {problems.length > 0 && (
        <div id={`${id}-problems`}>
          {problems.map((problem) => (
            <ProblemLine key={problem.text} problem={problem} value={value} />
          ))}
        </div>
      )}
    </div>
  );
}
