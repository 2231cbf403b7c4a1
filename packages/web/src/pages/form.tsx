/** Forms: fields with labels and errors, a submit button, and shared parts of sign-in forms. */
import { bind, onSubmitOf, Select, type TypedText } from "../panels/controls.tsx";
import { NumberInput, NumberMeaning } from "../panels/number-input.tsx";
import { meaningsOf } from "../exact/typed.ts";
import { type Signal, signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { DeniedText } from "./pane.tsx";
import { type Denied, deniedOf } from "./request.ts";
import { pagesWords as words } from "../words/words.ts";
import { MACHINE } from "../wire/world.ts";
import { SignInWorker } from "./sign-in-work.ts";

/** A problem with the field that has this element ID, below which it is shown; "" if it is not of one field. */
interface Problem {
  readonly at: string;
  readonly text: string;
}
const VALID: Problem = { at: "", text: "" };
/** The problem of the form that was sent last. */
const fieldProblem = signal(VALID);

function ProblemText({ text }: Pick<Problem, "text">) {
  if (text === "") return null;
  return (
    <p class="refusal" role="alert">
      {text}
    </p>
  );
}

export interface FormProps {
  readonly label: string;
  readonly submit: string;
  /** Sends the form. Rejects with the node's error, which the form shows. */
  readonly onSend: () => Promise<void>;
  /**
   * Validates the form before it is sent. Returns an error text, which may be of one field; the text is "" if the form
   * is valid.
   */
  readonly check?: (() => string | Problem) | undefined;
  readonly isDestructive?: boolean;
  readonly isOff?: boolean;
  /**
   * Called with the node's error. Returns true if the page has handled the error, so that the form does not show it.
   */
  readonly onDenied?: ((denied: Denied) => boolean) | undefined;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

function problemOf(check: FormProps["check"]): Problem {
  const found = check?.() ?? "";
  return typeof found === "string" ? { at: "", text: found } : found;
}

export function Form(props: FormProps) {
  const { label, submit, onSend, check, isDestructive = false, isOff = false, onDenied, children } = props;
  const denied = useSignal<Denied | null>(null);
  /** The problem that the form was sent with, until it is solved. */
  const problem = useSignal(VALID);
  const isBusy = useSignal(false);
  useEffect(() => () => void (fieldProblem.value = VALID), []);
  const isSolved = problem.value.text !== "" && problemOf(check).text !== problem.value.text;
  useEffect(() => {
    if (isSolved) problem.value = fieldProblem.value = VALID;
  }, [isSolved, problem]);
  // The promise never rejects.
  const send = async (): Promise<void> => {
    denied.value = null;
    const { at, text } = (problem.value = fieldProblem.value = problemOf(check));
    if (text !== "") document.getElementById(at)?.focus();
    if (text !== "" || isBusy.value) return;
    isBusy.value = true;
    try {
      await onSend();
    } catch (error) {
      const answer = deniedOf(error);
      if (onDenied?.(answer) !== true) denied.value = answer;
    }
    isBusy.value = false;
  };
  return (
    <form class={`stack ${props.class ?? ""}`} aria-label={label} noValidate onSubmit={onSubmitOf(() => void send())}>
      {children}
      {problem.value.at === "" && <ProblemText text={problem.value.text} />}
      {denied.value !== null && <DeniedText denied={denied.value} />}
      <div class="row-of">
        <button
          type="submit"
          class={`button primary ${isDestructive ? "grave" : ""}`}
          disabled={isOff}
          aria-disabled={isBusy.value}
        >
          {isBusy.value ? words.busy : submit}
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: TypedText;
  readonly type?: "text" | "password" | "email" | "date" | "month";
  readonly autocomplete?: string;
  readonly inputMode?: "decimal" | "numeric" | "email";
  readonly help?: ComponentChildren | undefined;
  /** Whether the field receives the focus when it appears. */
  readonly isFirst?: boolean;
}

export function Field({ id, label, value, type = "text", help, isFirst = false, ...attributes }: FieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) input.current?.focus();
  }, [isFirst]);
  return (
    <Entry id={id} label={label} help={help}>
      <input
        id={id}
        {...({ type } as { type: "text" })}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        ref={input}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        {...attributes}
        {...bind(value)}
      />
    </Entry>
  );
}

type PlainFieldProps = Pick<FieldProps, "id" | "label" | "value" | "help" | "isFirst">;

/** A field for a decimal in the page's number style. Its value is the number as the node writes it. */
export function AmountField({ id, label, value, help }: PlainFieldProps) {
  const isExplained = meaningsOf(value.value) !== null;
  return (
    <Entry id={id} label={label} help={help}>
      <NumberInput
        id={id}
        value={value}
        aria-invalid={isExplained}
        aria-describedby={isExplained ? `${id}-meaning` : help === undefined ? undefined : `${id}-help`}
      />
      <div id={`${id}-meaning`}>
        <NumberMeaning value={value} />
      </div>
    </Entry>
  );
}

export function PasswordField({ isNew = false, ...field }: PlainFieldProps & { isNew?: boolean }) {
  return <Field {...field} type="password" autocomplete={isNew ? "new-password" : "current-password"} />;
}

/** A field for a code of an authenticator app. */
export function TotpField(field: PlainFieldProps) {
  return <Field {...field} inputMode="numeric" autocomplete="one-time-code" />;
}

interface ChoiceProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string) => void;
  readonly help?: string;
}

export function Choice({ id, label, value, options, onChoose, help }: ChoiceProps) {
  return (
    <Entry id={id} label={label} help={help}>
      <Select {...{ id, value, options, onChoose }} aria-describedby={help === undefined ? undefined : `${id}-help`} />
    </Entry>
  );
}

interface EntryProps {
  /** The element ID of the field that the label belongs to. */
  readonly id: string;
  readonly label: string;
  readonly help?: ComponentChildren | undefined;
  readonly children: ComponentChildren;
}

/** A field with its label above and its help text below. */
export function Entry({ id, label, help, children }: EntryProps) {
  const { at, text } = fieldProblem.value;
  return (
    <div class="entry">
      <label for={id}>{label}</label>
      {children}
      {at === id && <ProblemText text={text} />}
      {help !== undefined && (
        <p class="muted" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}

/** The minimum password length, used until the node's minimum is known. */
export const LEAST_PASSWORD_CHARACTERS = 12;
export const MOST_PASSWORD_CHARACTERS = 256;

/** The reason why the session ended, shown on the sign-in form. */
export function SignOutReason({ why, isGood = false }: { why: string; isGood?: boolean }) {
  if (why === "") return null;
  return (
    <p class={isGood ? "" : "warned"} role="status">
      {why}
    </p>
  );
}

// The progress of a sign-in's proof of work.

/** The worker for a sign-in's proof of work. `progress` is "" while there is no work. */
export function useSignInWorker(): { readonly worker: SignInWorker; readonly progress: Signal<string> } {
  const progress = useSignal("");
  const worker = useRef<SignInWorker>(null);
  worker.current ??= new SignInWorker(MACHINE, (done, of) => {
    progress.value = of === 0 ? "" : words.working(done, of);
  });
  return { worker: worker.current, progress };
}

export function WorkShown({ progress }: { progress: Signal<string> }) {
  return (
    <p class="muted" role="status">
      {progress.value}
    </p>
  );
}
