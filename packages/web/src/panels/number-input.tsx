/**
 * An input for a decimal. It reads the locale's separators, shows thousands separated until it is edited, and asks if a
 * text can mean two numbers.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ungrouped } from "../exact/shown.ts";
import { fieldText, meaningsOf, storedText } from "../exact/typed.ts";
import { numberFields as words } from "../words/words.ts";
import { Button, type TypedText } from "./controls.tsx";

interface NumberInputProps {
  readonly id?: string;
  readonly name?: string;
  readonly class?: string;
  readonly placeholder?: string;
  readonly "aria-label"?: string;
  readonly "aria-invalid"?: boolean;
  readonly "aria-describedby"?: string | undefined;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  /** The number as the node writes it, or a typed text that is not one number, with a mark. */
  readonly value: TypedText;
  /** Whether the input is selected when it appears. */
  readonly isFirst?: boolean;
  /** Called when the user has changed the number. */
  readonly onTouch?: () => void;
  readonly onLeave?: () => void;
}

export function NumberInput({ value, isFirst = false, onTouch, onLeave, ...input }: NumberInputProps) {
  const isEdited = useSignal(false);
  /** The text as typed, which is never changed while it is the field's number. */
  const typed = useSignal<string | null>(null);
  const element = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isFirst) element.current?.select();
  }, [isFirst]);
  const isTyped = typed.value !== null && storedText(typed.value) === value.value;
  return (
    <input
      inputMode="decimal"
      autocomplete="off"
      spellcheck={false}
      maxLength={40}
      {...input}
      ref={element}
      value={isTyped ? (typed.value ?? "") : fieldText(value.value, isEdited.value)}
      onFocus={({ currentTarget: field }) => {
        isEdited.value = true;
        const text = fieldText(value.value, true);
        if (field.value === text) return;
        // At once, because keys may follow. What was selected with the separators stays selected.
        field.value = text;
        field.select();
      }}
      onBlur={() => {
        isEdited.value = false;
        typed.value = null;
        onLeave?.();
      }}
      onInput={({ currentTarget: { value: text } }) => {
        typed.value = text;
        value.value = storedText(text);
        onTouch?.();
      }}
    />
  );
}

interface MeaningProps {
  readonly value: TypedText;
  readonly onTouch?: () => void;
  /** Further attributes of the buttons. */
  readonly button?: JSX.IntrinsicElements["button"];
  readonly children?: ComponentChildren;
}

/** Explains a typed text that is not one number, with a button for each number that it can mean; else `children`. */
export function NumberMeaning({ value, onTouch, button = {}, children }: MeaningProps) {
  const meanings = meaningsOf(value.value);
  if (meanings === null) return <>{children}</>;
  return (
    <p class="problem">
      <span>{meanings.length === 0 ? words.unreadable : words.ambiguous}</span>
      {meanings.map((meaning) => (
        <Button
          key={meaning}
          {...button}
          onClick={() => {
            value.value = meaning;
            onTouch?.();
          }}
        >
          {ungrouped(meaning)}
        </Button>
      ))}
    </p>
  );
}
