/**
 * State shared by all pages of the console: the client, the operator's rights, and data that is fetched again after
 * each action.
 */
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { Invitation, Place } from "./place.ts";
import type { NoticeBoard } from "../pages/frame.tsx";
import type { Preferences } from "../preferences.ts";
import type { ApprovalRules, Me, NetworkState } from "@pricetime/server/answers";
import type { Admin, Credentials, Sent, Session } from "./admin-client.ts";
import type { Json, Operation, RequestedAction } from "./openapi.ts";
import type { TableChoices } from "./table-choices.ts";
import { needsApproval } from "./routes.ts";
import { useEffect } from "preact/hooks";
import {
  answerTo,
  type Fetched,
  fetchPage,
  poll,
  type LastFetched,
  type LoadedRows,
  NO_ANSWER,
  NO_ROWS,
  NOTHING,
  OFTEN_MS,
  type Page,
  type Rows,
  SELDOM_MS,
} from "../pages/page-data.ts";

/** A sentence for the notice of an action, and the page that the notice links to. */
export interface Outcome {
  readonly text: string;
  readonly to: string;
}

/** A form that is open over the page. */
export interface OpenForm {
  /** The key of the route in `ROUTES`. */
  readonly key: string;
  /** The title, if it differs from the route's label. */
  readonly title?: string;
  /** The path parameters that the page provides. */
  readonly given: Readonly<Record<string, string>>;
  /** The current values: the form starts with them, and the confirmation shows the changes against them. */
  readonly now?: unknown;
  /** The initial values of the form, if they differ from the current ones. */
  readonly start?: unknown;
  /** Body fields whose values the page provides. They are shown but cannot be edited. */
  readonly fixed?: Readonly<Record<string, Json>>;
  /** Body fields that do not apply to the object. They are not shown. */
  readonly without?: readonly string[];
  /** The possible values of path parameters, by name, if the page knows them. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Data about the object of the action, by label, for the confirmation. */
  readonly known?: Readonly<Record<string, string>>;
  /** Whether the form that is generated from the schema opens although there is a form for the task. */
  readonly isAdvanced?: boolean;
  /** The action of the approval request, shown in the confirmation. */
  readonly action?: RequestedAction;
  /** Shown with the notice of success, as in a task. */
  readonly outcome?: Outcome;
}

export interface LastOperator {
  readonly name: string;
  /** `mark` of the last `OperatorSession`; "" if there was none. */
  readonly mark: string;
}

export interface Context extends NoticeBoard {
  readonly admin: Admin;
  readonly session: Signal<Session | null>;
  /** The signed-in operator; null if nobody is signed in, or until the node has responded. */
  readonly me: Signal<Me | null>;
  /**
   * The operator who last signed in by name, or accepted an invitation, in this browser; `name` is "" if there was
   * none.
   */
  readonly lastOperator: Signal<LastOperator>;
  /** Why the session ended, for the sign-in page; "" if there is nothing to show. */
  readonly signOutReason: Signal<string>;
  readonly place: ReadonlySignal<Place>;
  readonly preferences: Preferences;
  readonly tables: TableChoices;
  /** The node's operations by key; empty until they are fetched. */
  readonly operations: Signal<ReadonlyMap<string, Operation>>;
  readonly openForm: Signal<OpenForm | null>;
  /** The approval rules; null until they are loaded. */
  readonly approvalRules: Signal<ApprovalRules | null>;
  /** The number of completed actions. Pages fetch their data again when it increases. */
  readonly done: Signal<number>;
  readonly nowMs: ReadonlySignal<number>;
  /** The invitation link that was opened; null if none. */
  readonly invitation: ReadonlySignal<Invitation | null>;
  /**
   * Signs in with the admin token. Like `signInByName`, rejects with `Denied` if the node does not accept the
   * credentials.
   */
  signIn(wanted: Session): Promise<void>;
  signInByName(wanted: Credentials): Promise<void>;
  /** Signs out. The promise never rejects. */
  signOut(): Promise<void>;
}

// Buttons are shown only for actions that the operator has the right to carry out.

/** Routes that require a named operator. The admin token does not identify one. */
const OF_PERSONS = /^(?:POST|PUT) \/v1\/(?:approval-requests|me)(?:\/|$)/;

/** Whether the operator has the right to an operation. False if the node does not have the operation. */
export function mayDo({ operations, me }: Pick<Context, "operations" | "me">, key: string): boolean {
  const needs = operations.value.get(key)?.needs;
  if (needs === undefined || (me.value?.isToken === true && OF_PERSONS.test(key))) return false;
  return needs === "nothing" || hasRight({ me }, needs);
}

export function hasRight({ me }: Pick<Context, "me">, needs: string): boolean {
  return me.value?.rights.includes(needs) === true;
}

/** Whether the admin token cannot carry out the action, because it needs two operators, whom the token does not name. */
export function isForOperators({ me, approvalRules }: Pick<Context, "me" | "approvalRules">, key: string): boolean {
  return me.value?.isToken === true && needsApproval(approvalRules.value, key);
}

// A page's data is fetched when the page opens, at intervals while it is open, and after each action.

export { type Fetched, OFTEN_MS, SELDOM_MS };

interface Options {
  readonly query?: Sent["query"];
  /** If absent, the data is fetched once, and again after each action. */
  readonly everyMs?: number;
}

/** If `path` is null, no request is sent. */
export function useFetched<Value>(
  context: Context,
  path: string | null,
  { query = {}, everyMs }: Options = {},
): Fetched<Value> {
  const { admin } = context;
  const state = useSignal<LastFetched<Value>>(NO_ANSWER);
  const done = context.done.value;
  const requestKey = path === null ? "" : JSON.stringify([path, query]);
  useEffect(() => {
    if (requestKey === "") return undefined;
    const [wanted, sent] = JSON.parse(requestKey) as [string, NonNullable<Sent["query"]>];
    return poll(() => admin.ask<Value>("GET", wanted, { query: sent }), requestKey, everyMs, state);
  }, [admin, requestKey, everyMs, state, done]);
  return answerTo(state.value, requestKey);
}

/** The networks that the node runs. */
export function useNetworks(context: Context) {
  return useFetched<readonly NetworkState[]>(context, "/v1/networks", { everyMs: OFTEN_MS });
}

/** The kind of a network; undefined if it is not loaded yet, or the node does not run the network. */
export function useNetworkKind(context: Context, network: string | undefined): string | undefined {
  return useNetworks(context).value?.find((one) => one.network === network)?.kind;
}

/** A search starts after this time without typing. */
export const TYPING_PAUSE_MS = 250;

// Long lists are fetched page by page, and again from the first page after each action.

/** Number of rows per page. */
export const PAGE_ROWS = 100;

/** The cursor of a page in the admin API. */
type Next = string | number;
export type AdminPage<Row> = Page<Row, Next>;

export interface Question<Answer, Row> {
  readonly path: string;
  readonly query: NonNullable<Sent["query"]>;
  /** Converts a response to a page. */
  readonly read: (answer: Answer) => AdminPage<Row>;
  /** The list is fetched again when this changes, as after an action. */
  readonly version?: string | undefined;
}

/** A page of journal entries, newest first. The next page starts after the last of these rows. */
export function bySeq<Row extends { readonly seq: number }>(rows: readonly Row[]): AdminPage<Row> {
  return { rows, next: rows.length < PAGE_ROWS ? null : (rows.at(-1)?.seq ?? null) };
}

/** `next` is sent as the query parameter `before`. `read` must be the same function in each call. */
export function usePaged<Answer, Row>(
  context: Context,
  { path, query, read, version }: Question<Answer, Row>,
): Rows<Row, Next> & { readonly more: () => void } {
  const { admin } = context;
  const state = useSignal<LoadedRows<Row, Next>>(NO_ROWS);
  const done = context.done.value;
  const requestKey = JSON.stringify(query);
  useEffect(() => {
    const question = { path, query: JSON.parse(requestKey) as NonNullable<Sent["query"]>, read };
    void fetchPage(askFor(admin, question), nameOf(question), state, null);
  }, [admin, path, requestKey, read, state, done, version]);
  // If the query has changed, the rows of the previous list are not shown.
  const { of, ...rows } = state.value;
  const name = nameOf({ path, query });
  const more = (): void => void fetchPage(askFor(admin, { path, query, read }), name, state, state.value.next);
  return { ...(of === name ? rows : NOTHING), more };
}

const nameOf = ({ path, query }: Pick<Question<never, never>, "path" | "query">): string =>
  JSON.stringify([path, query]);

function askFor<Answer, Row>(
  admin: Context["admin"],
  { path, query, read }: Question<Answer, Row>,
): (before: Next | null) => Promise<AdminPage<Row>> {
  return async (before) =>
    read(await admin.ask<Answer>("GET", path, { query: { ...query, ...(before !== null && { before }) } }));
}
