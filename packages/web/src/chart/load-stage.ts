/**
 * Loads the chart after the page. The chart and its library are half of the script, and traders need the book and the
 * order form first.
 */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Book } from "../market/port.ts";
import type * as Stage from "./stage.ts";

export type Loaded = { readonly step: "loading" | "failed" } | ({ readonly step: "ready" } & typeof Stage);

/** The time after which the chart is loaded even if no book has arrived. */
export const WITHOUT_BOOK_MS = 1000;

const loaded = signal<Loaded>({ step: "loading" });
export const loadedStage: ReadonlySignal<Loaded> = loaded;

/**
 * Loads the chart's script. It is loaded only once, because browsers cache a failed import until the page is reloaded.
 */
export function loadStage(): void {
  import("./stage.ts").then(
    (parts) => (loaded.value = { step: "ready", ...parts }),
    () => (loaded.value = { step: "failed" }),
  );
}

/** Calls `run` once: after the frame that draws the first book, or after `WITHOUT_BOOK_MS`. */
export function afterFirstBook(book: ReadonlySignal<Book>, run: () => void): void {
  let hasBegun = false;
  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    clearTimeout(late);
    requestAnimationFrame(() => setTimeout(run));
  };
  const late = setTimeout(begin, WITHOUT_BOOK_MS);
  effect(() => {
    if (!hasBegun && book.value.freshness === "live") begin();
  });
}
