/** A signal as a component follows it: at most so often, however often it changes. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { drawPaced } from "./pace.ts";

export function useSlowly<Value>(source: ReadonlySignal<Value>, everyMs: number): ReadonlySignal<Value> {
  const slow = useSignal(source.peek());
  useEffect(
    () =>
      drawPaced(() => {
        slow.value = source.value;
      }, everyMs),
    [source, slow, everyMs],
  );
  return slow;
}
