/** Limits how often panels are drawn: at most once a frame and ten times a second, always with the newest values. */
import { effect, type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const DRAW_EVERY_MS = 100;

/**
 * Calls `draw` at once and after each change of a signal that it reads, with at least `everyMs` between two calls. The
 * returned function stops this.
 */
export function drawPaced(draw: () => void, everyMs: number = DRAW_EVERY_MS): () => void {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let drawnMs = Number.NEGATIVE_INFINITY;
  let end: () => void = () => {};

  // Changes between two runs are not lost, because each run reads all signals and subscribes again.
  function run(): void {
    frame = 0;
    end();
    drawnMs = performance.now();
    let isFirst = true;
    end = effect(() => {
      if (!isFirst) return plan();
      isFirst = false;
      draw();
    });
  }

  function plan(): void {
    if (frame !== 0 || timer !== undefined) return;
    const leftMs = drawnMs + everyMs - performance.now();
    if (leftMs <= 0) frame = requestAnimationFrame(run);
    else
      timer = setTimeout(() => {
        timer = undefined;
        frame = requestAnimationFrame(run);
      }, leftMs);
  }

  run();
  return () => {
    end();
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

// A copy of a signal for components, updated at most every `everyMs`.

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
