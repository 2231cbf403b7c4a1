/**
 * The dialog of a task: the object in the reader's terms, the fields to fill in, and a button that names the action. It
 * sends one request of the admin API, and shows the node's error or the secrets in its response.
 */
import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { consoleButtons, consoleForms as words, consoleSteps, pagesWords } from "../../words/words.ts";
import type { Context, OpenForm, Outcome } from "../context.ts";
import type { Sent } from "../admin-client.ts";
import { type Json, pathWith } from "../openapi.ts";
import { ROUTES } from "../routes.ts";
import { Button, onSubmitOf, Window } from "../../panels/controls.tsx";
import { type Denied, deniedOf } from "../../pages/request.ts";
import { Once, secretsOf } from "../../pages/secret.tsx";
import { instructionOf, notifyDone, showResult } from "../forms/finish-action.ts";
import { Refused } from "../forms/action-window.tsx";

export interface TaskProps {
  readonly context: Context;
  /** The route, and the object that the page provides. */
  readonly openForm: OpenForm;
}

/** The request of a task, in addition to the parameters in `OpenForm.given`. */
export interface TaskRequest extends Sent {
  /** The key of the route, if it is not that of the form. */
  readonly key?: string;
  readonly path?: Readonly<Record<string, string>>;
}

export interface TaskWindowProps extends TaskProps {
  /** The title and the label of the button; by default the label of the route. */
  readonly title?: string;
  /** The label of the button, if it is not the title. */
  readonly button?: string;
  /** A link in place of the button, if the task is continued on another page. */
  readonly instead?: { readonly label: string; readonly to: string } | undefined;
  /** Whether the task cannot be sent, because its object is not loaded or cannot be acted on. */
  readonly isOff?: boolean;
  /** Returns what is missing; "" if the task can be sent. */
  readonly check?: () => string;
  readonly request: () => TaskRequest;
  /** A second request that completes the task, such as the invitation of a new operator. Its answer is shown. */
  readonly then?: (answer: Json) => Promise<Json>;
  /** Called after the task, for example to open the page of a new object. */
  readonly onDone?: (answer: Json) => void;
  /** Shown with the notice of success: the outcome, or what to do next. */
  readonly outcome?: Outcome;
  /** What to do with the secrets in the answer, if it differs from other actions. */
  readonly instruction?: string;
  readonly class?: string;
  /** Opens the previous step; absent in the first one. */
  readonly back?: () => void;
  /** Opens the next step, if the form is complete so far; absent in the last one, which sends the request. */
  readonly next?: () => void;
  readonly children: ComponentChildren;
}

export function TaskWindow(props: TaskWindowProps) {
  const { context, openForm, isOff = false, check, request, then, back, next, instead, children } = props;
  const title = props.title ?? openForm.title ?? consoleButtons[openForm.key] ?? openForm.key;
  const problem = useSignal("");
  const denied = useSignal<Denied | null>(null);
  const isBusy = useSignal(false);
  const answer = useSignal<Json | undefined>(undefined);
  const close = (): void => {
    context.openForm.value = null;
  };
  // The promise never rejects.
  const send = async (): Promise<void> => {
    problem.value = check?.() ?? "";
    if (problem.value !== "" || isOff || isBusy.value) return;
    denied.value = null;
    if (next !== undefined) return next();
    const { key = openForm.key, path = {}, ...sent } = request();
    const operation = context.operations.value.get(key);
    if (operation === undefined) return;
    isBusy.value = true;
    try {
      const first = await context.admin.ask<Json>(
        operation.method,
        pathWith(operation, { ...openForm.given, ...path }),
        sent,
      );
      const done = then === undefined ? first : await then(first);
      if (secretsOf(done).length > 0) answer.value = done;
      else {
        close();
        notifyDone(context, title, done, props.outcome);
      }
      showResult(context, openForm, done);
      props.onDone?.(done);
    } catch (error) {
      denied.value = deniedOf(error);
    }
    isBusy.value = false;
  };
  if (answer.value !== undefined) {
    return (
      <Window title={title} onClose={close}>
        <Once answer={answer.value} instruction={props.instruction ?? instructionOf(answer.value)} onDone={close} />
      </Window>
    );
  }
  return (
    <Window title={title} class={`act-window ${props.class ?? ""}`} onClose={close}>
      <form autocomplete="off" noValidate onSubmit={onSubmitOf(() => void send())}>
        <div class="body">
          {children}
          {problem.value !== "" && check?.() === problem.value && (
            <p class="refusal" role="alert">
              {problem.value}
            </p>
          )}
          {denied.value !== null && <Refused context={context} denied={denied.value} onDone={close} />}
        </div>
        <div class="foot">
          <Button class="quiet advanced" onClick={() => (context.openForm.value = { ...openForm, isAdvanced: true })}>
            {consoleSteps.advanced}
          </Button>
          <Button onClick={back ?? close}>{back === undefined ? words.cancel : consoleSteps.back}</Button>
          {instead === undefined ? (
            <button
              type="submit"
              class={`button primary ${ROUTES[openForm.key]?.isDestructive === true ? "grave" : ""}`}
              disabled={isOff || isBusy.value}
            >
              {isBusy.value ? pagesWords.busy : next === undefined ? (props.button ?? title) : consoleSteps.next}
            </button>
          ) : (
            <a class="button primary" href={instead.to} onClick={close}>
              {instead.label}
            </a>
          )}
        </div>
      </form>
    </Window>
  );
}

/** A part of a task's dialog with a heading. */
export function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="task-part" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
