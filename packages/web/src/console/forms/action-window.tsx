/**
 * The dialog of one route: its fields, a confirmation where the table of routes requires one, and the node's response.
 */
import { useEffect } from "preact/hooks";
import { type Signal, useSignal } from "@preact/signals";
import { consoleApprovals, consoleButtons, consoleForms as words, pagesSay } from "../../words/words.ts";
import type { Desk, Wish } from "../context.ts";
import { DeniedText } from "../../pages/pane.tsx";
import type { Json, Operation } from "../openapi.ts";
import { type Denied, deniedOf } from "../../pages/request.ts";
import { Window } from "../../panels/controls.tsx";
import { goTo, hashOf } from "../place.ts";
import { ROUTES } from "../routes.ts";
import { saveBlob } from "../../pages/browser.ts";
import { ActFields } from "./fields.tsx";
import { differencesOf } from "./differences.ts";
import { ActionShown, Answer, Confirmation, SubjectsShown } from "./confirmation.tsx";
import { bodyNow, type Draft, firstDraft, pathNames, type Ready, readyOf, withActShape, withKnown } from "./draft.ts";
import { Once, secretsOf } from "../../pages/secret.tsx";
import { RequestApproval } from "./request-approval.tsx";
import { isOver, proposedIn } from "./approval-request.ts";
import { partOf } from "./schema.ts";
import { type Subject, subjectsOf } from "./subjects.ts";

// A preview of new filters: the open orders that they would reject.

interface RejectedOrders {
  readonly openOrders: number;
  readonly refused: number;
  readonly accounts: number;
  readonly byReason?: Readonly<Record<string, number>>;
  readonly overCount?: readonly { readonly filter: string; readonly accounts: number }[];
  readonly warnings?: readonly string[];
}

const isFilters = ({ key }: Pick<Operation, "key">): boolean => key === "PUT /v1/symbols/{symbol}/filters";

interface Preview {
  readonly refused: RejectedOrders | null;
  readonly denied: Denied | null;
}

/** Never rejects. */
async function ask({ admin }: Pick<Desk, "admin">, path: string, sent: string, told: Signal<Preview>): Promise<void> {
  try {
    const refused = await admin.ask<RejectedOrders>("POST", `${path}/preview`, { body: JSON.parse(sent) as unknown });
    told.value = { refused, denied: null };
  } catch (error) {
    told.value = { refused: null, denied: deniedOf(error) };
  }
}

function FilterPreview({ desk, path, body }: { desk: Desk; path: string; body: unknown }) {
  const told = useSignal<Preview>({ refused: null, denied: null });
  const sent = JSON.stringify(body);
  useEffect(() => void ask(desk, path, sent, told), [desk, path, sent, told]);
  const { denied, refused: answer } = told.value;
  if (denied !== null) return <DeniedText denied={denied} />;
  if (answer === null) return <p class="muted">{words.previewing}</p>;
  const { openOrders, refused, accounts, byReason = {}, overCount = [], warnings = [] } = answer;
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

export function OpenActionWindow({ desk }: { desk: Desk }) {
  const wish = desk.wish.value;
  if (wish === null) return null;
  const operation = desk.operations.value.get(wish.key);
  if (operation === undefined) return null;
  return (
    <ActionWindow key={wish.key} desk={desk} wish={wish} operation={withKnown(withActShape(operation, wish), wish)} />
  );
}

interface Props {
  readonly desk: Desk;
  readonly wish: Wish;
  readonly operation: Operation;
}

const titleOf = ({ key, title }: Wish, { summary }: Operation): string => title ?? consoleButtons[key] ?? summary;

/** The name of the object, which must be typed to confirm. */
function nameToType(operation: Operation, { key }: Wish, { path }: Draft): string {
  if (ROUTES[key]?.second !== "type") return "";
  const [first = ""] = pathNames(operation);
  return path[first] ?? "";
}

/** A secret is shown once. A link is also in the email, which operators can read on the Emails page. */
function toldOf(answer: Json): string {
  const [link, email] = [partOf(answer, "link"), partOf(answer, "email")];
  return typeof link === "string" ? words.linkSent(String(email)) : words.onceOnly;
}

/** The objects that the page provides at once, and those that are typed once they are complete. */
function subjectsHere({ desk, wish, operation }: Props, { path, body }: Draft, isLook: boolean): readonly Subject[] {
  const known = isLook ? path : wish.given;
  return subjectsOf(operation, known, isLook ? body : undefined, desk.operations.value);
}

type Stage = "fields" | "look" | "busy";

/** The state of an open dialog. */
interface State {
  readonly stage: Stage;
  /** The stage before the request was sent. */
  readonly from: Stage;
  readonly denied: Denied | null;
  readonly answer: Json | undefined;
  /** Errors of fields are shown after the first attempt to submit. */
  readonly isTried: boolean;
}

const FIRST: State = { stage: "fields", from: "fields", denied: null, answer: undefined, isTried: false };

/** Never rejects. */
async function send({ desk, wish, operation }: Props, ready: Ready, state: Signal<State>): Promise<void> {
  const { how } = ROUTES[wish.key] ?? { how: "act" };
  const from = state.value.stage;
  state.value = { ...state.value, stage: "busy", from, denied: null };
  const close = (): void => {
    desk.wish.value = null;
  };
  try {
    const told = await carryOut(desk, operation, ready);
    if (told === undefined) close();
    else if (how === "view" || isPreview(operation) || secretsOf(told).length > 0) {
      state.value = { ...state.value, answer: told, stage: from };
    } else {
      close();
      sayDone(desk, titleOf(wish, operation), told);
    }
    if (how === "act" && !isPreview(operation)) {
      // A completed object has no page any more, so the console shows the list.
      const { page, subject } = desk.place.value;
      if (isOver(wish, told)) goTo({ page: "approvals" });
      else if (subject !== "" && ROUTES[wish.key]?.endsSubject === true) goTo({ page });
      else desk.done.value++;
    }
  } catch (error) {
    state.value = { ...state.value, stage: from, denied: deniedOf(error) };
  }
}

/** Some actions create an approval request. The notice then links to it. */
function sayDone(desk: Desk, what: string, told: Json): void {
  const proposal = proposedIn(told);
  if (proposal === undefined) desk.say("good", words.done(what, warningsOf(told)));
  else desk.say("good", consoleApprovals.requested(1), hashOf({ page: "approvals", subject: proposal }));
}

function ActionWindow(props: Props) {
  const { desk, wish, operation } = props;
  const { second, isGrave = false } = ROUTES[wish.key] ?? { second: "look" as const };
  const draft = useSignal(firstDraft(operation, wish));
  const state = useSignal(FIRST);
  const typed = useSignal("");
  const ready = readyOf(operation, wish, draft.value);
  const name = nameToType(operation, wish, draft.value);
  const title = titleOf(wish, operation);
  const { stage, from, denied, answer, isTried } = state.value;
  const isLook = stage === "look" || (stage === "busy" && from === "look");
  const close = (): void => {
    desk.wish.value = null;
  };
  const next = (): void => {
    state.value = { ...state.value, isTried: true };
    if (ready.faults.length > 0 || stage === "busy") return;
    if (stage === "fields" && second !== undefined) state.value = { ...state.value, stage: "look", denied: null };
    else if (stage === "fields" || typed.value === name) void send(props, ready, state); // Never rejects.
  };
  if (answer !== undefined && secretsOf(answer).length > 0) {
    return (
      <Window title={title} onClose={close}>
        <Once answer={answer} told={toldOf(answer)} onDone={close} />
      </Window>
    );
  }
  return (
    <Window title={title} class="act-window" onClose={close}>
      <form
        autocomplete="off"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          next();
        }}
      >
        <div class="body">
          {wish.act === undefined ? (
            <SubjectsShown desk={desk} subjects={subjectsHere(props, draft.value, isLook)} known={wish.known ?? {}} />
          ) : (
            <ActionShown desk={desk} act={wish.act} />
          )}
          {isLook ? (
            <Look {...props} ready={ready} name={name} typed={typed} />
          ) : (
            <ActFields
              {...{ operation, draft }}
              given={wish.given}
              fixed={wish.fixed ?? {}}
              faults={isTried ? ready.faults : []}
            />
          )}
          {answer !== undefined && <Answer value={answer} />}
          {denied !== null && <Refused desk={desk} denied={denied} onDone={close} />}
        </div>
        <Foot
          {...{ isLook, title, close, isGrave, hasSecond: second !== undefined }}
          isBusy={stage === "busy"}
          isLocked={isLook && typed.value !== name}
          onBack={() => {
            state.value = { ...state.value, stage: "fields", denied: null };
          }}
        />
      </form>
    </Window>
  );
}

/** Offers to turn a rejected action that requires dual approval into an approval request. */
function Refused({ desk, denied, onDone }: { desk: Desk; denied: Denied; onDone: () => void }) {
  return (
    <>
      <DeniedText denied={denied} />
      {denied.act !== undefined && <RequestApproval desk={desk} acts={[denied.act]} onDone={onDone} />}
    </>
  );
}

interface LookProps extends Props {
  readonly ready: Ready;
  readonly name: string;
  readonly typed: Signal<string>;
}

function Look({ desk, wish, operation, ready, name, typed }: LookProps) {
  const before = bodyNow(operation, wish);
  const { body } = ready.sent;
  return (
    <Confirmation
      operation={operation}
      operator={desk.session.value?.operator ?? ""}
      body={body as Json | undefined}
      differences={before === undefined ? null : differencesOf(before, ready.whole)}
      name={name}
      typed={typed}
    >
      {isFilters(operation) && <FilterPreview desk={desk} path={ready.path} body={body} />}
    </Confirmation>
  );
}

interface FootProps {
  readonly isLook: boolean;
  readonly hasSecond: boolean;
  readonly isBusy: boolean;
  /** The name has not been typed yet. */
  readonly isLocked: boolean;
  readonly isGrave: boolean;
  readonly title: string;
  readonly close: () => void;
  readonly onBack: () => void;
}

function Foot({ isLook, hasSecond, isBusy, isLocked, isGrave, title, close, onBack }: FootProps) {
  return (
    <div class="foot">
      {isLook ? (
        <button type="button" class="button" disabled={isBusy} onClick={onBack}>
          {words.back}
        </button>
      ) : (
        <button type="button" class="button" onClick={close}>
          {words.cancel}
        </button>
      )}
      <button type="submit" class={`button primary ${isGrave ? "grave" : ""}`} disabled={isBusy || isLocked}>
        {isBusy ? pagesSay.busy : hasSecond && !isLook ? words.review : title}
      </button>
    </div>
  );
}

const isPreview = ({ path }: Operation): boolean => path.endsWith("/preview");

/** Undefined: the response was a file, which is saved. */
async function carryOut(desk: Desk, operation: Operation, { path, sent }: Ready): Promise<Json | undefined> {
  if (!operation.isFile) return desk.admin.ask<Json>(operation.method, path, sent);
  saveBlob(fileName(path), await desk.admin.askFile(path, sent));
  return undefined;
}

const fileName = (path: string): string => path.replace(/^\/(?:v1\/)?/, "").replaceAll(/[^\w.@-]+/g, "-");

/** What the response contains besides success: warnings, and the number of deposits that a rescan found. */
function warningsOf(told: Json): string {
  const { warnings = [], found } = told as { readonly warnings?: readonly string[]; readonly found?: number };
  const all = [
    ...(typeof found === "number" ? [words.found(found)] : []),
    ...(Array.isArray(warnings) ? warnings : []),
  ];
  return all.join(" ");
}
