/** One node after another: what each does at its start, and would be refused to two at once. */
import type { Timers } from "../../world/port.ts";
import type { ClusterStore } from "../port.ts";
import { ASK_EVERY_MS } from "./limits.ts";

/**
 * Runs `act` while no other node runs what has the same name. A node that dies meanwhile holds the others up until its
 * lease ends; one that is paused may run beside the next, so `act` must bear that. A store
 * that does not answer is asked again. Rejects as `act` does.
 */
export async function inTurn<T>(
  store: Pick<ClusterStore, "lease">,
  name: string,
  world: Pick<Timers, "pause">,
  act: () => Promise<T>,
): Promise<T> {
  for (;;) {
    const lease = await store.lease(name).catch(() => undefined);
    if (lease === undefined) {
      await world.pause(ASK_EVERY_MS);
      continue;
    }
    try {
      return await act();
    } finally {
      await lease.release().catch(() => {});
    }
  }
}
