/** The confirmation of an action: what it changes, who does it, and for what is hard to undo a name to type. */
import { type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { consoleForms } from "../../words/words.ts";
import { Facts } from "../../pages/pane.tsx";
import type { Json, Operation } from "../wire/document.ts";
import { plainText } from "./act-fields.tsx";
import { Changes, SentValues } from "./changes.tsx";
import type { Difference } from "./differences.ts";

interface Props {
  readonly operation: Operation;
  readonly operator: string;
  readonly body: Json | undefined;
  /** Null: what it is now is not known, so all that is sent is shown. */
  readonly differences: readonly Difference[] | null;
  /** What must be typed; "": nothing. */
  readonly name: string;
  readonly typed: Signal<string>;
  /** What else is to be seen before. */
  readonly children?: ComponentChildren;
}

export function SecondLook({ operation, operator, body, differences, name, typed, children }: Props) {
  return (
    <>
      <p>{plainText(operation.summary)}</p>
      {differences === null ? <SentValues body={body} /> : <Changes rows={differences} />}
      <Facts rows={{ [consoleForms.by]: operator }} />
      {children}
      {name !== "" && (
        <div class="entry">
          <label for="typed-name">{consoleForms.typeName(name)}</label>
          <input
            id="typed-name"
            type="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={typed.value}
            onInput={({ currentTarget: { value } }) => {
              typed.value = value;
            }}
          />
        </div>
      )}
    </>
  );
}
