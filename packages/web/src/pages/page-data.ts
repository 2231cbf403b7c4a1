/** Fetches the data of a page: at intervals while the page is open, or page by page for long lists. */
import type { Signal } from "@preact/signals";
import { type Denied, deniedOf, NOT_ACCEPTED } from "./request.ts";

/** Request intervals for data that changes often and data that changes seldom. */
export const OFTEN_MS = 5_000;
export const SELDOM_MS = 10_000;
const GONE = 404;

export interface Fetched<Value> {
  /** The last response. It is kept while a newer one is requested. */
  readonly value: Value | null;
  /** The error of the last request; null if it succeeded. */
  readonly denied: Denied | null;
}

export interface LastFetched<Value> extends Fetched<Value> {
  /** The key of the request that was answered. */
  readonly of: string;
}

/** The state before the first response. */
export const NO_ANSWER = { of: "", value: null, denied: null };

/** The response to the request `asked`. Empty if the last response is for another request. */
export function answerTo<Value>({ of, value, denied }: LastFetched<Value>, asked: string | null): Fetched<Value> {
  return of === asked ? { value, denied } : { value: null, denied: null };
}

/**
 * Sends the request at once and, if `everyMs` is given, at intervals. If the node is temporarily unavailable, the
 * request is always repeated. The returned function stops polling.
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
      // If the object no longer exists (410), it is not requested again, and its last state is not shown.
      const isGone = denied.status === GONE;
      if (isWanted) state.value = { of, value: last.of === of && !isGone ? last.value : null, denied };
      if (isGone) return;
      if (denied.status === NOT_ACCEPTED) isDue = true;
    }
    if (isDue) later();
  };
  // Hidden pages send no requests.
  const again = (): void => {
    if (document.visibilityState === "visible") void once();
    else later();
  };
  void once(); // The promise never rejects.
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}

export interface Page<Row, Next> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null if there is none. */
  readonly next: Next | null;
}

/** The loaded rows of a list. */
export interface Rows<Row, Next> {
  /** The rows; null before the first response. */
  readonly rows: readonly Row[] | null;
  readonly denied: Denied | null;
  /** The cursor of the next page, as in `Page`. */
  readonly next: Next | null;
}

export interface LoadedRows<Row, Next> extends Rows<Row, Next> {
  /** The key of the list. */
  readonly of: string;
}

export const NOTHING = { rows: null, denied: null, next: null };
/** The state before the first response. */
export const NO_ROWS = { of: "", ...NOTHING };

/**
 * Fetches the first page of the list `of`, or the page at cursor `from`. A response is dropped if another list is shown
 * by then, or if that page is already loaded. The promise never rejects.
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
