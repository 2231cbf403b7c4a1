/** The confirmation of an action: its object, the values it changes, and the operator who carries it out. */
import { Field } from "../../pages/form.tsx";
import type { AnyWithdrawal } from "@pricetime/server/answers";
import { showAmount } from "../../exact/shown.ts";
import { actionName, consoleApprovals, consoleForms, consoleSubjects } from "../../words/words.ts";
import type { Json, Operation, RequestedAction } from "../openapi.ts";
import { type Difference, differencesOf, leavesOf } from "./differences.ts";
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { DeniedText, Facts } from "../../pages/pane.tsx";
import { plainText } from "./fields.tsx";
import { type Context, useFetched } from "../context.ts";
import { type Subject, subjectsOfCommand } from "./subjects.ts";
import { WithdrawalShown } from "./withdrawal-shown.tsx";
import { partOf } from "./schema.ts";
import { showSpan } from "../../panels/show.ts";
import { concerns, nowIn, pathOfNow, shownName, valuesIn, thenOf } from "./approval-request.ts";

// The values that an action sends and the changes that it makes.

/** Formats times, amounts and choices. */
function readable(at: string, text: string): string {
  if (at.endsWith("Ms") && /^\d{13}$/.test(text)) return new Date(Number(text)).toISOString().replace(/\.000Z$/, "Z");
  if (at === "actions" || at === "acts") return text.split(", ").map(actionName).join(", ");
  if (at === "act.type" || at === "action.type") return actionName(text);
  if (text === "true" || text === "false") return text === "true" ? consoleForms.yes : consoleForms.no;
  if (at === "by" || at.endsWith(".by")) return shownName(text);
  const isAmount = at.endsWith("mount") ? /^\d+(?:\.\d+)?$/ : /^\d+\.\d{8}$/;
  return isAmount.test(text) ? showAmount(text) : consoleForms.choiceName(at.split(".").at(-1) ?? "", text);
}

/** The values of an action with their names, in one line. Fields without a value are omitted. */
export const namedValues = (value: Json): string =>
  leavesOf(value, "")
    .filter(([, text]) => text !== "" && text !== "null")
    .map(([at, text]) => `${consoleForms.placeName(at)}: ${readable(at, text)}`)
    .join(" · ");

/** All values of the request, shown if the current values are unknown. */
function SentValues({ body }: { body: Json | undefined }) {
  const leaves = leavesOf(body, "");
  if (leaves.length === 0) return null;
  return (
    <dl class="facts boxed">
      {leaves.map(([at, text]) => (
        <div key={at} class="fact">
          <dt>{consoleForms.placeName(at)}</dt>
          <dd>{text === "" ? <span class="muted">{consoleForms.empty}</span> : readable(at, text)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The differences between current and new values. */
function Changes({ rows }: { rows: readonly Difference[] }) {
  if (rows.length === 0) return <p class="warned">{consoleForms.noChange}</p>;
  return (
    <table class="table differences" aria-label={consoleForms.changes}>
      <thead>
        <tr>
          <th scope="col">{consoleForms.field}</th>
          <th scope="col">{consoleForms.before}</th>
          <th scope="col">{consoleForms.after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ at, before, after }) => (
          <tr key={at}>
            <td>{consoleForms.placeName(at)}</td>
            <td class="before">{before === null ? consoleForms.notSet : readable(at, before)}</td>
            <td class="after">{after === null ? consoleForms.removed : readable(at, after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Props {
  readonly operation: Operation;
  readonly operator: string;
  readonly body: Json | undefined;
  /** The differences from the current values; null if those are unknown, so that all sent values are shown. */
  readonly differences: readonly Difference[] | null;
  /** The text that must be typed to confirm; "" if none. */
  readonly name: string;
  readonly typed: Signal<string>;
  /** Additional content of the confirmation. */
  readonly children?: ComponentChildren;
}

export function Confirmation({ operation, operator, body, differences, name, typed, children }: Props) {
  return (
    <>
      <p>{plainText(operation.summary)}</p>
      {differences === null ? <SentValues body={body} /> : <Changes rows={differences} />}
      <Facts rows={{ [consoleForms.by]: operator }} />
      {children}
      {name !== "" && <Field id="typed-name" label={consoleForms.typeName(name)} value={typed} />}
    </>
  );
}

// The objects of an action: a customer by email, a withdrawal by amount and address.

/**
 * `known` is the page's data about an object for which the node has no route. It is shown instead of the object's name.
 */
export function SubjectsShown({
  context,
  subjects,
  known = {},
}: {
  context: Context;
  subjects: readonly Subject[];
  known?: Readonly<Record<string, string>>;
}) {
  const plain = subjects.filter(({ path }) => path === null).map(plainRow);
  const rows = Object.keys(known).length > 0 ? known : Object.fromEntries(plain);
  return (
    <>
      {Object.keys(rows).length > 0 && <Facts rows={rows} />}
      {subjects.map((subject) =>
        subject.path === null ? null : (
          <Described key={subject.path} context={context} {...subject} path={subject.path} />
        ),
      )}
    </>
  );
}

const plainRow = ({ kind, value }: Subject): [string, string] => [
  consoleForms.fieldName(kind),
  consoleForms.choiceName(kind, value),
];

function Described({ context, kind, value, path }: { context: Context; kind: string; value: string; path: string }) {
  const fetched = useFetched<Json>(context, path);
  if (fetched.denied !== null) return <DeniedText denied={fetched.denied} />;
  if (fetched.value === null) return <p class="muted">{consoleForms.loading}</p>;
  if (kind === "withdrawal") {
    return <WithdrawalShown context={context} withdrawal={fetched.value as unknown as AnyWithdrawal} />;
  }
  return <Facts rows={factsOf(kind, value, fetched.value)} />;
}

function factsOf(kind: string, value: string, described: Json): Readonly<Record<string, ComponentChildren>> {
  const part = (name: string): string => String(partOf(described, name) ?? "");
  switch (kind) {
    case "account":
      return {
        [consoleForms.fieldName(kind)]: consoleSubjects.account(part("email"), part("name"), part("accountId")),
      };
    case "symbol":
      return { [consoleSubjects.market]: value, [consoleSubjects.status]: readable("status", part("status")) };
    case "asset":
      return { [consoleForms.fieldName(kind)]: consoleSubjects.asset(value, part("name")) };
    case "email":
      return { [consoleSubjects.to]: part("to"), [consoleSubjects.subject]: part("subject") };
    default:
      return { [consoleForms.fieldName(kind)]: value };
  }
}

// The action of an approval request: the changes it would make, or all its values if the current values are unknown.

export function ActionShown({ context, action }: { context: Context; action: RequestedAction }) {
  const path = pathOfNow(action);
  const { value } = useFetched<Json>(context, path);
  const now = value === null ? undefined : nowIn(action, value);
  const subjects = subjectsOfCommand(action, context.operations.value);
  return (
    <section class="act-shown" aria-label={consoleApprovals.action}>
      <p>
        <b>{consoleApprovals.actionName(action.type)}</b> {subjects.length === 0 && concerns(action)}
      </p>
      <SubjectsShown context={context} subjects={subjects} />
      <What action={action} now={now} />
      {path !== null && value === null && <p class="muted">{consoleForms.loading}</p>}
    </section>
  );
}

interface WhatProps {
  readonly action: RequestedAction;
  readonly now: Json | undefined;
}

function What({ action, now }: WhatProps) {
  // A withdrawal is shown with its amounts and address, which the node compares again when it carries out the action.
  if (action.type === "approveWithdrawal") return null;
  if (now === undefined) return <SentValues body={valuesIn(action)} />;
  return <Changes rows={differencesOf(now, thenOf(action))} />;
}

// The node's response as names and values. Texts are never interpreted as markup.

const MOST_ROWS = 200;

export function Answer({ value }: { value: Json | undefined }) {
  if (value === undefined || value === null) return <span class="muted">{consoleForms.none}</span>;
  if (Array.isArray(value)) return <AnswerList rows={value as readonly Json[]} />;
  if (typeof value !== "object") return <span class="told">{String(value)}</span>;
  const parts = Object.entries(value as Readonly<Record<string, Json>>);
  if (parts.length === 0) return <span class="muted">{consoleForms.none}</span>;
  return (
    <dl class="facts told">
      {parts.map(([name, part]) => (
        <div key={name} class="fact">
          <dt>{consoleForms.fieldName(name).replace(/ \(ms\)$/, "")}</dt>
          <dd>
            {typeof part === "object" ? <Answer value={part} /> : <span class="told">{answered(name, part)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A length of time is shown in its unit, without the label's. */
const answered = (name: string, part: Json): string =>
  name.endsWith("Ms") && Number(part) < 1e12 ? showSpan(Number(part)) : readable(name, String(part));

function AnswerList({ rows }: { rows: readonly Json[] }) {
  if (rows.length === 0) return <span class="muted">{consoleForms.none}</span>;
  const shown = rows.slice(0, MOST_ROWS);
  const isPlain = shown.every((one) => typeof one !== "object" || one === null);
  if (isPlain) return <span class="told">{shown.map(String).join(", ")}</span>;
  return (
    <ol class="told-list">
      {shown.map((one, place) => (
        // List elements have no key other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={place}>
          <Answer value={one} />
        </li>
      ))}
      {rows.length > shown.length && <li class="muted">{consoleForms.more(rows.length - shown.length)}</li>}
    </ol>
  );
}
