/**
 * What the loops that follow a chain share: their limits, the parts that they work with, commands to the exchange (each
 * may be refused), and how deep a block must lie.
 */
import {
  type AssetNetwork,
  type AssetView,
  type Command,
  type DepositContents,
  type DepositRecord,
  type EngineView,
  formatDecimal,
  type RejectReason,
} from "@pricetime/engine";
import { z } from "zod";
import { savedCount } from "../../platform/world/saved-state.ts";
import type { SavedState } from "../../platform/world/port.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { Logger } from "../../platform/observe/log.ts";
import type { Chain } from "./chain.ts";
import type { CoinFaults } from "./port.ts";

/** The blocks that one round reads, so that a long backlog is worked off in steps. */
export const MAX_BLOCKS_A_ROUND = 500;
/** The watcher journals how far it has read whenever it is this many blocks further, and at stop. */
export const ADVANCE_EVERY_BLOCKS = 100;
/** The least number of blocks that are read again after a restart. */
export const MIN_MARGIN_BLOCKS = 12;
/** The rounds in a row in which a transaction must be missing before this is believed: nodes may briefly disagree. */
export const ROUNDS_TO_BELIEVE = 3;
/** How often the sender raises the fee of one payment by itself; the engine allows 100, the rest are for operators. */
export const MAX_RAISES_BY_ITSELF = 50;
/** Where only operators raise fees, they are told of a payment that blocks have passed over for this long. */
export const TELL_OF_STUCK_AFTER_MS = 180_000;
/** A refused command is not sent again before this many blocks: refusals, too, make the journal longer. */
const REFUSAL_PAUSE_BLOCKS = 20;
/** Coins of nobody that wait for an operator: of one coin, and of a network. What comes beyond is found by a rescan. */
export const MAX_STRAYS_OF_A_COIN = 100;
export const MAX_STRAYS_OF_A_NETWORK = 10_000;
/** The blocks that an operator may have looked through again at a time, and those between two rounds of reading. */
export const MAX_RESCAN_BLOCKS = 1000;
export const RESCAN_BLOCKS_A_TURN = 50;
/** The pause after a failed round; it doubles with each failure up to the longest. */
export const FIRST_BACK_OFF_MS = 500;
export const LONGEST_BACK_OFF_MS = 30_000;
/** The pause between two rounds of a sandbox's watcher, besides the rounds that its own events cause. */
export const SANDBOX_POLL_MS = 1000;
/** The longest text of `trouble`. */
export const MAX_TROUBLE_LENGTH = 300;

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

/** Refused commands, each with the height of the chain at that time. */
const SAVED_REFUSALS = z.array(z.tuple([z.string(), savedCount]));

/** Remembers recent refusals, so that the same request is not repeated at once. */
export class Refusals {
  readonly #heights: Map<string, number>;

  /** `part`: the name in saved state. */
  constructor(saved: SavedState, part: string) {
    this.#heights = new Map(saved.restore(part, SAVED_REFUSALS, () => [...this.#heights]));
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

export interface Depths {
  /** At this depth a deposit can be traded with. */
  readonly credit: number;
  /** At this depth nothing is taken back any more. */
  readonly final: number;
}

export function networkOf(asset: AssetView, network: string): AssetNetwork | undefined {
  return asset.spec.networks.find((each) => each.network === network);
}

export function assetByName(view: Pick<EngineView, "assets">, name: string): AssetView | undefined {
  return view.assets().find(({ spec }) => spec.asset === name);
}

/** Returns an asset's depths; for one that has left the network, those of the most careful asset still on it. */
export function depths(view: Pick<EngineView, "assets" | "asset">, assetId: number, network: string): Depths {
  const spec = networkOf(view.asset(assetId), network);
  if (spec === undefined) return { credit: margin(view, network), final: margin(view, network) };
  const credit = spec.creditConfirmations ?? 1;
  return { credit, final: Math.max(credit, spec.finalConfirmations ?? credit) };
}

/** Returns the greatest depth at which anything on the network becomes final: no deeper block can leave the chain. */
export function margin(view: Pick<EngineView, "assets">, network: string): number {
  let deepest = MIN_MARGIN_BLOCKS;
  for (const asset of view.assets()) {
    const spec = networkOf(asset, network);
    deepest = Math.max(deepest, spec?.creditConfirmations ?? 1, spec?.finalConfirmations ?? 1);
  }
  return deepest;
}

export interface FollowerParts {
  readonly chain: Chain;
  readonly view: EngineView;
  readonly sequencer: RunCommand;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** A lab alone has them. */
  readonly faults?: CoinFaults | undefined;
  /** The network's. */
  readonly saved: SavedState;
}
