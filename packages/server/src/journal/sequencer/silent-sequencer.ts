/**
 * The sequencer of a lab that goes back. The journal already has what a start would write into it (grants, keys,
 * listings), and later changes of these were intended. So nothing is journaled until the lab is back.
 */
import type { Command } from "@pricetime/engine";
import { KeptUnreadable } from "../../platform/world/read-kept.ts";
import type { Outcome, Sequencer } from "./port.ts";

export class SilentSequencer implements Sequencer {
  readonly #inner: Sequencer;
  #isSilent = true;

  constructor(inner: Sequencer) {
    this.#inner = inner;
  }

  /** Commands are carried out from now on. */
  speak(): void {
    this.#isSilent = false;
  }

  submit(command: Command, settle: Parameters<Sequencer["submit"]>[1]): void {
    if (this.#isSilent) settle(this.#nothing());
    else this.#inner.submit(command, settle);
  }

  /** Rejects with `KeptUnreadable` for an account that cannot be done without: another kind of lab made the checkpoint. */
  async run(command: Command): Promise<Outcome> {
    if (!this.#isSilent) return this.#inner.run(command);
    if (command.type !== "openAccount") return this.#nothing();
    throw new KeptUnreadable(`the checkpoint has no account ${command.email}, which this lab needs`);
  }

  nowMs(): number {
    return this.#inner.nowMs();
  }

  #nothing(): Outcome {
    return { seq: 0, timeMs: this.nowMs(), events: [] };
  }
}
