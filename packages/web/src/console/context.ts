/** State that all pages of the console share: the client, the operator's rights, and data that is requested again after each action. */
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { Invitation, Place } from "./place.ts";
import type { NoticeBoard } from "../pages/frame.tsx";
import type { Preferences } from "../preferences.ts";
import type { Me } from "@pricetime/server/answers";
import type { Admin, Credentials, Sent, Session } from "./admin-client.ts";
import type { Json, Operation, RequestedAction } from "./openapi.ts";
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
  type Page,
  type Rows,
} from "../pages/page-data.ts";

/** A form that is open over the page. */
export interface OpenForm {
  /** The key of the route in `ROUTES`. */
  readonly key: string;
  /** The title, where it is not the route's label. */
  readonly title?: string;
  /** The path parameters that the page provides. */
  readonly given: Readonly<Record<string, string>>;
  /** The current body: the form begins from it, and the changes are shown against it. */
  readonly now?: unknown;
  /** The initial body of the form, if it is not the current one. */
  readonly start?: unknown;
  /** Fields of the body that the page provides: they are shown but cannot be edited. */
  readonly fixed?: Readonly<Record<string, Json>>;
  /** The possible values of a path parameter, if the page has them. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Data about the object that the action concerns, by label, for the confirmation. */
  readonly known?: Readonly<Record<string, string>>;
  /** The action to be approved, which the confirmation shows. */
  readonly action?: RequestedAction;
}

export interface LastOperator {
  readonly name: string;
  /** As in `OperatorSession`; "" if there is none yet. */
  readonly mark: string;
}

export interface Context extends NoticeBoard {
  readonly admin: Admin;
  readonly session: Signal<Session | null>;
  /** Null if nobody is signed in, or until the node has returned the operator. */
  readonly me: Signal<Me | null>;
  /** The operator who signed in here by name before, or was invited; "" if none. */
  readonly lastOperator: Signal<LastOperator>;
  /** Why the session ended; "" if there is nothing to show. */
  readonly signOutReason: Signal<string>;
  readonly place: ReadonlySignal<Place>;
  readonly preferences: Preferences;
  /** The node's operations by key; empty until they are fetched. */
  readonly operations: Signal<ReadonlyMap<string, Operation>>;
  readonly openForm: Signal<OpenForm | null>;
  /** Counts completed actions: pages fetch their data again when it grows. */
  readonly done: Signal<number>;
  readonly nowMs: ReadonlySignal<number>;
  /** The invitation link that was opened; null if none. */
  readonly invitation: ReadonlySignal<Invitation | null>;
  /** Signs in with the admin token. Rejects with `Denied` if the node does not accept it, as does `signInByName`. */
  signIn(wanted: Session): Promise<void>;
  signInByName(wanted: Credentials): Promise<void>;
  /** Never rejects. */
  signOut(): Promise<void>;
}

// An action that the node would reject because the operator lacks a right has no button.

/** These actions require a named operator, which the admin token does not identify. */
const OF_PERSONS = /^(?:POST|PUT) \/v1\/(?:approval-requests|me)(?:\/|$)/;

/** False for an operation that the node does not have. */
export function mayDo({ operations, me }: Pick<Context, "operations" | "me">, key: string): boolean {
  const needs = operations.value.get(key)?.needs;
  if (needs === undefined || (me.value?.isToken === true && OF_PERSONS.test(key))) return false;
  return needs === "nothing" || hasRight({ me }, needs);
}

export function hasRight({ me }: Pick<Context, "me">, needs: string): boolean {
  return me.value?.rights.includes(needs) === true;
}

// Data of a page is requested at intervals while the page is open, after each action, and on demand.

export { type Fetched, OFTEN_MS, SELDOM_MS } from "../pages/page-data.ts";

interface Options {
  readonly query?: Sent["query"];
  /** Absent: the data is fetched once, and after each action. */
  readonly everyMs?: number;
}

/** With `path` null, nothing is requested. */
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

// Long lists are fetched a page at a time, and again from the first page after each action.

/** The rows of one page. */
export const PAGE_ROWS = 100;

/** The start of a page, as the admin API expresses it. */
type Next = string | number;
export type AdminPage<Row> = Page<Row, Next>;

export interface Question<Answer, Row> {
  readonly path: string;
  readonly query: NonNullable<Sent["query"]>;
  /** Converts a response to a page. */
  readonly read: (answer: Answer) => AdminPage<Row>;
}

/** Rows of journal entries, newest first: the next page ends before the last of them. */
export function bySeq<Row extends { readonly seq: number }>(rows: readonly Row[]): AdminPage<Row> {
  return { rows, next: rows.length < PAGE_ROWS ? null : (rows.at(-1)?.seq ?? null) };
}

/** `before` is the query parameter that takes `next`. `read` must be the same function in each call. */
export function usePaged<Answer, Row>(
  context: Context,
  { path, query, read }: Question<Answer, Row>,
): Rows<Row, Next> & { readonly more: () => void } {
  const { admin } = context;
  const state = useSignal<LoadedRows<Row, Next>>(NO_ROWS);
  const done = context.done.value;
  const requestKey = JSON.stringify(query);
  useEffect(() => {
    const question = { path, query: JSON.parse(requestKey) as NonNullable<Sent["query"]>, read };
    void fetchPage(askFor(admin, question), nameOf(question), state, null);
  }, [admin, path, requestKey, read, state, done]);
  // Rows of another list are not shown.
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
