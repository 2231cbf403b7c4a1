/** One field of the forms before the sign-in, and of those about one's own password. */
import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  readonly id: string;
  readonly label: string;
  readonly value: Signal<string>;
  /** What password stores of browsers know it as. */
  readonly autocomplete?: "username" | "current-password" | "new-password" | "one-time-code" | "off";
  readonly isSecret?: boolean;
  readonly isNumber?: boolean;
  /** Typing goes on here as soon as it is there. */
  readonly isFirst?: boolean;
}

export function Entry({ id, label, value, autocomplete = "off", isSecret, isNumber, isFirst = false }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, [isFirst]);
  return (
    <div class="entry">
      <label for={id}>{label}</label>
      <input
        ref={field}
        id={id}
        {...(isSecret === true ? { type: "password" as const } : { type: "text" as const })}
        inputMode={isNumber === true ? "numeric" : "text"}
        autocomplete={autocomplete}
        autocapitalize="off"
        spellcheck={false}
        value={value.value}
        onInput={({ currentTarget }) => {
          value.value = currentTarget.value;
        }}
      />
    </div>
  );
}
