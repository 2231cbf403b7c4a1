/** At a start, journals the settings that all nodes have alike. docs/decisions/0044. */
import assert from "node:assert/strict";
import type { EngineView, SharedSetting } from "@pricetime/engine";
import { changeLines, unlikeJournal } from "../../cluster/compare-settings.ts";
import { NodeUnfit, type Sequencer } from "../../journal/sequencer/port.ts";

type View = Pick<EngineView, "sharedSettings">;

/** Throws `NodeUnfit` when the journal has other settings for all nodes. */
export function checkSettings(own: readonly SharedSetting[], view: View): void {
  const unlike = unlikeJournal(own, view.sharedSettings);
  if (unlike !== undefined) throw new NodeUnfit(unlike);
}

/** Resolves to a line for each setting that changes, once the journal has the own ones. Rejects as `Sequencer.run` does. */
export async function journalSettings(
  sequencer: Pick<Sequencer, "run">,
  view: View,
  own: readonly SharedSetting[],
  by: string,
): Promise<string[]> {
  const journaled = view.sharedSettings;
  const isSame = own.every(({ name, value }) => journaled.some((kept) => kept.name === name && kept.value === value));
  if (isSame) return [];
  const { events } = await sequencer.run({ type: "setSharedSettings", by, settings: own });
  assert(events[0]?.type !== "rejected", "the configuration has only settings that the engine keeps");
  return changeLines(own, journaled);
}
