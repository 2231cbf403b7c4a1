/** The fields of a route: the parameters of its path that the page does not know, of its query, and its body. */
import type { Signal } from "@preact/signals";
import { consoleForms as words } from "../../words/words.ts";
import type { Operation, Schema } from "../wire/document.ts";
import { bodyName, type Draft, pathNames, querySchema } from "./draft.ts";
import { Field } from "./fields.tsx";
import type { Fault } from "./schema-shape.ts";

interface Props {
  readonly operation: Operation;
  readonly given: Readonly<Record<string, string>>;
  readonly draft: Signal<Draft>;
  readonly faults: readonly Fault[];
}

const NAME: Schema = { type: "string", minLength: 1 };

export function ActFields({ operation, given, draft, faults }: Props) {
  const names = pathNames(operation);
  const query = querySchema(operation);
  const { body } = operation;
  const now = draft.value;
  return (
    <>
      <p class="muted">
        {operation.summary} {operation.answers === "Done." ? "" : operation.answers}
      </p>
      {names.some((name) => given[name] !== undefined) && (
        <dl class="facts">
          {names
            .filter((name) => given[name] !== undefined)
            .map((name) => (
              <div key={name} class="fact">
                <dt>{words.fieldName(name)}</dt>
                <dd>{given[name]}</dd>
              </div>
            ))}
        </dl>
      )}
      {names
        .filter((name) => given[name] === undefined)
        .map((name) => (
          <Field
            key={name}
            name={name}
            at={name}
            schema={NAME}
            isRequired
            draft={now.path[name] ?? ""}
            faults={faults}
            onDraft={(value) => {
              draft.value = { ...now, path: { ...now.path, [name]: typeof value === "string" ? value : "" } };
            }}
          />
        ))}
      {query !== null && (
        <Field
          name=""
          at=""
          schema={query}
          isRequired
          draft={now.query}
          faults={faults}
          onDraft={(value) => {
            draft.value = { ...now, query: value };
          }}
        />
      )}
      {body !== null && (
        <Field
          name={bodyName(operation)}
          at={bodyName(operation)}
          schema={body}
          isRequired
          draft={now.body}
          faults={faults}
          onDraft={(value) => {
            draft.value = { ...now, body: value };
          }}
        />
      )}
    </>
  );
}
