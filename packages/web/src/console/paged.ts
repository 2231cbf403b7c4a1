/** A long list of the admin API, a page at a time: begun anew after each act. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fetchPage, type KeptRows, NO_ROWS, NOTHING, type Page, type Rows } from "../pages/paged.ts";
import type { Desk } from "./desk.ts";
import type { Sent } from "./wire/admin.ts";

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
