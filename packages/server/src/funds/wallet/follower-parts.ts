/**
 * Shared by the loops that follow a chain: limits, parameters, commands that may be rejected, and required
 * confirmations.
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

/** The blocks that one round reads, so that a long backlog is processed in steps. */
export const MAX_BLOCKS_A_ROUND = 500;
/** The watcher journals its progress after this many blocks, and when it stops. */
export const ADVANCE_EVERY_BLOCKS = 100;
/** The minimum number of blocks that are read again after a restart. */
export const MIN_MARGIN_BLOCKS = 12;
/**
 * The consecutive rounds in which a transaction must be missing before it counts as lost, because nodes may briefly
 * disagree.
 */
export const ROUNDS_TO_BELIEVE = 3;
/** The most automatic fee increases of one payment; the engine allows 100, the rest are for operators. */
export const MAX_RAISES_BY_ITSELF = 50;
/** If only operators raise fees, they are notified when a payment has been stuck this long. */
export const TELL_OF_STUCK_AFTER_MS = 180_000;
/** A rejected command is not repeated before this many blocks, because rejections are journaled, too. */
const REFUSAL_PAUSE_BLOCKS = 20;
/**
 * The most unattributed deposits that wait for an operator, of one asset and of a network. Further ones are found by a
 * rescan.
 */
export const MAX_UNATTRIBUTED_PER_COIN = 100;
export const MAX_UNATTRIBUTED_PER_NETWORK = 10_000;
/** The most blocks of one rescan, and those between two regular rounds. */
export const MAX_RESCAN_BLOCKS = 1000;
export const RESCAN_BLOCKS_A_TURN = 50;
/** The pause after a failed round; it doubles with each failure, up to the longest. */
export const FIRST_BACK_OFF_MS = 500;
export const LONGEST_BACK_OFF_MS = 30_000;
/** The pause between two rounds of a sandbox's watcher, which also runs after each change. */
export const SANDBOX_POLL_MS = 1000;
/** The longest text of `trouble`. */
export const MAX_TROUBLE_LENGTH = 300;

export type RunCommand = Pick<Sequencer, "run">;

/**
 * Runs a command and returns why it was rejected, or null. Rejects if the command was not accepted, or its outcome is
 * unknown.
 */
export async function refusalOf(sequencer: RunCommand, command: Command): Promise<RejectReason | null> {
  const { events } = await sequencer.run(command);
  const [first] = events;
  return first?.type === "rejected" ? first.reason : null;
}

/**
 * The contents of a deposit, which every step repeats so that the exchange can reject a step for different contents.
 */
export function contentsOf(
  view: Pick<EngineView, "asset">,
  { assetId, amount, address, tag }: DepositRecord,
): DepositContents {
  const { asset, precision } = view.asset(assetId).spec;
  return { asset, amount: formatDecimal(amount, precision, precision), address, tag };
}

/** Rejected commands, each with the height of the chain at that time. */
const SAVED_REFUSALS = z.array(z.tuple([z.string(), savedCount]));

/** Recent rejections, to avoid immediate repetitions. */
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
  /** The confirmations at which a deposit can be traded. */
  readonly credit: number;
  /** The confirmations at which a deposit is final. */
  readonly final: number;
}

export function networkOf(asset: AssetView, network: string): AssetNetwork | undefined {
  return asset.spec.networks.find((each) => each.network === network);
}

export function assetByName(view: Pick<EngineView, "assets">, name: string): AssetView | undefined {
  return view.assets().find(({ spec }) => spec.asset === name);
}

/**
 * The required confirmations of an asset; for one that was removed from the network, the greatest of the remaining
 * assets.
 */
export function depths(view: Pick<EngineView, "assets" | "asset">, assetId: number, network: string): Depths {
  const spec = networkOf(view.asset(assetId), network);
  if (spec === undefined) return { credit: margin(view, network), final: margin(view, network) };
  const credit = spec.creditConfirmations ?? 1;
  return { credit, final: Math.max(credit, spec.finalConfirmations ?? credit) };
}

/** The greatest number of confirmations that any asset on the network requires. Deeper blocks count as final. */
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
  /** Only in a lab. */
  readonly faults?: CoinFaults | undefined;
  /** The network's saved state. */
  readonly saved: SavedState;
}
