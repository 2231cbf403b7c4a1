/** A long list, a page at a time from the newest on: begun anew after each act. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Desk } from "./desk.ts";
import type { Sent } from "./wire/admin.ts";
import { type Denied, deniedOf } from "./wire/denied.ts";

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

interface Question<Answer, Row> {
  readonly path: string;
  readonly query: NonNullable<Sent["query"]>;
  /** An answer of the node as a page. */
  readonly read: (answer: Answer) => Page<Row>;
}

const NOTHING = { rows: null, denied: null, next: null };

/** `before` is the name of the parameter that takes `next`. `read` must not change from one call to the next. */
export function usePaged<Answer, Row>(
  desk: Desk,
  { path, query, read }: Question<Answer, Row>,
): Rows<Row> & { readonly more: () => void } {
  const { admin } = desk;
  const kept = useSignal<Rows<Row>>(NOTHING);
  const done = desk.done.value;
  const asked = JSON.stringify(query);
  useEffect(() => {
    void fetchPage(admin, { path, query: JSON.parse(asked) as NonNullable<Sent["query"]>, read }, kept, null);
  }, [admin, path, asked, read, kept, done]);
  return { ...kept.value, more: () => void fetchPage(admin, { path, query, read }, kept, kept.value.next) };
}

/** Never rejects. */
async function fetchPage<Answer, Row>(
  admin: Desk["admin"],
  { path, query, read }: Question<Answer, Row>,
  kept: Signal<Rows<Row>>,
  before: string | number | null,
): Promise<void> {
  try {
    const page = read(
      await admin.ask<Answer>("GET", path, { query: { ...query, ...(before !== null && { before }) } }),
    );
    const rows = before === null ? page.rows : [...(kept.peek().rows ?? []), ...page.rows];
    kept.value = { rows, denied: null, next: page.next };
  } catch (error) {
    kept.value = { ...kept.peek(), denied: deniedOf(error) };
  }
}
