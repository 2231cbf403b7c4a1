/** State that all pages of the console share: the client, the operator's rights, and data that is requested again after each action. */
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { Invitation, Place } from "./place.ts";
import type { NoticeBoard } from "../pages/frame.tsx";
import type { Preferences } from "../preferences.ts";
import type { Admin, Credentials, Me, Sent, Session } from "./admin-client.ts";
import type { Json, Operation, ProposedAct } from "./openapi.ts";
import { useEffect } from "preact/hooks";
import {
  answerTo,
  type Asked,
  fetchPage,
  keepAsking,
  type KeptAnswer,
  type KeptRows,
  NO_ANSWER,
  NO_ROWS,
  NOTHING,
  type Page,
  type Rows,
} from "../pages/page-data.ts";

/** A form that is open over the page. */
export interface Wish {
  /** The key of the route in `ROUTES`. */
  readonly key: string;
  /** The label of the button that opened the form, where it is not the route's. */
  readonly title?: string;
  /** Values of the path's parameters that the page knows. */
  readonly given: Readonly<Record<string, string>>;
  /** The body as things stand: what is sent is shown as a change of it, and the form begins from it. */
  readonly now?: unknown;
  /** The body from which the form begins, where that is another. */
  readonly start?: unknown;
  /** Fields of the body that the page knows: they are shown and not asked for. */
  readonly fixed?: Readonly<Record<string, Json>>;
  /** What a parameter of the path may be, where the page knows that. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** What the page knows of the object that the action concerns, by the names that its readers know. */
  readonly known?: Readonly<Record<string, string>>;
  /** The act that would be approved: it is shown at the second look. */
  readonly act?: ProposedAct;
}

export interface Familiar {
  readonly name: string;
  /** As in `SignedIn`; "": there is none yet. */
  readonly mark: string;
}

export interface Desk extends NoticeBoard {
  readonly admin: Admin;
  readonly session: Signal<Session | null>;
  /** Null: nobody is signed in, or the node has not said yet who it is. */
  readonly me: Signal<Me | null>;
  /** Who signed in here by name before, or was invited to; "": nobody. */
  readonly familiar: Signal<Familiar>;
  /** Why somebody who was signed in is so no longer; "": nothing to tell. */
  readonly dismissed: Signal<string>;
  readonly place: ReadonlySignal<Place>;
  readonly preferences: Preferences;
  /** The node's operations by key; empty until they are fetched. */
  readonly operations: Signal<ReadonlyMap<string, Operation>>;
  readonly wish: Signal<Wish | null>;
  /** Counts what was done: pages fetch again when it grows. */
  readonly done: Signal<number>;
  readonly nowMs: ReadonlySignal<number>;
  /** The link of an invitation that is followed; null: none is. */
  readonly invitation: ReadonlySignal<Invitation | null>;
  /** Signs in by the admin token. Rejects with `Denied` when the node does not take it, as does `signInByName`. */
  signIn(wanted: Session): Promise<void>;
  signInByName(wanted: Credentials): Promise<void>;
  /** Never rejects. */
  signOut(): Promise<void>;
}

// An action that the node would reject because the operator lacks a right has no button.

/** A person must stand behind these, and the admin token is nobody in particular. */
const OF_PERSONS = /^(?:POST|PUT) \/v1\/(?:approval-requests|me)(?:\/|$)/;

/** An operation that the node does not have may be done by nobody. */
export function mayDo({ operations, me }: Pick<Desk, "operations" | "me">, key: string): boolean {
  const needs = operations.value.get(key)?.needs;
  if (needs === undefined || (me.value?.isToken === true && OF_PERSONS.test(key))) return false;
  return needs === "nothing" || hasRight({ me }, needs);
}

export function hasRight({ me }: Pick<Desk, "me">, needs: string): boolean {
  return me.value?.rights.includes(needs) === true;
}

// Data of a page is requested at intervals while the page is open, after each action, and on demand.

export { type Asked, OFTEN_MS, SELDOM_MS } from "../pages/page-data.ts";

interface Options {
  readonly query?: Sent["query"];
  /** Absent: once, and after each act. */
  readonly everyMs?: number;
}

/** `path` null: nothing is asked for. */
export function useAsked<Value>(desk: Desk, path: string | null, { query = {}, everyMs }: Options = {}): Asked<Value> {
  const { admin } = desk;
  const kept = useSignal<KeptAnswer<Value>>(NO_ANSWER);
  const done = desk.done.value;
  const asked = path === null ? "" : JSON.stringify([path, query]);
  useEffect(() => {
    if (asked === "") return undefined;
    const [wanted, sent] = JSON.parse(asked) as [string, NonNullable<Sent["query"]>];
    return keepAsking(() => admin.ask<Value>("GET", wanted, { query: sent }), asked, everyMs, kept);
  }, [admin, asked, everyMs, kept, done]);
  return answerTo(kept.value, asked);
}

// Long lists are fetched a page at a time, and again from the first page after each action.

/** So many rows are asked for at a time. */
export const PAGE_ROWS = 100;

/** How the admin API says where a page begins. */
type Next = string | number;
export type AdminPage<Row> = Page<Row, Next>;

export interface Question<Answer, Row> {
  readonly path: string;
  readonly query: NonNullable<Sent["query"]>;
  /** An answer of the node as a page. */
  readonly read: (answer: Answer) => AdminPage<Row>;
}

/** Rows of entries, newest first: the next page is before the last of them. */
export function bySeq<Row extends { readonly seq: number }>(rows: readonly Row[]): AdminPage<Row> {
  return { rows, next: rows.length < PAGE_ROWS ? null : (rows.at(-1)?.seq ?? null) };
}

/** `before` is the name of the parameter that takes `next`. `read` must not change from one call to the next. */
export function usePaged<Answer, Row>(
  desk: Desk,
  { path, query, read }: Question<Answer, Row>,
): Rows<Row, Next> & { readonly more: () => void } {
  const { admin } = desk;
  const kept = useSignal<KeptRows<Row, Next>>(NO_ROWS);
  const done = desk.done.value;
  const asked = JSON.stringify(query);
  useEffect(() => {
    const question = { path, query: JSON.parse(asked) as NonNullable<Sent["query"]>, read };
    void fetchPage(askFor(admin, question), nameOf(question), kept, null);
  }, [admin, path, asked, read, kept, done]);
  // Rows of another list are not this one's.
  const { of, ...rows } = kept.value;
  const name = nameOf({ path, query });
  const more = (): void => void fetchPage(askFor(admin, { path, query, read }), name, kept, kept.value.next);
  return { ...(of === name ? rows : NOTHING), more };
}

const nameOf = ({ path, query }: Pick<Question<never, never>, "path" | "query">): string =>
  JSON.stringify([path, query]);

function askFor<Answer, Row>(
  admin: Desk["admin"],
  { path, query, read }: Question<Answer, Row>,
): (before: Next | null) => Promise<AdminPage<Row>> {
  return async (before) =>
    read(await admin.ask<Answer>("GET", path, { query: { ...query, ...(before !== null && { before }) } }));
}
