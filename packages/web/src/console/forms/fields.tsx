/**
 * The fields of a route's form: path parameters, query, and a body generated from its JSON schema. Undefined values are
 * not sent.
 */
import { Entry } from "../../pages/form.tsx";
import { Button, Select, Tick } from "../../panels/controls.tsx";
import type { ComponentChildren } from "preact";
import { type Signal, useSignal } from "@preact/signals";
import { consoleForms as words, consolePages } from "../../words/words.ts";
import { pageOf, PAGES } from "../routes.ts";
import type { Json, Operation, Schema } from "../openapi.ts";
import { ZonedTime } from "./zoned-time.tsx";
import { constantName, constantOf, type Fault, firstValue, kindOf, partOf, shapeOf } from "./schema.ts";
import { bodyName, type Draft, pathNames, pathParameters, querySchema } from "./draft.ts";

export interface FieldProps {
  readonly name: string;
  /** The path of the field, as in errors. Element IDs are derived from it. */
  readonly at: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly draft: Json | undefined;
  readonly faults: readonly Fault[];
  readonly onDraft: (draft: Json | undefined) => void;
}

const idOf = (at: string): string => `field-${at.replaceAll(/[^\w]/g, "-")}`;

function Field(props: FieldProps) {
  switch (shapeOf(props.schema)) {
    case "group":
      return <Group {...props} />;
    case "list":
      return <List {...props} />;
    case "kinds":
      return <Kinds {...props} />;
    case "several":
      return <Several {...props} />;
    case "fixed":
      return null;
    default:
      return <Plain {...props} />;
  }
}

function Labelled({ name, at, isRequired, schema, faults, children }: FieldProps & { children: ComponentChildren }) {
  const fault = faults.find((one) => one.at === at);
  return (
    <div class={`entry ${fault === undefined ? "" : "bad"}`}>
      <label for={idOf(at)}>
        {words.fieldName(name)}
        {!isRequired && <span class="muted"> {words.optional(defaultText(schema))}</span>}
      </label>
      {children}
      {fault !== undefined && (
        <p class="problem" id={`${idOf(at)}-fault`}>
          {fault.what}
        </p>
      )}
    </div>
  );
}

function defaultText({ default: value }: Schema): string {
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

const YES_NO = [
  ["true", words.yes],
  ["false", words.no],
] as const;

function Plain(props: FieldProps) {
  const { at, schema, draft, isRequired, onDraft } = props;
  const shape = shapeOf(schema);
  const id = idOf(at);
  const text = textOf(draft, shape);
  if (shape === "choice" || shape === "yesNo") {
    const isYesNo = shape === "yesNo";
    const choices = (schema.enum ?? []).map((one): [string, string] => [one, words.choiceName(props.name, one)]);
    return (
      <Labelled {...props}>
        <Select
          id={id}
          value={text}
          options={isYesNo ? YES_NO : choices}
          onChoose={(value) => onDraft(value === "" ? undefined : isYesNo ? value === "true" : value)}
        >
          {!isRequired && <option value="">{words.notSent}</option>}
        </Select>
      </Labelled>
    );
  }
  if (isMoment(props)) {
    return (
      <Labelled {...props}>
        <Moment {...props} />
      </Labelled>
    );
  }
  if (shape === "lines" || shape === "json" || isLong(props)) {
    return (
      <Labelled {...props}>
        <Area {...props} shape={shape} />
      </Labelled>
    );
  }
  return (
    <Labelled {...props}>
      <input
        id={id}
        {...(isSecret(props) ? { type: "password" as const } : { type: "text" as const })}
        inputMode={shape === "whole" ? "numeric" : "text"}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={text}
        placeholder={schema.examples?.[0] === undefined ? "" : String(schema.examples[0])}
        onInput={({ currentTarget: { value } }) => onDraft(value === "" && !isRequired ? undefined : value)}
      />
    </Labelled>
  );
}

/** Whether the field has several lines: a PEM key or a message. */
const isLong = ({ name }: FieldProps): boolean => name === "publicKey" || name === "message";

/** Whether the input is masked, as for passwords. */
const isSecret = ({ name }: FieldProps): boolean => name === "password" || name === "newPassword";

/** Whether the field is a time, which is entered in the operator's time zone. */
const isMoment = ({ name }: FieldProps): boolean => name === "untilMs" || name === "atMs";

function Moment({ at, draft, onDraft }: FieldProps) {
  return (
    <ZonedTime id={idOf(at)} zone="local" timeMs={typeof draft === "number" ? draft : undefined} onTime={onDraft} />
  );
}

function Area({ at, draft, shape, isRequired, onDraft }: FieldProps & { shape: string }) {
  const typed = useSignal(textOf(draft, shape));
  const isBroken = useSignal(false);
  return (
    <>
      <textarea
        id={idOf(at)}
        rows={shape === "json" ? 6 : 3}
        spellcheck={false}
        value={typed.value}
        onInput={({ currentTarget: { value } }) => {
          typed.value = value;
          if (shape === "json") {
            const read = jsonOf(value);
            isBroken.value = read === undefined;
            onDraft(read ?? value);
          } else if (shape === "lines") {
            const lines = value
              .split("\n")
              .map((line) => line.trim())
              .filter((line) => line !== "");
            onDraft(lines.length === 0 && !isRequired ? undefined : lines);
          } else onDraft(value === "" && !isRequired ? undefined : value);
        }}
      />
      {shape !== "line" && (
        <p class={isBroken.value ? "problem" : "muted"}>{shape === "json" ? words.asJson : words.oneALine}</p>
      )}
    </>
  );
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function textOf(draft: Json | undefined, shape: string): string {
  if (draft === undefined || draft === null) return "";
  if (shape === "json") return JSON.stringify(draft);
  return Array.isArray(draft) ? draft.join("\n") : String(draft);
}

function Several(props: FieldProps) {
  const { name, schema, draft, isRequired, onDraft } = props;
  const all = schema.items?.enum ?? [];
  const chosen = Array.isArray(draft) ? draft : [];
  const groups = name === "actions" ? byPage(all) : [["", all] as const];
  return (
    <fieldset class="entry several">
      <legend>
        {words.fieldName(name)}
        {!isRequired && <span class="muted"> {words.optional(defaultText(schema))}</span>}
      </legend>
      {groups.map(([group, some]) => (
        <div key={group} class="ticks" {...(group !== "" && { role: "group", "aria-label": group })}>
          {group !== "" && <h4>{group}</h4>}
          {some.map((one) => (
            <Tick
              key={one}
              isOn={chosen.includes(one)}
              onTick={(checked) => {
                const next = all.filter((other) => (other === one ? checked : chosen.includes(other)));
                onDraft(next.length === 0 && !isRequired ? undefined : next);
              }}
            >
              {words.choiceName(name, one)}
            </Tick>
          ))}
        </div>
      ))}
    </fieldset>
  );
}

/** Operator actions by the page of the console that has them, in the order of its menu, each group by name. */
function byPage(actions: readonly string[]): [page: string, actions: readonly string[]][] {
  const nameOf = (action: string): string => words.choiceName("actions", action);
  return PAGES.map((page): [string, readonly string[]] => [
    consolePages[page],
    actions.filter((one) => pageOf(one) === page).toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), "en")),
  ]).filter(([, some]) => some.length > 0);
}

/** The fields of an object. An optional object must be switched on first. */
function Group(props: FieldProps) {
  const { name, at, schema, draft, isRequired, faults, onDraft } = props;
  const isOn = draft !== undefined;
  const fields = Object.entries(schema.properties ?? {}).map(([part, property]) => (
    <Field
      key={part}
      name={part}
      at={at === "" ? part : `${at}.${part}`}
      schema={property}
      isRequired={schema.required?.includes(part) === true}
      draft={partOf(draft, part)}
      faults={faults}
      onDraft={(value) => onDraft(withPart(draft, part, value))}
    />
  ));
  if (name === "") return <div class="fields">{fields}</div>;
  return (
    <fieldset class="entry group">
      <legend>
        {isRequired ? (
          words.fieldName(name)
        ) : (
          <Tick isOn={isOn} onTick={(checked) => onDraft(checked ? firstValue(schema, true) : undefined)}>
            {words.fieldName(name)}
          </Tick>
        )}
      </legend>
      {(isOn || isRequired) && <div class="fields">{fields}</div>}
    </fieldset>
  );
}

function withPart(draft: Json | undefined, part: string, value: Json | undefined): Json {
  const { [part]: _, ...others } = (draft ?? {}) as Record<string, Json>;
  return value === undefined ? others : { ...others, [part]: value };
}

function List(props: FieldProps) {
  const { name, at, schema, draft, faults, onDraft } = props;
  const items = schema.items ?? {};
  const rows = Array.isArray(draft) ? (draft as readonly Json[]) : [];
  return (
    <fieldset class="entry list">
      <legend>{words.fieldName(name)}</legend>
      {rows.map((row, place) => (
        // Rows have no key other than their index.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={place} class="list-row" role="group" aria-label={words.row(place + 1)}>
          <div class="list-fields">
            <Group
              name=""
              at={`${at}.${place + 1}`}
              schema={items}
              isRequired
              draft={row}
              faults={faults}
              onDraft={(value) => onDraft(rows.map((one, other) => (other === place ? (value ?? {}) : one)))}
            />
          </div>
          <Button onClick={() => onDraft(rows.filter((_, other) => other !== place))}>
            {words.removeRow(place + 1)}
          </Button>
        </div>
      ))}
      <Button onClick={() => onDraft([...rows, firstValue(items, true) ?? {}])}>{words.addRow}</Button>
    </fieldset>
  );
}

function Kinds(props: FieldProps) {
  const { at, schema, draft, onDraft } = props;
  const kind = kindOf(schema, draft);
  const kinds = schema.oneOf ?? [];
  return (
    <>
      <Entry id={idOf(`${at}.kind`)} label={words.fieldName(constantName(kind))}>
        <Select
          id={idOf(`${at}.kind`)}
          value={constantOf(kind)}
          options={kinds.map((one) => [constantOf(one), constantOf(one)])}
          onChoose={(value) => onDraft(firstValue(kinds.find((one) => constantOf(one) === value) ?? {}, true))}
        />
      </Entry>
      <Group {...props} name="" schema={kind} />
    </>
  );
}

interface Props {
  readonly operation: Operation;
  readonly given: Readonly<Record<string, string>>;
  readonly fixed: Readonly<Record<string, Json>>;
  readonly draft: Signal<Draft>;
  readonly faults: readonly Fault[];
}

/** Removes Markdown from a summary, which is written for the API reference. */
export const plainText = (summary: string): string => summary.replaceAll("`", "");

const NAME: Schema = { type: "string", minLength: 1 };

const schemaOf = (operation: Operation, name: string): Schema => {
  const schema = pathParameters(operation).find((one) => one.name === name)?.schema;
  return schema?.enum === undefined ? NAME : schema;
};

export function ActionFields({ operation, given, fixed, draft, faults }: Props) {
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
            onDraft={(value) =>
              (draft.value = { ...now, path: { ...now.path, [name]: typeof value === "string" ? value : "" } })
            }
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
          onDraft={(value) => (draft.value = { ...now, query: value })}
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
          onDraft={(value) => (draft.value = { ...now, body: value })}
        />
      )}
    </>
  );
}

/** Fields that the page provides, shown but not editable. */
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
