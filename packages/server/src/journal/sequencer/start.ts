/**
 * Start of the sequencer: adopts the newest rules version, and suppresses commands while a lab restores a checkpoint.
 */
import assert from "node:assert/strict";
import { ADOPT_NEWEST_RULES, type Command, type EngineView, NEWEST_EDITION } from "@pricetime/engine";
import type { Outcome, Sequencer } from "./port.ts";
import { SavedStateUnreadable } from "../../platform/world/saved-state.ts";

/**
 * Adopts the newest rules version before clients are served. Resolves when it is journaled. Rejects with the errors of
 * `Sequencer.run`.
 */
export async function adoptNewestRules(
  view: Pick<EngineView, "edition">,
  sequencer: Pick<Sequencer, "run">,
): Promise<void> {
  if (view.edition === NEWEST_EDITION) return;
  await sequencer.run(ADOPT_NEWEST_RULES);
  // Another node may have adopted the version first.
  assert(view.edition === NEWEST_EDITION, "what a release knows it can adopt");
}

// The sequencer while a lab restores a checkpoint. The journal already contains the commands that a start submits
// (grants, keys, listings), and later changes to them were intended. So nothing is journaled until the restore is
// complete.

export class SuppressedSequencer implements Sequencer {
  readonly #inner: Sequencer;
  #isSilent = true;

  constructor(inner: Sequencer) {
    this.#inner = inner;
  }

  /** Ends the suppression: commands are carried out from now on. */
  speak(): void {
    this.#isSilent = false;
  }

  submit(...[command, settle, untilMs]: Parameters<Sequencer["submit"]>): void {
    if (this.#isSilent) settle(this.#nothing());
    else this.#inner.submit(command, settle, untilMs);
  }

  /**
   * Rejects with `SavedStateUnreadable` if a required account is missing, which means that another kind of lab created
   * the checkpoint.
   */
  async run(command: Command): Promise<Outcome> {
    if (!this.#isSilent) return this.#inner.run(command);
    if (command.type !== "openAccount") return this.#nothing();
    throw new SavedStateUnreadable(`the checkpoint has no account ${command.email}, which this lab needs`);
  }

  nowMs(): number {
    return this.#inner.nowMs();
  }

  #nothing(): Outcome {
    return { seq: 0, timeMs: this.nowMs(), events: [] };
  }
}
