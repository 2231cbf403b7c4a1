/** Asks the node for what a page shows, again and again while it is looked at. */
import type { Signal } from "@preact/signals";
import { type Denied, deniedOf, NOT_ACCEPTED } from "./denied.ts";

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
