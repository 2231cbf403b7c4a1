/** Data that a page shows: requested again at intervals while the page is open, or one page of a long list at a time. */
import type { Signal } from "@preact/signals";
import { type Denied, deniedOf, NOT_ACCEPTED } from "./request.ts";

/** The request intervals of data that changes by itself, and of data that rarely does. */
export const OFTEN_MS = 5_000;
export const SELDOM_MS = 10_000;
const GONE = 404;

export interface Fetched<Value> {
  /** The last response. It stays while a newer one is requested. */
  readonly value: Value | null;
  /** Why the last request failed. */
  readonly denied: Denied | null;
}

export interface LastFetched<Value> extends Fetched<Value> {
  /** Identifies the request that was answered. */
  readonly of: string;
}

/** The state before the first response. */
export const NO_ANSWER = { of: "", value: null, denied: null };

/** The response to `of`; empty if another request was answered. */
export function answerTo<Value>({ of, value, denied }: LastFetched<Value>, asked: string | null): Fetched<Value> {
  return of === asked ? { value, denied } : { value: null, denied: null };
}

/**
 * Requests at once and, with `everyMs`, at intervals. A node that is temporarily unavailable is asked again in any
 * case. The returned function stops it.
 */
export function poll<Value>(
  ask: () => Promise<Value>,
  of: string,
  everyMs: number | undefined,
  state: Signal<LastFetched<Value>>,
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
      if (isWanted) state.value = { of, value, denied: null };
    } catch (error) {
      const denied = deniedOf(error);
      const last = state.peek();
      // An object that is gone (410) is not requested again, and its former state is not shown.
      const isGone = denied.status === GONE;
      if (isWanted) state.value = { of, value: last.of === of && !isGone ? last.value : null, denied };
      if (isGone) return;
      if (denied.status === NOT_ACCEPTED) isDue = true;
    }
    if (isDue) later();
  };
  // A hidden page sends no requests.
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
  /** The start of the next page; null if there is none. */
  readonly next: Next | null;
}

/** The loaded rows of a list. */
export interface Rows<Row, Next> {
  /** Null before the first response. */
  readonly rows: readonly Row[] | null;
  readonly denied: Denied | null;
  /** As in `Page`. */
  readonly next: Next | null;
}

export interface LoadedRows<Row, Next> extends Rows<Row, Next> {
  /** Identifies the list. */
  readonly of: string;
}

export const NOTHING = { rows: null, denied: null, next: null };
/** The state before the first response. */
export const NO_ROWS = { of: "", ...NOTHING };

/**
 * Fetches the first page of the list `of`, or the page that begins at `from`. Never rejects. A response that arrives
 * when another list is shown, or when that page was already loaded, is dropped.
 */
export async function fetchPage<Row, Next>(
  ask: (from: Next | null) => Promise<Page<Row, Next>>,
  of: string,
  state: Signal<LoadedRows<Row, Next>>,
  from: Next | null,
): Promise<void> {
  if (state.peek().of !== of) state.value = { ...NO_ROWS, of };
  const isWanted = (): boolean => state.peek().of === of && (from === null || state.peek().next === from);
  try {
    const { rows, next } = await ask(from);
    if (!isWanted()) return;
    state.value = { of, rows: from === null ? rows : [...(state.peek().rows ?? []), ...rows], denied: null, next };
  } catch (error) {
    if (isWanted()) state.value = { ...state.peek(), denied: deniedOf(error) };
  }
}
