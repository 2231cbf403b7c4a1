/** What would be sent, once more: what it changes, who does it, and for what cannot be taken back easily a name to type. */
import { type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { consoleForms as words } from "../../words/words.ts";
import type { Json, Operation } from "../wire/document.ts";
import { type Difference, leavesOf } from "./differences.ts";

interface Props {
  readonly operation: Operation;
  readonly path: string;
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

export function SecondLook({ operation, path, operator, body, differences, name, typed, children }: Props) {
  return (
    <>
      <p>{operation.summary}</p>
      <dl class="facts">
        <dt>{words.sent}</dt>
        <dd>
          <code>
            {operation.method} {path}
          </code>
        </dd>
        <dt>{words.by}</dt>
        <dd>{operator}</dd>
      </dl>
      {differences === null ? <SentValues body={body} /> : <Differences rows={differences} />}
      {children}
      {name !== "" && (
        <div class="entry">
          <label for="typed-name">{words.typeName(name)}</label>
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

function SentValues({ body }: { body: Json | undefined }) {
  const leaves = leavesOf(body, "");
  if (leaves.length === 0) return null;
  return (
    <dl class="facts boxed">
      {leaves.map(([at, text]) => (
        <div key={at} class="fact">
          <dt>{at}</dt>
          <dd>{text === "" ? <span class="muted">{words.empty}</span> : text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Differences({ rows }: { rows: readonly Difference[] }) {
  if (rows.length === 0) return <p class="warned">{words.noChange}</p>;
  return (
    <table class="table differences" aria-label={words.changes}>
      <thead>
        <tr>
          <th scope="col">{words.what}</th>
          <th scope="col">{words.before}</th>
          <th scope="col">{words.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ at, before, after }) => (
          <tr key={at}>
            <td>{at}</td>
            <td class="before">{before ?? words.notThere}</td>
            <td class="after">{after ?? words.goes}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
