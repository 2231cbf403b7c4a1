/** Data that a page shows: requested again at intervals while the page is open, or one page of a long list at a time. */
import type { Signal } from "@preact/signals";
import { type Denied, deniedOf, NOT_ACCEPTED } from "./request.ts";

/** How often pages ask anew for what moves by itself, and for what seldom does. */
export const OFTEN_MS = 5_000;
export const SELDOM_MS = 10_000;
const GONE = 404;

export interface Asked<Value> {
  /** The last that came; it stays while a newer one is asked for. */
  readonly value: Value | null;
  /** Why the last request brought nothing. */
  readonly denied: Denied | null;
}

export interface KeptAnswer<Value> extends Asked<Value> {
  /** What it is the answer to. */
  readonly of: string;
}

/** Before the first. */
export const NO_ANSWER = { of: "", value: null, denied: null };

/** What was answered to `of`; nothing where that is something else. */
export function answerTo<Value>({ of, value, denied }: KeptAnswer<Value>, asked: string | null): Asked<Value> {
  return of === asked ? { value, denied } : { value: null, denied: null };
}

/**
 * Asks at once and, if `everyMs` says so, again at intervals; a node that cannot answer for the moment is asked again in
 * any case. What is returned ends it.
 */
export function keepAsking<Value>(
  ask: () => Promise<Value>,
  of: string,
  everyMs: number | undefined,
  kept: Signal<KeptAnswer<Value>>,
): () => void {
  let isWanted = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (): void => {
    if (isWanted) timer = setTimeout(again, everyMs ?? OFTEN_MS);
  };
  const once = async (): Promise<void> => {
    let isDue = everyMs !== undefined;
    try {
      const value = await ask();
      if (isWanted) kept.value = { of, value, denied: null };
    } catch (error) {
      const denied = deniedOf(error);
      const last = kept.peek();
      // What is gone is not asked for again, and what it once was is not shown.
      const isGone = denied.status === GONE;
      if (isWanted) kept.value = { of, value: last.of === of && !isGone ? last.value : null, denied };
      if (isGone) return;
      if (denied.status === NOT_ACCEPTED) isDue = true;
    }
    if (isDue) later();
  };
  // A page that nobody looks at costs the node nothing.
  const again = (): void => {
    if (document.visibilityState === "visible") void once();
    else later();
  };
  void once(); // Never rejects.
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}

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
