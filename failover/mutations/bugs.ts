/** All planted bugs. */
import type { Bug } from "./bug.ts";

export const BUGS: readonly Bug[] = [];
