/** At a start, moves a journal with an earlier edition of the rules to this release's edition. */
import assert from "node:assert/strict";
import { ADOPT_NEWEST_RULES, type EngineView, NEWEST_EDITION } from "@pricetime/engine";
import type { Sequencer } from "./port.ts";

/** Resolves when it is journaled, before anybody is served. Rejects as `Sequencer.run` does. */
export async function adoptNewestRules(
  view: Pick<EngineView, "edition">,
  sequencer: Pick<Sequencer, "run">,
): Promise<void> {
  if (view.edition === NEWEST_EDITION) return;
  await sequencer.run(ADOPT_NEWEST_RULES);
  // Another node may have been first.
  assert(view.edition === NEWEST_EDITION, "what a release knows it can adopt");
}
