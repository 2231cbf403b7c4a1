/**
 * Loads the chart after the page. With its library it is half of the script, and a trader needs the book and the order
 * form first.
 */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Book } from "../market/port.ts";
import type { ChartStage } from "./chart-stage.tsx";

export type Loaded =
  | { readonly step: "loading" | "failed" }
  | { readonly step: "ready"; readonly ChartStage: typeof ChartStage };

/** If no book arrives, the chart is loaded after this time. */
export const WITHOUT_BOOK_MS = 1000;

const loaded = signal<Loaded>({ step: "loading" });
export const loadedStage: ReadonlySignal<Loaded> = loaded;

/** Loads once: browsers cache a failed import until the page is reloaded. */
export function loadStage(): void {
  import("./chart-stage.tsx").then(
    (module) => (loaded.value = { step: "ready", ChartStage: module.ChartStage }),
    () => (loaded.value = { step: "failed" }),
  );
}

/** Runs `run` once: after the frame that draws the first real book, or after a while without one. */
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
