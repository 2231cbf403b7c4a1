/** The wallet's way to the exchange: each step is a command, and may be refused. */
import {
  type Command,
  type DepositContents,
  type DepositRecord,
  type EngineView,
  formatDecimal,
  type RejectReason,
} from "@pricetime/engine";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { KeptRefusals } from "./kept-follower.ts";
import { REFUSAL_PAUSE_BLOCKS } from "./limits.ts";

export type RunCommand = Pick<Sequencer, "run">;

/** Runs a command and returns why it was refused, or null. Rejects when it was not taken, or may not have been. */
export async function refusalOf(sequencer: RunCommand, command: Command): Promise<RejectReason | null> {
  const { events } = await sequencer.run(command);
  const [first] = events;
  return first?.type === "rejected" ? first.reason : null;
}

/** What each step of a deposit names, so that the exchange carries out none that is meant for another report. */
export function contentsOf(
  view: Pick<EngineView, "asset">,
  { assetId, amount, address, tag }: DepositRecord,
): DepositContents {
  const { asset, precision } = view.asset(assetId).spec;
  return { asset, amount: formatDecimal(amount, precision, precision), address, tag };
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
