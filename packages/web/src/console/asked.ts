/** What a page asks the node for: again at intervals while it is looked at, after each act, and when it is wished. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Desk } from "./desk.ts";
import type { Sent } from "./wire/admin.ts";
import { type Denied, deniedOf } from "./wire/denied.ts";

/** How often pages ask anew for what moves by itself, and for what seldom does. */
export const OFTEN_MS = 5_000;
export const SELDOM_MS = 10_000;

export interface Asked<Value> {
  /** The last that came; it stays while a newer one is asked for. */
  readonly value: Value | null;
  /** Why the last request brought nothing. */
  readonly denied: Denied | null;
}

interface Options {
  readonly query?: Sent["query"];
  /** Absent: once, and after each act. */
  readonly everyMs?: number;
  /** Absent: one request. Must not change from one call to the next. */
  readonly ask?: Ask;
}

/** Asks for what takes several requests. */
export type Ask = (admin: Desk["admin"], path: string, query: NonNullable<Sent["query"]>) => Promise<unknown>;

const askOnce: Ask = (admin, path, query) => admin.ask("GET", path, { query });

interface Kept<Value> extends Asked<Value> {
  /** What it is the answer to. */
  readonly of: string;
}

/** `path` null: nothing is asked for. */
export function useAsked<Value>(
  desk: Desk,
  path: string | null,
  { query = {}, everyMs, ask = askOnce }: Options = {},
): Asked<Value> {
  const { admin } = desk;
  const kept = useSignal<Kept<Value>>({ of: "", value: null, denied: null });
  const done = desk.done.value;
  const asked = path === null ? "" : JSON.stringify([path, query]);
  useEffect(
    () => (asked === "" ? undefined : keepAsking(admin, ask, asked, everyMs, kept)),
    [admin, ask, asked, everyMs, kept, done],
  );
  const { of, value, denied } = kept.value;
  return of === asked ? { value, denied } : { value: null, denied: null };
}

/** What is returned ends it. */
function keepAsking<Value>(
  admin: Desk["admin"],
  ask: Ask,
  of: string,
  everyMs: number | undefined,
  kept: Signal<Kept<Value>>,
): () => void {
  const [path, query] = JSON.parse(of) as [string, NonNullable<Sent["query"]>];
  let isWanted = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (): void => {
    if (everyMs !== undefined && isWanted) timer = setTimeout(again, everyMs);
  };
  const once = async (): Promise<void> => {
    try {
      const value = (await ask(admin, path, query)) as Value;
      if (isWanted) kept.value = { of, value, denied: null };
    } catch (error) {
      const denied = deniedOf(error);
      const last = kept.peek();
      // What is gone is not asked for again, and what it once was is not shown.
      const isGone = denied.status === 404;
      if (isWanted) kept.value = { of, value: last.of === of && !isGone ? last.value : null, denied };
      if (isGone) return;
    }
    later();
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
