/** A long list, a page at a time from the newest on: begun anew after each act. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Desk } from "./desk.ts";
import type { Sent } from "./wire/admin.ts";
import { type Denied, deniedOf } from "../pages/denied.ts";

/** So many rows are asked for at a time. */
export const PAGE_ROWS = 100;

export interface Rows<Row> {
  /** Null: none came yet. */
  readonly rows: readonly Row[] | null;
  readonly denied: Denied | null;
  /** Where the next page begins; null: there is none. */
  readonly next: string | number | null;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | number | null;
}

/** What came, and of which list. */
export interface Kept<Row> extends Rows<Row> {
  readonly of: string;
}

export interface Question<Answer, Row> {
  readonly path: string;
  readonly query: NonNullable<Sent["query"]>;
  /** An answer of the node as a page. */
  readonly read: (answer: Answer) => Page<Row>;
}

/** Rows of entries, newest first: the next page is before the last of them. */
export function bySeq<Row extends { readonly seq: number }>(rows: readonly Row[]): Page<Row> {
  return { rows, next: rows.length < PAGE_ROWS ? null : (rows.at(-1)?.seq ?? null) };
}

const NOTHING = { rows: null, denied: null, next: null };
/** Before the first. */
export const NO_ROWS = { of: "", ...NOTHING };

/** `before` is the name of the parameter that takes `next`. `read` must not change from one call to the next. */
export function usePaged<Answer, Row>(
  desk: Desk,
  { path, query, read }: Question<Answer, Row>,
): Rows<Row> & { readonly more: () => void } {
  const { admin } = desk;
  const kept = useSignal<Kept<Row>>(NO_ROWS);
  const done = desk.done.value;
  const asked = JSON.stringify(query);
  useEffect(() => {
    void fetchPage(admin, { path, query: JSON.parse(asked) as NonNullable<Sent["query"]>, read }, kept, null);
  }, [admin, path, asked, read, kept, done]);
  // Rows of another list are not this one's.
  const { of, ...rows } = kept.value;
  const shown = of === nameOf({ path, query }) ? rows : NOTHING;
  return { ...shown, more: () => void fetchPage(admin, { path, query, read }, kept, kept.value.next) };
}

const nameOf = ({ path, query }: Pick<Question<never, never>, "path" | "query">): string =>
  JSON.stringify([path, query]);

/** Never rejects. An answer that comes when another list is looked at, or that page is there already, changes nothing. */
export async function fetchPage<Answer, Row>(
  admin: Desk["admin"],
  { path, query, read }: Question<Answer, Row>,
  kept: Signal<Kept<Row>>,
  before: string | number | null,
): Promise<void> {
  const of = nameOf({ path, query });
  if (kept.peek().of !== of) kept.value = { ...NO_ROWS, of };
  const isWanted = (): boolean => kept.peek().of === of && (before === null || kept.peek().next === before);
  try {
    const page = read(
      await admin.ask<Answer>("GET", path, { query: { ...query, ...(before !== null && { before }) } }),
    );
    if (!isWanted()) return;
    const rows = before === null ? page.rows : [...(kept.peek().rows ?? []), ...page.rows];
    kept.value = { of, rows, denied: null, next: page.next };
  } catch (error) {
    if (isWanted()) kept.value = { ...kept.peek(), denied: deniedOf(error) };
  }
}
