/** The dialog of a route: its fields, a confirmation if the table of routes requires one, and the node's response. */
import type { FilterPreview as FilterPreviewAnswer } from "@pricetime/server/answers";
import { saveBlob } from "../../panels/save-table.ts";
import { useEffect } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import { consoleButtons, consoleForms as words, consoleSteps, pagesWords } from "../../words/words.ts";
import type { Context, OpenForm } from "../context.ts";
import { DeniedText } from "../../pages/pane.tsx";
import type { Json, Operation } from "../openapi.ts";
import { type Denied, deniedOf } from "../../pages/request.ts";
import { Button, onSubmitOf, Window } from "../../panels/controls.tsx";
import { ROUTES } from "../routes.ts";
import { ActionFields } from "./fields.tsx";
import { differencesOf } from "./differences.ts";
import { ActionShown, Answer, Confirmation, SubjectsShown } from "./confirmation.tsx";
import {
  bodyNow,
  type Draft,
  firstDraft,
  pathNames,
  type Ready,
  readyOf,
  withActionShape,
  withKnown,
} from "./draft.ts";
import { Once, secretsOf } from "../../pages/secret.tsx";
import { RequestApproval } from "./request-approval.tsx";
import { instructionOf, notifyDone, showResult } from "./finish-action.ts";
import { type Subject, subjectsOf } from "./subjects.ts";

// A preview of new filters: the number of open orders that they would reject.

const isFilters = ({ key }: Pick<Operation, "key">): boolean => key === "PUT /v1/symbols/{symbol}/filters";

interface Preview {
  readonly refused: FilterPreviewAnswer | null;
  readonly denied: Denied | null;
}

/** Requests the preview. The promise never rejects. */
async function ask(
  { admin }: Pick<Context, "admin">,
  path: string,
  sent: string,
  preview: Signal<Preview>,
): Promise<void> {
  try {
    const refused = await admin.ask<FilterPreviewAnswer>("POST", `${path}/preview`, {
      body: JSON.parse(sent) as unknown,
    });
    preview.value = { refused, denied: null };
  } catch (error) {
    preview.value = { refused: null, denied: deniedOf(error) };
  }
}

function FilterPreview({ context, path, body }: { context: Context; path: string; body: unknown }) {
  const preview = useSignal<Preview>({ refused: null, denied: null });
  const sent = JSON.stringify(body);
  useEffect(() => void ask(context, path, sent, preview), [context, path, sent, preview]);
  const { denied, refused: answer } = preview.value;
  if (denied !== null) return <DeniedText denied={denied} />;
  if (answer === null) return <p class="muted">{words.previewing}</p>;
  const { openOrders, refused, accounts, byReason, overCount, warnings = [] } = answer;
  return (
    <section class="preview" aria-label={words.preview}>
      <p class={refused > 0 ? "warned" : ""}>{words.wouldReject(refused, openOrders, accounts)}</p>
      {Object.entries(byReason).map(([reason, count]) => (
        <p key={reason}>{words.byReason(reason, count)}</p>
      ))}
      {overCount.map(({ filter, accounts: over }) => (
        <p key={filter}>{words.overCount(filter, over)}</p>
      ))}
      {warnings.map((warning) => (
        <p key={warning} class="warned">
          {warning}
        </p>
      ))}
    </section>
  );
}

export function OpenActionWindow({ context }: { context: Context }) {
  const openForm = context.openForm.value;
  if (openForm === null) return null;
  const operation = context.operations.value.get(openForm.key);
  if (operation === undefined) return null;
  return (
    <ActionWindow
      key={openForm.key}
      context={context}
      openForm={openForm}
      operation={withKnown(withActionShape(operation, openForm), openForm)}
    />
  );
}

interface Props {
  readonly context: Context;
  readonly openForm: OpenForm;
  readonly operation: Operation;
}

const titleOf = ({ key, title }: OpenForm, { summary }: Operation): string => title ?? consoleButtons[key] ?? summary;

/** The object name that must be typed to confirm; "" if none. */
function nameToType(operation: Operation, { key }: OpenForm, { path }: Draft): string {
  if (ROUTES[key]?.confirm !== "type") return "";
  const [first = ""] = pathNames(operation);
  return path[first] ?? "";
}

/** The objects that the action concerns: those that the page provides, and typed ones once the form is complete. */
function subjectsHere(
  { context, openForm, operation }: Props,
  { path, body }: Draft,
  isLook: boolean,
): readonly Subject[] {
  const known = isLook ? path : openForm.given;
  return subjectsOf(operation, known, isLook ? body : undefined, context.operations.value);
}

type Stage = "fields" | "look" | "busy";

/** The state of an open dialog. */
interface State {
  readonly stage: Stage;
  /** The stage from which the request was sent. */
  readonly from: Stage;
  readonly denied: Denied | null;
  readonly answer: Json | undefined;
  /** Whether the user has tried to submit: field errors are shown only afterwards. */
  readonly isTried: boolean;
}

const FIRST: State = { stage: "fields", from: "fields", denied: null, answer: undefined, isTried: false };

/** Sends the request and closes the dialog, or shows the response. The promise never rejects. */
async function send({ context, openForm, operation }: Props, ready: Ready, state: Signal<State>): Promise<void> {
  const { how } = ROUTES[openForm.key] ?? { how: "act" };
  const from = state.value.stage;
  state.value = { ...state.value, stage: "busy", from, denied: null };
  const close = (): void => {
    context.openForm.value = null;
  };
  try {
    const answer = await carryOut(context, operation, ready);
    if (answer === undefined) close();
    else if (how === "view" || isPreview(operation) || secretsOf(answer).length > 0) {
      state.value = { ...state.value, answer, stage: from };
    } else {
      close();
      notifyDone(context, titleOf(openForm, operation), answer, openForm.outcome);
    }
    if (how === "act" && !isPreview(operation)) showResult(context, openForm, answer);
  } catch (error) {
    state.value = { ...state.value, stage: from, denied: deniedOf(error) };
  }
}

function ActionWindow(props: Props) {
  const { context, openForm, operation } = props;
  const { confirm, isDestructive = false } = ROUTES[openForm.key] ?? { confirm: "look" as const };
  const draft = useSignal(firstDraft(operation, openForm));
  const state = useSignal(FIRST);
  const typed = useSignal("");
  const ready = readyOf(operation, openForm, draft.value);
  const name = nameToType(operation, openForm, draft.value);
  const title = titleOf(openForm, operation);
  const { stage, from, denied, answer, isTried } = state.value;
  const isLook = stage === "look" || (stage === "busy" && from === "look");
  const close = (): void => {
    context.openForm.value = null;
  };
  const next = (): void => {
    state.value = { ...state.value, isTried: true };
    if (ready.faults.length > 0 || stage === "busy") return;
    if (stage === "fields" && confirm !== undefined) state.value = { ...state.value, stage: "look", denied: null };
    else if (stage === "fields" || typed.value === name) void send(props, ready, state); // The promise never rejects.
  };
  if (answer !== undefined && secretsOf(answer).length > 0) {
    return (
      <Window title={title} onClose={close}>
        <Once answer={answer} instruction={instructionOf(answer)} onDone={close} />
      </Window>
    );
  }
  return (
    <Window title={title} class="act-window" onClose={close}>
      <form autocomplete="off" noValidate onSubmit={onSubmitOf(next)}>
        <div class="body">
          {openForm.action === undefined ? (
            <SubjectsShown
              context={context}
              subjects={subjectsHere(props, draft.value, isLook)}
              known={openForm.known ?? {}}
            />
          ) : (
            <ActionShown context={context} action={openForm.action} />
          )}
          {isLook ? (
            <Look {...props} ready={ready} name={name} typed={typed} />
          ) : (
            <ActionFields
              {...{ operation, draft }}
              given={openForm.given}
              fixed={openForm.fixed ?? {}}
              faults={isTried ? ready.faults : []}
            />
          )}
          {!isLook && <Advanced operation={operation} />}
          {answer !== undefined && <Answer value={answer} />}
          {denied !== null && <Refused context={context} denied={denied} onDone={close} />}
        </div>
        <Foot
          {...{ isLook, title, close, isDestructive, hasConfirmation: confirm !== undefined }}
          isBusy={stage === "busy"}
          isLocked={isLook && typed.value !== name}
          onBack={() => (state.value = { ...state.value, stage: "fields", denied: null })}
        />
      </form>
    </Window>
  );
}

/** The node's error. If the action requires dual approval, offers to create an approval request instead. */
export function Refused({ context, denied, onDone }: { context: Context; denied: Denied; onDone: () => void }) {
  if (denied.action === undefined) return <DeniedText denied={denied} />;
  return <RequestApproval context={context} actions={[denied.action]} onDone={onDone} />;
}

/** For readers of the API reference: the route that the form calls. */
function Advanced({ operation: { key } }: Pick<Props, "operation">) {
  return (
    <details class="muted">
      <summary>{consoleSteps.advanced}</summary>
      {consoleSteps.route}: <code>{key}</code>
    </details>
  );
}

interface LookProps extends Props {
  readonly ready: Ready;
  readonly name: string;
  readonly typed: Signal<string>;
}

function Look({ context, openForm, operation, ready, name, typed }: LookProps) {
  const before = bodyNow(operation, openForm);
  const { body } = ready.sent;
  return (
    <Confirmation
      operation={operation}
      operator={context.session.value?.operator ?? ""}
      body={body as Json | undefined}
      differences={before === undefined ? null : differencesOf(before, ready.whole)}
      name={name}
      typed={typed}
    >
      {isFilters(operation) && <FilterPreview context={context} path={ready.path} body={body} />}
    </Confirmation>
  );
}

interface FootProps {
  readonly isLook: boolean;
  readonly hasConfirmation: boolean;
  readonly isBusy: boolean;
  /** Whether the button is disabled until the name is typed. */
  readonly isLocked: boolean;
  readonly isDestructive: boolean;
  readonly title: string;
  readonly close: () => void;
  readonly onBack: () => void;
}

function Foot({ isLook, hasConfirmation, isBusy, isLocked, isDestructive, title, close, onBack }: FootProps) {
  return (
    <div class="foot">
      {isLook ? (
        <Button disabled={isBusy} onClick={onBack}>
          {words.back}
        </Button>
      ) : (
        <Button onClick={close}>{words.cancel}</Button>
      )}
      <button type="submit" class={`button primary ${isDestructive ? "grave" : ""}`} disabled={isBusy || isLocked}>
        {isBusy ? pagesWords.busy : hasConfirmation && !isLook ? words.review : title}
      </button>
    </div>
  );
}

const isPreview = ({ path }: Operation): boolean => path.endsWith("/preview");

/** Sends the request and returns the response. A file is saved, and undefined is returned. */
async function carryOut(context: Context, operation: Operation, { path, sent }: Ready): Promise<Json | undefined> {
  if (!operation.isFile) return context.admin.ask<Json>(operation.method, path, sent);
  saveBlob(fileName(path), await context.admin.askFile(path, sent));
  return undefined;
}

const fileName = (path: string): string => path.replace(/^\/(?:v1\/)?/, "").replaceAll(/[^\w.@-]+/g, "-");
