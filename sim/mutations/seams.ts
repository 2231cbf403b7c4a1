/** The seams without any planted bug. */
import type { Seams } from "../world/node.ts";

export const NO_BUG: Seams = {
  journal: (real) => real,
  rows: (real) => real,
  sequencer: (real) => real,
  clocks: (real) => real,
  refusesClockBehind: true,
  syncsAtStart: true,
  historyWaits: true,
};
