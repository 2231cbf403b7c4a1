/** Faults of task owners, while business continues. */
import assert from "node:assert/strict";
import type { VenueNodes } from "./venue-nodes.ts";

const FAULTS = ["kill", "kill", "pause", "pause", "cut", "stop"] as const;

/** Starts a fault of the task's owner; returns what ends it. */
async function fault(venue: VenueNodes, role: string): Promise<(() => void) | undefined> {
  const holder = venue.holderOf(role);
  if (holder === undefined) return undefined;
  const { node } = holder;
  switch (venue.dice.pick(FAULTS)) {
    case "kill":
      node.kill();
      return () => node.restart();
    case "pause":
      node.pause();
      return () => node.resume();
    case "cut":
      node.isCut = true;
      return () => (node.isCut = false);
    case "stop":
      void node.stop().catch(() => {});
      await venue.run(3000);
      return () => node.restart();
  }
}

/** Business continues meanwhile. */
async function busy(venue: VenueNodes, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1000) {
    if (venue.dice.oneIn(3)) await venue.deposit();
    if (venue.dice.oneIn(2)) venue.withdraw();
    if (venue.dice.oneIn(2)) venue.confirm();
    venue.outside.mails.isSick = venue.dice.oneIn(4);
    await venue.run(1000);
  }
}

/** Returns how long the task had no owner, checked every 50 ms, while business continues. */
async function untilHeld(venue: VenueNodes, role: string): Promise<number> {
  const fromMs = venue.nowMs;
  while (venue.holderOf(role) === undefined) {
    assert.ok(venue.nowMs - fromMs < 60_000, `nobody gets ${role}`);
    if (venue.dice.oneIn(20)) venue.withdraw();
    await venue.run(50);
  }
  return venue.nowMs - fromMs;
}

/**
 * Runs this many faults of owners, one after the other, and waits until everything is settled. Returns the longest
 * handover.
 */
export async function ownerFaults(venue: VenueNodes, count: number): Promise<number> {
  await venue.open();
  let longestMs = 0;
  for (let i = 0; i < count; i++) {
    await busy(venue, 2000 + venue.dice.below(6000));
    const role = venue.dice.pick(venue.roles);
    await untilHeld(venue, role);
    const end = await fault(venue, role);
    longestMs = Math.max(longestMs, await untilHeld(venue, role));
    await busy(venue, venue.dice.below(4000));
    end?.();
  }
  await venue.quieten();
  return longestMs;
}
