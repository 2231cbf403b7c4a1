/** The present, for ages and waiting times that are shown. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { World } from "../wire/world.ts";

const TICK_MS = 1_000;

export function followPresent(world: Pick<World, "nowMs">): ReadonlySignal<number> {
  const nowMs = signal(world.nowMs());
  setInterval(() => {
    nowMs.value = world.nowMs();
  }, TICK_MS);
  return nowMs;
}
