/**
 * Loads the drawn chart after the page: with the library that draws it, it is half of the script, and a trader needs
 * book and form first.
 */
import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Book } from "../market/port.ts";
import type { ChartStage } from "./chart-stage.tsx";

export type Loaded =
  | { readonly step: "loading" | "failed" }
  | { readonly step: "ready"; readonly ChartStage: typeof ChartStage };

/** Where no book comes, the chart is loaded all the same. */
export const WITHOUT_BOOK_MS = 1000;

const loaded = signal<Loaded>({ step: "loading" });
export const loadedStage: ReadonlySignal<Loaded> = loaded;

/** Once: browsers remember what they could not load, until the page is loaded anew. */
export function loadStage(): void {
  import("./chart-stage.tsx").then(
    (module) => (loaded.value = { step: "ready", ChartStage: module.ChartStage }),
    () => (loaded.value = { step: "failed" }),
  );
}

/** Runs it once: after the frame that draws the first true book, or after a while without one. */
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
