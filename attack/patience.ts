/** Waiting for something that must come, for so long and no longer. */
import { setTimeout as sleep } from "node:timers/promises";

const EVERY_MS = 10;

/** False: it never did. What fails meanwhile has not come. */
export async function comes(holds: () => Promise<boolean> | boolean, withinMs: number): Promise<boolean> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    if (
      await Promise.resolve()
        .then(holds)
        .catch(() => false)
    )
      return true;
    if (performance.now() >= endMs) return false;
    await sleep(EVERY_MS);
  }
}
