/** The wallet's way to the exchange: each step is a command, and may be refused. */
import type { Command, RejectReason } from "@pricetime/engine";
import type { Sequencer } from "../sequencer/port.ts";
import type { KeptRefusals } from "./kept-follower.ts";
import { REFUSAL_PAUSE_BLOCKS } from "./limits.ts";

export type RunCommand = Pick<Sequencer, "run">;

/** Runs a command and returns why it was refused, or null. Rejects when it was not taken, or may not have been. */
export async function refusalOf(sequencer: RunCommand, command: Command): Promise<RejectReason | null> {
  const { events } = await sequencer.run(command);
  const [first] = events;
  return first?.type === "rejected" ? first.reason : null;
}

/** Remembers recent refusals, so that the same request is not repeated at once. */
export class Refusals {
  readonly #heights: Map<string, number>;

  constructor(kept: KeptRefusals = []) {
    this.#heights = new Map(kept);
  }

  kept(): KeptRefusals {
    return [...this.#heights];
  }

  add(what: string, height: number): void {
    this.#heights.set(what, height);
  }

  isRecent(what: string, height: number): boolean {
    const refusedAt = this.#heights.get(what);
    if (refusedAt === undefined) return false;
    if (Math.abs(height - refusedAt) < REFUSAL_PAUSE_BLOCKS) return true;
    this.#heights.delete(what);
    return false;
  }
}
