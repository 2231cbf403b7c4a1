/** How long an agent sleeps. */
import type { Random } from "../bots/random.ts";

/** Around `everyMs`: agents that began together do not stay so. */
export const pauseMs = (random: Random, everyMs: number): number => Math.round(everyMs * random.between(0.5, 1.5));
