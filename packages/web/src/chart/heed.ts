import type { ReadonlySignal } from "@preact/signals";

/** Whoever calls this is called again when one of them changes. */
export function heed(...signals: readonly ReadonlySignal<unknown>[]): void {
  for (const signal of signals) Reflect.get(signal, "value");
}
