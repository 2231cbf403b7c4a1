/** One node after another: what each does at its start, and would be refused to two at once. */
import type { Timers } from "../../platform/world/port.ts";
import { type ClusterStore, type Lease, StoreUnfit } from "../port.ts";
import { ASK_EVERY_MS } from "./limits.ts";

/** A store that does not answer so many times is not waited for any longer. */
const MAX_FAILURES = 30;

/**
 * Runs `act` while no other node runs what has the same name. A node that dies meanwhile holds the others up until its
 * lease ends; one that is paused may run beside the next, so `act` must bear that. Rejects as `act` does, with `StoreUnfit`,
 * and when the store does not answer for long.
 */
export async function inTurn<T>(
  store: Pick<ClusterStore, "lease">,
  name: string,
  world: Pick<Timers, "pause">,
  act: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; ) {
    let lease: Lease | undefined;
    try {
      lease = await store.lease(name);
    } catch (error) {
      // A lease that was given and not heard of ends by itself.
      if (error instanceof StoreUnfit || ++failures === MAX_FAILURES) throw error;
    }
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
