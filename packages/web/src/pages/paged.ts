/** A long list, a page at a time from the newest on. */
import type { Signal } from "@preact/signals";
import { type Denied, deniedOf } from "./denied.ts";

export interface Page<Row, Next> {
  readonly rows: readonly Row[];
  /** Where the next page begins; null: there is none. */
  readonly next: Next | null;
}

/** What came of a list. */
export interface Rows<Row, Next> {
  /** Null: none came yet. */
  readonly rows: readonly Row[] | null;
  readonly denied: Denied | null;
  /** As in `Page`. */
  readonly next: Next | null;
}

export interface KeptRows<Row, Next> extends Rows<Row, Next> {
  /** Which list it is. */
  readonly of: string;
}

export const NOTHING = { rows: null, denied: null, next: null };
/** Before the first. */
export const NO_ROWS = { of: "", ...NOTHING };

/**
 * Asks for the first page of the list `of`, or for the one that begins at `from`. Never rejects. An answer that comes
 * when another list is looked at, or that page is there already, changes nothing.
 */
export async function fetchPage<Row, Next>(
  ask: (from: Next | null) => Promise<Page<Row, Next>>,
  of: string,
  kept: Signal<KeptRows<Row, Next>>,
  from: Next | null,
): Promise<void> {
  if (kept.peek().of !== of) kept.value = { ...NO_ROWS, of };
  const isWanted = (): boolean => kept.peek().of === of && (from === null || kept.peek().next === from);
  try {
    const { rows, next } = await ask(from);
    if (!isWanted()) return;
    kept.value = { of, rows: from === null ? rows : [...(kept.peek().rows ?? []), ...rows], denied: null, next };
  } catch (error) {
    if (isWanted()) kept.value = { ...kept.peek(), denied: deniedOf(error) };
  }
}
