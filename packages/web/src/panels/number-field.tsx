/** A field for a price or a quantity. What is typed stays as typed; arrows go a step, with Shift ten. */
import type { Signal } from "@preact/signals";
import type { Problem } from "../rules/problem.ts";
import { form as words } from "../words/words.ts";
import { isFatal } from "./form-check.ts";
import { cleaned, stepped } from "./step-text.ts";

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
