/** The fields of a route: the parameters of its path that the page does not know, of its query, and its body. */
import type { Signal } from "@preact/signals";
import { consoleForms as words } from "../../words/words.ts";
import type { Json, Operation, Schema } from "../wire/document.ts";
import { bodyName, type Draft, pathNames, pathParameters, querySchema } from "./draft.ts";
import { Field } from "./fields.tsx";
import type { Fault } from "./schema-shape.ts";

interface Props {
  readonly operation: Operation;
  readonly given: Readonly<Record<string, string>>;
  readonly fixed: Readonly<Record<string, Json>>;
  readonly draft: Signal<Draft>;
  readonly faults: readonly Fault[];
}

/** Summaries are written for the API reference, in Markdown. */
export const plainText = (summary: string): string => summary.replaceAll("`", "");

const NAME: Schema = { type: "string", minLength: 1 };

const schemaOf = (operation: Operation, name: string): Schema => {
  const schema = pathParameters(operation).find((one) => one.name === name)?.schema;
  return schema?.enum === undefined ? NAME : schema;
};

export function ActFields({ operation, given, fixed, draft, faults }: Props) {
  const names = pathNames(operation);
  const query = querySchema(operation);
  const { body } = operation;
  const now = draft.value;
  return (
    <>
      <p class="muted">{plainText(operation.summary)}</p>
      <Known rows={Object.entries(fixed)} />
      {names
        .filter((name) => given[name] === undefined)
        .map((name) => (
          <Field
            key={name}
            name={name}
            at={name}
            schema={schemaOf(operation, name)}
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

/** What the form does not ask for, because the page knows it. */
function Known({ rows }: { rows: readonly (readonly [name: string, value: Json])[] }) {
  const shown = rows.filter(([, value]) => typeof value !== "object");
  if (shown.length === 0) return null;
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name} class="fact">
          <dt>{words.fieldName(name)}</dt>
          <dd>{String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
