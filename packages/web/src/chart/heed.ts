import type { ReadonlySignal } from "@preact/signals";

/** Subscribes the calling component or effect to all of these signals. */
export function heed(...signals: readonly ReadonlySignal<unknown>[]): void {
  for (const signal of signals) Reflect.get(signal, "value");
}
